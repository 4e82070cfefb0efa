"""Random numbers that are a function of what they are for.

Each number is a hash of a key (which evening) and of counters (which hand, seat, street, choice). So a hand
comes out the same however many hands are played at once, and whichever are played before it.
"""

import hashlib
from typing import Final

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)  # the increment and the multipliers of splitmix64
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_UNIT: Final = 2.0**-53


def key_of(*parts: object) -> int:
    """64 bits that name these parts."""
    text = "/".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def keyed(keys: Keys, *counters: npt.ArrayLike) -> Keys:
    """Keys for what belongs to each key, one counter after the other; the shapes broadcast."""
    for counter in counters:
        # At least one dimension: numpy warns of scalars that wrap round, as they are meant to.
        steps = np.atleast_1d(np.asarray(counter)).astype(np.uint64) + np.uint64(1)
        keys = _mixed(keys + _STEP * steps)
    return keys


def uniform(keys: Keys) -> npt.NDArray[np.float64]:
    """Numbers between 0 and 1, neither included."""
    numbers: npt.NDArray[np.float64] = ((keys >> np.uint64(11)).astype(np.float64) + 0.5) * _UNIT
    return numbers


def gumbel(keys: Keys) -> Floats:
    """Numbers of the Gumbel distribution: the greatest of values each with one added falls on a value with
    a chance that grows with its exponential."""
    numbers: Floats = -np.log(-np.log(uniform(keys))).astype(np.float32)
    return numbers


def shuffled(keys: Keys, cards: int) -> npt.NDArray[np.uint8]:
    """A shuffled deck of so many cards for each key, uint8[N, cards]."""
    order: npt.NDArray[np.uint8] = keyed(keys[:, None], np.arange(cards)).argsort(axis=1).astype(np.uint8)
    return order


def _mixed(keys: Keys) -> Keys:
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    mixed: Keys = keys ^ (keys >> np.uint64(31))
    return mixed
