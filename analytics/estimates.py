"""What a declared statistic comes to over single hands, with its interval over clusters. Pure."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from analytics.intervals import Interval, difference_interval, rate_interval
from analytics.metrics import Figure, Form, Needs, Statistic
from analytics.played import Array, PlayedHands
from analytics.sums import Kind


def figure_over(statistic: Statistic, kind: Kind, hands: PlayedHands) -> Figure:
    """The figure of `statistic` over those of `hands` that are of `kind`."""
    mask = hands.kinds[kind]
    left_out = _left_out(statistic.needs, hands, mask)
    numerators = _each(statistic.numerator(hands.counts), mask)
    numerator = int(numerators.sum())
    if statistic.denominator is None:
        n = int(mask.sum()) - left_out
        return Figure(statistic, kind, numerator / statistic.scale, numerator, None, n, None, left_out)
    denominators = _each(statistic.denominator(hands.counts), mask)
    n = int(denominators.sum())
    less = _less(statistic, hands, mask)
    value = _value(statistic, numerator, n, less)
    interval = _interval(statistic, hands, (numerators, denominators), less)
    return Figure(statistic, kind, value, numerator, n, _opportunities(n, less), interval, left_out)


def figures_over(statistics: Iterable[Statistic], hands: PlayedHands) -> tuple[Figure, ...]:
    """Every statistic for each kind that it is declared for, in this order."""
    return tuple(figure_over(statistic, kind, hands) for statistic in statistics for kind in statistic.kinds)


def _each(counted: Any, mask: Array) -> Array:
    return np.asarray(counted, dtype=np.int64) * mask


def _left_out(needs: Needs, hands: PlayedHands, mask: Array) -> int:
    if needs is Needs.RESULT:
        return 0
    has = hands.known if needs is Needs.BOARDS else hands["with_chips"]
    return int(((1 - has) * mask).sum())


def _less(statistic: Statistic, hands: PlayedHands, mask: Array) -> tuple[Array, Array] | None:
    if statistic.less is None:
        return None
    numerator, denominator = (_each(count(hands.counts), mask) for count in statistic.less)
    return numerator, denominator


def _opportunities(n: int, less: tuple[Array, Array] | None) -> int:
    """Of a difference the smaller number: that side decides how much it says."""
    return n if less is None else min(n, int(less[1].sum()))


def _value(statistic: Statistic, numerator: int, n: int, less: tuple[Array, Array] | None) -> float | None:
    if not n:
        return None
    value = numerator / (n * statistic.scale)
    if less is None:
        return value
    base = int(less[1].sum())
    return value - int(less[0].sum()) / (base * statistic.scale) if base else None


def _interval(
    statistic: Statistic, hands: PlayedHands, first: tuple[Array, Array], less: tuple[Array, Array] | None
) -> Interval | None:
    if statistic.form is Form.RATE and statistic.independent:
        return rate_interval(int(first[0].sum()), int(first[1].sum()))
    clusters = hands.clusters
    sums = (clusters.sums(first[0]), clusters.sums(first[1]))
    others = None if less is None else (clusters.sums(less[0]), clusters.sums(less[1]))
    found = difference_interval(sums, others)
    return found and (found[0] / statistic.scale, found[1] / statistic.scale)
