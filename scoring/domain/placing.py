"""Cards onto boards: the checks of every move, with sets of cards as bit masks."""

from scoring.domain.cards import CODES, DECK, EMPTY, SLOTS
from scoring.domain.errors import Problem
from scoring.domain.hand import OUT_OF_TURN, HandStart
from scoring.domain.notation import Placement

_ROW_NAMES = ("top", "middle", "bottom")
_ROW_STARTS = (0, 3, 8)
_ROW_ENDS = (3, 8, 13)
#: What a move is allowed to be, and its flags.
Turn = tuple[int, int, tuple[str, ...]]  # (cards dealt, cards placed, flags)


class Boards:
    """The boards of one hand as they fill, and the cards that are gone from the decks.

    A refused move changes nothing, so that what was legal before it stands.
    """

    def __init__(self, start: HandStart, dead: set[int]) -> None:
        rules = start.rules
        self.slots: dict[int, list[int]] = {seat.seat: [EMPTY] * SLOTS for seat in start.seats}
        self.discards: dict[int, list[int]] = {seat.seat: [] for seat in start.seats}
        self._made = {seat.seat: 0 for seat in start.seats}
        self._fantasyland = {seat.seat: seat.fantasyland for seat in start.seats}
        self._next = {seat.seat: _ROW_STARTS for seat in start.seats}  # the next free slot of each row
        self._dead = dead
        # Seats in Fantasyland move first or in their turn, so nobody waits for them.
        self._order = [seat for seat in start.settlement_order() if not self._fantasyland[seat]]
        self._streets = rules.deal.streets
        self._one_deck = rules.deal.decks == 1
        self._highest = DECK - 1 + rules.jokers
        self._once = 0  # the cards seen once, as bits
        self._twice = 0  # and those seen twice

    # --- Moves ----------------------------------------------------------------------------------------------

    def move(self, seat: int | None, placement: Placement) -> tuple[str, ...] | Problem:
        """One move of a seat; its flags, or why it is refused."""
        turn = self._turn(seat)
        if isinstance(turn, Problem):
            return turn
        assert seat is not None
        dealt, placed, flags = turn
        top, middle, bottom, discards = placement
        if len(top) + len(middle) + len(bottom) != placed:
            return _wrong_count(seat, placed, len(placement.placed))
        if discards and len(discards) != dealt - placed:
            return _wrong_discards(seat, dealt - placed, len(discards))
        problem = self._lay(seat, placement)
        if problem is not None:
            return problem
        self._made[seat] += 1
        return flags

    def _turn(self, seat: int | None) -> Turn | Problem:
        made = self._made.get(seat, -1) if seat is not None else -1
        if seat is None or made < 0:
            message = f"seat {seat}, which is not in this hand"
            return Problem("seat-unknown", "seat", message, seat, sorted(self._made))
        cards = self._fantasyland[seat]
        if made == (1 if cards else len(self._streets)):
            return Problem("board-full", "", f"a move of seat {seat}, whose board is full", seat)
        if cards:
            return cards, SLOTS, ()
        flags = self._place_in_street(seat, made)
        if isinstance(flags, Problem):
            return flags
        return *self._streets[made], flags

    def _place_in_street(self, seat: int, made: int) -> tuple[str, ...] | Problem:
        """Out of turn is what happens at live tables; a street ahead of another seat cannot happen."""
        flags: tuple[str, ...] = ()
        before = True
        for other in self._order:
            if other == seat:
                before = False
            elif self._made[other] <= made and other not in self._dead:
                if self._made[other] < made:
                    message = f"seat {seat} again, before seat {other} has moved in street {made}"
                    return Problem("street-twice", "", message, seat, other)
                if before:
                    flags = (OUT_OF_TURN,)
        return flags

    # --- Boards ---------------------------------------------------------------------------------------------

    def record(self, seat: int, placement: Placement) -> Problem | None:
        """A final board, which a dead seat may have in part; discards are all known, or not written."""
        if seat not in self._made:
            message = f"Seat {seat} is not in this hand."
            return Problem("seat-unknown", "", message, seat, sorted(self._made))
        thrown = self._fantasyland[seat] - SLOTS if self._fantasyland[seat] else self._thrown()
        found = len(placement.discards)
        if found and (found > thrown or (found < thrown and seat not in self._dead)):
            return _wrong_discards(seat, thrown, found)
        return self._lay(seat, placement)

    def _thrown(self) -> int:
        return sum(dealt - placed for dealt, placed in self._streets)

    def is_full(self, seat: int) -> bool:
        """Whether all 13 cards of the seat lie."""
        return self._next[seat] == _ROW_ENDS

    # --- Cards ----------------------------------------------------------------------------------------------

    def _lay(self, seat: int, placement: Placement) -> Problem | None:
        """Check room and cards, then lay them down."""
        top, middle, bottom, discards = placement
        top_at, middle_at, bottom_at = self._next[seat]
        ends = top_at + len(top), middle_at + len(middle), bottom_at + len(bottom)
        if ends[0] > 3 or ends[1] > 8 or ends[2] > SLOTS:
            return self._row_full(seat, ends)
        problem = self._take(seat, placement)
        if problem is not None:
            return problem
        slots = self.slots[seat]
        slots[top_at : ends[0]] = top
        slots[middle_at : ends[1]] = middle
        slots[bottom_at : ends[2]] = bottom
        self._next[seat] = ends
        if discards:
            self.discards[seat].extend(discards)
        return None

    def _take(self, seat: int, placement: Placement) -> Problem | None:
        """Take the cards from the decks."""
        once, twice = self._once, self._twice
        for cards in placement:
            for card in cards:
                if card < 0:
                    continue  # a discard that nobody saw
                bit = 1 << card
                if bit & once:
                    if self._one_deck or bit & twice:
                        return self._held(seat, card)
                    twice |= bit
                elif card > self._highest:
                    return self._outside(card)
                else:
                    once |= bit
        self._once, self._twice = once, twice
        return None

    # --- Refusals -------------------------------------------------------------------------------------------

    def _row_full(self, seat: int, ends: tuple[int, int, int]) -> Problem:
        row = next(row for row in range(3) if ends[row] > _ROW_ENDS[row])
        count, size = ends[row] - _ROW_STARTS[row], _ROW_ENDS[row] - _ROW_STARTS[row]
        message = f"{count} cards in the {_ROW_NAMES[row]} row of seat {seat}, which holds {size}"
        return Problem("row-full", "", message, count, size)

    def _held(self, seat: int, card: int) -> Problem:
        holders = [other for other, slots in self.slots.items() if card in slots]
        throwers = [other for other, cards in self.discards.items() if card in cards]
        code = CODES[card]
        if holders:
            message = f"{code}, which seat {holders[0]} already holds"
        elif throwers:
            message = f"{code}, which seat {throwers[0]} has discarded"
        else:
            message = f"{code}, which seat {seat} has more often than the deck"
        return Problem("card-twice", "", message, code)

    def _outside(self, card: int) -> Problem:
        jokers = self._highest - DECK + 1
        deck = "no jokers" if not jokers else "one joker, X1"
        return Problem("card-outside-deck", "", f"{CODES[card]}, but the deck has {deck}", CODES[card])


def _wrong_count(seat: int, placed: int, found: int) -> Problem:
    message = f"{found} cards of seat {seat}, where the street places {placed}"
    return Problem("wrong-card-count", "", message, found, placed)


def _wrong_discards(seat: int, expected: int, found: int) -> Problem:
    message = f"{found} discards of seat {seat}, where {expected} must go"
    return Problem("wrong-discard-count", "", message, found, expected)
