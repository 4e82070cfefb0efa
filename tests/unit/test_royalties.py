"""Royalties and 2-7 middles (rulebook sections 2 and 4), worked out by hand."""

import pytest

from tests.boards import score

QUIET = "9c8d2h / KdQh9s4c3d / AcKcJs7d5h"  # legal, no royalty: ace-high over king-high over nine-high


def royalties(spec: object, text: str) -> list[int]:
    return score(spec, text, QUIET).royalties[0, 0].tolist()


def fouls(spec: object, text: str) -> bool:
    return bool(score(spec, text, QUIET).foul[0, 0])


# --- Royalties (section 4) ----------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "rank"), list(enumerate("6789TJQKA", start=1)))
def test_pairs_on_top(place: int, rank: str) -> None:
    kicker = "2h" if rank != "2" else "3h"
    assert royalties("classic", f"{rank}s{rank}h{kicker} / 2c2d2s8h3c / 4c4d4h9sJc")[0] == place


@pytest.mark.parametrize("rank", "2345")
def test_small_pairs_on_top_earn_nothing(rank: str) -> None:
    assert royalties("classic", f"{rank}s{rank}h9d / 7c7d7s8hTc / Jc8d9hTsQc")[0] == 0


@pytest.mark.parametrize(("place", "rank"), list(enumerate("23456789TJQKA")))
def test_trips_on_top(place: int, rank: str) -> None:
    # Straights beat trips, so the same two rows serve below.
    assert royalties("classic", f"{rank}s{rank}h{rank}d / 2c3d4s5h6c / 7c8d9hTsJc")[0] == 10 + place


@pytest.mark.parametrize(
    ("row", "middle", "bottom"),
    [
        ("AcKdQh9s2c", 0, 0),
        ("AcAdQh9s2c", 0, 0),
        ("AcAdQhQs2c", 0, 0),
        ("AcAdAh9s2c", 2, 0),
        ("Ac2d3h4s5c", 4, 2),
        ("2c4c6c8cTc", 8, 4),
        ("2c2d2h3s3c", 12, 6),
        ("2c2d2h2s3c", 20, 10),
        ("9cTcJcQcKc", 30, 15),
        ("TcJcQcKcAc", 50, 25),
        ("2c2d2h2s2c", 30, 15),
    ],
)
def test_royalties_of_five_cards(row: str, middle: int, bottom: int) -> None:
    # Fives of a kind below, the lowest of tops above: either place is in order.
    assert royalties("two-deck", f"2h3d5s / {row} / KcKdKhKsKc")[1:] == [middle, 15]
    assert royalties("two-deck", f"2h3d5s / 2s3h4h5d8c / {row}")[1:] == [0, bottom]


# --- 2-7 middle ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("middle", "royalty"),
    [
        ("Tc8d6h4s2c", 0),
        ("9c8d6h4s2c", 1),
        ("8c7d6h4s2c", 2),
        ("7c6d5h3s2c", 4),
        ("7c6d4h3s2c", 4),
        ("7c5d4h3s2c", 8),
    ],
)
def test_lows_in_the_middle(middle: str, royalty: int) -> None:
    hand = score("set-27", f"AsKh3d / {middle} / QcQdJh9s3h", "KcKd3c / Th8c6d4d2d / AcAd5h5s8h")
    assert not hand.foul[0].any()
    assert hand.royalties[0, 0].tolist() == [0, royalty, 0]


@pytest.mark.parametrize(
    "middle", ["Jc8d6h4s2c", "Ac2d3h4s5c", "2c2d4h6s8c", "2c3d4h5s6c", "2c4c5c7c8c", "KcKdKhKs2c"]
)
def test_middles_that_are_no_low_foul(middle: str) -> None:
    assert score("set-27", f"9s7h3d / {middle} / AhAdJh9d3h", "KcQd3c / Th8c6d4d2d / AcJd5h5s8h").foul[0, 0]


def test_the_first_lower_card_wins_the_middle() -> None:
    better, worse = "KsJh3d / 9c7d6h4s2c / AhAdJc9d3h", "KcQd3c / 9h8c4d3s2d / AcAs5h5s8h"
    assert score("set-27", better, worse).rows[0, 0].tolist() == [-1, 1, -1]


def test_order_in_a_2_7_game_is_bottom_over_top_only() -> None:
    assert not fouls("set-27", "AsAhKd / Tc8d6h4s2c / AcAdKh9s3h")
    assert fouls("set-27", "AsAhKd / Tc8d6h4s2c / AcAdQh9s3h")
    assert not fouls({"base": "set-27", "order": "strict"}, "AsAhKd / Tc8d6h4s2c / AcAdKh9s3h")
