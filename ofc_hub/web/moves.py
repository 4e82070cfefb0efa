"""The moves of a hand as a list to step through."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ofc_hub.hands.visibility import Sight
from ofc_hub.web.faces import Face, face_of
from scoring.domain.hand import OUT_OF_TURN, HandState, Move


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A line of the list of moves; `street` is set where a new street begins."""

    step: int
    seat: int
    name: str
    parts: tuple[tuple[str, tuple[Face, ...]], ...]
    street: int | None
    auto: bool
    out_of_turn: bool
    fantasyland: bool

    @property
    def text(self) -> str:
        """The move in words, for the caption and for a screen reader."""
        if self.fantasyland:
            return _("%(name)s sets thirteen cards face down") % {"name": self.name}
        parts = (f"{row} {', '.join(face.name for face in faces)}" for row, faces in self.parts)
        return f"{self.name}: {'; '.join(parts)}"


def moves_of(state: HandState, names: Mapping[int, str], sight: Sight) -> list[ShownMove]:
    """Every move in order, step 1 the first."""
    in_fantasyland = {seat.seat for seat in state.start.seats if seat.fantasyland}
    streets: dict[int, int] = {}
    highest = 0
    shown = []
    for step, move in enumerate(state.moves, 1):
        street = streets[move.seat] = streets.get(move.seat, 0) + 1
        shown.append(
            ShownMove(
                step=step,
                seat=move.seat,
                name=names[move.seat],
                parts=() if move.seat in in_fantasyland else _parts(move, move.seat in sight.discards),
                street=street if street > highest else None,
                auto=move.auto,
                out_of_turn=OUT_OF_TURN in move.flags,
                fantasyland=move.seat in in_fantasyland,
            )
        )
        highest = max(highest, street)
    return shown


def _parts(move: Move, discards: bool) -> tuple[tuple[str, tuple[Face, ...]], ...]:
    """The cards by row, as faces; a Fantasyland hand is read on its board, once it is turned."""
    placement = move.placement
    parts = [(_("top"), placement.top), (_("middle"), placement.middle), (_("bottom"), placement.bottom)]
    if discards:
        parts.append((_("discards"), placement.discards))
    return tuple((row, tuple(face_of(card) for card in cards)) for row, cards in parts if cards)
