"""What the data of each kind of event holds, read as strictly as a file: a log can come from one, too."""

from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from scoring.domain.amounts import LARGEST
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.wire import LARGEST_POINTS, Cards, Count, Seat, Text

Units = Annotated[int, Meta(ge=0, le=LARGEST)]
SignedUnits = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Points = Annotated[int, Meta(ge=-LARGEST_POINTS, le=LARGEST_POINTS)]
FantasylandCards = Annotated[int, Meta(ge=0, le=99)]
_T = TypeVar("_T")


class SeatFacts(Struct, forbid_unknown_fields=True, gc=False):
    """One of the `seats` of `hand-started`."""

    seat: Seat
    alias: Text
    stack: Units | None = None
    fantasyland: FantasylandCards = 0


class PairFacts(Struct, forbid_unknown_fields=True, gc=False):
    """One of the `pair_stakes` of `hand-started`."""

    seats: tuple[Seat, Seat]
    stake: Units


class HandFacts(Struct, forbid_unknown_fields=True, gc=False):
    """`hand-started`: everything that scoring needs; `rules` is the rule set's hash."""

    rules: str
    stake: Units
    button: Seat
    seats: list[SeatFacts]
    number: Count | None = None
    tournament: Text | None = None
    tournament_name: Text | None = None
    table: Text | None = None
    set: Count | None = None
    pair_stakes: tuple[PairFacts, ...] = ()


class RarePlacement(Struct, forbid_unknown_fields=True, gc=False):
    """`cards-placed`, where there is more to say than seat and cards."""

    auto: bool = False
    think_ms: Count | None = None


class RecordedBoards(Struct, forbid_unknown_fields=True):
    """`boards-recorded`: the final board of each seat."""

    boards: dict[str, Cards]


class Claim(Struct, forbid_unknown_fields=True, gc=False):
    """One seat of `result-recorded`, whose data is an object from seat to this."""

    points: Points | UnsetType = UNSET
    chips: SignedUnits | UnsetType = UNSET
    foul: bool | UnsetType = UNSET
    next_fantasyland: FantasylandCards | UnsetType = UNSET


class RulingFacts(Struct, forbid_unknown_fields=True):
    """One of the `rulings` of `points-ruled`."""

    seat: Seat
    points: Points = 0
    chips: SignedUnits = 0


class Rulings(Struct, forbid_unknown_fields=True):
    """`points-ruled`; `reason` is the salted hash of a text."""

    rulings: Annotated[list[RulingFacts], Meta(min_length=1)]
    house: bool = False
    reason: str = ""


def read_data(event: Event, kind: type[_T]) -> _T | Problem:
    """The data of an event as what its kind holds."""
    try:
        return msgspec.convert(event.data or {}, kind)
    except msgspec.ValidationError as error:
        message = f"The data of the event cannot be read: {str(error).replace('`', '')}."
        return Problem("bad-event", f"events[{event.version - 1}].data", message, event.kind)
