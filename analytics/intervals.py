"""95 % intervals: Student's t for means and ratios over clusters, Wilson's for a share of hands. Pure."""

from math import sqrt

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Interval = tuple[float, float]

NORMAL_975 = 1.959963984540054
# Two-sided 95 % quantiles of Student's t for 1 to 9 degrees of freedom, where the expansion is too coarse.
_T_975 = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157)


def student_t_975(freedom: int) -> float:
    """The quantile of Student's t that leaves 2.5 % above it; right to 1e-4.

    From 10 degrees of freedom the Cornish-Fisher expansion around the normal quantile is that good.
    """
    if freedom <= len(_T_975):
        return _T_975[freedom - 1]
    z, v = NORMAL_975, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160
    return z + first / v + second / v**2 + third / v**3 + fourth / v**4


def mean_interval(n: int, total: int, squares: int) -> Interval | None:
    """The interval of a mean over `n` hands from their sum and sum of squares; None below two hands."""
    if n < 2:
        return None
    # Whole numbers up to the last step: the textbook difference of squares loses digits in floats.
    variance = (n * squares - total * total) / (n * (n - 1))
    half = student_t_975(n - 1) * sqrt(variance / n)
    return total / n - half, total / n + half


def rate_interval(hits: int, n: int) -> Interval | None:
    """Wilson's interval of a share, which holds for small n and at 0 and 1; None without opportunities."""
    if n < 1:
        return None
    z_squared = NORMAL_975 * NORMAL_975
    share, spread = hits / n, 1 + z_squared / n
    centre = (share + z_squared / (2 * n)) / spread
    half = NORMAL_975 * sqrt(share * (1 - share) / n + z_squared / (4 * n * n)) / spread
    # At the ends the formula is exact; floats are not.
    return 0.0 if hits == 0 else centre - half, 1.0 if hits == n else centre + half


def ratio_interval(numerators: Numbers, denominators: Numbers) -> Interval | None:
    """The interval of sum(numerators) / sum(denominators) from one pair of sums for each cluster.

    Clusters are independent of each other, what lies within one is not: the spread is that of the clusters'
    residuals (the linearised ratio estimator), with Student's t for one degree of freedom less than there are
    clusters. None below two clusters that have something in the denominator.
    """
    return difference_interval((numerators, denominators), None)


def difference_interval(
    first: tuple[Numbers, Numbers], second: tuple[Numbers, Numbers] | None
) -> Interval | None:
    """The interval of one ratio less another over the same clusters; of the first alone without a second.

    Only clusters with something in the denominator tell anything of a ratio: the side that has fewer of them
    decides how uncertain the spread itself is.
    """
    terms = [first] if second is None else [first, second]
    clusters = min(int(np.count_nonzero(denominators)) for _, denominators in terms)
    if clusters < 2:
        return None
    value, residuals = 0.0, np.zeros(len(first[0]))
    for sign, (numerators, denominators) in zip((1, -1), terms, strict=False):
        total = float(denominators.sum())
        ratio = float(numerators.sum()) / total
        value += sign * ratio
        residuals += sign * (numerators - ratio * denominators) / total
    spread = float(residuals @ residuals) * clusters / (clusters - 1)
    half = student_t_975(clusters - 1) * sqrt(spread)
    return value - half, value + half
