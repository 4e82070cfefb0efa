"""Settlement by the set (rulebook section 6) and the game with two hands (section 7)."""

import pytest

from scoring.domain.amounts import UNIT
from scoring.domain.table import (
    after_hand,
    buy_in,
    change_stake,
    facts_for_next_hand,
    join,
    leave,
    move,
    open_table,
    void,
)
from tests.tables import Hand, Seat, code_of, good, rules_of, stacks_of, step, table, then

BY_SET = rules_of("round-progressive")
TWO_HANDS = rules_of("heads-up-two-hands")


def paid(after):
    return [(pay.a, pay.b, pay.points, pay.chips / UNIT) for pay in after.settled]


def test_set_settles_once_at_its_end_in_the_pair_order_of_its_first_hand():
    state = table(BY_SET, 5, {1: 30, 5: 30})
    first = step(state, points={(1, 5): 4})  # button 5: seat 1 acts first
    assert (first.set_over, first.chips, first.settled, stacks_of(first.state)) == (
        False,
        {},
        (),
        {1: 30, 5: 30},
    )
    second = step(first.state, points={(5, 1): 9})  # button 1: the pair is seen from seat 5
    assert paid(second) == [(1, 5, -5, -5)]
    assert stacks_of(second.state) == {1: 25, 5: 35}


def test_set_settles_under_the_starting_cap_with_the_stacks_at_its_start():
    # Rulebook section 6: A has 2, wins 10 from B: gets 2; then wins 10 from C: gets 0 and ends with 4.
    state = table(BY_SET, 3, {1: 2, 2: 50, 3: 50})
    ten = {(1, 2): 5, (1, 3): 5, (2, 3): 1}
    state = then(state, {"points": ten})
    state = then(state, {"points": {(2, 3): 1, (2, 1): -3, (3, 1): 0}})
    after = step(state, points={(3, 1): -5, (3, 2): 0, (1, 2): 2})
    assert paid(after) == [(1, 2, 10, 2), (1, 3, 10, 0), (2, 3, 2, 2)]
    assert stacks_of(after.state) == {1: 4, 2: 50, 3: 48}
    assert [bool(pay.why) for pay in after.settled] == [True, True, False]


def test_each_hand_of_a_set_counts_at_its_own_stake_pair_stakes_included():
    state = table(BY_SET, 3, {1: 90, 2: 90, 3: 90}, pair_stakes=((1, 2, 3 * UNIT),))
    state = then(state, {"points": {(1, 2): 2, (1, 3): 1, (2, 3): 0}})  # 2 x 3, 1 x 1, 0
    state = good(change_stake(state, 2 * UNIT, ((1, 2, 5 * UNIT),), from_next_hand=True))
    state = then(state, {"points": {(2, 3): 4, (2, 1): 1, (3, 1): 1}})  # 4 x 2, 1 x 5, 1 x 2
    after = step(state, points={(3, 1): 0, (3, 2): 0, (1, 2): 0})
    assert paid(after) == [(1, 2, 1, 1), (1, 3, 0, -1), (2, 3, 4, 8)]


def test_next_set_begins_a_new_sum():
    state = then(table(BY_SET, 2, {1: 30, 2: 30}), {"points": {(1, 2): 4}}, {"points": {(2, 1): 0}})
    state = then(state, {"points": {(1, 2): 1}})
    assert paid(step(state, points={(2, 1): 0})) == [(1, 2, 1, 1)]


def test_seat_that_loses_its_chips_at_the_end_of_the_set_waits():
    state = table(BY_SET, 2, {1: 5, 2: 30})
    after = step(then(state, {"points": {(1, 2): -9}}), points={(2, 1): 0})
    assert (after.set_over, after.state.waiting, stacks_of(after.state)) == (True, (1,), {1: 0, 2: 35})
    assert good(buy_in(after.state, {1: UNIT})).button == 2


def test_unknown_stack_has_no_limit_in_the_set():
    state = table(BY_SET, 2, {1: None, 2: 100})
    after = step(then(state, {"points": {(1, 2): 80}}), points={(2, 1): 0})
    assert (paid(after), stacks_of(after.state)) == ([(1, 2, 80, 80)], {1: None, 2: 20})


def test_voided_hand_leaves_the_sum_of_the_set():
    state = then(table(BY_SET, 2, {1: 30, 2: 30}), {"points": {(1, 2): 4}})
    again = good(void(then(state, {"points": {(2, 1): 20}})))
    assert paid(step(again, points={(2, 1): 1})) == [(1, 2, 3, 3)]


def test_set_cannot_be_summed_without_the_points_of_its_pairs():
    state = table(BY_SET, 3, {1: 30, 2: 30, 3: 30})
    problem = after_hand(state, Hand((Seat(1, None), Seat(2, None), Seat(3, None))))
    assert code_of(problem) == "pairs-not-known"
    assert problem.found == [[1, 2], [1, 3], [2, 3]]


# --- Two hands against one --------------------------------------------------------------------------------


def two_hands(rules=TWO_HANDS, **more):
    seats = [(1, "Ann", None), (2, "Bo", None), (3, "Bo", None)]
    return good(open_table(rules, UNIT, 3, seats, **more))


def players(state):
    return {seat.seat: seat.player for seat in state.seats}


def test_button_changes_sides_and_the_other_player_acts_first():
    state = then(two_hands(), {})
    assert (players(state), state.button, state.set) == ({1: "Ann", 2: "Bo", 3: "Ann"}, 1, 1)
    state = then(state, {})  # both players have had the button
    assert (players(state), state.button, state.set) == ({1: "Bo", 2: "Bo", 3: "Ann"}, 2, 2)


def test_fantasyland_stays_with_the_hand_that_earned_it_and_the_button_stays():
    state = then(two_hands(), {"fantasyland": {2: 14}})
    assert (players(state), state.button, state.fantasyland) == ({1: "Ann", 2: "Bo", 3: "Bo"}, 3, {2: 14})
    state = then(state, {})
    assert (state.button, state.fantasyland) == (1, {})


def test_under_a_rotating_button_fantasyland_goes_with_its_player():
    rotate = rules_of("heads-up-two-hands", button="rotate")
    state = then(two_hands(rotate), {"fantasyland": {3: 14}})  # Bo's hand on the button
    assert (players(state)[2], state.button, state.fantasyland) == ("Bo", 1, {2: 14})
    state = then(two_hands(rotate), {"fantasyland": {1: 14}})
    assert (players(state)[1], state.button, state.fantasyland) == ("Ann", 1, {1: 14})


def test_both_seats_of_a_player_stand_for_one_stack():
    seats = [(1, "Ann", 20 * UNIT), (2, "Bo", 50 * UNIT), (3, "Bo", 50 * UNIT)]
    state = then(good(open_table(TWO_HANDS, UNIT, 3, seats)), {"chips": {1: -12, 2: 7, 3: 5}})
    assert stacks_of(state) == {1: 8, 2: 62, 3: 8}  # seat 3 is Ann's now


def test_two_hands_settled_by_the_set_sum_up_between_the_players():
    state = then(two_hands(rules_of("heads-up-two-hands", settle="set")), {"points": {(1, 2): 3, (1, 3): 4}})
    after = step(state, points={(2, 3): 5, (2, 1): -1})  # Bo at seat 2 against Ann's two
    assert paid(after) == [(1, 2, 3, 3)]


def test_pair_stakes_are_left_out_between_the_two_hands_of_a_player():
    state = two_hands(pair_stakes=((1, 3, UNIT), (2, 3, UNIT)))
    assert good(facts_for_next_hand(state)).pair_stakes == ((1, 3, UNIT),)
    assert good(facts_for_next_hand(then(state, {}))).pair_stakes == ((2, 3, UNIT),)


@pytest.mark.parametrize(
    ("button", "seats", "code"),
    [
        (3, [(1, "Ann", None), (2, "Bo", None), (3, "Cy", None)], "two-hands"),
        (2, [(1, "Ann", None), (2, "Bo", None)], "seat-count"),
        (2, [(1, "Ann", None), (2, "Bo", None), (3, "Bo", None)], "two-hands"),
        (1, [(1, "Ann", None), (2, "Bo", None), (3, "Bo", None)], "two-hands"),
    ],
)
def test_two_hands_belong_to_the_button_the_later_one_holds_it(button, seats, code):
    assert code_of(open_table(TWO_HANDS, UNIT, button, seats)) == code


def test_the_two_hands_game_keeps_its_players():
    assert code_of(join(two_hands(), 4, "Cy", None)) == "two-hands"
    assert code_of(leave(two_hands(), 1)) == "two-hands"
    assert code_of(move(two_hands(), 1, 5)) == "two-hands"
