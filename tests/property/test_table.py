"""Whole sessions at a table, drawn at random, against a plain twin and against what must always hold."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.amounts import UNIT
from scoring.domain.table import (
    TableState,
    after_hand,
    buy_in,
    change_stake,
    facts_for_next_hand,
    join,
    leave,
    open_table,
    void,
)
from tests.table_twin import Twin
from tests.tables import Hand, Pair, Seat, good, rules_of

RULES = {
    (capped, rotates): rules_of(
        "set-turbo", cap="running" if capped else "none", button="rotate" if rotates else "frozen"
    )
    for capped in (False, True)
    for rotates in (False, True)
}
CAPS = ("none", "running", "starting")
BY_SET = {cap: rules_of("set-turbo", cap=cap, settle="set") for cap in CAPS}
SEATS = range(1, 9)
MOST = RULES[True, True].deal.max_seats
CARDS = 13

stacks = st.dictionaries(st.sampled_from(SEATS), st.integers(1, 12) | st.none(), min_size=2, max_size=MOST)


def view(state: TableState):
    return {
        "button": state.button,
        "set": state.set,
        "playing": state.playing,
        "fantasyland": state.fantasyland,
        "stacks": {seat.seat: seat.stack for seat in state.seats},
        "between_sets": state.between_sets,
    }


def draw_hand(data, state: TableState, capped: bool) -> Hand:
    """Each pair moves something between nothing and all that the loser has left."""
    stacks = {seat.seat: seat.stack for seat in state.seats}
    won = dict.fromkeys(state.playing, 0)
    for winner, loser in combinations(data.draw(st.permutations(state.playing)), 2):
        most = stacks[loser] + won[loser] if capped and stacks[loser] is not None else 12
        amount = data.draw(st.integers(0, most) | st.just(most))
        won[winner] += amount
        won[loser] -= amount
    cards = {seat: data.draw(st.sampled_from((0, 0, 0, CARDS))) for seat in state.playing}
    return Hand(tuple(Seat(seat, won[seat], cards[seat]) for seat in state.playing))


def change_between_sets(data, state: TableState, twin: Twin) -> TableState:
    """Some buy in, one may leave, one may join; twin and table alike."""
    free = [seat for seat in SEATS if state.at(seat) is None]
    for seat in [seat.seat for seat in state.seats]:
        if data.draw(st.integers(0, 2)) == 0:
            amount = data.draw(st.integers(1, 12))
            state = good(buy_in(state, {seat: amount}))
            twin.buy_in(seat, amount)
    if len(state.seats) > 2 and data.draw(st.integers(0, 4)) == 0:
        seat = data.draw(st.sampled_from([seat.seat for seat in state.seats]))
        state = good(leave(state, seat))
        twin.leave(seat)
    if len(state.seats) < MOST and data.draw(st.integers(0, 4)) == 0:
        seat, stack = data.draw(st.sampled_from(free)), data.draw(st.integers(0, 12))
        state = good(join(state, seat, f"P{seat} after hand {state.hands}", stack))
        twin.join(seat, stack)
    return state


@settings(max_examples=150, deadline=None)
@given(stacks, st.booleans(), st.booleans(), st.data())
def test_table_goes_on_as_its_twin(start, capped, rotates, data):
    button = data.draw(st.sampled_from(sorted(start)))
    seats = [(seat, f"P{seat}", stack) for seat, stack in start.items()]
    state = good(open_table(RULES[capped, rotates], UNIT, button, seats))
    twin = Twin(start, button, capped, rotates)
    for _ in range(data.draw(st.integers(1, 12))):
        assert view(state) == twin.view()
        if len(state.playing) < 2:
            break
        hand = draw_hand(data, state, capped)
        played = good(after_hand(state, hand)).state
        assert good(void(played)) == state
        chips = {seat.seat: seat.chips for seat in hand.seats}
        twin.hand(chips, {seat.seat: seat.next_fantasyland for seat in hand.seats})
        if data.draw(st.integers(0, 5)) == 0:
            twin.void()
            continue
        state = change_between_sets(data, played, twin) if played.between_sets else played


@settings(max_examples=100, deadline=None)
@given(stacks, st.booleans(), st.data())
def test_chips_are_conserved_and_never_below_zero(start, rotates, data):
    start = {seat: stack or 5 for seat, stack in start.items()}
    seats = [(seat, f"P{seat}", stack) for seat, stack in start.items()]
    state = good(open_table(RULES[True, rotates], UNIT, min(start), seats))
    bought = sum(start.values())
    for _ in range(data.draw(st.integers(1, 12))):
        assert state.button in state.playing
        state = good(after_hand(state, draw_hand(data, state, capped=True))).state
        while state.between_sets and len(state.playing) < 2:
            state = good(buy_in(state, {state.waiting[0]: 7}))
            bought += 7
        chips = [seat.stack for seat in state.seats]
        assert min(chips) >= 0
        assert sum(chips) == bought


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from(SEATS), st.integers(1, 60), min_size=2, max_size=MOST),
    st.sampled_from(CAPS),
    st.data(),
)
def test_set_settles_what_its_hands_summed_up(start, cap, data):
    seats = [(seat, f"P{seat}", stack) for seat, stack in start.items()]
    opened = state = good(open_table(BY_SET[cap], 1, max(start), seats))
    owed = dict.fromkeys(combinations(sorted(start), 2), 0)
    first_order, settled = good(facts_for_next_hand(state)).order, ()
    while not settled:
        assert state.seats == opened.seats or state.fantasyland
        stake = data.draw(st.integers(1, 3))
        state = good(change_stake(state, stake, from_next_hand=True))
        order = good(facts_for_next_hand(state)).order
        pairs = tuple(Pair(a, b, data.draw(st.integers(-40, 40))) for a, b in combinations(order, 2))
        for pair in pairs:
            owed[min(pair.a, pair.b), max(pair.a, pair.b)] += stake * (
                pair.points if pair.a < pair.b else -pair.points
            )
        cards = data.draw(st.sampled_from((0, 0, CARDS)))
        hand = Hand(tuple(Seat(seat, None, cards) for seat in state.playing), pairs)
        _, _, _, settled = after = good(after_hand(state, hand))
        state = after.state
    assert [(pay.a, pay.b) for pay in settled] == list(combinations(first_order, 2))
    check_payments(cap, start, owed, settled, state)


def check_payments(cap, start, owed, settled, state):
    net = dict.fromkeys(start, 0)
    for pay in settled:
        due = owed[min(pay.a, pay.b), max(pay.a, pay.b)] * (1 if pay.a < pay.b else -1)
        assert pay.chips * due >= 0
        assert abs(pay.chips) <= abs(due)
        assert (pay.chips == due) == (pay.why == "")
        net[pay.a] += pay.chips
        net[pay.b] -= pay.chips
    assert {seat.seat: seat.stack for seat in state.seats} == {
        seat: start[seat] + net[seat] for seat in start
    }
    if cap == "none":
        assert all(pay.why == "" for pay in settled)
    else:
        assert all(seat.stack >= 0 for seat in state.seats)
    if cap == "starting":
        assert all(abs(net[seat]) <= start[seat] for seat in start)
