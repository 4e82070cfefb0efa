"""What holds in every hand of every rule set: nothing is made or lost, and seats are only numbers."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.hand import BOARDS, HandStart, HandState, SeatStart
from scoring.domain.rulesets import PRESETS, RuleSet
from scoring.domain.scored import HandScore, score_hand, score_hands
from tests import twin
from tests.boards import random_boards, rules_of, slots
from tests.tables import good

OPTIONS: list[dict[str, Any]] = [
    {},
    {"scoring": "1-4"},
    {"scoring": "2-4", "moon": 20},
    {"moon": 20},
    {"order": "strict"},
    {"settle": "set"},
    {"cap": "none"},
    {"cap": "running"},
    {"cap": "starting"},
]
SPECS = [
    {"base": code, **options}
    for code, preset in PRESETS.items()
    for options in OPTIONS
    if "cap" not in options or not preset.deal.two_hands
]
SEAT_NUMBERS = range(1, 10)


@dataclass(frozen=True)
class Drawn:
    """A hand before it is scored; everything by place, which is the settlement order."""

    rules: RuleSet
    stake: int
    boards: list[list[int]]
    players: list[str]
    stacks: list[int | None]
    fantasyland: list[int]
    dead: frozenset[int]
    pair_stakes: dict[tuple[int, int], int]

    def state(self, numbers: list[int], turn: int) -> HandState:
        """The hand at these ascending seats, with `turn` of them between the lowest and the first to act."""
        seat_of = [numbers[(place + turn) % len(numbers)] for place in range(len(numbers))]
        seats = [
            SeatStart(seat, player, player, stack, cards)
            for seat, player, stack, cards in zip(
                seat_of, self.players, self.stacks, self.fantasyland, strict=True
            )
        ]
        start = HandStart(
            *("source", "hand", self.rules, 0, None, None, None, None, None, self.stake, seat_of[-1]),
            tuple(sorted(seats, key=lambda seat: seat.seat)),
            tuple((seat_of[a], seat_of[b], stake) for (a, b), stake in self.pair_stakes.items()),
        )
        boards = dict(zip(seat_of, self.boards, strict=True))
        dead = {seat_of[place] for place in self.dead}
        return HandState(start, BOARDS, boards, dead=dead, complete=True)


@st.composite
def hands(draw: st.DrawFn) -> Drawn:
    """A hand of any rule set with random boards, stacks, stakes, Fantasyland and dead seats."""
    rules = rules_of(draw(st.sampled_from(SPECS)))
    count = draw(st.integers(rules.deal.min_seats, rules.deal.max_seats))
    random = Random(draw(st.integers(0, 2**32)))
    boards = random_boards(random, replace(twin.PRESETS[rules.base], strict=rules.order == "strict"), count)
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)][
        : -1 if rules.deal.two_hands else None
    ]
    cards = st.sampled_from(
        (0, 0, *range(rules.deal.fantasyland_cards[0], rules.deal.fantasyland_cards[1] + 1))
    )
    return Drawn(
        rules,
        draw(st.integers(1, 30_000)),
        [slots(board) for board in boards],
        ["A", "B", "B"] if rules.deal.two_hands else [f"P{place}" for place in range(count)],
        draw(st.lists(st.integers(0, 200_000) | st.just(0) | st.none(), min_size=count, max_size=count)),
        draw(st.lists(cards, min_size=count, max_size=count)),
        draw(st.frozensets(st.integers(0, count - 1), max_size=1)),
        draw(st.dictionaries(st.sampled_from(pairs), st.integers(0, 50_000), max_size=2)),
    )


def score(drawn: Drawn, numbers: list[int] | None = None, turn: int = 0) -> HandScore:
    return good(score_hand(drawn.state(numbers or [*range(1, len(drawn.boards) + 1)], turn)))


@settings(max_examples=300, deadline=None)
@given(hands())
def test_points_and_chips_of_a_hand_sum_to_zero(drawn):
    scored = score(drawn)
    assert sum(seat.points for seat in scored.seats) == 0
    if drawn.rules.settle == "set":
        assert {seat.chips for seat in scored.seats} | {pair.chips for pair in scored.pairs} == {None}
    else:
        assert sum(seat.chips for seat in scored.seats) == 0


@settings(max_examples=150, deadline=None)
@given(hands())
def test_a_seat_comes_to_what_its_pairs_say(drawn):
    scored = score(drawn)
    for pair in scored.pairs:
        assert pair.points == sum(pair.rows) + pair.bonus + pair.royalties + pair.moon
    for seat in scored.seats:
        sides = [(pair, 1) for pair in scored.pairs if pair.a == seat.seat]
        sides += [(pair, -1) for pair in scored.pairs if pair.b == seat.seat]
        assert seat.points == sum(sign * pair.points for pair, sign in sides)
        if seat.chips is not None:
            assert seat.chips == sum(sign * pair.chips for pair, sign in sides)


@settings(max_examples=300, deadline=None)
@given(hands())
def test_caps_cut_payments_and_leave_no_stack_below_zero(drawn):
    if drawn.rules.settle == "set":
        return
    scored = score(drawn)
    stake_of = {frozenset((a + 1, b + 1)): stake for (a, b), stake in drawn.pair_stakes.items()}
    for pair in scored.pairs:
        owed = pair.points * stake_of.get(frozenset((pair.a, pair.b)), drawn.stake)
        assert owed * pair.chips >= 0
        assert abs(pair.chips) <= abs(owed)
        assert pair.why or pair.chips == owed
    for seat, stack in zip(scored.seats, drawn.stacks, strict=True):
        if drawn.rules.cap == "none" or stack is None:
            continue
        assert stack + seat.chips >= 0
        assert drawn.rules.cap != "starting" or seat.chips <= stack
        assert stack or not seat.chips


@settings(max_examples=150, deadline=None)
@given(hands())
def test_fouled_and_dead_seats_earn_nothing_but_the_moon(drawn):
    for place, seat in enumerate(score(drawn).seats):
        assert seat.dead == (place in drawn.dead)
        assert seat.foul or not seat.dead
        if seat.foul:
            assert (seat.royalties, seat.next_fantasyland, seat.rows_won) == ((0, 0, 0), 0, 0)


@settings(max_examples=150, deadline=None)
@given(hands(), st.data())
def test_scoring_does_not_depend_on_seat_numbers(drawn, data):
    count = len(drawn.boards)
    numbers = sorted(data.draw(st.sets(st.sampled_from(SEAT_NUMBERS), min_size=count, max_size=count)))
    turn = data.draw(st.integers(0, count - 1))
    renamed = {numbers[(place + turn) % count]: place + 1 for place in range(count)}
    plain, other = score(drawn), score(drawn, numbers, turn)
    assert [pair._replace(a=renamed[pair.a], b=renamed[pair.b]) for pair in other.pairs] == list(plain.pairs)
    seats = sorted(seat._replace(seat=renamed[seat.seat]) for seat in other.seats)
    assert seats == list(plain.seats)


@settings(max_examples=40, deadline=None)
@given(st.lists(hands(), min_size=2, max_size=6))
def test_a_batch_scores_each_hand_as_if_alone(drawn):
    states = [hand.state([*range(1, len(hand.boards) + 1)], 0) for hand in drawn]
    assert score_hands(states) == [score_hand(state) for state in states]
