"""Patterns of first streets, by hand."""

import pytest

from scoring.domain.notation import parse_placement
from scoring.domain.openings import First, first_of, opening_of, shape_of
from tests.tables import good


@pytest.mark.parametrize(
    ("cards", "first", "shape"),
    [
        ("As/2c3c/KdKh", First.PAIR_ON_THE_BOTTOM, "1-2-2"),
        ("/AsAd/KdQhJc", First.PAIR_IN_THE_MIDDLE, "0-2-3"),
        ("AsAd//KdQhJc", First.PAIR_ON_TOP, "2-0-3"),
        ("/2c2d/KdKh3s", First.TWO_PAIR, "0-2-3"),
        ("/3s/KdKh5c5d", First.TWO_PAIR, "0-1-4"),
        ("/2c2d/KdKhKs", First.TRIPS, "0-2-3"),
        ("As/2c/Kd9d4d", First.FLUSH_DRAW, "1-1-3"),
        ("As/2c/Kd9d4h", First.NOTHING, "1-1-3"),
        ("/2c3c/Kd9d4d", First.FLUSH_DRAW, "0-2-3"),
        ("/2c3c4c/Kd9d", First.NOTHING, "0-3-2"),
        ("As/Ac2c/AdKh", First.NOTHING, "1-2-2"),  # a rank over several rows is no pair in any of them
        ("X1/2c3c/KdKh", First.JOKER, "1-2-2"),
    ],
)
def test_a_first_street(cards: str, first: First, shape: str) -> None:
    opening = opening_of(good(parse_placement(cards)))
    assert opening is not None
    assert (first_of(opening), shape_of(opening)) == (first, shape)


def test_other_streets_have_no_pattern() -> None:
    assert opening_of(good(parse_placement("/2c/Kd|3s"))) is None
