"""What of a hand a viewer sees: one decision for pages, REST, feed and exports (design section 5)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ofc_hub.clubs.models import Club
from ofc_hub.clubs.selectors import Standing, Viewer, standing
from scoring.domain.cards import EMPTY
from scoring.domain.hand import HandState


@dataclass(frozen=True, slots=True)
class Sight:
    """The seats whose boards, and whose discards, may be shown."""

    boards: frozenset[int]
    discards: frozenset[int]


def seen_by(viewer: Viewer, club: Club, state: HandState, players: Mapping[int, int]) -> Sight:
    """What of the hand the viewer sees; `players` gives the player's id of each seat.

    That the viewer sees the club at all has been decided before (`clubs.selectors.get_club`).
    """
    return sight(standing(viewer, club), club.shows_discards, state, players)


def sight(held: Standing, shows_discards: bool, state: HandState, players: Mapping[int, int]) -> Sight:
    """The same for a viewer whose standing in the club is known; pure."""
    seats = frozenset(seat.seat for seat in state.start.seats)
    over = _is_over(state)
    boards = seats if over or held.scores else seats - _in_fantasyland(state)
    if held.directs or (held.scores and not state.locked) or (shows_discards and over):
        return Sight(boards, seats)
    return Sight(boards, frozenset(seat for seat in seats if _is(held, players.get(seat))))


def _is(held: Standing, player: int | None) -> bool:
    return held.player is not None and held.player == player


def _in_fantasyland(state: HandState) -> frozenset[int]:
    return frozenset(seat.seat for seat in state.start.seats if seat.fantasyland)


def _is_over(state: HandState) -> bool:
    """Every seat has finished: nobody can profit any more from what he sees. A void may be taken back."""
    return state.complete or all(
        seat.seat in state.dead or EMPTY not in state.boards.get(seat.seat, [EMPTY])
        for seat in state.start.seats
    )
