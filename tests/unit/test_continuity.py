"""Which facts no longer follow, above all where chips are settled by the set (rulebook section 6)."""

from dataclasses import replace
from typing import Any

from scoring.domain.continuity import Flag, TableFold
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.outcomes import VOIDED, Outcome, PairOutcome, SeatOutcome, Settled
from scoring.domain.rulesets import PRESETS

UNIT = 10_000
ROUND = PRESETS["round-progressive"]


def start(button: int, set_: int | None, anna: int | None, bo: int | None, **other: Any) -> HandStart:
    """Anna and Bo at stake 1; stacks in whole chips."""
    stacks = [None if chips is None else chips * UNIT for chips in (anna, bo)]
    seats = (SeatStart(1, "anna", "anna", stacks[0], 0), SeatStart(2, "bo", "bo", stacks[1], 0))
    facts = HandStart("", "", ROUND, 0, None, None, None, "T1", set_, UNIT, button, seats, ())
    return replace(facts, **other)


def won(points: int, fantasyland: int = 0) -> Outcome:
    """Anna wins so many points of Bo; she may be in Fantasyland in the next hand."""
    seats = (SeatOutcome(1, points, None, 0, fantasyland), SeatOutcome(2, -points, None, 0, 0))
    return Outcome(False, seats, (PairOutcome(1, 2, points),))


def corrected(first: Outcome, now: Outcome) -> Settled:
    return Settled(first, now, 11)


def same(outcome: Outcome) -> Settled:
    return Settled(outcome, outcome)


def flags(*hands: tuple[HandStart, Settled]) -> list[tuple[Flag, ...]]:
    fold = TableFold()
    return [fold.add(*hand) for hand in hands]


def test_stacks_of_the_next_set_no_longer_follow() -> None:
    """7 - 2 = 5 points were settled when the set ended; 3 - 2 = 1 follows now."""
    told = flags(
        (start(2, 1, 100, 100), corrected(won(7), won(3))),
        (start(1, 1, 100, 100), same(won(-2))),
        (start(2, 2, 105, 95), same(won(0))),
    )
    assert told == [
        (),
        (),
        (Flag(1, "stack", 105 * UNIT, 101 * UNIT), Flag(2, "stack", 95 * UNIT, 99 * UNIT)),
    ]


def test_the_cap_holds_for_the_set_as_a_whole() -> None:
    """Bo has 10: of 12 - 2 points he paid 10 and was out; of 12 - 9 he pays 3."""
    told = flags(
        (start(2, 1, 100, 10), same(won(12))),
        (start(1, 1, 100, 10), corrected(won(-2), won(-9))),
        (start(2, 2, 110, 0), same(won(0))),
    )
    assert told[2] == (Flag(1, "stack", 110 * UNIT, 103 * UNIT), Flag(2, "stack", 0, 7 * UNIT))


def test_a_set_that_went_on_after_its_end_is_not_judged() -> None:
    """With Anna's Fantasyland gone the set ended after two hands; nobody can say what the third paid."""
    told = flags(
        (start(2, 1, 100, 100), same(won(5))),
        (start(1, 1, 100, 100), corrected(won(3, 14), won(3))),
        (start(1, 1, 100, 100), same(won(1))),
        (start(2, 2, 109, 91), same(won(0))),
    )
    assert told[2] == (
        Flag(0, "button", 1, 2),
        Flag(0, "set", 1, 2),
        Flag(1, "stack", 100 * UNIT, 108 * UNIT),
        Flag(2, "stack", 100 * UNIT, 92 * UNIT),
    )
    assert told[3] == ()


def test_sets_without_numbers_are_not_judged() -> None:
    told = flags(
        (start(2, None, 100, 100), corrected(won(7), won(3, 14))),
        (start(1, None, 100, 100), same(won(-2))),
        (start(2, None, 105, 95), same(won(0))),
    )
    assert [flag.what for hand in told for flag in hand] == ["button", "fantasyland"]


def test_other_people_bring_their_own_button() -> None:
    """A third player has joined, so it is not for the hand before to say who has the button."""
    cy = SeatStart(3, "cy", "cy", 50 * UNIT, 0)
    next_hand = start(1, 2, 100, 100)
    told = flags(
        (start(2, 1, 100, 100), corrected(won(7), VOIDED)),
        (replace(next_hand, seats=(*next_hand.seats, cy)), same(won(0))),
    )
    assert told == [(), ()]


def test_an_unknown_stack_is_not_flagged() -> None:
    by_hand = {"rules": PRESETS["pineapple"]}
    chips = Outcome(False, (SeatOutcome(1, 2, 2 * UNIT, 2 * UNIT, 0), SeatOutcome(2, -2, -2 * UNIT, 0, 0)))
    told = flags(
        (start(2, None, None, 100, **by_hand), corrected(chips, VOIDED)),
        (start(1, None, None, 98, **by_hand), same(VOIDED)),
    )
    assert told[1] == (Flag(0, "button", 1, 2), Flag(2, "stack", 98 * UNIT, 100 * UNIT))


def test_nothing_is_said_after_a_hand_that_is_open() -> None:
    told = flags(
        (start(2, 1, 100, 100, rules=PRESETS["pineapple"]), Settled(None, None)),
        (start(1, 1, 100, 100, rules=PRESETS["pineapple"]), same(VOIDED)),
    )
    assert told == [(), ()]
