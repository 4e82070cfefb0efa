"""Scoring against a second scorer, and what must hold for any hand at all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.batch import BatchScore, score_boards, seat_pairs
from scoring.domain.cards import CARD_OF, CODES, ROWS
from scoring.domain.settlement import settle
from scoring.domain.strength import row_strengths
from tests import twin
from tests.boards import Board, random_boards, rules_of, slots

FIELDS = ("strengths", "reads", "foul", "royalties", "next_fantasyland")


@dataclass
class Hand:
    """A random hand, in settlement order."""

    spec: Any
    rules: twin.Rules
    boards: list[Board]
    dead: list[bool]
    fantasyland: list[int]

    def score(self, order: list[int] | None = None) -> BatchScore:
        """Scored by the code under test, with the seats in another order if one is given."""
        places = order or list(range(len(self.boards)))
        return score_boards(
            rules_of(self.spec),
            np.array([[slots(self.boards[place]) for place in places]], dtype=np.uint8),
            np.array([[self.dead[place] for place in places]]),
            np.array([[self.fantasyland[place] for place in places]], dtype=np.uint8),
        )


def _stay(rows: tuple[str, ...], cards: int | str) -> dict[str, Any]:
    top, middle = "trips" if "top" in rows else "none", "full-house" if "middle" in rows else "none"
    return {"top": top, "middle": middle, "bottom": "quads", "cards": cards}


# How an option is written in a spec, and what it means to the twin.
OPTIONS: dict[str, Callable[[Random, twin.Rules], tuple[Any, dict[str, Any]]]] = {
    "scoring": lambda random, _: (value := random.choice(["1-6", "1-4", "2-4"]), {"scoring": value}),
    "moon": lambda random, _: (20, {"moon": 20}),
    "order": lambda random, _: ("strict", {"strict": True}),
    "five_of_a_kind": lambda random, rules: (True, {"five": True}),
    "stay": lambda random, rules: (
        _stay(rows := tuple(random.sample(["top", "middle"], random.randint(0, 2))), "same"),
        {"stay_rows": rows, "stay_cards": "same"},
    ),
    "entry": lambda random, rules: (
        entry := {
            step: random.randint(*rules.fantasyland)
            for step in random.sample(["66", "99", "QQ", "KK", "AA", "trips"], random.randint(0, 4))
        },
        {"entry": entry},
    ),
}


def random_hand(seed: int, code: str, plain: bool = False) -> Hand:
    """A hand of a preset or, unless `plain`, of the preset with some options changed."""
    random = Random(seed)
    rules, spec = twin.PRESETS[code], {"base": code}
    for option in [] if plain else random.sample(sorted(OPTIONS), random.randint(0, 3)):
        spec[option], change = OPTIONS[option](random, rules)
        rules = replace(rules, **change)
    seats = random.choice(rules.seats)
    return Hand(
        spec,
        rules,
        random_boards(random, rules, seats),
        [random.random() < 0.05 for _ in range(seats)],
        [random.choice([0, 0, *rules.fantasyland]) for _ in range(seats)],
    )


seeds = st.integers(0, 2**32)
codes = st.sampled_from(sorted(twin.PRESETS))
hands = st.builds(random_hand, seeds, codes)


# --- The twin ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", sorted(twin.PRESETS))
@settings(max_examples=40, deadline=None)
@given(seed=seeds)
def test_the_twin_agrees(code: str, seed: int) -> None:
    hand = random_hand(seed, code)
    score = hand.score()
    seats = [
        twin.score_seat(None if dead else board, now, hand.rules)
        for board, dead, now in zip(hand.boards, hand.dead, hand.fantasyland, strict=True)
    ]
    for place, seat in enumerate(seats):
        assert score.foul[0, place] == seat.foul, hand.boards[place]
        assert score.royalties[0, place].tolist() == seat.royalties, hand.boards[place]
        assert score.next_fantasyland[0, place] == seat.next_fantasyland, hand.boards[place]
    for pair, (first, second) in enumerate(seat_pairs(len(seats))):
        expected = twin.score_pair(seats[first], seats[second], hand.rules)
        assert {
            "rows": score.rows[0, pair].tolist(),
            "bonus": score.bonus[0, pair],
            "royalties": score.royalty_difference[0, pair],
            "moon": score.moon[0, pair],
            "points": score.points[0, pair],
        } == expected


@settings(max_examples=150, deadline=None)
@given(hand=hands)
def test_jokers_are_read_as_what_the_twin_finds_strongest(hand: Hand) -> None:
    score = hand.score()
    for place, board in enumerate(hand.boards):
        if score.foul[0, place] or hand.rules.low:
            continue
        read = [[CODES[card] for card in score.reads[0, place][row]] for row in ROWS]
        assert [twin.row_key(row) for row in read] == twin.read_board(board, hand.rules)
        for row, written in zip(read, board, strict=True):
            assert all(new == old for new, old in zip(row, written, strict=True) if old[0] != "X")


# --- What must hold for any hand --------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(hand=hands, data=st.data())
def test_seats_may_stand_in_any_order(hand: Hand, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(hand.boards))))
    straight, turned = hand.score(), hand.score(order)
    for name in FIELDS:
        assert (getattr(straight, name)[0][order] == getattr(turned, name)[0]).all(), name
    assert (_by_places(straight)[np.ix_(order, order)] == _by_places(turned)).all()


def _by_places(score: BatchScore) -> np.ndarray[Any, Any]:
    """[S, S]: what the first place wins from the second."""
    seats = score.foul.shape[1]
    grid = np.zeros((seats, seats), dtype=np.int64)
    for pair, (first, second) in enumerate(seat_pairs(seats)):
        grid[first, second] = score.points[0, pair]
        grid[second, first] = -score.points[0, pair]
    return grid


@settings(max_examples=150, deadline=None)
@given(hand=hands)
def test_points_are_their_parts_and_fouls_earn_nothing(hand: Hand) -> None:
    score = hand.score()
    parts = score.rows.sum(axis=2) + score.bonus + score.royalty_difference + score.moon
    assert (score.points == parts).all()
    assert not score.royalties[score.foul].any()
    assert not score.next_fantasyland[score.foul].any()
    assert score.foul[0][np.array(hand.dead)].all()
    for pair, (first, second) in enumerate(seat_pairs(len(hand.boards))):
        if score.foul[0, first] and score.foul[0, second]:
            assert score.points[0, pair] == 0
        elif score.foul[0, first]:
            assert score.points[0, pair] < 0


JOKER_GAMES = [code for code in sorted(twin.PRESETS) if twin.PRESETS[code].jokers]


@settings(max_examples=60, deadline=None)
@given(seed=seeds, code=st.sampled_from(JOKER_GAMES))
def test_a_joker_row_is_never_weaker_than_with_a_natural_card_that_keeps_the_hand_legal(
    seed: int, code: str
) -> None:
    hand = random_hand(seed, code)
    score = hand.score()
    for place, board in enumerate(hand.boards):
        if not score.foul[0, place]:
            _check_naturals(hand, score, place, board)


def _check_naturals(hand: Hand, score: BatchScore, place: int, board: Board) -> None:
    """Put every natural card in a joker's place and score again; what lies below stays as it was read."""
    read = [[CODES[card] for card in score.reads[0, place][row]] for row in ROWS]
    for number, row in enumerate(board):
        for slot, code in enumerate(row):
            if code[0] != "X":
                continue
            naturals = [card for card in twin.DECK if card not in row]
            rows = [[*row[:slot], card, *row[slot + 1 :]] for card in naturals]
            tried = [[*board[:number], new, *read[number + 1 :]] for new in rows]
            again = Hand(hand.spec, hand.rules, tried, [False] * len(tried), [0] * len(tried)).score()
            legal = ~again.foul[0]
            assert (again.strengths[0, legal, number] <= score.strengths[0, place, number]).all()


@settings(max_examples=60, deadline=None)
@given(hand=hands)
def test_strengths_order_rows_as_the_twin_does(hand: Hand) -> None:
    rows = [row for board in hand.boards for row in board if not any(card[0] == "X" for card in row)]
    keys = [twin.row_key(row) for row in rows]
    strengths = [
        int(row_strengths(np.array([CARD_OF[card] for card in row], dtype=np.uint8))) for row in rows
    ]
    by_key = sorted(range(len(rows)), key=lambda place: keys[place])
    for lower, higher in pairwise(by_key):
        expected = (keys[lower] > keys[higher]) - (keys[lower] < keys[higher])
        assert np.sign(strengths[lower] - strengths[higher]) == expected


# --- Chips ------------------------------------------------------------------------------------------------

caps = st.sampled_from(["running", "starting"])
stacks_and_amounts = st.integers(2, 6).flatmap(
    lambda seats: st.tuples(
        st.lists(st.none() | st.integers(0, 60), min_size=seats, max_size=seats),
        st.lists(
            st.integers(-100, 100), min_size=seats * (seats - 1) // 2, max_size=seats * (seats - 1) // 2
        ),
    )
)


def _settled(
    cap: str, stacks: list[int | None], amounts: list[int]
) -> tuple[list[int], np.ndarray[Any, Any]]:
    """What every pair pays, and what every seat wins in all."""
    paid = settle(
        cap,
        np.array([amounts], dtype=np.int64),
        np.array([[stack or 0 for stack in stacks]], dtype=np.int64),
        np.array([[stack is not None for stack in stacks]]),
    )
    net = np.zeros(len(stacks), dtype=np.int64)
    for pair, (first, second) in enumerate(seat_pairs(len(stacks))):
        net[first] += paid.paid[0, pair]
        net[second] -= paid.paid[0, pair]
    return paid.paid[0].tolist(), net


@given(cap=st.sampled_from(["none", "running", "starting"]), table=stacks_and_amounts)
def test_the_twin_pays_the_same(cap: str, table: tuple[list[int | None], list[int]]) -> None:
    stacks, amounts = table
    assert _settled(cap, stacks, amounts)[0] == twin.settle(cap, amounts, stacks)


@given(cap=caps, table=stacks_and_amounts)
def test_a_cap_keeps_stacks_from_going_negative(cap: str, table: tuple[list[int | None], list[int]]) -> None:
    stacks, amounts = table
    paid, net = _settled(cap, stacks, amounts)
    assert net.sum() == 0
    assert all(abs(got) <= abs(owed) and got * owed >= 0 for got, owed in zip(paid, amounts, strict=True))
    for stack, won in zip(stacks, net.tolist(), strict=True):
        if stack is not None:
            assert stack + won >= 0
            assert stack > 0 or won == 0
            assert cap == "running" or won <= stack
