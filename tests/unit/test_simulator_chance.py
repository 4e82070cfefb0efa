"""Random numbers of the simulator: a function of what they are for."""

import numpy as np

from scoring.simulator.chance import gumbel, key_of, keyed, shuffled, uniform

KEYS = keyed(np.array([key_of("test")], dtype=np.uint64), np.arange(2000))


def test_a_number_depends_on_its_key_alone() -> None:
    alone = uniform(keyed(KEYS[7:8], 3, 5))
    together = uniform(keyed(KEYS, 3, 5))
    assert alone[0] == together[7]
    assert len(set(together.tolist())) == 2000


def test_parts_of_a_key_do_not_run_together() -> None:
    assert len({key_of(1, 23), key_of(12, 3), key_of(123), key_of("1", "2", "3")}) == 4


def test_numbers_fill_the_unit_interval_evenly() -> None:
    numbers = uniform(keyed(KEYS[:, None], np.arange(50)))
    counts, _ = np.histogram(numbers, bins=20, range=(0, 1))
    # 100,000 numbers: 5,000 a bin, standard deviation 69.
    assert np.abs(counts - 5000).max() < 5 * 69
    assert abs(gumbel(KEYS).mean() - 0.5772) < 5 * 1.2825 / 2000**0.5


def test_every_card_comes_equally_often_to_every_place() -> None:
    decks = shuffled(KEYS, 52)
    assert (np.sort(decks, axis=1) == np.arange(52)).all()
    first = np.bincount(decks[:, 0], minlength=52)
    # 2,000 decks: each card first in 38, standard deviation 6.1.
    assert np.abs(first - 2000 / 52).max() < 5 * 6.2
