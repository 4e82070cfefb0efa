"""The statistics, each declared once: what it counts, over what, in which unit, from which hands.

Everything here is arithmetic on sums over hands; no database, no Django. A new statistic is one more
`Statistic` in STATISTICS, and a new sum in `Sums` where it counts something not yet summed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from analytics.intervals import Interval, mean_interval, rate_interval, ratio_interval
from analytics.sums import Kind, Sums


class Form(StrEnum):
    """COUNT is a plain sum; MEAN a sum by hand; RATE a share of its denominator, 0 to 1.

    DIFFERENCE is one mean less another.
    """

    COUNT = "count"
    MEAN = "mean"
    RATE = "rate"
    DIFFERENCE = "difference"


class Needs(StrEnum):
    """The least that must be known of a hand: its claimed result, its boards, or what was paid in chips."""

    RESULT = "result"
    BOARDS = "boards"
    CHIPS = "chips"


# A value from fewer opportunities than the first is not shown; from fewer than the second it stands in grey.
HIDDEN_UNDER = 10
THIN_UNDER = 50


SumOf = Callable[[Sums], int]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A declaration. `squares` makes a MEAN from slices carry an interval; `independent` a RATE.

    A rate is `independent` where each of its opportunities is a hand of its own. Rows and scoops are not:
    one board meets every opponent, so that an interval from their number would be too narrow; over single
    hands they have that of a ratio over clusters. `less`: the mean that a DIFFERENCE takes off, as numerator
    and denominator. `scale`: how many units of the sums make one of the value's.
    """

    code: str
    name: str
    definition: str
    unit: str
    form: Form
    needs: Needs
    numerator: SumOf
    denominator: SumOf | None = None
    squares: SumOf | None = None
    independent: bool = False
    kinds: tuple[Kind, ...] = tuple(Kind)
    less: tuple[SumOf, SumOf] | None = None
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A statistic of one player over one kind of hands.

    `value` is None where there was no opportunity; `n` is the number of opportunities (hands for a mean);
    `left_out` is the number of hands of this kind that lack what the statistic needs.
    """

    statistic: Statistic
    kind: Kind
    value: float | None
    numerator: int
    denominator: int | None
    n: int
    interval: Interval | None
    left_out: int

    @property
    def shown(self) -> bool:
        """Whether there is enough to show the value at all; a plain count always is."""
        return self.statistic.form is Form.COUNT or self.n >= HIDDEN_UNDER

    @property
    def thin(self) -> bool:
        """Whether the value stands on little, and so in grey beside its n."""
        return self.statistic.form is not Form.COUNT and self.n < THIN_UNDER

    def as_dict(self) -> dict[str, object]:
        interval = list(self.interval) if self.interval else None
        return {
            "value": self.value,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "n": self.n,
            "interval": interval,
            "left_out": self.left_out,
        }


def figure_of(statistic: Statistic, kind: Kind, sums: Sums, days: Sums | None = None) -> Figure:
    """What `statistic` comes to over `sums`, the sums of the hands of `kind`.

    `days`: the same sums as arrays of one number a club day, where there are enough of them for an interval
    over days.
    """
    left_out = sums.result_hands if statistic.needs is Needs.BOARDS else 0
    numerator = statistic.numerator(sums)
    if statistic.denominator is None:
        n = sums.hands - left_out
        return Figure(statistic, kind, numerator, numerator, None, n, None, left_out)
    n = statistic.denominator(sums)
    value = numerator / n if n else None
    return Figure(statistic, kind, value, numerator, n, n, _interval(statistic, sums, days), left_out)


def _interval(statistic: Statistic, sums: Sums, days: Sums | None) -> Interval | None:
    assert statistic.denominator is not None
    numerator, n = statistic.numerator(sums), statistic.denominator(sums)
    if statistic.independent:
        return rate_interval(numerator, n)
    if days is not None:
        return ratio_interval(np.asarray(statistic.numerator(days)), np.asarray(statistic.denominator(days)))
    return mean_interval(n, numerator, statistic.squares(sums)) if statistic.squares else None


def figures_of(by_kind: Mapping[Kind, Sums], days: Mapping[Kind, Sums] | None = None) -> tuple[Figure, ...]:
    """Every statistic for each kind of hands it is declared for, from the sums of both kinds.

    `days`: for each kind the sums by club day, as in `figure_of`.
    """
    normal, fantasyland = by_kind.get(Kind.NORMAL, Sums()), by_kind.get(Kind.FANTASYLAND, Sums())
    sums = {Kind.ALL: normal + fantasyland, Kind.NORMAL: normal, Kind.FANTASYLAND: fantasyland}
    return tuple(
        figure_of(statistic, kind, sums[kind], (days or {}).get(kind))
        for statistic in STATISTICS
        for kind in statistic.kinds
    )


def _board_hands(sums: Sums) -> int:
    return sums.board_hands


def _count(code: str, name: str, definition: str, unit: str, counted: SumOf) -> Statistic:
    return Statistic(code, name, definition, unit, Form.COUNT, Needs.RESULT, counted)


def _royalties(code: str, name: str, definition: str, royalties: SumOf, squares: SumOf) -> Statistic:
    form, needs, unit = Form.MEAN, Needs.BOARDS, "points per hand"
    return Statistic(code, name, definition, unit, form, needs, royalties, _board_hands, squares=squares)


def _share_of_hands(
    code: str, name: str, definition: str, unit: str, counted: SumOf, *kinds: Kind
) -> Statistic:
    return Statistic(
        code,
        name,
        definition,
        unit,
        Form.RATE,
        Needs.BOARDS,
        counted,
        _board_hands,
        independent=True,
        kinds=kinds or tuple(Kind),
    )


def _share(code: str, name: str, definition: str, unit: str, counted: SumOf, among: SumOf) -> Statistic:
    return Statistic(code, name, definition, unit, Form.RATE, Needs.BOARDS, counted, among)


STATISTICS: tuple[Statistic, ...] = (
    _count("hands", "Hands", "Scored hands.", "hands", lambda sums: sums.hands),
    _count(
        "points", "Points", "Points won less points lost, before any cap.", "points", lambda sums: sums.points
    ),
    _count(
        "ruled-points",
        "Ruled points",
        "Points that directors' rulings gave or took; they are not among the points.",
        "points",
        lambda sums: sums.ruled_points,
    ),
    Statistic(
        "points-per-hand",
        "Points per hand",
        "Points won less points lost, before any cap, over the scored hands.",
        "points per hand",
        Form.MEAN,
        Needs.RESULT,
        lambda sums: sums.points,
        lambda sums: sums.hands,
        squares=lambda sums: sums.points_squared,
    ),
    _royalties(
        "royalties-per-hand",
        "Royalties per hand",
        "Royalties of all three rows over the hands whose boards are known; a foul has none.",
        lambda sums: sums.royalties,
        lambda sums: sums.royalties_squared,
    ),
    _royalties(
        "royalties-top-per-hand",
        "Royalties on top per hand",
        "Royalties of the top row over the hands whose boards are known; a foul has none.",
        lambda sums: sums.royalties_top,
        lambda sums: sums.royalties_top_squared,
    ),
    _royalties(
        "royalties-middle-per-hand",
        "Royalties in the middle per hand",
        "Royalties of the middle row over the hands whose boards are known; a foul has none.",
        lambda sums: sums.royalties_middle,
        lambda sums: sums.royalties_middle_squared,
    ),
    _royalties(
        "royalties-bottom-per-hand",
        "Royalties on the bottom per hand",
        "Royalties of the bottom row over the hands whose boards are known; a foul has none.",
        lambda sums: sums.royalties_bottom,
        lambda sums: sums.royalties_bottom_squared,
    ),
    _share_of_hands(
        "fouls",
        "Fouls",
        "Hands that were fouled, dead hands included, over the hands whose boards are known.",
        "share of hands",
        lambda sums: sums.fouls,
    ),
    _share_of_hands(
        "dead-hands",
        "Dead hands",
        "Hands that were declared dead over the hands whose boards are known.",
        "share of hands",
        lambda sums: sums.dead,
    ),
    _share_of_hands(
        "fantasyland-entries",
        "Fantasyland entries",
        "Normal hands that put the player in Fantasyland over the normal hands whose boards are known.",
        "share of normal hands",
        lambda sums: sums.next_fantasyland,
        Kind.NORMAL,
    ),
    _share_of_hands(
        "fantasyland-stays",
        "Fantasyland stays",
        "Fantasyland hands that kept the player there over the Fantasyland hands whose boards are known.",
        "share of Fantasyland hands",
        lambda sums: sums.next_fantasyland,
        Kind.FANTASYLAND,
    ),
    Statistic(
        "fantasyland-hands",
        "Fantasyland hands",
        "Hands that the player was dealt in Fantasyland over the scored hands.",
        "share of hands",
        Form.RATE,
        Needs.RESULT,
        lambda sums: sums.fantasyland_hands,
        lambda sums: sums.hands,
        kinds=(Kind.ALL,),
    ),
    _share(
        "rows-won",
        "Rows won",
        "Rows won over the rows compared, the three rows over a foul included.",
        "share of rows",
        lambda sums: sums.rows_won,
        lambda sums: sums.rows,
    ),
    _share(
        "rows-tied",
        "Rows tied",
        "Rows tied over the rows compared, the three rows over a foul included.",
        "share of rows",
        lambda sums: sums.rows_tied,
        lambda sums: sums.rows,
    ),
    _share(
        "rows-lost",
        "Rows lost",
        "Rows lost over the rows compared, the three rows over a foul included.",
        "share of rows",
        lambda sums: sums.rows_lost,
        lambda sums: sums.rows,
    ),
    _share(
        "scoops-legal",
        "Scoops over legal hands",
        "All three rows won from a legal hand over the opponents faced with neither hand fouled.",
        "share of opponents faced",
        lambda sums: sums.scoops_legal,
        lambda sums: sums.legal_pairs,
    ),
    _share(
        "scooped-legal",
        "Scooped with a legal hand",
        "All three rows lost with a legal hand over the opponents faced with neither hand fouled.",
        "share of opponents faced",
        lambda sums: sums.scooped_legal,
        lambda sums: sums.legal_pairs,
    ),
    _share(
        "scoops-foul",
        "Scoops over fouls",
        "All three rows taken from a fouled hand over the opponents faced, less those where both fouled.",
        "share of opponents faced",
        lambda sums: sums.scoops_foul,
        lambda sums: sums.pairs,
    ),
    _share(
        "scooped-foul",
        "Scooped by a foul",
        "All three rows given away by fouling over the opponents faced, less those where both fouled.",
        "share of opponents faced",
        lambda sums: sums.scooped_foul,
        lambda sums: sums.pairs,
    ),
)

BY_CODE: Mapping[str, Statistic] = {statistic.code: statistic for statistic in STATISTICS}
