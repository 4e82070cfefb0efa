"""Scoring of complete hands: rows, fouls and pairs (rulebook sections 2, 3 and 9).

Every expected figure is worked out by hand from the rulebook.
"""

from random import Random

import numpy as np
import pytest

from scoring.domain.batch import score_boards, seat_pairs
from tests import twin
from tests.boards import random_boards, rules_of, score, slots

QUIET = "9c8d2h / KdQh9s4c3d / AcKcJs7d5h"  # legal, no royalty: ace-high over king-high over nine-high
QUIET_ACES = "Tc6d3h / QcJh8s5c2c / AdAs7c4h2s"


def royalties(spec: object, text: str) -> list[int]:
    return score(spec, text, QUIET).royalties[0, 0].tolist()


def fouls(spec: object, text: str) -> bool:
    return bool(score(spec, text, QUIET).foul[0, 0])


def points(spec: object, *boards: str) -> list[int]:
    return score(spec, *boards).points[0].tolist()


# --- Worked examples, rulebook section 9 --------------------------------------------------------------


def test_example_1_two_rows_and_royalties_against_a_flush() -> None:
    ivey = "6s6h2d / 7h7dAcKd3c / TcTdTh4s4c"
    hellmuth = "KcQd2h / JcJd8h7s3d / 5s8s9sQsAs"
    hand = score("classic", ivey, hellmuth)
    assert hand.rows[0, 0].tolist() == [1, -1, 1]
    assert hand.royalties[0].tolist() == [[1, 0, 6], [0, 0, 4]]
    assert (hand.bonus[0, 0], hand.royalty_difference[0, 0], hand.points[0, 0]) == (0, 3, 4)


def test_example_2_one_row_against_two_and_a_pair_of_jacks() -> None:
    a = "Ah4d2c / AcAs9h8d3d / TcTd5c5h2d"
    b = "JcJd4c / QhQs9d8c3s / KcKsKh7d6h"
    hand = score("classic", a, b)
    assert hand.rows[0, 0].tolist() == [-1, 1, -1]
    assert hand.royalties[0, 1].tolist() == [6, 0, 0]
    assert hand.points[0, 0] == -7


def test_example_3_a_royalty_is_worth_its_points_from_everyone() -> None:
    flush = "9c8d2h / KdQh9s4c3d / Ah Kh Jh 7h 5h"
    hand = score("classic", flush, QUIET, QUIET_ACES)
    assert hand.royalties[0].sum(axis=1).tolist() == [4, 0, 0]
    assert hand.royalty_difference[0].tolist() == [4, 4, 0]


def test_example_4_quads_over_quads() -> None:
    hand = score("classic", "9c8d2h / KdQh9s4c3d / 7c7d7h7s2s", "9h8s2c / KcQs9d4h3c / 6c6d6h6s2d")
    assert hand.rows[0, 0].tolist() == [0, 0, 1]
    assert (hand.royalty_difference[0, 0], hand.points[0, 0]) == (0, 1)


def test_example_5_a_foul_against_nine_in_royalties() -> None:
    foul = "KsKh2c / QcQd9h7s3c / 2d4c5h8d9s"
    legal = "AsAh3d / AcAdJh7d6c / TcTdThJs8c"  # aces on top 9, trips on the bottom earn nothing
    hand = score("classic", foul, legal)
    assert hand.foul[0].tolist() == [True, False]
    assert hand.royalties[0].tolist() == [[0, 0, 0], [9, 0, 0]]
    assert hand.points[0, 0] == -15


def test_example_6_a_scoop_that_loses() -> None:
    # Five of a kind beats a royal flush and earns 20 less in the middle.
    scoops = "9c8d3h / 4c4d4h4s4c / AcAdAhAsAc"
    royal = "9d8h2h / TsJsQsKsAs / 5c5d5h5s5c"
    hand = score("two-deck", scoops, royal)
    assert hand.rows[0, 0].tolist() == [1, 1, 1]
    assert (hand.bonus[0, 0], hand.royalty_difference[0, 0], hand.points[0, 0]) == (3, -20, -14)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QsQh7d / QcQd6h5c4s / AdAhKcKs9h", None),
        ("QsQh7d / QcQd9h8c2s / AdAhKcKs6h", [7, 0, 0]),
        ("6s6hAd / 6c6dAc3s2h / KcKdKs4c4d", [1, 0, 6]),
        ("2s2h2d / 3c3d3h8c7s / 4c4d4h9s9c", [10, 2, 6]),
        ("8sQc8h / TcKs9hQsJd / Ad2s3d4h5s", None),
        ("QcQd2c / ThJhQhKhAh / TsJsQsKsAs", [7, 50, 25]),
    ],
)
def test_example_7_foul_or_not(text: str, expected: list[int] | None) -> None:
    assert fouls("pineapple", text) is (expected is None)
    assert royalties("pineapple", text) == (expected or [0, 0, 0])


# --- Order (section 2) --------------------------------------------------------------------------------


def test_top_against_middle_card_by_card() -> None:
    assert fouls("classic", "QsQhAc / QdQcKs9h8d / AdAhKcKd6h")
    assert not fouls("classic", "QsQhKc / QdQcKs9h8d / AdAhKdKh6h")


def test_equal_rows_are_legal_unless_the_order_is_strict() -> None:
    equal = "9s8h2c / KsQh9d4h3h / KcQd9h4s3s"
    assert not fouls("pineapple", equal)
    assert fouls({"base": "pineapple", "order": "strict"}, equal)
    # A top that ran out while all was equal is the weaker one, in the strict order too.
    assert not fouls({"base": "pineapple", "order": "strict"}, "KdQs9s / KsQh9d4h3h / AcQd9h4s3s")


def test_a_dead_seat_fouls_whatever_it_holds_even_with_empty_slots() -> None:
    royal = "QcQd2c / ThJhQhKhAh / TsJsQsKsAs"
    hand = score("pineapple", royal, "9c/KdQh/Ac", QUIET, dead=[0, 1])
    assert hand.foul[0].tolist() == [True, True, False]
    assert hand.royalties[0, :2].tolist() == [[0, 0, 0], [0, 0, 0]]
    assert hand.next_fantasyland[0].tolist() == [0, 0, 0]
    assert hand.points[0].tolist() == [0, -6, -6]
    assert hand.rows[0].tolist() == [[0, 0, 0], [-1, -1, -1], [-1, -1, -1]]


# --- Points between two seats (section 3) -------------------------------------------------------------

SWEEP = "JcTd2h / AdQh9s4c3d / 2c2d8c7h6s"  # better than QUIET in every row
TWO_AND_A_TIE = "9d8h2c / AdQh9c4s3d / 2s2d8c7h6s"  # top ties, middle and bottom win
ONE_AND_TWO_TIES = "9d8h2c / KsQs9d4s3c / 2s2d8c7h6s"
TWO_TO_ONE = "7d5h2c / AdQh9c4s3d / 2s2d8c7h6s"
ONE_TO_TWO = "JcTd2s / 8dQh9c4s3d / AdKd9d7h5c"


@pytest.mark.parametrize(
    ("board", "one_six", "one_four", "two_four"),
    [
        (SWEEP, 6, 4, 4),
        (TWO_AND_A_TIE, 2, 2, 3),
        (ONE_AND_TWO_TIES, 1, 1, 1),
        (TWO_TO_ONE, 1, 1, 2),
        (ONE_TO_TWO, -1, -1, -2),
        (QUIET, 0, 0, 0),
    ],
)
def test_line_points_by_scoring(board: str, one_six: int, one_four: int, two_four: int) -> None:
    expected = {"1-6": one_six, "1-4": one_four, "2-4": two_four}
    for scoring, line in expected.items():
        spec = {"base": "classic", "scoring": scoring}
        assert points(spec, board, QUIET) == [line]
        assert points(spec, QUIET, board) == [-line]


@pytest.mark.parametrize(("scoring", "all_three"), [("1-6", 6), ("1-4", 4), ("2-4", 4)])
def test_a_foul_loses_as_if_all_rows_were_lost(scoring: str, all_three: int) -> None:
    foul = "KsKh2c / QcQd9h7s3c / 2d4c5h8d9s"
    hand = score({"base": "classic", "scoring": scoring}, foul, QUIET)
    assert hand.rows[0, 0].tolist() == [-1, -1, -1]
    assert hand.points[0, 0] == -all_three


def test_two_fouls_exchange_nothing() -> None:
    foul, other = "KsKh2c / QcQd9h7s3c / 2d4c5h8d9s", "AsAh2c / QsQh9d7c3s / 6d4d5c8h9h"
    hand = score("classic", foul, other)
    assert hand.rows[0, 0].tolist() == [0, 0, 0]
    assert (hand.bonus[0, 0], hand.royalty_difference[0, 0], hand.points[0, 0]) == (0, 0, 0)


def test_royalties_count_on_a_lost_row() -> None:
    hand = score("classic", "9c8d2h / KdQh9s4c3d / 2c4c6c8cTc", "9d8h2s / KcQs9h4d3s / 3h5h7hJhQh")
    assert hand.royalties[0, :, 2].tolist() == [4, 4]
    assert hand.points[0, 0] == -1


MOON = "9c7d2h / Td9s6c4c3d / Jc9d7h4d2s"  # jack-high at the bottom, legal


def test_the_moon_takes_twenty_from_everyone() -> None:
    spec = {"base": "classic", "moon": 20}
    foul = "KsKh2c / QcQd9h7s3c / 2d4c5h8d9h"
    hand = score(spec, MOON, foul, QUIET, QUIET_ACES, dead=[3])
    assert hand.moon[0].tolist() == [20, 20, 20, 0, 0, 0]
    assert hand.points[0, :3].tolist() == [20 + 6, 20 - 3 - 3 + 0, 20 + 6]


@pytest.mark.parametrize(
    ("board", "moon"),
    [
        (MOON, 20),
        ("8c7d2h / Td8s6c4c3d / Tc9d7h4d2s", 20),
        ("9c7d2h / Td9s6c4c3d / Qc9d7h4d2s", 0),  # queen-high
        ("9c7d2h / Td9s6c4c3d / 2c2d7h4d5s", 0),  # a pair
        ("9c7d2h / Td9s6c4c3d / 7c8dTh9dJs", 0),  # a straight
        ("9c7d2h / Td9s6c4c3d / 7h9hTh2hJh", 0),  # a flush
        ("9c7d2h / Qd9s6c4c3d / Jc9d7h4d2s", 0),  # a foul
    ],
)
def test_what_shoots_the_moon(board: str, moon: int) -> None:
    assert score({"base": "classic", "moon": 20}, board, QUIET).moon[0, 0] == moon
    assert score("classic", board, QUIET).moon[0, 0] == 0


def test_two_moons_cancel() -> None:
    other = "9d7h2c / Tc9h6d4s3h / Jd9c7s4c2d"
    assert score({"base": "classic", "moon": 20}, MOON, other).points[0].tolist() == [0]


# --- Batches ------------------------------------------------------------------------------------------


def test_pairs_stand_in_settlement_order() -> None:
    assert seat_pairs(3) == [(0, 1), (0, 2), (1, 2)]
    assert len(seat_pairs(8)) == 28


def test_shapes_and_types() -> None:
    hand = score("classic", QUIET, QUIET_ACES, SWEEP)
    shapes = {name: getattr(hand, name).shape for name in ("strengths", "reads", "foul", "rows", "points")}
    assert shapes == {
        "strengths": (1, 3, 3),
        "reads": (1, 3, 13),
        "foul": (1, 3),
        "rows": (1, 3, 3),
        "points": (1, 3),
    }
    assert (hand.strengths.dtype, hand.royalties.dtype, hand.points.dtype) == (np.int16, np.int16, np.int32)
    assert (hand.rows.dtype, hand.bonus.dtype, hand.moon.dtype) == (np.int8, np.int8, np.int8)
    assert (hand.reads.dtype, hand.next_fantasyland.dtype, hand.foul.dtype) == (np.uint8, np.uint8, np.bool_)


def test_a_long_batch_is_its_hands_one_by_one() -> None:
    random, rules = Random(3), rules_of("progressive")
    few = np.array(
        [[slots(rows) for rows in random_boards(random, twin.PRESETS["progressive"], 3)] for _ in range(50)],
        dtype=np.uint8,
    )
    boards = np.tile(few, (700, 1, 1))  # more than two chunks
    dead = np.zeros(boards.shape[:2], dtype=np.bool_)
    now = np.zeros(boards.shape[:2], dtype=np.uint8)
    whole = score_boards(rules, boards, dead, now)
    for place in (0, 8_191, 8_192, len(boards) - 1):
        part = slice(place, place + 1)
        single = score_boards(rules, boards[part], dead[part], now[part])
        for name in ("strengths", "foul", "royalties", "next_fantasyland", "rows", "points"):
            assert (getattr(whole, name)[part] == getattr(single, name)).all(), name


def test_an_empty_batch() -> None:
    empty = np.zeros((0, 3, 13), dtype=np.uint8)
    nobody = np.zeros((0, 3), dtype=np.bool_)
    for code in ("classic", "pokerbros-joker", "set-27"):
        hands = score_boards(rules_of(code), empty, nobody, nobody.astype(np.uint8))
        assert hands.points.shape == (0, 3)
        assert hands.strengths.shape == (0, 3, 3)
