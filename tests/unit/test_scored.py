"""Scores of hands from their states: order of pairs, chips, claims. Expected values are worked by hand."""

import json
from typing import Any

from scoring.domain.errors import Problem
from scoring.domain.hand import HandState
from scoring.domain.interchange import HandDocument, play, read_hand
from scoring.domain.replay import replay
from scoring.domain.result_document import result_document
from scoring.domain.scored import HandScore, score_hand, score_hands
from tests.hands import random_hands

# Three legal boards without royalties. Row by row A beats B beats C: tops A-Q-2, A-J-T, 9-3-2; middles pairs
# of kings, queens, fives; bottoms pairs of aces, kings, jacks.
A = "AsQs2s/KhKd7c8c4d/AhAd9c5d3c"
B = "AcJsTs/QhQd7d8d4h/KcKs9d6c3h"
C = "9s2c3d/5h5s7h8h2d/JhJd9hTd4c"


def hand(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "format": "ofc-hand/1",
        "source": "club",
        "hand": "1",
        "rules": "pineapple",
        "played_at": "2026-11-29T19:15:00Z",
        "button": 4,
        "seats": [{"seat": seat, "player": f"p{seat}"} for seat in (2, 4, 9)],
        "boards": {"2": A, "4": B, "9": C},
    }
    document |= changes
    return {key: value for key, value in document.items() if value is not None}


def state_of(document: dict[str, Any]) -> HandState:
    read = read_hand(json.dumps(document).encode())
    assert isinstance(read, HandDocument), read
    played = play(read)
    assert isinstance(played, tuple), played
    return played[1]


def score_of(document: dict[str, Any]) -> HandScore:
    score = score_hand(state_of(document))
    assert isinstance(score, HandScore), score
    return score


def test_pairs_stand_in_settlement_order_and_seats_ascend() -> None:
    # Left of the button 4 is 9, then 2, then 4. A scoops B and C, B scoops C: 6 points each.
    score = score_of(hand())
    assert [(pair.a, pair.b, pair.rows, pair.bonus, pair.points) for pair in score.pairs] == [
        (9, 2, (-1, -1, -1), -3, -6),
        (9, 4, (-1, -1, -1), -3, -6),
        (2, 4, (1, 1, 1), 3, 6),
    ]
    assert [(seat.seat, seat.points, seat.chips) for seat in score.seats] == [
        (2, 12, 120_000),
        (4, 0, 0),
        (9, -12, -120_000),
    ]
    assert [(seat.rows_won, seat.rows_tied, seat.rows_lost) for seat in score.seats] == [
        (6, 0, 0),
        (3, 0, 3),
        (0, 0, 6),
    ]
    assert [seat.alias for seat in score.seats] == ["p2", "p4", "p9"]


def test_pair_stakes_and_the_table_stake_make_chips() -> None:
    score = score_of(hand(stake="0.5", pair_stakes=[{"seats": [4, 9], "stake": "10"}]))
    assert [pair.chips for pair in score.pairs] == [-30_000, -600_000, 30_000]
    assert [seat.chips for seat in score.seats] == [60_000, 570_000, -630_000]


def test_two_fouled_hands_exchange_nothing_and_win_no_row() -> None:
    # A pair of threes over a ten-high bottom; a pair of deuces over a king-high middle.
    fouled = {"2": "2s2h4s/3s3h6s8s9s/7sTs9c5d3c", "4": "2d2c4c/6c7c8d9dKd/7dTd9h5h4h"}
    score = score_of(hand(seats=[{"seat": 2, "player": "a"}, {"seat": 4, "player": "b"}], boards=fouled))
    assert [seat.foul for seat in score.seats] == [True, True]
    assert score.pairs[0].rows == (0, 0, 0)
    assert [(seat.rows_won, seat.rows_tied, seat.rows_lost) for seat in score.seats] == [(0, 0, 0)] * 2


def test_a_dead_seat_loses_as_a_foul_and_may_lack_cards() -> None:
    score = score_of(hand(boards={"2": A, "4": "AcJs/Qh/"}, dead=[4, 9]))
    assert [(seat.dead, seat.foul, seat.points) for seat in score.seats] == [
        (False, False, 12),
        (True, True, -6),
        (True, True, -6),
    ]
    assert (score.seats[0].rows_won, score.seats[1].rows_lost, score.seats[1].rows_tied) == (6, 3, 0)


def test_a_cap_cuts_chips_and_says_why_while_points_stay() -> None:
    seats = [
        {"seat": 2, "player": "a", "stack": "2"},
        {"seat": 4, "player": "b"},
        {"seat": 9, "player": "c", "stack": "100"},
    ]
    # A has 2 in front: wins 6 from C, gets 2; now has 4, wins 6 from B (stack not known) and gets 4.
    score = score_of(hand(rules={"base": "pineapple", "cap": "running"}, seats=seats))
    assert [(pair.a, pair.b, pair.points, pair.chips, pair.why) for pair in score.pairs] == [
        (9, 2, -6, -20_000, "winner-stack"),
        (9, 4, -6, -60_000, "stack-unknown"),
        (2, 4, 6, 40_000, "stack-unknown"),
    ]
    assert [seat.points for seat in score.seats] == [12, 0, -12]
    assert sum(seat.chips or 0 for seat in score.seats) == 0


def test_a_hand_that_settles_by_the_set_has_points_and_no_chips() -> None:
    score = score_of(hand(rules="round-progressive", claimed={"2": {"points": 12, "chips": "99"}}))
    assert [seat.points for seat in score.seats] == [12, 0, -12]
    assert {seat.chips for seat in score.seats} | {pair.chips for pair in score.pairs} == {None}
    assert score.differences == ()  # the claim's chips have nothing beside them


def test_the_two_hands_of_one_player_do_not_play_each_other() -> None:
    seats = [{"seat": 2, "player": "x"}, {"seat": 4, "player": "y"}, {"seat": 9, "player": "y"}]
    score = score_of(hand(rules="heads-up-two-hands", button=9, seats=seats))
    assert [(pair.a, pair.b, pair.points) for pair in score.pairs] == [(2, 4, 6), (2, 9, 6)]
    assert [seat.points for seat in score.seats] == [12, -6, -6]
    assert [seat.rows_won + seat.rows_lost for seat in score.seats] == [6, 3, 3]


def test_every_difference_with_the_claim_is_told() -> None:
    claimed = {
        "2": {"points": 11, "chips": "12", "foul": False, "next_fantasyland": 14},
        "4": {"points": 0},
        "9": {"foul": True, "chips": "-11.5"},
    }
    score = score_of(hand(claimed=claimed))
    assert [tuple(difference) for difference in score.differences] == [
        (2, "points", 11, 12),
        (2, "next_fantasyland", 14, 0),
        (9, "chips", -115_000, -120_000),
        (9, "foul", True, False),
    ]
    written = result_document(state_of(hand(claimed=claimed)), score)["differences"]
    assert written[2] == {"seat": 9, "what": "chips", "claimed": "-11.5", "scored": "-12"}


def test_a_claimed_result_counts_points_only() -> None:
    claimed = {"2": {"points": 7, "chips": "7", "foul": False}, "4": {"points": -7, "foul": True}}
    document = hand(
        boards=None, seats=[{"seat": 2, "player": "a"}, {"seat": 4, "player": "b"}], claimed=claimed
    )
    score = score_of(document)
    assert [(seat.points, seat.chips, seat.foul) for seat in score.seats] == [
        (7, None, False),
        (-7, None, True),
    ]
    assert [tuple(pair) for pair in score.pairs] == [(2, 4, None, 0, 0, 0, 7, None, "")]
    written = result_document(state_of(document), score)
    assert written["seats"][0]["rows"] is None
    assert written["pairs"][0]["rows"] is None


def test_who_won_from_whom_is_not_known_of_three_claimed_seats() -> None:
    score = score_of(
        hand(boards=None, claimed={"2": {"points": 7}, "4": {"points": -3}, "9": {"points": -4}})
    )
    assert score.pairs == ()
    assert [seat.points for seat in score.seats] == [7, -3, -4]


def test_a_hand_that_is_not_complete_has_no_score() -> None:
    document = read_hand(json.dumps(hand(boards={"2": A, "4": B})).encode())
    assert isinstance(document, HandDocument)
    problem = play(document)
    assert isinstance(problem, Problem)
    assert problem.code == "board-incomplete"
    state, _ = replay([], document.rules)
    unfinished = score_hand(state)
    assert isinstance(unfinished, Problem)
    assert unfinished.code == "hand-incomplete"


def test_a_result_is_written_as_the_format_says() -> None:
    rules = {"base": "pineapple", "jokers": 2}
    boards = {"2": "X2Ah9s/TsTd6d4d8c/JdQsJsQdQh", "4": "2c2d3c/4c4h5c5d6c/7c7d7h8h9c"}
    seats = [{"seat": 2, "player": "a"}, {"seat": 4, "player": "b"}]
    document = hand(rules=rules, seats=seats, boards=boards)
    written = result_document(state_of(document), score_of(document))
    # Rulebook section 9: the joker is a nine, an ace would foul; full house below: 4 (99) + 6.
    assert written["seats"][0] == {
        "seat": 2,
        "foul": False,
        "royalties": {"top": 4, "middle": 0, "bottom": 6},
        "points": 11,
        "chips": "11",
        "next_fantasyland": 0,
        "rows": {
            "top": {
                "cards": "X2Ah9s",
                "reads": written["seats"][0]["rows"]["top"]["reads"],
                "name": "pair of nines",
            },
            "middle": {"cards": "TsTd6d4d8c", "reads": "TsTd6d4d8c", "name": "pair of tens"},
            "bottom": {"cards": "JdQsJsQdQh", "reads": "JdQsJsQdQh", "name": "full house, queens over jacks"},
        },
    }
    assert written["seats"][0]["rows"]["top"]["reads"][:2] in {"9c", "9d", "9h"}
    # Tops 99-A over 22-3, middles: two pair of b over a pair; bottoms: full house over trips: 2-1, then 10.
    assert written["pairs"] == [
        {
            "a": 2,
            "b": 4,
            "rows": [1, -1, 1],
            "bonus": 0,
            "royalties": 10,
            "moon": 0,
            "points": 11,
            "chips": "11",
            "why": "",
        }
    ]


def test_many_hands_of_many_kinds_score_as_each_alone() -> None:
    states = [state_of(document) for document in random_hands(3, 120)]
    assert score_hands(states) == [score_hand(state) for state in states]
