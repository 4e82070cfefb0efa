"""Sentences of the rulebook on Fantasyland, rulings, deals and its worked examples, through documents."""

import json

import pytest

from scoring.domain import events as kinds
from scoring.domain.events import Event
from scoring.domain.interchange import read_hand
from scoring.domain.recording import play
from scoring.domain.replay import replay
from scoring.domain.rulesets import PRESETS
from scoring.domain.scored import score_hand
from tests.rulebook import TEN_FROM_A_FOUL, Result, alone, document, outcome, refusal
from tests.tables import code_of, good

# TEN_FROM_A_FOUL in the moves of a pineapple hand.
MOVES = ("Qc/8c8d/AhKh", "9d/Ks/|2c", "4s/7s/|2d", "/3c/9h|3d", "//5h2h|3h")
IN_FANTASYLAND = "6s6h5d/TcTd4c4d5c/JcJdJsJh2s|As"  # legal, 1 for the sixes and 10 for the quads


def moves(order, cards=14, rules="pineapple"):
    """Two seats, seat 2 in Fantasyland; `order` says who moves when."""
    of_seat = {1: iter(MOVES), 2: iter([IN_FANTASYLAND])}
    hand = document(rules, {1: "", 2: ""}, fantasyland={2: cards})
    del hand["boards"]
    return hand | {"actions": [{"seat": seat, "cards": next(of_seat[seat])} for seat in order]}


def played(hand):
    return good(play(good(read_hand(json.dumps(hand).encode()))))


# --- Section 5 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(2, 1, 1, 1, 1, 1), (1, 2, 1, 1, 1, 1)])
def test_a_seat_in_fantasyland_sets_all_at_once_first_or_in_its_turn(order):
    _, state = played(moves(order))
    assert [move.flags for move in state.moves] == [()] * 6
    # Seat 2 wins all rows (6), and 11 in royalties against the flush's 4.
    assert [seat.points for seat in good(score_hand(state)).seats] == [-13, 13]


def test_a_seat_in_fantasyland_discards_what_it_does_not_set():
    hand = moves((2, 1, 1, 1, 1, 1), cards=15, rules="progressive")
    assert code_of(outcome(hand)) == "wrong-discard-count"


def test_a_normal_seat_does_not_set_all_at_once():
    hand = moves((2, 1, 1, 1, 1, 1))
    del hand["seats"][1]["fantasyland"]
    assert code_of(outcome(hand)) == "wrong-card-count"


@pytest.mark.parametrize(
    ("rules", "cards"), [("pineapple", 13), ("pineapple", 18), ("classic", 14), ("set-turbo", 12)]
)
def test_deals_have_their_own_numbers_of_fantasyland_cards(rules, cards):
    problem = refusal(rules, {1: TEN_FROM_A_FOUL}, dead=[2], fantasyland={1: cards})
    assert problem == ("fantasyland-cards", "seats[0].fantasyland")


QUEENS = "QsQh7d/6s6d9h9d2s/AdAhKcKs6h"
KINGS_AND_LOW = "KhKd9c/7s5c4d3h2c/AhAdQhQd9h"
DEUCES = "2s2h2d/3c3d3h8c7s/4c4d4h9s9c"
FULL_HOUSES = "5s5h2d/3c3d3h8c8s/4c4d4h9s9c"
FULL_HOUSE_STAYS = {
    "base": "pineapple",
    "stay": {"top": "trips", "middle": "full-house", "bottom": "quads", "cards": 14},
}


@pytest.mark.parametrize(
    ("rules", "board", "now", "following"),
    [
        ("pineapple", QUEENS, 0, 14),
        ("pineapple", QUEENS, 14, 0),  # the entry condition does not count while in it
        ("set-27", KINGS_AND_LOW, 0, 15),
        ("set-27", KINGS_AND_LOW, 14, 0),
        ("pineapple", DEUCES, 14, 14),
        ("progressive", DEUCES, 0, 17),
        ("progressive", "AsAhAd/3c3d3hKcKd/4c4d4h4s9c", 17, 14),  # the stay column, whatever its top
        ("pokerbros-ultimate", DEUCES, 16, 16),  # as many again as it had
        ("pineapple", FULL_HOUSES, 14, 0),  # a full house in the middle is an option there
        (FULL_HOUSE_STAYS, FULL_HOUSES, 14, 14),
        ("classic", FULL_HOUSES, 13, 13),
        ("classic", FULL_HOUSES, 0, 0),  # what stays does not let anyone in
        ("classic", "AsAhAd/3c3d3h8c7s/4c4d4h9s9c", 0, 0),  # a foul
        ("classic", "AsAhAd/3c3d3h8c7s/4c4d4h9s9c", 13, 0),
    ],
)
def test_entry_and_stay(rules, board, now, following):
    fantasyland = {1: now} if now else {}
    assert alone(rules, board, fantasyland=fantasyland).seats[1]["next_fantasyland"] == following


def test_one_seat_enters_while_another_stays():
    boards = {1: QUEENS, 2: "2d3d5c/8c8dQc7s3c/JcJdJsJhTh"}
    result = Result("pineapple", boards, fantasyland={2: 14})
    assert result.by_seat("next_fantasyland") == {1: 14, 2: 14}


# --- Section 3, rulings -----------------------------------------------------------------------------------


def ruled(rulings, *, house=False):
    """A hand with a director's ruling: its state and what was refused."""
    events, state = played(document("classic", {1: TEN_FROM_A_FOUL}, dead=[2]))
    data = {"rulings": rulings, "house": house, "reason": "0" * 64}
    events.append(Event(len(events) + 1, kinds.POINTS_RULED, None, "", data, "director"))
    return replay(events, state.start.rules, "rulebook", "1")


def test_rulings_stand_beside_the_score():
    state, problem = ruled([{"seat": 1, "points": -3}, {"seat": 2, "points": 3}])
    assert problem is None
    assert [(ruling.seat, ruling.points) for ruling in state.rulings] == [(1, -3), (2, 3)]
    assert [seat.points for seat in good(score_hand(state)).seats] == [10, -10]


def test_rulings_sum_to_zero_unless_they_are_a_penalty_to_the_house():
    assert code_of(ruled([{"seat": 1, "points": -3}])[1]) == "rulings-not-zero"
    assert ruled([{"seat": 1, "points": -3}], house=True)[1] is None


# --- Section 7 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "fewest", "most"),
    [
        ("classic", 2, 4),
        ("pineapple", 2, 3),
        ("round-progressive", 2, 3),
        ("set-turbo", 2, 4),
        ("two-deck", 2, 8),
        ("two-deck-pineapple", 2, 6),
    ],
)
def test_deals_are_for_these_numbers_of_seats(code, fewest, most):
    for count in (fewest, most):
        assert len(Result(code, {1: TEN_FROM_A_FOUL}, dead=[*range(2, count + 1)]).seats) == count
    for count in (fewest - 1, most + 1):
        assert refusal(code, {1: TEN_FROM_A_FOUL}, dead=[*range(2, count + 1)])[0] == "seat-count"


@pytest.mark.parametrize(
    ("rules", "cards", "code"),
    [
        ("classic", ["2c/3c/4c5c6c", "7c/8c/"], "wrong-card-count"),
        ("classic", ["2c/3c/4c5c"], "wrong-card-count"),
        ("pineapple", ["2c/3c/4c5c6c", "7c/8c/9c"], "wrong-card-count"),
        ("pineapple", ["2c/3c/4c5c6c", "7c/8c/|9cTc"], "wrong-discard-count"),
        ("set-turbo", ["2c/3c/4c5c6c", "7c/8c/9c"], "wrong-card-count"),
        ("pineapple", ["2c3c4c5c//6c"], "row-full"),
    ],
)
def test_each_street_places_its_own_number_of_cards(rules, cards, code):
    hand = document(rules, {1: "", 2: ""}, dead=[2])
    del hand["boards"]
    assert code_of(outcome(hand | {"actions": [{"seat": 1, "cards": text} for text in cards]})) == code


TWO_HANDS = [{"seat": 1, "player": "A"}, {"seat": 2, "player": "B"}, {"seat": 3, "player": "B"}]


def test_the_two_hands_of_one_player_never_play_each_other():
    result = Result("heads-up-two-hands", {2: TEN_FROM_A_FOUL}, dead=[1, 3], seats=TWO_HANDS)
    assert result.by_pair("points") == {(1, 2): -10, (1, 3): 0}
    assert result.by_seat("points") == {1: -10, 2: 10, 3: 0}


@pytest.mark.parametrize(
    ("players", "button", "right"),
    [
        ("ABB", 3, True),
        ("ABA", 1, True),
        ("AAB", 2, True),
        ("ABB", 2, False),
        ("ABB", 1, False),
        ("ABC", 3, False),
    ],
)
def test_the_button_is_the_later_of_the_two_and_the_other_player_acts_first(players, button, right):
    seats = [{"seat": place, "player": player} for place, player in enumerate(players, 1)]
    hand = document("heads-up-two-hands", {2: TEN_FROM_A_FOUL}, dead=[1, 3], seats=seats, button=button)
    written = outcome(hand)
    assert isinstance(written, dict) if right else code_of(written) == "two-hands"


def test_one_player_holds_one_seat_in_all_other_games():
    assert refusal("pineapple", {2: TEN_FROM_A_FOUL}, dead=[1, 3], seats=TWO_HANDS)[0] == "player-twice"


@pytest.mark.parametrize("code", sorted(PRESETS))
def test_every_rule_set_of_the_table_scores_a_hand(code):
    rules = PRESETS[code]
    board = KINGS_AND_LOW if rules.low_middle else TEN_FROM_A_FOUL
    seats = {"seats": TWO_HANDS} if rules.deal.two_hands else {}
    # 6 for the foul of the seat that it plays, and 4 for the flush or 8 + 8 for the kings and the low.
    points = Result(code, {2: board}, dead=[1, 3] if seats else [1], **seats).seats[2]["points"]
    assert points == (22 if rules.low_middle else 10)


# --- Section 9 --------------------------------------------------------------------------------------------


def check_example(rules, board, royalties):
    """Alone against a dead seat: 6 and the royalties, or nothing between two fouls."""
    result = alone(rules, board)
    seat = result.seats[1]
    assert seat["foul"] == (royalties is None)
    assert tuple(seat["royalties"].values()) == (royalties or (0, 0, 0))
    assert seat["points"] == (0 if royalties is None else 6 + sum(royalties))
    return result


@pytest.mark.parametrize(
    ("board", "royalties"),
    [
        ("QsQh7d/QcQd6h5c4s/AdAhKcKs9h", None),
        ("QsQh7d/QcQd9h8c2s/AdAhKcKs6h", (7, 0, 0)),
        ("6s6hAd/6c6dAc3s2h/KcKdKs4c4d", (1, 0, 6)),
        ("2s2h2d/3c3d3h8c7s/4c4d4h9s9c", (10, 2, 6)),
        ("8sQc8h/TcKs9hQsJd/Ad2s3d4h5s", None),
        ("QcQd2c/ThJhQhKhAh/TsJsQsKsAs", (7, 50, 25)),
    ],
)
def test_example_7(board, royalties):
    check_example("pineapple", board, royalties)


@pytest.mark.parametrize(
    ("board", "royalties", "row", "reads"),
    [
        ("X2Ah9s/TsTd6d4d8c/JdQsJsQdQh", (4, 0, 6), "top", "9"),
        ("KcX1Ac/3hX24d5s4s/Td9c7s9hTh", (9, 0, 0), "top", "A"),
        ("KcX1Ac/3hX24d5s4s/Td9c7s9hTh", (9, 0, 0), "middle", "5"),
        ("QdKsKd/8h6hX19c5d/7s7c7h7dTc", (8, 4, 10), "middle", "7"),
    ],
)
def test_example_8(board, royalties, row, reads):
    result = check_example("pokerbros-joker", board, royalties)
    written = result.seats[1]["rows"][row]
    joker = written["cards"].index("X")
    assert written["reads"][joker] == reads
