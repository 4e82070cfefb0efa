"""What changes between sets, and what has to wait for their end (rulebook section 5)."""

import pytest

from scoring.domain.amounts import UNIT
from scoring.domain.table import buy_in, change_stake, facts_for_next_hand, join, leave, move
from tests.tables import code_of, good, rules_of, stacks_of, step, table, then

CAPPED = rules_of("progressive")


def in_a_set():
    return then(table(CAPPED, 1, {1: 10, 2: 10}), {})


@pytest.mark.parametrize(
    "change",
    [
        lambda state: buy_in(state, {1: UNIT}),
        lambda state: join(state, 3, "C", UNIT),
        lambda state: leave(state, 1),
        lambda state: move(state, 1, 3),
    ],
)
def test_nobody_buys_in_joins_leaves_or_moves_during_a_set(change):
    assert code_of(change(in_a_set())) == "set-not-over"


def test_buying_in_adds_to_what_is_there():
    state = good(buy_in(table(CAPPED, 1, {1: 10, 2: None}), {1: 5 * UNIT, 2: UNIT}))
    assert stacks_of(state) == {1: 15, 2: None}


@pytest.mark.parametrize(
    ("amounts", "code", "path"),
    [
        ({1: 0}, "out-of-range", "amounts.1"),
        ({1: -UNIT}, "amount-negative", "amounts.1"),
        ({2: 1.5}, "bad-amount", "amounts.2"),
        ({3: UNIT}, "seat-unknown", "amounts.3"),
    ],
)
def test_buy_ins_that_are_refused(amounts, code, path):
    problem = buy_in(table(CAPPED, 1, {1: 10, 2: 10}), amounts)
    assert (code_of(problem), problem.path) == (code, path)


def test_player_who_joins_is_dealt_in_and_gets_the_button_in_his_turn():
    state = then(in_a_set(), {})  # seats 1 and 2 have had the button
    assert state.button == 1
    state = good(join(state, 3, "C", 8 * UNIT))
    assert (state.playing, state.button) == ((1, 2, 3), 3)
    assert [seat.player for seat in state.seats] == ["P1", "P2", "C"]


def test_player_who_joins_without_chips_waits():
    state = good(join(table(CAPPED, 1, {1: 10, 2: 10}), 3, "C", 0))
    assert (state.playing, state.waiting) == ((1, 2), (3,))


@pytest.mark.parametrize(
    ("seat", "player", "stack", "code"),
    [
        (1, "C", UNIT, "seat-twice"),
        (3, "P1", UNIT, "player-twice"),
        (3, "C", -1, "amount-negative"),
        (0, "C", UNIT, "out-of-range"),
    ],
)
def test_joining_that_is_refused(seat, player, stack, code):
    assert code_of(join(table(CAPPED, 1, {1: 10, 2: 10}), seat, player, stack)) == code


def test_a_full_table_takes_nobody():
    assert code_of(join(table(CAPPED, 1, {1: 1, 2: 1, 3: 1}), 4, "D", UNIT)) == "seat-count"


def test_player_who_leaves_takes_his_kept_fantasyland_with_him():
    state = then(table(CAPPED, 1, {1: 10, 2: 10, 3: 0}), {"chips": {1: -10, 2: 10}, "fantasyland": {2: 14}})
    state = good(leave(state, 2))
    state = good(buy_in(state, {1: UNIT, 3: UNIT}))
    assert (state.playing, state.button, state.fantasyland) == ((1, 3), 3, {})


def test_player_who_moves_keeps_chips_pair_stakes_and_kept_fantasyland():
    state = table(CAPPED, 1, {1: 10, 2: 10}, pair_stakes=((1, 2, 5 * UNIT),))
    state = then(state, {"chips": {1: -10, 2: 10}, "fantasyland": {2: 14}})
    state = good(buy_in(good(move(state, 2, 6)), {1: UNIT}))
    assert (state.fantasyland, stacks_of(state)) == ({6: 14}, {1: 1, 6: 20})
    assert good(facts_for_next_hand(state)).pair_stakes == ((1, 6, 5 * UNIT),)


def test_leaving_ends_the_pair_stakes_of_the_seat():
    state = table(CAPPED, 1, {1: 10, 2: 10, 3: 10}, pair_stakes=((1, 2, 5 * UNIT), (1, 3, UNIT)))
    assert good(leave(state, 2)).pair_stakes == ((1, 3, UNIT),)


def test_moves_that_are_refused():
    state = table(CAPPED, 1, {1: 10, 2: 10})
    assert code_of(move(state, 1, 2)) == "seat-twice"
    assert code_of(move(state, 1, 1)) == "seat-twice"
    assert code_of(move(state, 3, 4)) == "seat-unknown"
    assert code_of(leave(state, 3)) == "seat-unknown"


def test_new_stake_waits_for_the_next_set():
    pairs = ((1, 2, 9 * UNIT),)
    state = good(change_stake(in_a_set(), 2 * UNIT, pairs))
    assert (state.stake, state.pair_stakes) == (UNIT, ())
    after = step(state).state
    assert (after.set, after.stake, after.pair_stakes) == (2, 2 * UNIT, pairs)


def test_new_stake_may_count_from_the_next_hand():
    state = good(change_stake(in_a_set(), 2 * UNIT, from_next_hand=True))
    assert state.stake == 2 * UNIT
    assert step(state).state.stake == 2 * UNIT


def test_new_stake_between_sets_counts_at_once():
    pairs = ((1, 2, 9 * UNIT),)
    state = good(change_stake(table(CAPPED, 1, {1: 10, 2: 10}), 2 * UNIT, pairs))
    assert (state.stake, state.pair_stakes) == (2 * UNIT, pairs)


def test_new_stake_from_the_next_hand_overrules_one_that_waits():
    waits = good(change_stake(in_a_set(), 2 * UNIT))
    assert step(good(change_stake(waits, 3 * UNIT, from_next_hand=True))).state.stake == 3 * UNIT


def test_stakes_that_are_refused():
    state = table(CAPPED, 1, {1: 10, 2: 10})
    assert code_of(change_stake(state, -1)) == "amount-negative"
    assert code_of(change_stake(state, UNIT, ((1, 5, UNIT),))) == "bad-pair"
