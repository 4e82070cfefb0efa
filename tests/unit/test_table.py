"""From hand to hand, sentence by sentence (rulebook section 5); expectations are worked out by hand."""

import pytest

from scoring.domain.amounts import UNIT
from scoring.domain.errors import CODES
from scoring.domain.table import after_hand, buy_in, facts_for_next_hand, open_table, void
from tests.tables import Hand, Seat, code_of, good, rules_of, stacks_of, step, table, then

PINEAPPLE = rules_of("pineapple")
CAPPED = rules_of("progressive")
ROTATE = rules_of("progressive", button="rotate")


# --- The button and the set -------------------------------------------------------------------------------


def test_button_goes_clockwise_and_wraps_round():
    state = table(PINEAPPLE, 4, {1: None, 4: None, 6: None})
    buttons = [state.button]
    for _ in range(3):
        state = step(state).state
        buttons.append(state.button)
    assert buttons == [4, 6, 1, 4]


def test_set_is_over_when_each_player_has_had_the_button():
    state = table(PINEAPPLE, 4, {1: None, 4: None, 6: None})
    over = []
    for _ in range(6):
        after = step(state)
        over.append((after.set_over, after.state.set))
        state = after.state
    assert over == [(False, 1), (False, 1), (True, 2), (False, 2), (False, 2), (True, 3)]


def test_button_stays_while_a_seat_is_in_fantasyland():
    state = table(PINEAPPLE, 1, {1: None, 2: None})
    state = then(state, {"fantasyland": {2: 14}})
    assert (state.button, state.fantasyland) == (1, {2: 14})
    state = then(state, {"fantasyland": {2: 14}})  # it stays
    assert (state.button, state.set) == (1, 1)
    state = then(state, {})
    assert (state.button, state.fantasyland) == (2, {})


def test_set_waits_for_the_fantasyland_of_its_last_hand():
    state = then(table(PINEAPPLE, 1, {1: None, 2: None}), {})
    earned = step(state, fantasyland={1: 14})  # both have had the button
    assert (earned.set_over, earned.state.set, earned.state.button) == (False, 1, 2)
    finished = step(earned.state)
    assert (finished.set_over, finished.state.set, finished.state.button) == (True, 2, 1)


def test_one_seat_enters_while_another_plays_its_fantasyland_hand():
    state = then(table(PINEAPPLE, 1, {1: None, 2: None, 3: None}), {"fantasyland": {2: 14}})
    state = then(state, {"fantasyland": {3: 14, 2: 14}})
    assert (state.button, state.fantasyland) == (1, {2: 14, 3: 14})


def test_rotating_button_moves_on_in_fantasyland_and_the_set_waits():
    state = then(table(ROTATE, 1, {1: 50, 2: 50}), {})
    earned = step(state, fantasyland={1: 14})
    assert (earned.set_over, earned.state.button) == (False, 1)
    assert step(earned.state).set_over


# --- Chips ------------------------------------------------------------------------------------------------


def test_seat_without_chips_is_passed_over_and_waits():
    state = then(table(CAPPED, 1, {1: 50, 2: 10, 3: 50}), {"chips": {2: -10, 3: 10}})
    assert (state.playing, state.waiting, state.button) == ((1, 3), (2,), 3)
    assert step(state).set_over  # both players that still play have had the button


def test_fantasyland_of_a_seat_without_chips_lapses():
    state = table(CAPPED, 1, {1: 50, 2: 10, 3: 50})
    state = then(state, {"chips": {2: -10, 3: 10}, "fantasyland": {2: 14}})
    assert (state.fantasyland, state.button) == ({}, 3)


def test_frozen_button_of_a_seat_that_is_out_goes_on_and_counts():
    state = table(CAPPED, 1, {1: 10, 2: 50, 3: 50})
    state = then(state, {"chips": {1: -10, 3: 10}, "fantasyland": {3: 14}})
    assert state.button == 2
    state = then(state, {})  # seat 3's Fantasyland hand counts for seat 2
    assert (state.button, state.set) == (3, 1)
    assert step(state).set_over


def test_with_fewer_than_two_players_the_set_ends_and_keeps_fantasyland_and_button():
    after = step(table(CAPPED, 1, {1: 10, 2: 10}), {1: -10, 2: 10}, {2: 15})
    assert after.set_over
    state = good(buy_in(after.state, {1: 30 * UNIT}))
    assert (state.set, state.button, state.fantasyland) == (2, 1, {2: 15})
    assert stacks_of(state) == {1: 30, 2: 20}


def test_kept_fantasyland_without_the_button_s_seat():
    state = then(
        table(CAPPED, 1, {1: 10, 2: 10, 3: 10}), {"chips": {1: -10, 3: -10, 2: 20}, "fantasyland": {2: 14}}
    )
    bought = good(buy_in(state, {3: UNIT}))
    assert (bought.playing, bought.button, bought.fantasyland) == ((2, 3), 2, {2: 14})


def test_kept_fantasyland_under_a_rotating_button():
    state = then(table(ROTATE, 2, {1: 10, 2: 10}), {"chips": {2: -10, 1: 10}, "fantasyland": {1: 14}})
    assert good(buy_in(state, {2: UNIT})).button == 1


def test_new_set_goes_on_with_the_seats_that_play_after_buying_in():
    state = then(table(CAPPED, 1, {1: 50, 2: 10, 3: 50}), {"chips": {2: -10, 1: 10}}, {})
    assert (state.set, state.button) == (2, 1)
    state = then(state, {"chips": {1: -60, 3: 60}})  # seat 1 held the button and is out: fewer than two
    assert good(buy_in(state, {2: 10 * UNIT})).button == 2
    assert good(buy_in(state, {1: 10 * UNIT})).button == 3


def test_unknown_stack_plays_and_stays_unknown():
    state = then(table(CAPPED, 1, {1: None, 2: 10}), {"chips": {1: -5, 2: 5}})
    assert (state.playing, stacks_of(state)) == ((1, 2), {1: None, 2: 15})


def test_chips_that_are_not_known_leave_the_stack_unknown():
    state = then(table(CAPPED, 1, {1: 10, 2: 10}), {"chips": {1: None, 2: None}})
    assert (state.playing, stacks_of(state)) == ((1, 2), {1: None, 2: None})


def test_without_a_cap_every_seat_plays_on_account():
    state = then(table(PINEAPPLE, 1, {1: 5, 2: 0}), {"chips": {1: -20, 2: 20}})
    assert (state.playing, stacks_of(state)) == ((1, 2), {1: -15, 2: 20})


def test_dealt_in_seats_are_those_with_chips_from_the_start():
    state = table(CAPPED, 1, {1: 0, 2: 10, 3: 10}, fantasyland={1: 14})
    assert (state.playing, state.button, state.fantasyland) == ((2, 3), 2, {})


# --- Void -------------------------------------------------------------------------------------------------


def test_void_gives_back_button_fantasyland_and_stacks():
    before = then(table(CAPPED, 1, {1: 50, 2: 10, 3: 50}), {"fantasyland": {2: 14}})
    after = then(before, {"chips": {2: -10, 1: 10}, "fantasyland": {3: 16}})
    assert good(void(after)) == before
    assert (before.button, before.fantasyland, stacks_of(before)) == (1, {2: 14}, {1: 50, 2: 10, 3: 50})


def test_void_reopens_a_set_and_takes_back_what_was_done_after_it():
    before = then(table(CAPPED, 1, {1: 10, 2: 10}), {})
    after = good(buy_in(then(before, {"chips": {1: -10, 2: 10}}), {1: UNIT}))
    assert (after.set, good(void(after)).set) == (2, 1)
    assert good(void(after)) == before


def test_void_again_gives_back_the_hand_before():
    opened = table(CAPPED, 1, {1: 10, 2: 10})
    after = then(opened, {"chips": {1: -1, 2: 1}}, {"chips": {1: -1, 2: 1}})
    assert good(void(good(void(after)))) == opened
    assert code_of(void(opened)) == "nothing-to-void"


# --- Facts and refusals -----------------------------------------------------------------------------------


def test_facts_for_the_next_hand():
    pair_stakes = ((2, 4, 5 * UNIT), (1, 2, UNIT))
    state = table(CAPPED, 4, {1: 0, 2: 9, 4: 8}, pair_stakes=pair_stakes)
    facts = good(facts_for_next_hand(state))
    assert (facts.set, facts.stake, facts.button, facts.order) == (1, UNIT, 4, (2, 4))
    assert [(seat.seat, seat.player, seat.stack) for seat in facts.seats] == [
        (2, "P2", 9 * UNIT),
        (4, "P4", 8 * UNIT),
    ]
    assert facts.pair_stakes == ((2, 4, 5 * UNIT),)


def test_facts_need_two_seats_with_chips():
    state = then(table(CAPPED, 1, {1: 10, 2: 10}), {"chips": {1: -10, 2: 10}})
    assert code_of(facts_for_next_hand(state)) == "seat-count"
    assert code_of(after_hand(state, Hand((Seat(2, 0),)))) == "seat-count"


def test_hand_of_other_seats_is_refused():
    state = table(CAPPED, 1, {1: 10, 2: 10})
    problem = after_hand(state, Hand((Seat(1, 0), Seat(3, 0))))
    assert code_of(problem) == "seats-differ"
    assert (problem.found, problem.expected) == ([1, 3], [1, 2])


def test_hand_settled_with_other_stacks_is_refused():
    state = table(CAPPED, 1, {1: 10, 2: 10})
    assert code_of(after_hand(state, Hand((Seat(1, -11 * UNIT), Seat(2, 11 * UNIT))))) == "stack-below-zero"


@pytest.mark.parametrize(
    ("code", "path", "changed"),
    [
        ("seat-twice", "seats[1].seat", {"seats": [(1, "A", 0), (1, "B", 0)]}),
        ("player-twice", "seats", {"seats": [(1, "A", 0), (2, "A", 0)]}),
        ("seat-count", "seats", {"seats": [(seat, str(seat), 0) for seat in range(1, 5)]}),
        ("out-of-range", "seats[0].seat", {"seats": [(0, "A", 0), (1, "B", 0)]}),
        ("amount-negative", "seats[1].stack", {"seats": [(1, "A", 0), (2, "B", -1)]}),
        ("bad-amount", "seats[1].stack", {"seats": [(1, "A", 0), (2, "B", 1.5)]}),
        ("amount-negative", "stake", {"stake": -1}),
        ("bad-amount", "stake", {"stake": True}),
        ("button-empty", "button", {"button": 3}),
        ("bad-pair", "pair_stakes[0].seats", {"pair_stakes": ((1, 1, 5),)}),
        ("bad-pair", "pair_stakes[0].seats", {"pair_stakes": ((1, 3, 5),)}),
        ("amount-negative", "pair_stakes[0].stake", {"pair_stakes": ((1, 2, -5),)}),
        ("seat-unknown", "fantasyland.3", {"fantasyland": {3: 14}}),
        ("fantasyland-cards", "fantasyland.1", {"fantasyland": {1: 13}}),
    ],
)
def test_tables_that_cannot_be(code, path, changed):
    given = {
        "rules": CAPPED,
        "stake": UNIT,
        "button": 1,
        "seats": [(1, "A", UNIT), (2, "B", UNIT)],
        **changed,
    }
    problem = open_table(**given)
    assert (code_of(problem), problem.path) == (code, path)


@pytest.mark.parametrize(
    "code", ["set-not-over", "nothing-to-void", "seats-differ", "stack-below-zero", "pairs-not-known"]
)
def test_codes_of_the_table_are_listed(code):
    assert code in CODES
