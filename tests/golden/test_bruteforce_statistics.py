"""Every statistic of the demo club equals plain counting over its exported hands, under random filters."""

import json
from collections.abc import Iterator
from functools import lru_cache
from io import StringIO
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.http import QueryDict

from analytics.breakdowns import BREAKDOWNS, breakdown
from analytics.components import by_opponent, components
from analytics.courses import over_time, running
from analytics.details import EVERY
from analytics.filtered import statistics_of
from analytics.filters import HandFilter
from analytics.gatherings import Gathering, club_day, compare, tournament
from analytics.hand_rows import hands_of
from analytics.head_to_head import head_to_head
from analytics.leaderboards import Order, ranked
from analytics.metrics import Figure
from analytics.played import PlayedHands
from analytics.records import records
from analytics.selectors import player_statistics
from analytics.sessions import sessions
from analytics.slices import recompute_some
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.models import Stream
from ofc_hub.imports.export import hand_lines
from scoring.domain.interchange import play, read_hand
from scoring.domain.result_document import result_document
from scoring.domain.scored import score_hands
from tests import statistics_twin as twin
from tests.prove import scale
from tests.tables import good

HANDS = scale(600, 20_000)
FILTERS = scale(25, 50)
KINDS = {"all": lambda boards: boards, "normal": twin.normal, "fantasyland": twin.fantasyland}

pytestmark = [
    pytest.mark.prove,
    pytest.mark.django_db,
    pytest.mark.n_plus_one_allowed,  # one filter after another asks the same questions
]


class Played:
    """The demo club, and what the twin read of its export."""

    def __init__(self) -> None:
        call_command("demo", "--hands", str(HANDS), stdout=StringIO())
        while recompute_some():
            pass
        self.club = Club.objects.get(slug="demo")
        self.keys = {player.name: player.pk for player in Player.objects.filter(club=self.club)}
        self.streams = dict(Stream.objects.filter(club=self.club).values_list("key", "pk"))
        self.boards = twin.in_order(
            board
            for hand, result in exported(self.club)
            for board in twin.boards_of(hand, result, self.club.time_zone, self.club.day_start)
        )
        self.by_player = {
            name: [one for one in self.boards if one["player"] == name] for name in sorted(self.keys)
        }


def exported(club: Club) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    lines = list(hand_lines(club))
    states = [good(play(good(read_hand(line.rstrip()))))[1] for line in lines]
    for line, state, score in zip(lines, states, score_hands(states), strict=True):
        # Through JSON: the twin sees documents and nothing else.
        yield json.loads(line), json.loads(json.dumps(result_document(state, good(score))))


@pytest.fixture(scope="module")
def demo(django_db_setup: Any, django_db_blocker: Any) -> Iterator[Played]:
    with django_db_blocker.unblock():
        yield Played()
        call_command("flush", interactive=False, verbosity=0)


def random_filter(random: Random, demo: Played) -> dict[str, list[str]]:
    """What a query might ask of one player: values that occur, and now and then others."""
    player = random.choice(sorted(demo.by_player))
    boards = demo.by_player[player]

    def some(name: str, count: int = 2) -> list[str]:
        return sorted({str(one[name]) for one in random.choices(boards, k=count)} - {""})

    asked: dict[str, list[str]] = {"player": [player]}
    possible = {
        "against": lambda: random.sample(sorted(set(demo.by_player) - {player}), 2),
        "game": lambda: some("game"),
        "table": lambda: some("table"),
        "tournament": lambda: some("tournament", 5),
        "stake": lambda: some("stake", 3),
        "seats": lambda: some("seats", 1),
        "place": lambda: some("place"),
        "since": lambda: [str(random.choice(boards[: len(boards) // 2])["day"])],
        "until": lambda: [str(random.choice(boards[len(boards) // 2 :])["day"])],
        "weekday": lambda: [str(random.choice((3, 6)))],
        "hour": lambda: sorted({str(one["local"].hour) for one in random.choices(boards, k=3)}),
        "kind": lambda: [random.choice(("normal", "fantasyland"))],
        "known": lambda: [random.choice(("boards", "full"))],
        "first": lambda: sorted({one["first"][0] for one in random.choices(boards, k=4)} - {""}),
        "shape": lambda: sorted({one["first"][1] for one in random.choices(boards, k=6)} - {""}),
        "only": lambda: [random.choice(("fouls", "fantasyland-entries", "scoops-legal", "bottom-flush"))],
    }
    for key in random.sample(sorted(possible), random.randint(0, 4)):
        asked[key] = possible[key]() or ["nothing"]
    return asked


@lru_cache(maxsize=1)
def filters_of(demo: Played) -> list[dict[str, list[str]]]:
    random = Random(2026)
    first, second = sorted(demo.by_player)[:2]
    certain = [{"player": [first]}, {"player": [second], "first": ["pair-on-the-bottom", "flush-draw"]}]
    certain += [{"player": [first], "shape": ["0-2-3"]}]
    return certain + [random_filter(random, demo) for _ in range(FILTERS - len(certain))]


def parsed(demo: Played, asked: dict[str, list[str]]) -> HandFilter:
    """Through a query string, as a page gets it."""
    keys = {
        key: [str(demo.keys[name]) for name in names] if key in ("player", "against") else names
        for key, names in asked.items()
    }
    found = good(HandFilter.parse(QueryDict(urlencode(keys, doseq=True))))
    assert good(HandFilter.parse(QueryDict(found.query()))) == found
    return found


def both(demo: Played) -> Iterator[tuple[dict[str, list[str]], HandFilter, PlayedHands, twin.Boards]]:
    for asked in filters_of(demo):
        found = parsed(demo, asked)
        yield asked, found, hands_of(demo.club, found), twin.chosen(demo.by_player[asked["player"][0]], asked)


def agree(figure: Figure, boards: twin.Boards) -> None:
    code = figure.statistic.code
    count, among = twin.PLAIN[code]
    own = KINDS[figure.kind](boards)
    assert figure.numerator == count(own), (code, figure)
    assert figure.denominator == (among(own) if among else None), (code, figure)
    assert figure.left_out == twin.left_out(code, own), (code, figure)
    expected = twin.value(code, own)
    assert figure.value == (None if expected is None else pytest.approx(float(expected))), (code, figure)


def test_every_statistic_under_every_filter(demo: Played) -> None:
    assert set(EVERY) == set(twin.PLAIN)
    met = 0
    for asked, _, hands, boards in both(demo):
        assert len(hands) == len(boards), asked
        less = {key: value for key, value in asked.items() if key != "known"}
        assert hands.found.matching == len(twin.chosen(demo.by_player[asked["player"][0]], less)), asked
        assert set(hands.ids()) == {demo.streams[one["hand"]] for one in boards}, asked
        for figure in statistics_of(hands).figures:
            agree(figure, boards)
        met += len(boards)
    assert met > HANDS


def test_opponents_and_components_under_every_filter(demo: Played) -> None:
    for asked, found, hands, boards in both(demo):
        lines = by_opponent(demo.club, found, hands)
        assert {line.player: (line.boards, line.points) for line in lines} == twin.exchanged(boards), asked
        made = components(demo.club, found, hands)
        parts = {
            name: getattr(made, name) for name in ("rows", "scoops", "fouls", "royalties", "moon", "other")
        }
        assert parts == twin.made_of(boards), asked
        assert made.points == twin.points(boards)


def test_sessions_under_every_filter(demo: Played) -> None:
    for asked, _, hands, boards in both(demo):
        found = [(one.hands, one.points, one.minutes) for one in sessions(hands)]
        assert found == [(a, b, c and pytest.approx(c)) for a, b, c in twin.sessions(boards)], asked


@pytest.mark.parametrize("code", sorted(BREAKDOWNS))
def test_a_breakdown_tells_all_hands_apart(demo: Played, code: str) -> None:
    """Each line's filter finds the hands that the line counts, and the lines together are all hands."""
    asked = parsed(demo, filters_of(demo)[0])
    hands = hands_of(demo.club, asked)
    lines = breakdown(demo.club, hands, asked, code)
    if code in ("first", "shape"):
        hands = hands.where(hands["with_opening"] == 1)
    assert sum(line.figures["hands"].numerator for line in lines) == len(hands)
    assert sum(line.figures["points"].numerator for line in lines) == int(hands["points"].sum())
    for line in lines[:8]:
        again = hands_of(demo.club, good(HandFilter.parse(QueryDict(line.filter.query()))))
        assert len(again) == line.figures["hands"].numerator, line


@pytest.fixture
def _few_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Club days are clusters from five on: the short version of these tests plays no twenty evenings."""
    for module in ("played", "selectors", "leaderboards"):
        monkeypatch.setattr(f"analytics.{module}.ENOUGH_DAYS", 5)


@pytest.mark.usefixtures("_few_days")
def test_slices_and_single_hands_agree(demo: Played) -> None:
    for player in Player.objects.filter(club=demo.club):
        from_slices = player_statistics(demo.club, player)
        hands = hands_of(demo.club, HandFilter(players=(player.pk,)))
        for figure in from_slices.figures:
            agree(figure, demo.by_player[player.name])
            same = statistics_of(hands).figure(figure.statistic.code, figure.kind)
            assert figure.interval == (same.interval and pytest.approx(same.interval)), figure
        assert hands.clusters.what == "club-days"


def test_how_figures_ran(demo: Played) -> None:
    asked = parsed(demo, filters_of(demo)[0])
    hands, boards = hands_of(demo.club, asked), demo.by_player[filters_of(demo)[0]["player"][0]]
    course = running(hands, 40)
    assert len(course) == 40
    for point in course:
        so_far = boards[: point.hands]
        assert (point.points, point.day) == (twin.points(so_far), so_far[-1]["day"])
        assert point.hand_id == demo.streams[so_far[-1]["hand"]]
    interval = statistics_of(hands).figure("points-per-hand").interval
    assert (course[-1].low, course[-1].high) == pytest.approx([end * len(boards) for end in interval])
    for point in over_time(demo.club, hands, asked, "fouls", Kind.NORMAL):
        of_month = [one for one in boards if one["day"].strftime("%Y-%m") == point.month]
        agree(point.figure, of_month)


@pytest.mark.parametrize("shown", [3, 100])
def test_the_grid_is_exact_and_its_rows_sum_to_the_totals(demo: Played, shown: int) -> None:
    grid = head_to_head(demo.club, limit=shown)
    names = dict(grid.players)
    for key, name in grid.players:
        exchanged = twin.exchanged(demo.by_player[name])
        others = [pair for other, pair in exchanged.items() if other not in names.values()]
        for other, other_name in grid.players:
            if other_name in exchanged:
                cell = grid.cells[key, other]
                assert (cell.boards, cell.points) == exchanged[other_name]
        assert (grid.others[key].boards, grid.others[key].points) == tuple(
            map(sum, zip(*others, strict=True)) if others else (0, 0)
        )
        unknown = [one for one in demo.by_player[name] if not one["pairs"]]
        assert (grid.unknown[key].boards, grid.unknown[key].points) == (len(unknown), twin.points(unknown))
        row = [cell.points for pair, cell in grid.cells.items() if pair[0] == key]
        assert sum(row) + grid.others[key].points + grid.unknown[key].points == grid.totals[key].points
        assert grid.totals[key].points == twin.points(demo.by_player[name])


# --- Many players together ----------------------------------------------------------------------------------


def standings_of(boards: twin.Boards) -> dict[str, tuple[int, int, int | None, int, int]]:
    found = {}
    for name in {one["player"] for one in boards}:
        own = [one for one in boards if one["player"] == name]
        chips = twin.chips(own) if twin.paid(own) else None
        royalties = twin.royalties("top", "middle", "bottom")(own)
        found[name] = (len(own), twin.points(own), chips, twin.flagged("foul")(own), royalties)
    return found


def agrees(gathering: Gathering, boards: twin.Boards) -> None:
    assert gathering.hands == len({(one["source"], one["hand"]) for one in boards})
    assert gathering.tables == tuple(sorted({one["table"] for one in boards} - {""}))
    assert gathering.began == min(one["started"] for one in boards)
    assert [one.points for one in gathering.standings] == sorted(
        (one.points for one in gathering.standings), reverse=True
    )
    found = {
        one.player: (one.hands, one.points, one.chips, one.fouls, one.royalties)
        for one in gathering.standings
    }
    assert found == standings_of(boards)


def test_evenings(demo: Played) -> None:
    for day in sorted({one["day"] for one in demo.boards})[:3]:
        boards = [one for one in demo.boards if one["day"] == day]
        evening = club_day(demo.club, day)
        agrees(evening, boards)
        for standing in evening.standings:
            own = [one for one in boards if one["player"] == standing.player]
            minutes = sum(minutes or 0 for _, _, minutes in twin.sessions(own))
            assert standing.minutes == (pytest.approx(minutes) if minutes else None)


def test_tournaments(demo: Played) -> None:
    for code in sorted({one["tournament"] for one in demo.boards} - {""})[:3]:
        agrees(tournament(demo.club, code), [one for one in demo.boards if one["tournament"] == code])


def test_two_players_compared(demo: Played) -> None:
    first, second = sorted(demo.by_player)[:2]
    found = compare(demo.club, demo.keys[first], demo.keys[second], HandFilter(seats=(2,)))
    mine, theirs = (twin.chosen(demo.by_player[name], {"seats": ["2"]}) for name in (first, second))
    assert found.first.figure("points").numerator == twin.points(mine)
    assert found.second.figure("points").numerator == twin.points(theirs)
    assert (found.between.boards, found.between.points) == twin.exchanged(mine).get(second, (0, 0))


@pytest.mark.usefixtures("_few_days")
def test_the_leaderboard_in_every_order(demo: Played) -> None:
    least = sorted(map(len, demo.by_player.values()))[1]
    for order in Order:
        ranking = ranked(demo.club, least, order)
        assert ranking.left_out == 1
        assert [line.rank for line in ranking.lines] == list(range(1, len(demo.by_player)))
        for line in ranking.lines:
            own = demo.by_player[line.statistics.player]
            assert (line.statistics.hands, line.statistics.points) == (len(own), twin.points(own))
            hands = hands_of(demo.club, HandFilter(players=(line.statistics.player_id,)))
            assert hands.clusters.what == "club-days"
            same = statistics_of(hands).figure("points-per-hand").interval
            assert line.per_hand.interval == pytest.approx(same)
    assert [line.statistics.points for line in ranked(demo.club, least).lines] == sorted(
        (line.statistics.points for line in ranked(demo.club, least).lines), reverse=True
    )
    bounds = [line.lower for line in ranked(demo.club, least, Order.LOWER_BOUND).lines]
    assert bounds == sorted(bounds, reverse=True)


def test_records(demo: Played) -> None:
    found = {record.code: record for record in records(demo.club)}
    best = max(one["points"] for one in demo.boards)
    first = next(one for one in demo.boards if one["points"] == best)
    record = found["best-hand"]
    assert (record.value, record.day, record.hand_id) == (best, first["day"], demo.streams[first["hand"]])
    royalties = twin.royalties("top", "middle", "bottom")
    assert found["royalties"].value == max(royalties([one]) for one in demo.boards)
    days = {(one["player"], one["day"]) for one in demo.boards}
    sums = {key: [one for one in demo.by_player[key[0]] if one["day"] == key[1]] for key in days}
    assert found["best-day"].value == max(map(twin.points, sums.values()))
    assert found["longest-day"].value == max(map(len, sums.values()))
    day = found["best-day"]
    assert twin.points(sums[day.player, day.day]) == day.value
