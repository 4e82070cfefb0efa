"""The formulas, against values worked out by hand and printed tables; the declarations, for their manners."""

import math
import statistics as textbook
from random import Random

import pytest

from analytics.intervals import mean_interval, rate_interval, student_t_975
from analytics.metrics import BY_CODE, STATISTICS, Form, Needs, figure_of, figures_of
from analytics.sums import SUM_NAMES, Kind, Sums

# The two-sided 5 % column of a printed table of Student's t.
PRINTED_T = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    11: 2.201, 12: 2.179, 13: 2.160, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980, 10**6: 1.960,
}  # fmt: skip


@pytest.mark.parametrize(("freedom", "printed"), PRINTED_T.items())
def test_student_t_is_that_of_the_printed_table(freedom: int, printed: float) -> None:
    assert student_t_975(freedom) == pytest.approx(printed, abs=0.0006)


def test_mean_interval_worked_by_hand() -> None:
    # 4, 8, 6: mean 6, sample variance 4, standard error 2 / sqrt(3), t(2) = 4.303.
    low, high = mean_interval(3, 18, 116)
    assert low == pytest.approx(6 - 4.302653 * 2 / math.sqrt(3))
    assert high == pytest.approx(6 + 4.302653 * 2 / math.sqrt(3))


def test_a_mean_of_less_than_two_hands_has_no_interval() -> None:
    assert mean_interval(0, 0, 0) is None
    assert mean_interval(1, 7, 49) is None
    assert mean_interval(2, 14, 98) == (7, 7)


def test_mean_interval_keeps_its_digits_for_large_sums() -> None:
    points = [10**7 + step for step in (-1, 0, 1)] * 1000
    low, high = mean_interval(len(points), sum(points), sum(point * point for point in points))
    error = textbook.stdev(points) / math.sqrt(len(points))
    assert (high - low) / 2 == pytest.approx(student_t_975(2999) * error, rel=1e-6)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # Newcombe (1998), table I, the score method without continuity correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_rate_interval_is_the_published_one(hits: int, n: int, low: float, high: float) -> None:
    assert rate_interval(hits, n) == pytest.approx((low, high), abs=0.00006)


def test_a_rate_without_opportunities_has_neither_value_nor_interval() -> None:
    figure = figure_of(BY_CODE["fouls"], Kind.ALL, Sums())
    assert (figure.value, figure.interval, figure.denominator) == (None, None, 0)


def test_the_mean_interval_covers_the_mean_in_95_of_100_samples() -> None:
    random, covered, runs = Random(29), 0, 2000
    for _ in range(runs):
        sample = [random.choice((-6, -3, -1, 1, 3, 20)) for _ in range(40)]
        low, high = mean_interval(40, sum(sample), sum(points * points for points in sample))
        covered += low <= 14 / 6 <= high
    assert 0.93 < covered / runs < 0.97


SUMS = Sums(
    hands=10, result_hands=2, points=30, points_squared=500, royalties_top=4, royalties_middle=8,
    royalties_bottom=12, royalties_squared=200, royalties_top_squared=16,
    royalties_middle_squared=64, royalties_bottom_squared=36, fouls=2, next_fantasyland=1, rows_won=20,
    rows_tied=4, rows_lost=12, scoops_legal=2, scooped_legal=1, scoops_foul=3, scooped_foul=2,
)  # fmt: skip


@pytest.mark.parametrize(
    ("code", "value", "numerator", "denominator", "left_out"),
    [
        ("hands", 10, 10, None, 0),
        ("points", 30, 30, None, 0),
        ("points-per-hand", 3.0, 30, 10, 0),
        ("royalties-per-hand", 3.0, 24, 8, 2),
        ("royalties-middle-per-hand", 1.0, 8, 8, 2),
        ("fouls", 0.25, 2, 8, 2),
        ("fantasyland-entries", 0.125, 1, 8, 2),
        ("rows-won", 20 / 36, 20, 36, 2),
        # 36 rows are 12 opponents, of which 3 fouled and 2 took the rows from a foul: 7 between legal hands.
        ("scoops-legal", 2 / 7, 2, 7, 2),
        ("scooped-foul", 2 / 12, 2, 12, 2),
    ],
)
def test_figures_worked_by_hand(
    code: str, value: float, numerator: int, denominator: int | None, left_out: int
) -> None:
    figure = figure_of(BY_CODE[code], Kind.NORMAL, SUMS)
    assert figure.value == pytest.approx(value)
    assert (figure.numerator, figure.denominator, figure.left_out) == (numerator, denominator, left_out)


FANTASYLAND = Sums(hands=2, fantasyland_hands=2, points=30, points_squared=500)


def test_both_kinds_of_hands_stand_apart_and_together() -> None:
    normal = Sums(hands=8, points=-4, points_squared=8)
    figures = figures_of({Kind.NORMAL: normal, Kind.FANTASYLAND: FANTASYLAND})
    value = {(figure.statistic.code, figure.kind): figure.value for figure in figures}
    assert [value["points-per-hand", kind] for kind in Kind] == [2.6, -0.5, 15.0]
    assert value["fantasyland-hands", Kind.ALL] == 0.2
    assert ("fantasyland-entries", Kind.FANTASYLAND) not in value
    assert ("fantasyland-stays", Kind.NORMAL) not in value


def test_sums_add_field_by_field() -> None:
    one = Sums(*range(len(SUM_NAMES)))
    assert one + one == Sums(*range(0, 2 * len(SUM_NAMES), 2))


def test_every_statistic_is_declared_in_full() -> None:
    assert len(BY_CODE) == len(STATISTICS)
    for statistic in STATISTICS:
        assert statistic.definition.endswith(".")
        assert statistic.definition.count(".") == 1
        assert (statistic.denominator is None) == (statistic.form is Form.COUNT)
        assert (statistic.squares is None) == (statistic.form is not Form.MEAN)
        if statistic.needs is Needs.BOARDS:
            assert figure_of(statistic, Kind.ALL, SUMS).left_out == SUMS.result_hands
