"""Writing `ofc-result/1`: what a hand came to, for other programs."""

from typing import Any, Final

from scoring.domain.amounts import format_amount
from scoring.domain.cards import CODES, EMPTY, ROWS
from scoring.domain.hand import RESULT, HandState
from scoring.domain.scored import Difference, HandScore, PairScore, SeatScore
from scoring.domain.strength import row_name

FORMAT: Final = "ofc-result/1"
_ROW_NAMES: Final = ("top", "middle", "bottom")


def result_document(state: HandState, score: HandScore) -> dict[str, Any]:
    """The `ofc-result/1` object. Of a claimed result `royalties` and `rows` are null."""
    return {
        "format": FORMAT,
        "source": state.start.source,
        "hand": state.start.hand,
        "seats": [_seat(state, seat) for seat in score.seats],
        "pairs": [_pair(pair) for pair in score.pairs],
        "differences": [_difference(difference) for difference in score.differences],
    }


def _seat(state: HandState, seat: SeatScore) -> dict[str, Any]:
    known = state.completeness != RESULT
    return {
        "seat": seat.seat,
        "foul": seat.foul,
        "royalties": dict(zip(_ROW_NAMES, seat.royalties, strict=True)) if known else None,
        "points": seat.points,
        "chips": _chips(seat.chips),
        "next_fantasyland": seat.next_fantasyland,
        "rows": _rows(state.boards[seat.seat], seat) if known else None,
    }


def _rows(slots: list[int], seat: SeatScore) -> dict[str, Any]:
    return {
        name: {"cards": _codes(slots[row]), "reads": _codes(seat.reads[row]), "name": row_name(strength)}
        for name, row, strength in zip(_ROW_NAMES, ROWS, seat.strengths, strict=True)
    }


def _codes(cards: Any) -> str:
    return "".join(CODES[card] for card in cards if card != EMPTY)


def _pair(pair: PairScore) -> dict[str, Any]:
    return {
        **pair._asdict(),
        "rows": None if pair.rows is None else list(pair.rows),
        "chips": _chips(pair.chips),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    written = difference._asdict()
    if difference.what == "chips":
        written |= {"claimed": _chips(difference.claimed), "scored": _chips(difference.scored)}
    return written


def _chips(units: int | None) -> str | None:
    return None if units is None else format_amount(units)
