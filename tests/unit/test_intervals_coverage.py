"""95 % intervals hold what they say: on simulated hands that hang together, and exactly for shares."""

from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from analytics.details import EVERY
from analytics.estimates import figure_over
from analytics.intervals import difference_interval, mean_interval, rate_interval, ratio_interval
from analytics.played import PlayedHands, chains_of
from analytics.sums import Kind
from tests.prove import scale

Array = npt.NDArray[np.int64]
# 3,000 runs tell a coverage to within 0.4 points, 20,000 to within 0.15.
RUNS = scale(3000, 20_000)

# --- Means: one run is a player's record; the truth is known: the hands come from a stated model ----------

ENTRY, STAY = 0.16, 0.15
NORMAL_POINTS = np.array([-16, -9, -6, -3, -1, 0, 2, 4, 7, 12, 20])
NORMAL_CHANCES = np.array([4, 8, 16, 14, 12, 6, 12, 10, 9, 6, 3]) / 100
FANTASYLAND_POINTS = np.array([-6, 0, 6, 11, 18, 30])
FANTASYLAND_CHANCES = np.array([10, 10, 25, 25, 20, 10]) / 100
NORMAL_MEAN = float(NORMAL_POINTS @ NORMAL_CHANCES)
FANTASYLAND_MEAN = float(FANTASYLAND_POINTS @ FANTASYLAND_CHANCES)
# Fantasyland hands that a normal hand leads to, on average.
FOLLOWING = ENTRY / (1 - STAY)
# A normal hand that enters is worth this much more: its royalties on top.
ENTERING = 7


def chains(random: np.random.Generator, number: int) -> PlayedHands:
    """A record of `number` chains: a normal hand, and the Fantasyland hands that it leads to."""
    enters = random.random(number) < ENTRY
    following = np.where(enters, random.geometric(1 - STAY, number), 0)
    starts = np.cumsum(following + 1) - following - 1
    hands = int((following + 1).sum())
    fantasyland = np.full(hands, 14)
    fantasyland[starts] = 0
    points = random.choice(FANTASYLAND_POINTS, hands, p=FANTASYLAND_CHANCES)
    points[starts] = random.choice(NORMAL_POINTS, number, p=NORMAL_CHANCES) + ENTERING * enters
    return record(points, fantasyland)


def record(points: Array, fantasyland: Array) -> PlayedHands:
    zeros, ones = np.zeros(len(points), dtype=np.int64), np.ones(len(points), dtype=np.int64)
    columns = {"points": points, "fantasyland": fantasyland, "player_id": ones, "day": zeros}
    columns |= {"hand_id": np.arange(len(points)), "completeness": 2 * ones}
    columns |= dict.fromkeys(
        ("royalties_top", "royalties_middle", "royalties_bottom", "foul", "dead", "next_fantasyland",
         "ruled_points", "rows_won", "rows_tied", "rows_lost", "scoops_legal", "scooped_legal", "scoops_foul",
         "scooped_foul"), zeros,
    )  # fmt: skip
    return PlayedHands(columns | {"chain": chains_of(columns)})


@pytest.mark.prove
@pytest.mark.parametrize(
    ("code", "truth"),
    [
        (
            "points-per-hand",
            (NORMAL_MEAN + ENTRY * ENTERING + FOLLOWING * FANTASYLAND_MEAN) / (1 + FOLLOWING),
        ),
        ("fantasyland-gain", FANTASYLAND_MEAN - NORMAL_MEAN - ENTRY * ENTERING),
    ],
)
def test_means_over_200_chains(code: str, truth: float) -> None:
    random, covered = np.random.default_rng(4), 0
    for _ in range(RUNS):
        low, high = figure_over(EVERY[code], Kind.ALL, chains(random, 200)).interval
        covered += low <= truth <= high
    assert 0.94 < covered / RUNS < 0.96


@pytest.mark.prove
@pytest.mark.parametrize("evenings", [100, 300])
def test_means_over_evenings_that_go_well_or_badly(evenings: int) -> None:
    """Whole evenings are good or bad, and longer or shorter: single hands would promise too much."""
    random, covered, alone = np.random.default_rng(9), 0, 0
    for _ in range(RUNS):
        hands = random.integers(10, 60, evenings)
        form = random.normal(0.0, 1.5, evenings)
        points = np.rint(hands * form + np.sqrt(hands) * random.normal(0.0, 9.0, evenings)).astype(np.int64)
        low, high = ratio_interval(points, hands)
        covered += low <= 0.0 <= high
        total, played = int(points.sum()), int(hands.sum())
        # The squares of single hands: their own spread, and that of the evenings.
        low, high = mean_interval(played, total, played * 83 + total * total // played)
        alone += low <= 0.0 <= high
    assert 0.94 < covered / RUNS < 0.96
    assert alone / RUNS < 0.85


# --- Shares: no simulation, every outcome with its exact chance ---------------------------------------------


def coverage(n: int, share: float) -> float:
    """The exact chance that Wilson's interval of n hands holds the share that they were drawn with."""
    inside = 0.0
    for hits in range(n + 1):
        low, high = rate_interval(hits, n)
        if low <= share <= high:
            inside += comb(n, hits) * share**hits * (1 - share) ** (n - hits)
    return inside


@pytest.mark.parametrize("n", [50, 75, 100, 200, 400])
def test_shares_on_average_over_their_size(n: int) -> None:
    shares = np.linspace(0.05, 0.5, 91)
    assert 0.94 < float(np.mean([coverage(n, share) for share in shares])) < 0.96


# --- The formulas by hand -----------------------------------------------------------------------------------


def test_a_ratio_with_one_hand_a_cluster_is_a_mean() -> None:
    points = np.array([4, 8, 6, -3, 20])
    expected = mean_interval(5, int(points.sum()), int((points**2).sum()))
    assert ratio_interval(points, np.ones(5, dtype=np.int64)) == pytest.approx(expected)


def test_a_ratio_worked_by_hand() -> None:
    # 12 points in 6 hands: 2 a hand. Residuals 4 - 2x2, 2 - 2x2, 6 - 2x2: 0, -2, 2.
    low, high = ratio_interval(np.array([4, 2, 6]), np.array([2, 2, 2]))
    half = 4.302653 * ((0 + 4 + 4) / 36 * 3 / 2) ** 0.5
    assert (low, high) == pytest.approx((2 - half, 2 + half))


def test_clusters_without_an_opportunity_count_for_nothing() -> None:
    points, hands = np.array([4, 0, 2, 6]), np.array([2, 0, 2, 2])
    assert ratio_interval(points, hands) == ratio_interval(points[hands > 0], hands[hands > 0])
    assert ratio_interval(np.array([4]), np.array([2])) is None
    assert ratio_interval(np.array([0, 0]), np.array([0, 0])) is None


def test_a_difference_needs_both_sides() -> None:
    one, none = (np.array([4, 2]), np.array([2, 2])), (np.array([0, 0]), np.array([0, 0]))
    assert difference_interval(one, none) is None
    assert difference_interval(none, one) is None


def test_chains_run_on_through_fantasyland_for_each_player_apart() -> None:
    columns = {
        "player_id": np.array([1, 2, 1, 2, 1, 1, 2]),
        "hand_id": np.array([1, 1, 2, 2, 3, 3, 4]),
        "fantasyland": np.array([0, 0, 14, 0, 0, 0, 15]),
    }
    chain = chains_of(columns).tolist()
    # Player 1: hands 1 and 2 hang together, his two boards of hand 3 too. Player 2: hands 2 and 4.
    assert chain[0] == chain[2] != chain[4] == chain[5]
    assert chain[1] != chain[3] == chain[6]
    assert len(set(chain)) == 4
