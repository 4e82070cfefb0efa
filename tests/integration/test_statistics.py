"""Slices and figures against plain sums over the same results, written here once more without the service."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from analytics import selectors, slices
from analytics.models import DayCurve, PlayerDay
from analytics.slices import recompute_some
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Player
from scoring.models import SeatResult, SliceToDo
from tests.results import ROWS, ROYALTIES, a_club, invented, mark, store

pytestmark = pytest.mark.django_db

Rows = list[dict[str, Any]]


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def players(club: Club) -> list[int]:
    return sorted(club.players.values_list("pk", flat=True))


def recompute_all() -> None:
    while recompute_some():
        pass


def filled(club: Club, players: list[int], hands: int = 90, days: int = 7) -> Rows:
    rows = invented(Random(7), players, hands, days)
    store(club, rows)
    mark(club, rows, 5)
    recompute_all()
    return rows


def kinds(rows: Rows, player: int) -> dict[Kind, Rows]:
    own = [row for row in rows if row["player_id"] == player]
    return {
        Kind.ALL: own,
        Kind.NORMAL: [row for row in own if not row["fantasyland"]],
        Kind.FANTASYLAND: [row for row in own if row["fantasyland"]],
    }


def known(rows: Rows) -> Rows:
    return [row for row in rows if row["completeness"] != "result"]


def total(*names: str) -> Callable[[Rows], int]:
    return lambda rows: sum(row[name] for row in known(rows) for name in names)


def pairs(rows: Rows) -> int:
    return total(*ROWS)(rows) // 3


def legal_pairs(rows: Rows) -> int:
    return pairs(rows) - total("scoops_foul", "scooped_foul")(rows)


def boards(rows: Rows) -> int:
    return len(known(rows))


def nexts(rows: Rows) -> int:
    return sum(row["next_fantasyland"] > 0 for row in known(rows))


PLAIN: dict[str, tuple[Callable[[Rows], int], Callable[[Rows], int] | None]] = {
    "hands": (len, None),
    "points": (lambda rows: sum(row["points"] for row in rows), None),
    "ruled-points": (lambda rows: sum(row["ruled_points"] for row in rows), None),
    "points-per-hand": (lambda rows: sum(row["points"] for row in rows), len),
    "royalties-per-hand": (total(*ROYALTIES), boards),
    "royalties-top-per-hand": (total("royalties_top"), boards),
    "royalties-middle-per-hand": (total("royalties_middle"), boards),
    "royalties-bottom-per-hand": (total("royalties_bottom"), boards),
    "fouls": (total("foul"), boards),
    "dead-hands": (total("dead"), boards),
    "fantasyland-entries": (nexts, boards),
    "fantasyland-stays": (nexts, boards),
    "fantasyland-hands": (lambda rows: sum(row["fantasyland"] > 0 for row in rows), len),
    "rows-won": (total("rows_won"), total(*ROWS)),
    "rows-tied": (total("rows_tied"), total(*ROWS)),
    "rows-lost": (total("rows_lost"), total(*ROWS)),
    "scoops-legal": (total("scoops_legal"), legal_pairs),
    "scooped-legal": (total("scooped_legal"), legal_pairs),
    "scoops-foul": (total("scoops_foul"), pairs),
    "scooped-foul": (total("scooped_foul"), pairs),
}


def test_every_figure_equals_the_plain_sums(club: Club, players: list[int]) -> None:
    rows = filled(club, players)
    for player in Player.objects.all():
        by_kind = kinds(rows, player.pk)
        figures = selectors.player_statistics(club, player).figures
        assert {figure.statistic.code for figure in figures} == set(PLAIN)
        for figure in figures:
            own = by_kind[figure.kind]
            numerator, denominator = PLAIN[figure.statistic.code]
            assert figure.numerator == numerator(own), figure
            assert figure.denominator == (denominator(own) if denominator else None), figure
            if figure.statistic.needs == "boards":
                assert figure.left_out == len(own) - len(known(own))


def test_the_mean_stands_in_the_middle_of_its_interval(club: Club, players: list[int]) -> None:
    rows = filled(club, players)
    figure = selectors.player_statistics(club, Player.objects.get(pk=players[0])).points_per_hand
    points = [row["points"] for row in kinds(rows, players[0])[Kind.ALL]]
    mean = sum(points) / len(points)
    error = (sum((one - mean) ** 2 for one in points) / (len(points) - 1) / len(points)) ** 0.5
    assert figure.value == pytest.approx(mean)
    # 90 hands: the t quantile for 89 degrees of freedom is 1.987.
    assert figure.interval == pytest.approx((mean - 1.987 * error, mean + 1.987 * error), abs=0.005)


def test_the_leaderboard_is_ordered_by_points_and_bounded(club: Club, players: list[int]) -> None:
    rows = filled(club, players)
    expected = {player: sum(row["points"] for row in kinds(rows, player)[Kind.ALL]) for player in players}
    lines = selectors.leaderboard(club)
    assert [(line.player_id, line.points) for line in lines] == sorted(
        expected.items(), key=lambda item: -item[1]
    )
    assert selectors.leaderboard(club, limit=1) == lines[:1]


def test_another_club_sees_none_of_it(club: Club, players: list[int]) -> None:
    filled(club, players)
    other = a_club("other", ("Anna",))
    assert selectors.leaderboard(other) == []
    assert selectors.player_statistics(other, other.players.get()).hands == 0


def test_the_curve_ends_at_all_hands_and_all_points(club: Club, players: list[int]) -> None:
    rows = filled(club, players, hands=400, days=3)
    own = kinds(rows, players[0])[Kind.ALL]
    running, at = 0, {0: 0}
    for number, row in enumerate(sorted(own, key=lambda row: (row["day"], row["played_at"], row["number"]))):
        running += row["points"]
        at[number + 1] = running
    curve = selectors.cumulative_points(club, Player.objects.get(pk=players[0]))
    assert curve[-1].hands == 400
    assert len(curve) == 3 * slices.SAMPLES_A_DAY
    assert all(at[point.hands] == point.points for point in curve)
    thin = selectors.cumulative_points(club, Player.objects.get(pk=players[0]), limit=20)
    assert len(thin) <= 20
    assert thin[-1] == curve[-1]


def test_a_short_day_keeps_every_hand() -> None:
    assert slices.thinned([5, -2, 1]) == [[1, 5], [2, 3], [3, 4]]


def test_a_correction_rewrites_its_slice_whole(club: Club, players: list[int]) -> None:
    rows = filled(club, players)
    changed, gone = rows[0], rows[1]
    SeatResult.objects.filter(hand_id=changed["hand_id"], seat=changed["seat"]).update(points=999)
    SeatResult.objects.filter(hand_id=gone["hand_id"], seat=gone["seat"]).delete()
    mark(club, [changed, gone], 6)
    recompute_all()
    left = [{**changed, "points": 999}, *rows[2:]]
    for player in Player.objects.all():
        own = kinds(left, player.pk)[Kind.ALL]
        statistics = selectors.player_statistics(club, player)
        assert (statistics.hands, statistics.points) == (len(own), sum(row["points"] for row in own))


def test_a_day_that_loses_its_hands_loses_its_sums(club: Club, players: list[int]) -> None:
    rows = filled(club, players)
    SeatResult.objects.filter(player_id=players[0]).delete()
    mark(club, rows, 6)
    recompute_all()
    assert not PlayerDay.objects.filter(player_id=players[0]).exists()
    assert set(DayCurve.objects.filter(player_id=players[0]).values_list("samples__0", flat=True)) == {None}
    assert selectors.cumulative_points(club, Player.objects.get(pk=players[0])) == []


def test_statistics_are_complete_up_to_the_oldest_waiting_position(club: Club, players: list[int]) -> None:
    rows = filled(club, players)
    assert selectors.as_of(club) == selectors.AsOf(5, 5)
    mark(club, rows[:1], 8)
    mark(club, rows[1:2], 9)
    assert selectors.as_of(club) == selectors.AsOf(7, 9)
    recompute_all()
    assert selectors.complete_up_to(club) == 9


def test_a_player_page_and_a_leaderboard_are_few_queries(
    club: Club, players: list[int], django_assert_num_queries: Any
) -> None:
    filled(club, players)
    player = Player.objects.get(pk=players[0])
    with django_assert_num_queries(1):
        assert selectors.player_statistics(club, player).figures
    with django_assert_num_queries(1):
        assert selectors.cumulative_points(club, player)
    with django_assert_num_queries(2):
        assert selectors.leaderboard(club)
    with django_assert_num_queries(2):
        assert selectors.as_of(club)


def test_a_backlog_is_worked_off_in_bounded_transactions(
    club: Club, players: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICES", 4)
    rows = invented(Random(3), players, 60, 5)
    store(club, rows)
    mark(club, rows, 1)
    turns = [recompute_some() for _ in range(5)]
    assert turns == [4, 4, 4, 3, 0]
    assert not SliceToDo.objects.exists()
    assert sum(line.hands for line in selectors.leaderboard(club)) == len(rows)
