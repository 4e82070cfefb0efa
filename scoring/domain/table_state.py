"""What is known at a table between two hands (rulebook section 5, "From hand to hand")."""

from dataclasses import dataclass, field

from scoring.domain.rulesets import RuleSet

PairStakes = tuple[tuple[int, int, int], ...]  # (seat, seat, stake)


@dataclass(frozen=True, slots=True)
class TableSeat:
    """An occupied seat before the next hand. Amounts are in 1/10,000."""

    seat: int
    player: str
    stack: int | None = None  # None = not known
    fantasyland: int = 0  # cards that it will be dealt in Fantasyland; 0 = a normal hand


@dataclass(frozen=True, slots=True)
class PairSum:
    """What the hands of a set so far came to between two players, seen from `a`.

    Players, because in the two-hands game a seat changes sides within the set; nobody moves in any other.
    """

    a: str
    b: str
    points: int
    amount: int  # points x stake of each hand, in 1/10,000 and uncapped


@dataclass(frozen=True, slots=True)
class NewStake:
    """A stake level that waits for the end of the set."""

    stake: int
    pair_stakes: PairStakes


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that the next hand starts from; made by `table.open_table`, changed by nothing."""

    rules: RuleSet
    set: int
    stake: int
    pair_stakes: PairStakes
    seats: tuple[TableSeat, ...]  # ascending
    last_button: int  # the seat that held the button in the last hand (at first: is to hold it)
    hands: int = 0  # played since the table was opened
    had_button: frozenset[str] = frozenset()  # the players that had it in this set
    between_sets: bool = True  # only now may anybody buy in, join, leave or move
    pair_sums: tuple[PairSum, ...] = ()  # of this set, in the pair order of its first hand
    new_stake: NewStake | None = None
    before: "TableState | None" = field(default=None, compare=False, repr=False)  # the last hand

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that play the next hand, ascending."""
        return tuple(seat.seat for seat in self.seats if plays(self.rules, seat))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The occupied seats without chips, which wait for the end of the set to buy in again."""
        return tuple(seat.seat for seat in self.seats if not plays(self.rules, seat))

    @property
    def fantasyland(self) -> dict[int, int]:
        """Cards of each seat that is in Fantasyland in the next hand."""
        return {seat.seat: seat.fantasyland for seat in self.seats if seat.fantasyland}

    @property
    def button(self) -> int | None:
        """The seat that holds the button in the next hand; None where nobody plays."""
        if button_stays(self) and self.last_button in self.playing:
            return self.last_button
        return next_clockwise(self.last_button, self.playing)

    def at(self, number: int) -> TableSeat | None:
        """The occupied seat of that number."""
        return next((seat for seat in self.seats if seat.seat == number), None)


def plays(rules: RuleSet, seat: TableSeat) -> bool:
    """Whether an occupied seat plays: without a cap always, under one with chips or an unknown stack."""
    return rules.cap == "none" or seat.stack is None or seat.stack > 0


def button_stays(state: TableState) -> bool:
    """Whether the button stays where it is for the next hand, if that seat plays."""
    frozen = state.rules.button == "frozen" and bool(state.fantasyland)
    return frozen or not state.hands


def next_clockwise(seat: int, seats: tuple[int, ...]) -> int | None:
    """The first of the ascending `seats` clockwise from `seat`; None of no seats."""
    after = next((other for other in seats if other > seat), None)
    return after if after is not None else next(iter(seats), None)


def players_of(rules: RuleSet, seats: tuple[TableSeat, ...]) -> frozenset[str]:
    """The players that play the next hand; one of them at two seats in the two-hands game."""
    return frozenset(seat.player for seat in seats if plays(rules, seat))
