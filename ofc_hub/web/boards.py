"""The boards of a hand as a page shows them: every card with the step of the replay at which it appears.

Step 0 is the empty table and step n the table after move n. Of a complete hand the last step is the result:
boards set in Fantasyland are turned then, and points stand beside the names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.utils.translation import gettext as _

from ofc_hub.hands.visibility import Sight
from ofc_hub.web.faces import BACK, Face, face_of
from ofc_hub.web.words.rows import row_words
from scoring.domain.cards import EMPTY, JOKER_1, JOKER_2, ROWS, SLOTS
from scoring.domain.hand import HandState, Move, SeatStart
from scoring.domain.royalties import ROYALTIES
from scoring.domain.scored import HandScore, SeatScore
from scoring.domain.strength import low_strengths, row_strengths

ROW_KEYS = ("top", "middle", "bottom")
NEVER = 10**6


@dataclass(frozen=True, slots=True)
class Slot:
    """A place on a board: `card` None is an empty one. It is filled at step `start` and turned at `shown`."""

    card: Face | None
    start: int
    shown: int


@dataclass(frozen=True, slots=True)
class Row:
    """`name` and `royalty` are known from step `complete_at`; a fouled board's royalties are what it lost."""

    key: str
    title: str
    slots: tuple[Slot, ...]
    name: str
    royalty: int
    complete_at: int


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits at a seat, as the club knows him."""

    player_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Board:
    """One seat. From step `foul_at` on a fouled board is struck through."""

    seat: int
    person: Person
    start: SeatStart
    button: bool
    rows: tuple[Row, ...]
    discards: tuple[Slot, ...]
    dead: bool
    foul: bool
    foul_at: int
    last_step: int
    score: SeatScore | None

    @property
    def discards_from(self) -> int:
        return min((slot.shown for slot in self.discards), default=0)

    @property
    def has_cards(self) -> bool:
        return any(slot.card for row in self.rows for slot in row.slots)


@dataclass(slots=True)
class Timeline:
    """The step at which each slot of each seat was filled, and at which each discard was made."""

    slots: dict[int, list[int]]
    discards: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def add(self, step: int, move: Move) -> None:
        filled = self.slots[move.seat]
        for row, cards in zip(ROWS, move.placement[:3], strict=True):
            free = next((slot for slot in range(row.start, row.stop) if filled[slot] == NEVER), row.stop)
            filled[free : free + len(cards)] = [step] * len(cards)
        self.discards.setdefault(move.seat, []).extend((card, step) for card in move.placement.discards)


def timeline_of(state: HandState) -> Timeline:
    """From the moves; where there are none, the boards stand from the beginning."""
    timeline = Timeline({seat.seat: [NEVER if state.moves else 0] * SLOTS for seat in state.start.seats})
    for step, move in enumerate(state.moves, 1):
        timeline.add(step, move)
    return timeline


def last_step(state: HandState) -> int:
    """The result of a complete hand is a step of its own, so that turning Fantasyland boards can be seen."""
    return len(state.moves) + 1 if state.moves and state.complete else len(state.moves)


def boards_of(
    state: HandState, score: HandScore | None, people: Mapping[str, Person], sight: Sight
) -> list[Board]:
    """One board a seat, the first to act first and the button last."""
    timeline = timeline_of(state)
    starts = {seat.seat: seat for seat in state.start.seats}
    scores = {seat.seat: seat for seat in score.seats} if score else {}
    return [
        _board(state, starts[seat], scores.get(seat), people[starts[seat].alias], timeline, sight)
        for seat in state.start.settlement_order()
    ]


def _board(
    state: HandState,
    start: SeatStart,
    score: SeatScore | None,
    person: Person,
    timeline: Timeline,
    sight: Sight,
) -> Board:
    seat, last, dead = start.seat, last_step(state), start.seat in state.dead
    filled = timeline.slots[seat]
    turned = last if start.fantasyland and state.complete else 0
    cards = state.boards.get(seat) or [EMPTY] * SLOTS
    discards = timeline.discards.get(seat, []) if seat in sight.discards else []
    return Board(
        seat=seat,
        person=person,
        start=start,
        button=seat == state.start.button,
        rows=_rows(state, cards, filled, turned, score, seat in sight.boards),
        discards=tuple(Slot(face_of(card), step, max(step, turned)) for card, step in discards),
        dead=dead,
        foul=bool(score and score.foul),
        foul_at=last if dead else max(turned, *filled),
        last_step=last,
        score=score,
    )


def _rows(
    state: HandState, cards: list[int], filled: list[int], turned: int, score: SeatScore | None, seen: bool
) -> tuple[Row, ...]:
    """The rows from the top; what a joker stands for hangs on the rows below, so its row's name waits."""
    rows: list[Row] = []
    settled = turned
    for index in (2, 1, 0):
        places = ROWS[index]
        held, steps = cards[places], filled[places]
        settled = max(settled, *steps)
        joker = not {JOKER_1, JOKER_2}.isdisjoint(held)
        strength = _strength(state, index, held, joker, score) if seen else 0
        reads = score.reads[places] if score and joker else held
        rows.insert(
            0,
            Row(
                key=ROW_KEYS[index],
                title=(_("top row"), _("middle row"), _("bottom row"))[index],
                slots=tuple(_slots(held, reads, steps, turned, seen)),
                name=row_words(strength),
                royalty=int(ROYALTIES[index][strength]),
                complete_at=settled if joker else max(turned, *steps),
            ),
        )
    return tuple(rows)


def _strength(state: HandState, index: int, held: list[int], joker: bool, score: SeatScore | None) -> int:
    """The strength of a row, 0 for one that lacks cards or whose joker has no reading yet."""
    if score is not None:
        return int(score.strengths[index])
    if joker:
        return 0
    strengths = row_strengths(np.array([held], np.uint8))
    return int((low_strengths(strengths) if state.start.rules.low_middle and index == 1 else strengths)[0])


def _slots(
    held: Sequence[int], reads: Sequence[int], steps: Sequence[int], turned: int, seen: bool
) -> list[Slot]:
    return [
        Slot(None if card == EMPTY else face_of(card, read) if seen else BACK, step, max(step, turned))
        for card, read, step in zip(held, reads, steps, strict=True)
    ]
