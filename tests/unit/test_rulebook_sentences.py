"""Sentences of the rulebook, sections 1 to 7, through documents; every expectation is worked out by hand."""

import pytest

from tests.rulebook import TEN_FROM_A_FOUL, Result, alone, refusal

LEGAL = TEN_FROM_A_FOUL


# --- Section 1 --------------------------------------------------------------------------------------------


def test_left_of_the_button_is_the_next_higher_seat_wrapping_round():
    result = Result("classic", {5: LEGAL}, dead=[2, 8], button=5)
    assert list(result.by_pair("points")) == [(8, 2), (8, 5), (2, 5)]
    result = Result("classic", {5: LEGAL}, dead=[2, 8], button=2)
    assert list(result.by_pair("points")) == [(5, 8), (5, 2), (8, 2)]


def test_the_button_is_an_occupied_seat():
    assert refusal("classic", {1: LEGAL}, dead=[2], button=3)[0] == "button-empty"


# --- Section 2 --------------------------------------------------------------------------------------------


def test_a_code_appears_once_in_one_deck_and_twice_in_two():
    assert refusal("classic", {1: LEGAL, 2: LEGAL})[0] == "card-twice"
    assert Result("two-deck", {1: LEGAL, 2: LEGAL}).by_seat("points") == {1: 0, 2: 0}
    assert refusal("two-deck", {1: LEGAL, 2: LEGAL, 3: LEGAL})[0] == "card-twice"


def test_suits_never_break_ties():
    result = Result("two-deck", {1: "Qc9d4s/8c8dKs7s3c/AhKh9h5h2h", 2: "Qd9s4h/8h8sKc7c3d/AsKs9s5s2s"})
    assert result.pairs[0]["rows"] == [0, 0, 0]
    assert (result.pairs[0]["bonus"], result.pairs[0]["points"]) == (0, 0)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("AhAh9h5h2h", "AsKsQsJs9s"),  # a repeated ace beats the king that comes next
        ("AhKhKh5h2h", "AsKsQsJs9s"),
        ("AhKhQhJh9h", "AsKsQs9s9s"),
    ],
)
def test_flushes_of_two_decks_compare_all_five_ranks_repeats_included(higher, lower):
    result = Result("two-deck", {1: f"Qc8d4s/7c7dKc6s3c/{higher}", 2: f"Qd8s4h/7h7sKd6c3d/{lower}"})
    assert result.pairs[0]["rows"] == [0, 0, 1]


@pytest.mark.parametrize(
    ("rows", "royalties"),
    [
        ("Qc8d4s/5h6h7h8h9h/3s3s3c3c3d", (0, 30, 15)),  # five of a kind above the straight flush
        ("Qc8d4s/3s3s3c3c3d/AhKhQhJhTh", None),  # even above a royal flush
    ],
)
def test_five_of_a_kind_stands_above_the_straight_flush_where_two_decks_allow_it(rows, royalties):
    seat = alone("two-deck", rows).seats[1]
    assert seat["foul"] == (royalties is None)
    assert tuple(seat["royalties"].values()) == (royalties or (0, 0, 0))


def test_straights_and_flushes_do_not_count_on_top():
    boards = {1: "KsQsJs/9c9d8h5s4c/AhKh9h5h2h", 2: "2c2d3c/8c8dKc7s3d/AcAdTd5d2s"}
    assert Result("classic", boards).pairs[0]["rows"] == [-1, 1, 1]  # a pair of deuces beats king-high


@pytest.mark.parametrize(
    ("board", "foul"),
    [
        ("QsQhAd/QcQdKh9c8s/AhAcKcKs6h", True),
        ("QsQhKd/QcQdKh9c8s/AhAcKcKs6h", False),  # the top runs out while all is equal
        ("AsKdQc/AdKhQh9c8s/AhAcKcKs6h", False),
    ],
)
def test_top_and_middle_compare_card_by_card(board, foul):
    assert alone("classic", board).seats[1]["foul"] == foul


EQUAL = "5c4d2s/AcKd9h7s3c/AdKh9s7c3d"


def test_equal_rows_are_legal_unless_the_order_is_strict():
    assert not alone("classic", EQUAL).seats[1]["foul"]
    assert alone({"base": "classic", "order": "strict"}, EQUAL).seats[1]["foul"]


def test_a_joker_in_the_middle_is_read_strictly_below_the_bottom_where_the_order_is_strict():
    board = "5c4d2s/X1AcKdQh9s/AdAhKsQc9c"
    equal = alone("pokerbros-joker", board)
    assert (equal.seats[1]["foul"], equal.reads("middle")[0]) == (False, "A")
    strict = alone({"base": "pokerbros-joker", "order": "strict"}, board)
    assert (strict.seats[1]["foul"], strict.reads("middle")[0]) == (False, "K")


@pytest.mark.parametrize(
    ("middle", "royalty"),
    [
        ("Ts8c6d5h2c", 0),
        ("9s8c6d5h2c", 1),
        ("8s7c6d5h2c", 2),
        ("7s6c5d4h2c", 4),
        ("7s5c4d3h2c", 8),
        ("Js8c6d5h2c", None),  # too high
        ("8s8c6d5h2c", None),  # a pair
        ("6s5c4d3h2c", None),  # a straight
        ("9s8s6s5s2s", None),  # a flush
        ("5s4c3d2hAc", None),  # ace-high
    ],
)
def test_middle_of_a_2_7_game(middle, royalty):
    seat = alone("set-27", f"QhTdTc/{middle}/AhAdKhKd9h").seats[1]
    assert seat["foul"] == (royalty is None)
    assert seat["royalties"]["middle"] == (royalty or 0)


def test_the_first_lower_card_wins_a_2_7_middle():
    result = Result("set-27", {1: "QhTd4c/9s8c6d5h2c/AhAdKhKd9h", 2: "QdTc4s/9c8d5s4d3h/AcAsKcKs9d"})
    assert result.pairs[0]["rows"] == [0, -1, 0]


def test_in_a_2_7_game_only_bottom_and_top_stand_in_order():
    assert alone("set-27", "KhKd4c/9s8c6d5h2c/QhQdJhJd9h").seats[1]["foul"] is False
    assert alone("set-27", "KhKd4c/9s8c6d5h2c/QhQdJhTd9h").seats[1]["foul"] is True


# --- Section 2, jokers ------------------------------------------------------------------------------------


def test_jokers_belong_to_the_games_that_have_them():
    board = "X1Ah9s/TsTd6d4d8c/JdQsJsQdQh"
    assert refusal("pineapple", {1: board}, dead=[2])[0] == "card-outside-deck"
    assert refusal({"base": "pokerbros-joker", "jokers": 1}, {1: board.replace("X1", "X2")}, dead=[2])[0] == (
        "card-outside-deck"
    )


def test_a_joker_stands_for_no_card_of_its_own_row():
    # Ace to ten of spades without the ten, and no card but the ten of spades makes it a royal flush.
    result = alone("pokerbros-joker", "5c4d2s/8h6hKh9c5d/X1AsKsQsJs")
    assert (result.reads("bottom"), result.seats[1]["royalties"]["bottom"]) == ("TsAsKsQsJs", 25)
    # Four aces are there already: the fifth card can only be the best kicker.
    result = alone("pokerbros-joker", "5c4d2s/8h6hKh9c5d/X1AsAhAdAc")
    assert (result.reads("bottom")[0], result.seats[1]["royalties"]["bottom"]) == ("K", 10)


def test_two_jokers_in_a_row_stand_for_different_cards():
    result = alone("pokerbros-joker", "5c4d2s/8h6hKh9c5d/X1X2AsAhKs")
    assert {result.reads("bottom")[:2], result.reads("bottom")[2:4]} == {"Ac", "Ad"}
    assert result.seats[1]["royalties"]["bottom"] == 10


def test_with_five_of_a_kind_both_limits_fall_away():
    rules = {"base": "pokerbros-joker", "five_of_a_kind": True}
    bottom = alone(rules, "5c4d2s/8h6hKh9c5d/X1X2AsAhAd")
    assert [bottom.reads("bottom")[at] for at in range(0, 10, 2)] == ["A"] * 5
    assert bottom.seats[1]["royalties"]["bottom"] == 15
    middle = alone(rules, "5c4d2s/X1KsKhKdKc/X2AsAhAdAc")
    assert middle.seats[1]["royalties"] == {"top": 0, "middle": 30, "bottom": 15}


def test_a_joker_may_stand_for_a_card_that_another_row_or_player_holds():
    boards = {1: "5c4d2s/8h6hKh9c5d/X1AsKsQsJs", 2: "3c3d7c/9h9s7h4h2c/AdAhKd4cTs"}
    assert Result("pokerbros-joker", boards).reads("bottom") == "TsAsKsQsJs"


def test_rows_are_read_from_the_bottom_up_and_never_above_the_row_below():
    result = alone("pokerbros-joker", "KcX1Ac/3hX24d5s4s/Td9c7s9hTh")
    # The bottom is two pair, tens and nines. So the middle cannot be trips: two pair, fives and fours.
    assert (result.reads("middle")[2], result.reads("top")[2]) == ("5", "A")
    assert result.seats[1]["royalties"] == {"top": 9, "middle": 0, "bottom": 0}


def test_a_row_without_a_reading_below_the_next_fouls():
    # Whatever the joker stands for, the top holds at least a pair of kings over a middle of tens.
    assert alone("pokerbros-joker", "X1KhKs/TsTd6d4d8c/JdQsJsQdQh").seats[1]["foul"]


def test_fantasyland_uses_the_reading():
    result = alone("pokerbros-joker", "X1Qh9s/AsAd6d4d8c/JdTsJsTdTh")
    assert (result.reads("top")[0], result.seats[1]["next_fantasyland"]) == ("Q", 14)


# --- Section 3 --------------------------------------------------------------------------------------------


def test_each_seat_is_compared_against_each_other():
    result = Result("classic", {1: TEN_FROM_A_FOUL}, dead=[2, 3, 4])
    assert len(result.pairs) == 6
    assert result.by_seat("points") == {1: 30, 2: -10, 3: -10, 4: -10}


@pytest.mark.parametrize(("scoring", "points"), [("1-6", 10), ("1-4", 8), ("2-4", 8)])
def test_a_foul_loses_all_three_rows_and_the_royalties(scoring, points):
    rules = {"base": "classic", "scoring": scoring}
    assert Result(rules, {1: TEN_FROM_A_FOUL}, dead=[2]).by_seat("points") == {1: points, 2: -points}


def test_a_live_seat_that_lacks_cards_is_not_scored():
    assert refusal("classic", {1: LEGAL, 2: "2c3d5s/4c/4d"}) == ("board-incomplete", "boards.2")


def test_a_dead_seat_scores_as_a_foul_whatever_it_holds():
    result = Result("classic", {1: TEN_FROM_A_FOUL, 2: "AcAdAs/2c2d2s3d3s/JcJdJhJs4c"}, dead=[2])
    assert result.by_seat("points") == {1: 10, 2: -10}
    seat = result.seats[2]
    assert (seat["foul"], sum(seat["royalties"].values()), seat["next_fantasyland"]) == (True, 0, 0)


MOON = "4c3d2s/8c7d6s4h2h/Jh9h8d5c3c"


def test_the_moon_takes_twenty_from_every_other_seat_dead_ones_too():
    boards = {1: MOON, 2: "Qc9d4s/8s8hKs7s3s/AhKhTh6h5h"}
    result = Result({"base": "classic", "moon": 20}, boards, dead=[3])
    # Against seat 2: three rows lost with the scoop (-6), its flush (-4), the moon (+20).
    assert result.by_pair("points") == {(1, 2): 10, (1, 3): 26, (2, 3): 10}
    assert result.by_pair("moon") == {(1, 2): 20, (1, 3): 20, (2, 3): 0}


def test_a_fouled_hand_takes_no_moon():
    result = alone({"base": "classic", "moon": 20}, "KcKd2s/8c7d6s4h2h/Jh9h8d5c3c")
    assert result.by_pair("points") == {(1, 2): 0}


def test_two_seats_may_play_each_other_for_another_stake():
    result = Result(
        "classic",
        {1: TEN_FROM_A_FOUL},
        dead=[2, 3],
        stake="0.5",
        pair_stakes=[{"seats": [3, 1], "stake": "2"}],
    )
    assert result.by_pair("chips") == {(1, 2): "5", (1, 3): "20", (2, 3): "0"}
    assert result.by_seat("points") == {1: 20, 2: -10, 3: -10}


# --- Section 6 --------------------------------------------------------------------------------------------


def capped(cap, stacks, **more):
    """Seat 1 wins 10 from seat 2, then 10 from seat 3."""
    rules = {"base": "pineapple", "cap": cap, **more}
    return Result(rules, {1: TEN_FROM_A_FOUL}, dead=[2, 3], stacks=stacks)


@pytest.mark.parametrize(("cap", "paid", "end"), [("running", ["2", "4"], 8), ("starting", ["2", "0"], 4)])
def test_the_examples_of_the_caps(cap, paid, end):
    result = capped(cap, {1: 2, 2: 50, 3: 50})
    assert list(result.by_pair("chips").values()) == [*paid, "0"]
    assert 2 + int(result.seats[1]["chips"]) == end
    assert result.by_seat("points") == {1: 20, 2: -10, 3: -10}  # always uncapped


@pytest.mark.parametrize("cap", ["running", "starting"])
def test_a_seat_pays_no_more_than_it_has(cap):
    assert list(capped(cap, {1: 50, 2: 3, 3: 50}).by_pair("chips").values()) == ["3", "10", "0"]


@pytest.mark.parametrize("cap", ["running", "starting"])
def test_a_seat_dealt_in_without_chips_neither_wins_nor_pays(cap):
    assert capped(cap, {1: 50, 2: 0, 3: 50}).by_seat("chips") == {1: "10", 2: "0", 3: "-10"}
    assert capped(cap, {1: 0, 2: 50, 3: 50}).by_seat("chips") == {1: "0", 2: "0", 3: "0"}
    result = Result(
        {"base": "pineapple", "cap": cap}, {1: "QsQh7d/6s6d9h9d2s/AdAhKcKs6h"}, dead=[2], stacks={1: 0, 2: 9}
    )
    assert (result.by_seat("points"), result.seats[1]["next_fantasyland"]) == ({1: 13, 2: -13}, 14)


@pytest.mark.parametrize("cap", ["running", "starting"])
def test_a_seat_whose_stack_is_not_known_has_no_limit(cap):
    result = capped(cap, {1: 50, 3: 4})
    assert result.by_pair("chips") == {(1, 2): "10", (1, 3): "4", (2, 3): "0"}
    assert result.by_pair("why")[1, 2] == "stack-unknown"


def test_without_a_cap_every_pair_pays_in_full():
    assert capped("none", {1: 0, 2: 1, 3: 1}).by_seat("chips") == {1: "20", 2: "-10", 3: "-10"}


def test_a_hand_of_a_set_that_settles_as_a_whole_has_points_and_no_chips():
    result = capped("starting", {1: 50, 2: 50, 3: 50}, settle="set")
    assert result.by_seat("chips") == {1: None, 2: None, 3: None}
    assert result.by_seat("points") == {1: 20, 2: -10, 3: -10}
