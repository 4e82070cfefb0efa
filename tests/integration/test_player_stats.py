"""`player_stats` after a real import, against sums over what the files say themselves.

The vectors' expected seats and pairs come from a scorer that shares no code with this one; the claims of the
played hands from the engine that played them.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ofc_hub.clubs.models import Alias, Club, Player
from scoring.models import SliceToDo
from tests.shared import shared_file
from tests.workers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

SAMPLES = ROOT / "samples" / "demo.ndjson"
VECTORS = ROOT / "tests" / "fixtures" / "vectors.ndjson"
KINDS = ("all", "normal", "fantasyland")

Document = dict[str, Any]
Tally = dict[tuple[str, str], tuple[int, int | None]]


def lines(file: Path) -> list[Document]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def import_hands(file: Path, slug: str = "home") -> None:
    call_command("import_hands", str(file), club=slug, json=True, stdout=StringIO(), stderr=StringIO())


def import_documents(documents: Iterable[Document], folder: Path) -> None:
    file = folder / "hands.ndjson"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents))
    import_hands(file)


def player_stats(name: str, slug: str = "home", **options: Any) -> Document:
    output = StringIO()
    call_command("player_stats", name, club=slug, json=True, stdout=output, **options)
    return json.loads(output.getvalue())


def figures(name: str) -> Tally:
    return {
        (code, kind): (declared[kind]["numerator"], declared[kind]["denominator"])
        for code, declared in player_stats(name)["statistics"].items()
        for kind in KINDS
        if kind in declared
    }


# --- Sums over what a file says -------------------------------------------------------------------------


def kind_of(hand: Document, seat: int) -> str:
    dealt = next(one for one in hand["seats"] if one["seat"] == seat)
    return "fantasyland" if dealt.get("fantasyland") else "normal"


class Count:
    """Adds up by player, what is counted, and kind of hand."""

    def __init__(self) -> None:
        self.sums: dict[str, dict[tuple[str, str], int]] = defaultdict(lambda: defaultdict(int))

    def add(self, hand: Document, seat: int, what: str, amount: int) -> None:
        player = next(one["player"] for one in hand["seats"] if one["seat"] == seat)
        for kind in ("all", kind_of(hand, seat)):
            self.sums[player][what, kind] += amount

    def tally(self, player: str, over: dict[str, str | None]) -> Tally:
        own = self.sums[player]
        return {
            (what, kind): (own[what, kind], own[among, kind] if among else None)
            for what, among in over.items()
            for kind in KINDS
        }


def counted_claims(hands: list[Document]) -> Count:
    count = Count()
    for hand in hands:
        for seat in (one["seat"] for one in hand["seats"]):
            claim = hand["claimed"][str(seat)]
            count.add(hand, seat, "hands", 1)
            count.add(hand, seat, "points", claim["points"])
            count.add(hand, seat, "fouls", int(claim["foul"]))
            count.add(hand, seat, "next", int(claim["next_fantasyland"] > 0))
            count.add(hand, seat, "fantasyland-hands", int(kind_of(hand, seat) == "fantasyland"))
    return count


def counted_vectors(vectors: list[Document]) -> Count:
    count = Count()
    for hand, expected in ((vector["hand"], vector["expected"]) for vector in vectors):
        foul = {one["seat"]: one["foul"] for one in expected["seats"]}
        for one in expected["seats"]:
            _count_seat(count, hand, one)
        for pair in expected["pairs"]:
            if not (foul[pair["a"]] and foul[pair["b"]]):
                _count_pair(count, hand, pair["a"], pair["rows"], foul[pair["a"]], foul[pair["b"]])
                back = [-row for row in pair["rows"]]
                _count_pair(count, hand, pair["b"], back, foul[pair["b"]], foul[pair["a"]])
    return count


def _count_seat(count: Count, hand: Document, one: Document) -> None:
    seat = one["seat"]
    count.add(hand, seat, "hands", 1)
    count.add(hand, seat, "points", one["points"])
    count.add(hand, seat, "fouls", int(one["foul"]))
    count.add(hand, seat, "dead-hands", int(seat in hand.get("dead", [])))
    count.add(hand, seat, "next", int(one["next_fantasyland"] > 0))
    count.add(hand, seat, "royalties-per-hand", sum(one["royalties"].values()))
    for row, royalty in one["royalties"].items():
        count.add(hand, seat, f"royalties-{row}-per-hand", royalty)


def _count_pair(count: Count, hand: Document, seat: int, rows: list[int], foul: bool, over: bool) -> None:
    count.add(hand, seat, "pairs", 1)
    count.add(hand, seat, "legal pairs", int(not foul and not over))
    count.add(hand, seat, "rows", 3)
    for what, sign in (("rows-won", 1), ("rows-tied", 0), ("rows-lost", -1)):
        count.add(hand, seat, what, rows.count(sign))
    count.add(hand, seat, "scoops-legal", int(rows == [1, 1, 1] and not over))
    count.add(hand, seat, "scooped-legal", int(rows == [-1, -1, -1] and not foul))
    count.add(hand, seat, "scoops-foul", int(rows == [1, 1, 1] and over))
    count.add(hand, seat, "scooped-foul", int(rows == [-1, -1, -1] and foul))


CLAIMED = {"hands": None, "points": None, "points-per-hand": "hands", "fouls": "hands"}
SCORED = CLAIMED | {
    **{f"royalties-{row}per-hand": "hands" for row in ("", "top-", "middle-", "bottom-")},
    **{f"rows-{what}": "rows" for what in ("won", "tied", "lost")},
    **{f"{what}-legal": "legal pairs" for what in ("scoops", "scooped")},
    **{f"{what}-foul": "pairs" for what in ("scoops", "scooped")},
    "dead-hands": "hands",
}


def expect(count: Count, player: str, over: dict[str, str | None]) -> Tally:
    own = count.sums[player]
    fantasyland = own["hands", "fantasyland"]
    expected = count.tally(player, over) | {
        ("fantasyland-entries", "normal"): (own["next", "normal"], own["hands", "normal"]),
        ("fantasyland-stays", "fantasyland"): (own["next", "fantasyland"], fantasyland),
        ("fantasyland-hands", "all"): (fantasyland, own["hands", "all"]),
    }
    expected |= {("points-per-hand", kind): (own["points", kind], own["hands", kind]) for kind in KINDS}
    return expected


# --- Tests ----------------------------------------------------------------------------------------------

FILES = {"samples": lambda: SAMPLES, "arena": lambda: shared_file("arena.ndjson")}
VECTOR_FILES = {"fixture": lambda: VECTORS, "handed": lambda: shared_file("vectors.ndjson")}


@pytest.mark.parametrize("find", FILES.values(), ids=FILES)
def test_figures_are_what_the_claims_sum_to(find: Callable[[], Path]) -> None:
    file = find()
    import_hands(file)
    count = counted_claims(lines(file))
    for player in count.sums:
        expected = expect(count, player, CLAIMED)
        shown = figures(player)
        assert {key: shown[key] for key in expected} == expected


@pytest.mark.parametrize("find", VECTOR_FILES.values(), ids=VECTOR_FILES)
def test_every_figure_is_what_the_vectors_sum_to(find: Callable[[], Path], tmp_path: Path) -> None:
    vectors = lines(find())
    import_documents((vector["hand"] for vector in vectors), tmp_path)
    count = counted_vectors(vectors)
    for player in count.sums:
        expected = expect(count, player, SCORED)
        shown = figures(player)
        rulings = {("ruled-points", kind): (0, None) for kind in KINDS}
        assert shown == expected | rulings


RESULT_ONLY = {
    "format": "ofc-hand/1", "source": "book", "hand": "1", "rules": "pineapple", "button": 2,
    "played_at": "2026-11-01T20:00:00Z",
    "seats": [{"seat": 1, "player": "Anna"}, {"seat": 2, "player": "Bo"}],
    "claimed": {"1": {"points": 12}, "2": {"points": -12}},
}  # fmt: skip


def test_a_hand_of_which_only_the_result_is_known_counts_in_points_alone(tmp_path: Path) -> None:
    vector = next(one["hand"] for one in lines(VECTORS) if len(one["hand"]["seats"]) == 2)
    seats = [{**seat, "player": name} for seat, name in zip(vector["seats"], ("Anna", "Bo"), strict=True)]
    import_documents([RESULT_ONLY, {**vector, "seats": seats}], tmp_path)
    statistics = player_stats("Anna")["statistics"]
    assert statistics["hands"]["all"]["value"] == 2
    assert statistics["points-per-hand"]["all"]["denominator"] == 2
    assert statistics["points-per-hand"]["all"]["left_out"] == 0
    assert statistics["fouls"]["all"]["denominator"] == 1
    assert statistics["fouls"]["all"]["left_out"] == 1
    assert statistics["rows-won"]["all"]["denominator"] == 3


def test_what_waits_is_computed_first_unless_told_otherwise(tmp_path: Path) -> None:
    import_documents([RESULT_ONLY], tmp_path)
    before = player_stats("Anna", no_wait=True)
    assert before["complete_up_to"] < before["head"]
    assert before["statistics"]["hands"]["all"]["value"] == 0
    after = player_stats("Anna")
    assert after["complete_up_to"] == after["head"]
    assert after["statistics"]["hands"]["all"]["value"] == 1
    assert not SliceToDo.objects.exists()


def test_every_figure_has_its_parts(tmp_path: Path) -> None:
    import_documents([RESULT_ONLY], tmp_path)
    for declared in player_stats("Anna")["statistics"].values():
        assert {"name", "definition", "unit", "needs"} < set(declared)
        for kind in set(declared) & set(KINDS):
            assert set(declared[kind]) == {"value", "numerator", "denominator", "n", "interval", "left_out"}


def test_the_table_shows_the_same_figures(tmp_path: Path) -> None:
    import_documents([RESULT_ONLY], tmp_path)
    output = StringIO()
    call_command("player_stats", "Anna", club="home", stdout=output)
    table = output.getvalue().splitlines()
    assert table[0].startswith("Anna, club home: complete up to position ")
    assert next(line for line in table if line.startswith("Points per hand")).split() == [
        *("Points", "per", "hand", "+12.00", "12", "of", "1"),
    ]
    assert next(line for line in table if line.startswith("Fouls")).split() == [
        "Fouls",
        "none",
        "0",
        "of",
        "0",
        "1",
    ]


def test_an_unknown_name_is_refused_with_near_names(tmp_path: Path) -> None:
    import_documents([RESULT_ONLY], tmp_path)
    with pytest.raises(CommandError, match='no player "Ana" in club "home"; near it: Anna'):
        player_stats("Ana")
    with pytest.raises(CommandError, match='no club "hom"; near it: home'):
        player_stats("Anna", "hom")


def test_a_name_that_two_players_have_is_listed(tmp_path: Path) -> None:
    import_documents([RESULT_ONLY], tmp_path)
    club = Club.objects.get(slug="home")
    second = Player.objects.create(club=club, name="Anna")
    with pytest.raises(CommandError, match=f'2 players are called "Anna"(.|\n)*--id {second.pk}'):
        player_stats("Anna")
    assert player_stats("Anna", id=second.pk)["statistics"]["hands"]["all"]["value"] == 0


def test_a_player_is_found_by_a_name_that_a_source_wrote(tmp_path: Path) -> None:
    import_documents([RESULT_ONLY], tmp_path)
    alias = Alias.objects.get(name="Anna")
    Player.objects.filter(pk=alias.player_id).update(name="Anna Berg")
    assert player_stats("Anna")["player"] == "Anna Berg"
