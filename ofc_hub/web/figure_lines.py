"""Figures of the statistics as text: the value, what was counted of how many, and the interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from analytics.metrics import Figure, Form
from analytics.sums import Kind
from ofc_hub.web.figures_text import NOTHING, number_text, signed_text

FEW = 10  # fewer opportunities than this say nothing: the value is not shown
SCARCE = 50  # fewer than this say little: the value is grey

KINDS = (Kind.NORMAL, Kind.FANTASYLAND, Kind.ALL)
KIND_NAMES = {
    Kind.NORMAL: gettext_noop("normal"),
    Kind.FANTASYLAND: gettext_noop("Fantasyland"),
    Kind.ALL: gettext_noop("all"),
}
# Points can be lost; everything else counts up from nothing.
SIGNED = frozenset({"points", "points-per-hand", "ruled-points"})


@dataclass(frozen=True, slots=True)
class Cell:
    kind: str
    value: str
    counts: str
    interval: str
    scarce: bool


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A statistic for normal hands, Fantasyland hands and all hands; None where it is not declared."""

    name: str
    definition: str
    left_out: str
    cells: tuple[Cell | None, ...]


def lines_of(figures: Sequence[Figure]) -> list[FigureLine]:
    """Every mean and rate as a line; plain counts stand in the heading of the page."""
    by_code: dict[str, dict[Kind, Figure]] = {}
    for figure in figures:
        if figure.statistic.form is not Form.COUNT:
            by_code.setdefault(figure.statistic.code, {})[figure.kind] = figure
    return [_line(by_kind) for by_kind in by_code.values()]


def _line(by_kind: dict[Kind, Figure]) -> FigureLine:
    statistic = next(iter(by_kind.values())).statistic
    left_out = max(figure.left_out for figure in by_kind.values())
    text = ngettext(
        "%(count)s hand is left out: only its result is known.",
        "%(count)s hands are left out: only their result is known.",
        left_out,
    )
    return FigureLine(
        name=_(statistic.name),
        definition=_(statistic.definition),
        left_out=text % {"count": number_text(left_out)} if left_out else "",
        cells=tuple(_cell(by_kind[kind]) if kind in by_kind else None for kind in KINDS),
    )


def _cell(figure: Figure) -> Cell:
    return Cell(
        kind=_(KIND_NAMES[figure.kind]),
        value=value_text(figure),
        counts=counts_text(figure),
        interval=interval_text(figure),
        scarce=figure.n < SCARCE,
    )


def value_text(figure: Figure) -> str:
    """The value in its unit: `+1.25`, `12.5 %`, `400`; a mean or rate of few opportunities is not shown."""
    if figure.value is None or _says_nothing(figure):
        return NOTHING
    if figure.statistic.form is Form.COUNT:
        return _number(figure, figure.value, 0)
    return _measure(figure, figure.value)


def _says_nothing(figure: Figure) -> bool:
    return figure.statistic.form is not Form.COUNT and figure.n < FEW


def counts_text(figure: Figure) -> str:
    """Numerator and denominator: "50 of 400", and for a mean "500 in 400"."""
    if figure.denominator is None:
        return ""
    numbers = {"some": _number(figure, figure.numerator, 0), "all": number_text(figure.denominator)}
    if figure.statistic.form is Form.RATE:
        return _("%(some)s of %(all)s") % numbers
    return _("%(some)s in %(all)s") % numbers


def interval_text(figure: Figure) -> str:
    """Both ends of the 95 % interval, "" where there is none: `19.6 to 32.7 %`."""
    if figure.interval is None or _says_nothing(figure):
        return ""
    low, high = figure.interval
    low_text = number_text(100 * low, 1) if figure.statistic.form is Form.RATE else _measure(figure, low)
    return _("%(low)s to %(high)s") % {"low": low_text, "high": _measure(figure, high)}


def _measure(figure: Figure, value: float) -> str:
    if figure.statistic.form is Form.RATE:
        # Translators: a share in per cent, with the space that the language puts before the sign
        return _("%(number)s %%") % {"number": number_text(100 * value, 1)}
    return _number(figure, value, 2)


def _number(figure: Figure, value: float, decimals: int) -> str:
    text = signed_text if figure.statistic.code in SIGNED else number_text
    return text(value, decimals)
