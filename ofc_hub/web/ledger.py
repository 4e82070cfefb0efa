"""The settlement of a hand in sentences, pair by pair in settlement order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ofc_hub.web.figures_text import amount_text, number_text, signed_text
from scoring.domain.hand import HandState
from scoring.domain.scored import Difference, HandScore, PairScore, SeatScore


@dataclass(frozen=True, slots=True)
class Entry:
    """One pair as "Bo pays Anna 12: rows +1, scoop 0, royalties +11", the figures from the winner's side.

    `head` is the part before the colon, `made_of` the part after it, "" if only the points are known.
    """

    head: str
    made_of: str
    detail: str
    points: int  # what changes hands, 0 or more
    chips: int | None  # units of 1/10,000, 0 or more
    cut: str  # why a payment was cut, "" if it was not


@dataclass(frozen=True, slots=True)
class _Side:
    """The pair from the side of the one who wins it (of `a`, if they are even)."""

    winner: SeatScore
    loser: SeatScore
    sign: int
    pair: PairScore
    names: Mapping[int, str]

    @property
    def people(self) -> dict[str, str]:
        return {"winner": self.names[self.winner.seat], "loser": self.names[self.loser.seat]}

    def seen(self, figure: int) -> int:
        return self.sign * figure


def ledger_of(state: HandState, score: HandScore, names: Mapping[int, str]) -> list[Entry]:
    """One entry a pair; `names` gives each seat the name that the page uses."""
    seats = {seat.seat: seat for seat in score.seats}
    return [_entry(_side(pair, seats, names), state) for pair in score.pairs]


def _side(pair: PairScore, seats: Mapping[int, SeatScore], names: Mapping[int, str]) -> _Side:
    first, second = seats[pair.a], seats[pair.b]
    if pair.points < 0:
        return _Side(second, first, -1, pair, names)
    return _Side(first, second, 1, pair, names)


def _entry(side: _Side, state: HandState) -> Entry:
    pair = side.pair
    return Entry(
        head=_head(side),
        made_of="" if _both_fouled(side) else _made_of(side, state),
        detail=_detail(side),
        points=abs(pair.points),
        chips=None if pair.chips is None else abs(pair.chips),
        cut=_cut(side) if pair.why else "",
    )


def _both_fouled(side: _Side) -> bool:
    return side.winner.foul and side.loser.foul and not side.pair.points


def _head(side: _Side) -> str:
    words = {**side.people, "points": number_text(abs(side.pair.points))}
    if _both_fouled(side):
        return _("%(winner)s and %(loser)s both fouled: nothing changes hands") % words
    if not side.pair.points:
        return _("%(winner)s and %(loser)s are even") % words
    return _("%(loser)s pays %(winner)s %(points)s") % words


def _made_of(side: _Side, state: HandState) -> str:
    """Such as "rows +1, scoop 0, royalties +11"; "" where only the points are known."""
    pair = side.pair
    if pair.rows is None:
        return ""
    bonus = _("overall point") if state.start.rules.scoring == "2-4" else _("scoop")
    parts = [
        (_("rows"), sum(pair.rows)),
        (bonus, pair.bonus),
        (_("royalties"), pair.royalties),
        (_("moon"), pair.moon),
    ]
    shown = parts if pair.moon else parts[:3]
    return ", ".join(f"{name} {signed_text(side.seen(figure))}" for name, figure in shown)


def _detail(side: _Side) -> str:
    """The row by row account under the sentence."""
    if side.pair.rows is None or (side.winner.foul and side.loser.foul):
        return ""
    fouled = next((seat for seat in (side.loser, side.winner) if seat.foul), None)
    royalties = _("royalties %(winner)s %(won)s, %(loser)s %(lost)s") % {
        **side.people,
        "won": sum(side.winner.royalties),
        "lost": sum(side.loser.royalties),
    }
    if fouled:
        text = _("%(name)s is dead") if fouled.dead else _("%(name)s fouled")
        return f"{text % {'name': side.names[fouled.seat]}}; {royalties}"
    return f"{_rows(side)}; {royalties}"


def _rows(side: _Side) -> str:
    names = (_("top"), _("middle"), _("bottom"))
    people = {1: side.people["winner"], -1: side.people["loser"], 0: _("tied")}
    assert side.pair.rows is not None
    return ", ".join(
        f"{row} {people[side.seen(won)]}" for row, won in zip(names, side.pair.rows, strict=True)
    )


def _cut(side: _Side) -> str:
    """Why fewer chips were paid than the points come to."""
    sentences = {
        "winner-stack": _("Cut: %(winner)s had no more than this in front."),
        "loser-stack": _("Cut: %(loser)s had no more left."),
        "winner-room": _("Cut: %(winner)s wins no more than the starting stack in one hand."),
        "loser-room": _("Cut: %(loser)s loses no more than the starting stack in one hand."),
        "stack-unknown": _("A stack is not known and sets no limit."),
    }
    return sentences.get(side.pair.why, side.pair.why) % side.people


# --- Claims that disagree ---------------------------------------------------------------------------------


def differences_of(differences: Sequence[Difference], names: Mapping[int, str]) -> list[str]:
    """Sentences such as "Anna, points: the source says 39, the cards come to 46"."""
    return [_difference(difference, names) for difference in differences]


def _difference(difference: Difference, names: Mapping[int, str]) -> str:
    what = difference.what
    words = {
        "points": _("points"),
        "chips": _("chips"),
        "foul": _("foul"),
        "next_fantasyland": _("Fantasyland in the next hand"),
    }
    return _("%(name)s, %(what)s: the source says %(claimed)s, the cards come to %(scored)s") % {
        "name": names[difference.seat],
        "what": words.get(what, what),
        "claimed": _value(what, difference.claimed),
        "scored": _value(what, difference.scored),
    }


def _value(what: str, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None:
        return _("nothing")
    if what == "chips" and isinstance(value, int):
        return amount_text(value, signed=True)
    return signed_text(value) if what == "points" else str(value)
