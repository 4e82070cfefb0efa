"""What a source claims of a hand: as its result where nothing else is known, beside the score where it is."""

from collections.abc import Sequence

from scoring.domain.cards import EMPTY, SLOTS
from scoring.domain.hand import HandState
from scoring.domain.scores import Difference, HandScore, PairScore, SeatScore

_CLAIMABLE = ("points", "chips", "foul", "next_fantasyland")


def find_differences(state: HandState, seats: Sequence[SeatScore]) -> tuple[Difference, ...]:
    """Where the source's claim says otherwise; chips are not compared in a hand that pays none by itself."""
    if not state.claimed:
        return ()
    found = []
    for seat in seats:
        claim = state.claimed.get(str(seat.seat), {})
        for what in _CLAIMABLE:
            scored = getattr(seat, what)
            if what in claim and scored is not None and claim[what] != scored:
                found.append(Difference(seat.seat, what, claim[what], scored))
    return tuple(found)


def claimed_score(state: HandState) -> HandScore:
    """A hand of which only the result is known: the claimed points, and with two seats who won them."""
    claimed = state.claimed or {}
    seats = []
    for seat in state.start.seats:
        claim = claimed[str(seat.seat)]
        dead = seat.seat in state.dead
        foul = dead or bool(claim.get("foul", False))
        following = 0 if dead else claim.get("next_fantasyland", 0)
        seats.append(
            SeatScore(
                *(seat.seat, seat.alias, foul, dead, (0, 0, 0), claim["points"], None, following),
                *((0, 0, 0), [EMPTY] * SLOTS, 0, 0, 0),
            )
        )
    pairs: tuple[PairScore, ...] = ()
    if len(seats) == 2:
        a, b = state.start.settlement_order()
        points = claimed[str(a)]["points"]
        pairs = (PairScore(a, b, None, 0, 0, 0, points, None, ""),)
    return HandScore(tuple(seats), pairs, ())
