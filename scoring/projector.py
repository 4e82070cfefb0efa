"""From a replayed and scored hand to its result rows: one implementation for live appends and bulk loads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scoring.domain.hand import RESULT, HandState, Move, Ruling
from scoring.domain.openings import opening_of
from scoring.models import HandResult, PairResult, SeatResult, SliceToDo

if TYPE_CHECKING:
    from scoring.domain.scored import HandScore, PairScore, SeatScore

#: The version of the scoring that results carry; raised when a correction of the code changes results.
ENGINE = 1

# The order of the rows' values; a bulk load appends a hand's position, the last to be known, itself.
HAND_COLUMNS = ("hand_id", "club_id", "version", "engine", "complete", "differences", "position")
SEAT_COLUMNS = (
    "hand_id",
    "club_id",
    "player_id",
    "alias_id",
    "played_at",
    "number",
    "stake",
    "chips",
    "ruled_chips",
    "day",
    "points",
    "ruled_points",
    "seat",
    "place",
    "seats",
    "fantasyland",
    "next_fantasyland",
    "royalties_top",
    "royalties_middle",
    "royalties_bottom",
    "rows_won",
    "rows_tied",
    "rows_lost",
    "scoops_legal",
    "scooped_legal",
    "scoops_foul",
    "scooped_foul",
    "strength_top",
    "strength_middle",
    "strength_bottom",
    "opening",
    "foul",
    "dead",
    "completeness",
    "rules_id",
    "key",
    "tournament",
    "table",
)
PAIR_COLUMNS = (
    "hand_id",
    "club_id",
    "player_a_id",
    "player_b_id",
    "chips",
    "points",
    "a",
    "b",
    "row_top",
    "row_middle",
    "row_bottom",
    "bonus",
    "royalties",
    "moon",
    "why",
)
_PLAYER, _DAY = SEAT_COLUMNS.index("player_id"), SEAT_COLUMNS.index("day")
_UNKNOWN_ROWS = (None,) * 13
_UNKNOWN_PAIR = (None,) * 6


class Person(Protocol):
    """Who sits at a seat, as the store knows him (`clubs.people.AliasRef`)."""

    @property
    def alias_id(self) -> int: ...

    @property
    def player_id(self) -> int: ...


class Place(NamedTuple):
    """Where in the store a hand lies: `day` is the club's, `played_at` the start's instant as a datetime."""

    hand_id: int
    club_id: int
    played_at: datetime
    day: date


@dataclass(frozen=True, slots=True)
class ResultRows:
    """Values in the order of HAND_COLUMNS (without the position), SEAT_COLUMNS and PAIR_COLUMNS."""

    hand: tuple[Any, ...]
    seats: list[tuple[Any, ...]]
    pairs: list[tuple[Any, ...]]


class NotZeroError(Exception):
    """Points, chips or rulings of a hand do not sum to zero: an error of this program, never of its input."""


def result_rows(place: Place, state: HandState, score: HandScore, people: Mapping[int, Person]) -> ResultRows:
    """The rows of one hand; `people` says who sits at each seat. Raises NotZeroError."""
    _check_zero(state, score)
    differences = [one._asdict() for one in score.differences] or None
    hand = (place.hand_id, place.club_id, state.version, ENGINE, True, differences)
    pairs = [_pair_row(place, pair, people) for pair in score.pairs]
    return ResultRows(hand, _seat_rows(place, state, score, people), pairs)


def _seat_rows(
    place: Place, state: HandState, score: HandScore, people: Mapping[int, Person]
) -> list[tuple[Any, ...]]:
    start = state.start
    order = {seat: i for i, seat in enumerate(start.settlement_order(), start=1)}
    dealt = {seat.seat: seat.fantasyland for seat in start.seats}
    scoops = _scoops(score)
    ruled = _ruled(state.rulings)
    openings = _openings(state.moves)
    shared = (
        state.completeness,
        start.rules.digest,
        start.hand,
        start.tournament or "",
        start.table or "",
    )
    return [
        (
            *(place.hand_id, place.club_id, people[one.seat].player_id, people[one.seat].alias_id),
            *(place.played_at, start.number or 0, start.stake, one.chips, ruled.get(one.seat, _NONE)[1]),
            *(place.day, one.points, ruled.get(one.seat, _NONE)[0]),
            *(one.seat, order[one.seat], len(order), dealt[one.seat], one.next_fantasyland),
            *(_UNKNOWN_ROWS if state.completeness == RESULT else _row_values(one, scoops[one.seat])),
            *(None if dealt[one.seat] else openings.get(one.seat), one.foul, one.dead),
            *shared,
        )
        for one in score.seats
    ]


_NONE = (0, 0)


def _row_values(one: SeatScore, scoops: Sequence[int]) -> tuple[int, ...]:
    return (*one.royalties, one.rows_won, one.rows_tied, one.rows_lost, *scoops, *one.strengths)


def _scoops(score: HandScore) -> dict[int, list[int]]:
    """By seat: legal hands scooped, scooped by a legal hand while legal, fouls scooped, scooped as a foul.

    A scoop is all three rows, whatever the royalties do (rulebook section 3).
    """
    fouled = {one.seat: one.foul or one.dead for one in score.seats}
    scoops = {one.seat: [0, 0, 0, 0] for one in score.seats}
    for pair in score.pairs:
        if pair.rows is None or abs(sum(pair.rows)) != 3:
            continue
        winner, loser = (pair.a, pair.b) if pair.rows[0] > 0 else (pair.b, pair.a)
        kind = 2 if fouled[loser] else 0
        scoops[winner][kind] += 1
        scoops[loser][kind + 1] += 1
    return scoops


def _pair_row(place: Place, pair: PairScore, people: Mapping[int, Person]) -> tuple[Any, ...]:
    explained = _UNKNOWN_PAIR if pair.rows is None else (*pair.rows, pair.bonus, pair.royalties, pair.moon)
    a, b = people[pair.a].player_id, people[pair.b].player_id
    return (place.hand_id, place.club_id, a, b, pair.chips, pair.points, pair.a, pair.b, *explained, pair.why)


def _openings(moves: Iterable[Move]) -> dict[int, int | None]:
    """The code of each seat's first move."""
    openings: dict[int, int | None] = {}
    for move in moves:
        if move.seat not in openings:
            openings[move.seat] = opening_of(move.placement)
    return openings


def _ruled(rulings: Iterable[Ruling]) -> dict[int, tuple[int, int]]:
    """(points, chips) that rulings add to each seat."""
    ruled: dict[int, tuple[int, int]] = {}
    for ruling in rulings:
        points, chips = ruled.get(ruling.seat, _NONE)
        ruled[ruling.seat] = points + ruling.points, chips + ruling.chips
    return ruled


def _check_zero(state: HandState, score: HandScore) -> None:
    chips = [one.chips for one in score.seats if one.chips is not None]
    sums = {
        "points": sum(one.points for one in score.seats),
        "chips": sum(chips) if len(chips) == len(score.seats) else 0,
        "ruled points": sum(one.points for one in state.rulings if not one.house),
        "ruled chips": sum(one.chips for one in state.rulings if not one.house),
    }
    for what, total in sums.items():
        if total:
            start = state.start
            raise NotZeroError(f"{what} of hand {start.source}/{start.hand} sum to {total}")


# --- Writing ------------------------------------------------------------------------------------------


def project(
    place: Place,
    state: HandState,
    score: HandScore | None,
    people: Mapping[int, Person],
    positions: tuple[int, int],
) -> bool:
    """Replace a hand's results by those of `score` (None: it has none now) and mark the slices they touch.

    Runs in the transaction that appended the events, whose first and last positions are `positions`. False:
    the hand had no results and has none.
    """
    if score is None and not SeatResult.objects.filter(hand_id=place.hand_id).exists():
        return False
    rows = None if score is None else result_rows(place, state, score, people)
    replace_results(place.hand_id, place.club_id, rows, positions)
    return True


def replace_results(hand_id: int, club_id: int, rows: ResultRows | None, positions: tuple[int, int]) -> None:
    """Put `rows` (None: no result) in the place of a hand's results and mark the slices of both."""
    first, last = positions
    old = SeatResult.objects.filter(hand_id=hand_id)
    touched = set(old.values_list("player_id", "day"))
    old.delete()
    PairResult.objects.filter(hand_id=hand_id).delete()
    HandResult.objects.filter(pk=hand_id).delete()
    if rows is not None:
        HandResult.objects.create(**dict(zip(HAND_COLUMNS, (*rows.hand, last), strict=True)))
        SeatResult.objects.bulk_create(_instances(SeatResult, SEAT_COLUMNS, rows.seats))
        PairResult.objects.bulk_create(_instances(PairResult, PAIR_COLUMNS, rows.pairs))
        touched |= {(row[_PLAYER], row[_DAY]) for row in rows.seats}
    mark_slices(club_id, touched, first)


def mark_slices(club_id: int, slices: Iterable[tuple[int, date]], position: int) -> None:
    """Leave a to-do row for each (player, day) whose statistics now lack what came from `position` on.

    The first position of the commit: statistics are complete up to the one before it, and from no later one,
    since any of the commit's events may have changed a result.
    """
    SliceToDo.objects.bulk_create(
        SliceToDo(club_id=club_id, player_id=player, day=day, position=position)
        for player, day in sorted(slices)
    )


def _instances(model: type[Any], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Any]:
    return [model(**dict(zip(columns, row, strict=True))) for row in rows]
