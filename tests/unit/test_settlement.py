"""Chips: the three caps, stacks of nothing and unknown stacks (rulebook section 6), worked out by hand."""

import numpy as np
import pytest

from scoring.domain.settlement import WHY, settle

Pairs = list[int]


def pay(
    cap: str, amounts: Pairs, stacks: list[int | None], dropped: tuple[int, ...] = ()
) -> tuple[Pairs, list[str]]:
    """Settle one hand; a stack of None is not known. Returns what each pair pays and why."""
    paid = settle(
        cap,
        np.array([amounts], dtype=np.int64),
        np.array([[stack or 0 for stack in stacks]], dtype=np.int64),
        np.array([[stack is not None for stack in stacks]]),
        np.array([[pair not in dropped for pair in range(len(amounts))]]),
    )
    return paid.paid[0].tolist(), [WHY[why] for why in paid.why[0]]


def test_without_a_cap_every_pair_pays_in_full() -> None:
    assert pay("none", [10, -5, 300], [2, None, 0]) == ([10, -5, 300], ["", "", ""])


def test_the_rulebooks_example_of_a_running_cap() -> None:
    # A has 2, wins 10 from B: gets 2, now has 4; then wins 10 from C: gets 4, ends with 8.
    assert pay("running", [10, 10, 0], [2, 100, 100]) == ([2, 4, 0], ["winner-stack", "winner-stack", ""])


def test_the_rulebooks_example_of_a_starting_cap() -> None:
    # A has 2, wins 10 from B: gets 2; then wins 10 from C: gets 0 and ends with 4.
    assert pay("starting", [10, 10, 0], [2, 100, 100]) == ([2, 0, 0], ["winner-room", "winner-room", ""])


def test_a_running_cap_pays_with_what_was_won_before() -> None:
    # B wins 5 from A and has 8 when it loses 20 to C.
    assert pay("running", [-5, 0, -20], [50, 3, 40]) == ([-3, 0, -6], ["winner-stack", "", "loser-stack"])


def test_a_loss_gives_winning_room_back_under_a_starting_cap() -> None:
    # A starts with 10: loses 6 to B, then has room to win 16 from C.
    assert pay("starting", [-6, 20, 0], [10, 100, 100]) == ([-6, 16, 0], ["", "winner-room", ""])
    # And a win gives losing room back: B wins 5 from A on a stack of 5, then has 10 to lose to C.
    assert pay("starting", [-6, 0, -20], [50, 5, 50]) == ([-5, 0, -10], ["winner-room", "", "loser-room"])


def test_the_loser_is_named_where_both_are_as_tight() -> None:
    assert pay("running", [10], [4, 4]) == ([4], ["loser-stack"])
    assert pay("starting", [-10], [4, 4]) == ([-4], ["loser-room"])


def test_a_payment_that_just_fits_is_not_cut() -> None:
    assert pay("running", [4], [4, 4]) == ([4], [""])
    assert pay("starting", [-4], [4, 4]) == ([-4], [""])


@pytest.mark.parametrize("cap", ["running", "starting"])
def test_a_seat_without_chips_neither_wins_nor_pays(cap: str) -> None:
    paid, why = pay(cap, [10, -10, 7], [0, 100, 100])
    assert paid == [0, 0, 7]
    assert why[0].startswith("winner")
    assert why[1].startswith("loser")


@pytest.mark.parametrize("cap", ["running", "starting"])
def test_an_unknown_stack_sets_no_limit_and_says_so(cap: str) -> None:
    paid, why = pay(cap, [10, 300, 0], [None, 4, 500])
    assert paid == [4, 300, 0]
    assert why == ["stack-unknown", "stack-unknown", ""]


def test_where_nothing_is_due_nothing_is_explained() -> None:
    assert pay("running", [0], [None, 4]) == ([0], [""])
    assert pay("starting", [0, 0, 5], [0, None, 9]) == ([0, 0, 5], ["", "", "stack-unknown"])


def test_pairs_that_do_not_play_each_other_pay_nothing() -> None:
    assert pay("none", [10, 20, 30], [1, 1, 1], dropped=(2,)) == ([10, 20, 0], ["", "", ""])
    assert pay("running", [10, 20, 30], [50, 50, 50], dropped=(0,)) == ([0, 20, 30], ["", "", ""])


def test_hands_of_a_batch_are_paid_apart() -> None:
    paid = settle(
        "running",
        np.array([[10, 10, 0], [-1, 2, 3]]),
        np.array([[2, 100, 100], [50, 50, 50]]),
        np.ones((2, 3), dtype=np.bool_),
    )
    assert paid.paid.tolist() == [[2, 4, 0], [-1, 2, 3]]


def test_nothing_that_was_handed_in_is_changed() -> None:
    amounts, stacks = np.array([[10, 10, 0]]), np.array([[2, 100, 100]])
    for cap in ("none", "running", "starting"):
        settle(cap, amounts, stacks, np.ones((1, 3), dtype=np.bool_)).paid[:] = 7
    assert amounts.tolist() == [[10, 10, 0]]
    assert stacks.tolist() == [[2, 100, 100]]


def test_the_largest_amounts_do_not_overflow() -> None:
    most = 10**14 * 300
    paid, why = pay("running", [most, most, -most], [None, None, None])
    assert paid == [most, most, -most]
    assert set(why) == {"stack-unknown"}
