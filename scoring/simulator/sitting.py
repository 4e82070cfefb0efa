"""One evening at one table, hand by hand: the fold of the domain, and what people do between its sets."""

from typing import Final, TypeVar

from scoring.domain.errors import Problem
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.interchange import document_of, write_line
from scoring.domain.scored import HandScore
from scoring.domain.table import (
    NextHand,
    TableState,
    after_hand,
    buy_in,
    change_stake,
    facts_for_next_hand,
    join,
    leave,
    open_table,
)
from scoring.simulator.chance import key_of
from scoring.simulator.evenings import Evening
from scoring.simulator.playing import Deal, Moves
from scoring.simulator.telling import Told, as_told, happened

#: What a player brings, and with how much less than that he buys in again, in stakes.
_BUY_IN: Final = 100
_SHORT: Final = 25
#: Hands after which an evening is over even in the middle of a set.
_OVERTIME: Final = 30
_T = TypeVar("_T")


class Sitting:
    """What goes on at the table; `lines` are the hands so far as `ofc-hand/1`."""

    def __init__(self, source: str, evening: Evening) -> None:
        self.lines: list[bytes] = []
        self._source = source
        self._evening = evening
        self._now = evening.begins
        self._people = {person.name: person for person in evening.people}
        seated = evening.people[: evening.rules.deal.max_seats]
        self._waiting = list(evening.people[len(seated) :])
        self._state = _open(evening, [person.name for person in seated])
        self._facts: NextHand | None = None
        self._told: Told | None = None

    def next_deal(self) -> Deal | None:
        """The hand that is to be played now; None when the evening is over."""
        played = len(self.lines)
        over = self._state.between_sets and played >= self._evening.hands
        if over or played >= self._evening.hands + _OVERTIME:
            return None
        if self._state.between_sets and played:
            self._between_sets(played)
        self._facts = _good(facts_for_next_hand(self._state))
        key = key_of(self._evening.key, played)
        seats = tuple((self._people[seat.player], seat.fantasyland) for seat in self._facts.seats)
        return Deal(key, self._evening.rules, seats)

    def played(self, deal: Deal, moves: list[Moves]) -> Told:
        """What happened when the deal was played in this way."""
        self._told = happened(self._start(), deal, moves)
        return self._told

    def settle(self, score: HandScore) -> None:
        """Write down the hand that was played, now scored, and go on to the next."""
        assert self._told is not None
        self.lines.append(write_line(document_of(as_told(self._told, score))))
        self._now = self._told.ends
        self._state = _good(after_hand(self._state, score)).state

    def _start(self) -> HandStart:
        facts, evening, number = self._facts, self._evening, len(self.lines) + 1
        assert facts is not None
        return HandStart(
            source=self._source,
            hand=f"{evening.code}-{number:03}",
            rules=facts.rules,
            played_at=self._now // 1_000_000 * 1_000_000,
            number=number,
            tournament=evening.code,
            tournament_name=evening.weekday,
            table=evening.table,
            set=facts.set,
            stake=facts.stake,
            button=facts.button,
            seats=tuple(
                SeatStart(seat.seat, seat.player, seat.player, seat.stack, seat.fantasyland)
                for seat in facts.seats
            ),
            pair_stakes=facts.pair_stakes,
        )

    # --- Between sets

    def _between_sets(self, played: int) -> None:
        chance = key_of(self._evening.key, "between sets", played)
        if self._waiting and chance % 3 == 0:
            self._change_places(chance // 3)
        if played >= self._evening.hands // 2 and self._raises():
            self._state = _good(change_stake(self._state, 2 * self._evening.stake))
        self._buy_in()

    def _raises(self) -> bool:
        """On Sundays the stake is doubled for the second half; pair stakes stay as they were agreed."""
        return self._evening.weekday == "Sunday" and not self._state.pair_stakes

    def _change_places(self, chance: int) -> None:
        """Somebody gives up his seat to the one who waits longest, and waits in turn."""
        leaver = self._state.seats[chance % len(self._state.seats)]
        stack = None if leaver.stack is None else _BUY_IN * self._state.stake
        state = _good(leave(self._state, leaver.seat))
        self._state = _good(join(state, leaver.seat, self._waiting.pop(0).name, stack))
        self._waiting.append(self._people[leaver.player])

    def _buy_in(self) -> None:
        stake = self._state.stake
        amounts = {
            seat.seat: _BUY_IN * stake - seat.stack
            for seat in self._state.seats
            if seat.stack is not None and seat.stack < _SHORT * stake
        }
        self._state = _good(buy_in(self._state, amounts))


def _open(evening: Evening, names: list[str]) -> TableState:
    """The table before its first hand. Uncapped games are on account; in some two players raise the stake
    between them."""
    capped = evening.rules.cap != "none"
    seats = [
        (place, name, _BUY_IN * evening.stake if capped else None) for place, name in enumerate(names, 1)
    ]
    rivals = evening.rules.base == "classic" and evening.key % 2 == 0
    pairs = ((1, 2, 4 * evening.stake),) if rivals else ()
    button = 1 + evening.key % len(seats)
    return _good(open_table(evening.rules, evening.stake, button, seats, pair_stakes=pairs))


def _good(value: _T | Problem) -> _T:
    assert not isinstance(value, Problem), value
    return value
