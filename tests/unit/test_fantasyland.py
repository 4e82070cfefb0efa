"""Who plays Fantasyland next, and with how many cards (rulebook section 5), worked out by hand."""

import pytest

from tests.boards import score

QUIET = "9c8d2h / KdQh9s4c3d / AcKcJs7d5h"


def following(spec: object, text: str, now: int = 0) -> int:
    return int(score(spec, text, QUIET, fantasyland={0: now}).next_fantasyland[0, 0])


QUEENS = "QsQh2d / KcKd9h5s3c / AcAd9s5c4d"
KINGS = "KsKh2d / AcAd9h5s3c / TcTdThJsJc"
ACES = "AsAh2d / TcTd9h9s3c / 4c4d4hJsJc"
TRIPS = "2s2h2d / 3c3d3h8c7s / 4c4d4h9s9c"
JACKS = "JsJh2d / KcKd9h5s3c / AcAd9s5c4d"


@pytest.mark.parametrize(
    ("spec", "cards"),
    [
        ("classic", (0, 13, 13, 13, 13)),
        ("pineapple", (0, 14, 14, 14, 14)),
        ("progressive", (0, 14, 15, 16, 17)),
        ("pokerbros-progressive", (0, 14, 15, 16, 16)),
        ("pokerbros-ultimate-joker", (0, 14, 15, 16, 17)),
        ("two-deck", (0, 0, 0, 13, 13)),
        ({"base": "pineapple", "entry": {"AA": 14}}, (0, 0, 0, 14, 14)),
        ({"base": "pineapple", "entry": {"JJ": 15, "KK": 14}}, (15, 15, 14, 14, 14)),
        ({"base": "pineapple", "entry": {"trips": 17}}, (0, 0, 0, 0, 17)),
        ({"base": "pineapple", "entry": {}}, (0, 0, 0, 0, 0)),
    ],
)
def test_entry_by_the_top(spec: object, cards: tuple[int, ...]) -> None:
    tops = (JACKS, QUEENS, KINGS, ACES, TRIPS)
    assert tuple(following(spec, board) for board in tops) == cards


def test_a_foul_enters_nothing() -> None:
    assert following("progressive", "AsAh2d / TcTd9h9s3c / 4c4d4hJs9c") == 16
    assert following("progressive", "AsAh2d / TcTd9h5s3c / 4c4d4hJs9c") == 0


BOTTOM_QUADS = "KsQh2d / KcKd9h5s3c / 4c4d4h4s9s"
BOTTOM_FULL = "KsQh2d / KcKd9h5s3c / 4c4d4h9c9s"
MIDDLE_FULL = "KsQh2d / 3c3d3h5s5c / 4c4d4h9c9s"
BOTTOM_STRAIGHT_FLUSH = "KsQh2d / KcKd9h5s3c / 4c5c6c7c8c"


@pytest.mark.parametrize(
    ("spec", "now", "cards"),
    [
        ("classic", 13, (13, 13, 13, 13, 0, 0)),
        ("pineapple", 14, (14, 14, 14, 0, 0, 0)),
        ("progressive", 17, (14, 14, 14, 0, 0, 0)),
        ("pokerbros-ultimate", 16, (16, 16, 16, 0, 0, 0)),
        ("heads-up-two-hands", 14, (14, 14, 14, 14, 0, 0)),
        (
            {
                "base": "pineapple",
                "stay": {"top": "none", "middle": "full-house", "bottom": "quads", "cards": 16},
            },
            14,
            (0, 16, 16, 16, 0, 0),
        ),
    ],
)
def test_staying(spec: object, now: int, cards: tuple[int, ...]) -> None:
    boards = (TRIPS, BOTTOM_QUADS, BOTTOM_STRAIGHT_FLUSH, MIDDLE_FULL, BOTTOM_FULL, ACES)
    assert tuple(following(spec, board, now) for board in boards) == cards


def test_staying_conditions_do_not_let_anyone_in() -> None:
    assert following("pineapple", BOTTOM_QUADS) == 0


@pytest.mark.parametrize(
    ("top", "middle", "cards"),
    [
        ("QsQh2d", "7c5d4h3s2c", 14),
        ("KsKh2d", "Tc5d4h3s2c", 14),
        ("KsKh2d", "7c5d4h3s2c", 15),
        ("6s6h6d", "7c5d4h3s2c", 15),
        ("QsQh2d", "7c6d4h3s2c", 0),
    ],
)
def test_the_low_is_a_second_way_in(top: str, middle: str, cards: int) -> None:
    text = f"{top} / {middle} / JcJdJh9s9h"
    assert following("set-27", text) == cards
    assert following("set-27", text, now=14) == (14 if top == "6s6h6d" else 0)


@pytest.mark.parametrize(
    ("entry", "kings_and_low", "low"),
    [
        ({"KK": 16, "low": 14}, 16, 14),
        ({"KK": 14, "low": 16}, 16, 16),
        ({"KK": 14, "both": 17}, 17, 0),
        ({"low": 14, "both": 15}, 14, 14),
    ],
)
def test_entry_by_low_without_one_of_its_steps(entry: dict[str, int], kings_and_low: int, low: int) -> None:
    spec = {"base": "set-27", "entry": entry}
    assert following(spec, "KsKh2d / 7c5d4h3s2c / JcJdJh9s9h") == kings_and_low
    assert following(spec, "TsTh2d / 7c5d4h3s2c / JcJdJh9s9h") == low


def test_a_low_is_no_full_house_that_stays() -> None:
    stay = {"top": "none", "middle": "full-house", "bottom": "quads", "cards": 14}
    assert following({"base": "set-27", "stay": stay}, "TsTh2d / 7c5d4h3s2c / JcJdJh9s9h", now=14) == 0


def test_every_seat_is_judged_by_itself() -> None:
    hand = score("progressive", QUEENS, BOTTOM_QUADS, QUIET, fantasyland={1: 16})
    assert hand.next_fantasyland[0].tolist() == [14, 14, 0]
