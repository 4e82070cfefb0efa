"""The facts and results that the store holds for some hands, and in what they differ from fresh ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ofc_hub.hands.models import Hand
from ofc_hub.hands.projection import HAND_COLUMNS
from ofc_hub.ops.fresh import PROBLEM, Fresh
from scoring import projector
from scoring.models import HandResult, PairResult, SeatResult

Row = tuple[Any, ...]
CONTENT = HAND_COLUMNS.index("content")
_SEAT = projector.SEAT_COLUMNS.index("seat")
_PAIR = projector.PAIR_COLUMNS.index("a"), projector.PAIR_COLUMNS.index("b")


@dataclass(slots=True)
class Stored:
    """The rows of one hand, in the order of the columns of `hands.projection` and `scoring.projector`."""

    facts: Row | None = None
    result: Row | None = None
    seats: dict[str, Row] = field(default_factory=dict)
    pairs: dict[str, Row] = field(default_factory=dict)


class Difference(NamedTuple):
    """A row of `table` ("hand", "hand-result", ...) that is missing, unexpected, or differs in `column`."""

    table: str
    what: str
    row: str = ""
    column: str = ""
    found: Any = None
    expected: Any = None

    @property
    def code(self) -> str:
        return f"{self.table}-{self.what}"


def stored_hands(stream_ids: Sequence[int]) -> dict[int, Stored]:
    """What the store holds for these streams, in four queries."""
    stored = {pk: Stored() for pk in stream_ids}
    for facts in Hand.objects.filter(pk__in=stream_ids).values_list(*HAND_COLUMNS):
        content = facts[CONTENT]
        plain = None if content is None else bytes(content)
        stored[facts[0]].facts = (*facts[:CONTENT], plain, *facts[CONTENT + 1 :])
    for row in HandResult.objects.filter(pk__in=stream_ids).values_list(*projector.HAND_COLUMNS):
        stored[row[0]].result = row
    for row in SeatResult.objects.filter(hand_id__in=stream_ids).values_list(*projector.SEAT_COLUMNS):
        stored[row[0]].seats[_seat_name(row)] = row
    for row in PairResult.objects.filter(hand_id__in=stream_ids).values_list(*projector.PAIR_COLUMNS):
        stored[row[0]].pairs[_pair_name(row)] = row
    return stored


def _seat_name(row: Row) -> str:
    return f"seat {row[_SEAT]}"


def _pair_name(row: Row) -> str:
    return f"seats {row[_PAIR[0]]} and {row[_PAIR[1]]}"


def differences(stored: Stored, fresh: Fresh) -> Iterator[Difference]:
    """In what the stored rows of a hand are not those that its events come to."""
    yield from _fact_differences(stored.facts, fresh)
    results = fresh.results
    result = None if results is None else (*results.hand, fresh.position)
    yield from _rows("hand-result", projector.HAND_COLUMNS, _one(stored.result), _one(result))
    seats = {_seat_name(row): row for row in results.seats} if results else {}
    yield from _rows("seat-result", projector.SEAT_COLUMNS, stored.seats, seats)
    pairs = {_pair_name(row): row for row in results.pairs} if results else {}
    yield from _rows("pair-result", projector.PAIR_COLUMNS, stored.pairs, pairs)


def _one(row: Row | None) -> dict[str, Row]:
    return {} if row is None else {"": row}


def _fact_differences(stored: Row | None, fresh: Fresh) -> Iterator[Difference]:
    facts = fresh_facts(stored, fresh)
    if facts is not None:
        yield from _rows("hand", HAND_COLUMNS, _one(stored), _one(facts))
    elif stored is None:
        yield Difference("hand", "missing")
    elif stored[PROBLEM] != fresh.problem_data:
        yield Difference("hand", "differs", "", "problem", stored[PROBLEM], fresh.problem_data)


def fresh_facts(stored: Row | None, fresh: Fresh) -> Row | None:
    """The row of `Hand` as it must be; None where the start of the hand cannot be read.

    Which event's digest `content` is only the import knew, so a stored one is kept where it can be right.
    """
    if fresh.facts is None:
        return None
    content = None if stored is None else stored[CONTENT]
    if content not in fresh.digests:
        content = fresh.content
    return (*fresh.facts[:CONTENT], content, *fresh.facts[CONTENT + 1 : PROBLEM], fresh.problem_data)


def _rows(
    table: str, columns: Sequence[str], found: dict[str, Row], expected: dict[str, Row]
) -> Iterator[Difference]:
    if found == expected:
        return
    for name in sorted(found.keys() | expected.keys()):
        if name not in expected:
            yield Difference(table, "unexpected", name)
        elif name not in found:
            yield Difference(table, "missing", name)
        else:
            yield from _columns(table, name, columns, found[name], expected[name])


def _columns(
    table: str, name: str, columns: Iterable[str], found: Row, expected: Row
) -> Iterator[Difference]:
    for column, one, other in zip(columns, found, expected, strict=True):
        if one != other:
            yield Difference(table, "differs", name, column, one, other)
