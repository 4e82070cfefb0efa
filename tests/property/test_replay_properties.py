"""Any legal stream replays; any single change of it is refused with the right code or changes the digest."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain import events as kinds
from scoring.domain.cards import CODES
from scoring.domain.errors import Problem
from scoring.domain.events import GENESIS, Event, chain_all
from scoring.domain.hand import HandState
from scoring.domain.interchange import HandDocument, play, read_hand
from scoring.domain.replay import replay
from scoring.domain.rulesets import PRESETS
from scoring.domain.scored import HandScore, score_hand
from tests.hands import random_hand

SEEDS = st.integers(0, 2**32)
Stream = tuple[list[Event], HandState]


def legal(seed: int, code: str, **options: Any) -> Stream:
    """The events of a random legal hand, and their state."""
    document = read_hand(json.dumps(random_hand(random.Random(seed), code, **options)).encode())
    assert isinstance(document, HandDocument), document
    played = play(document)
    assert isinstance(played, tuple), played
    return played


def digest(events: list[Event]) -> bytes:
    return chain_all(GENESIS, "hand", "random", "1", events)[-1]


def refusal(events: list[Event], state: HandState) -> Problem | None:
    return replay(events, state.start.rules)[1]


@pytest.mark.parametrize("code", PRESETS)
@given(SEEDS, st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_legal_hand_replays_and_scores_to_zero(
    code: str, seed: int, fantasyland: bool, dead: bool, boards: bool
) -> None:
    events, state = legal(seed, code, fantasyland=fantasyland, dead=dead, boards=boards)
    assert state.complete
    assert state.version == len(events)
    score = score_hand(state)
    assert isinstance(score, HandScore)
    assert sum(seat.points for seat in score.seats) == 0
    assert sum(seat.chips or 0 for seat in score.seats) == 0


@pytest.mark.parametrize("code", ["pineapple", "classic", "pokerbros-ultimate-joker", "two-deck"])
@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_every_prefix_of_a_legal_hand_is_legal(code: str, seed: int) -> None:
    events, state = legal(seed, code)
    rng = random.Random(seed)
    cut = rng.randint(1, len(events))
    prefix, problem = replay(events[:cut], state.start.rules)
    assert problem is None
    assert prefix.version == cut
    assert [move.placement for move in prefix.moves] == [
        move.placement for move in state.moves[: len(prefix.moves)]
    ]


# --- Changes ---

Change = Callable[[random.Random, list[Event], HandState], tuple[list[Event], set[str]]]


def some_move(rng: random.Random, events: list[Event]) -> int:
    return rng.choice([place for place, event in enumerate(events) if event.kind == kinds.CARDS_PLACED])


def changed(events: list[Event], place: int, **fields: Any) -> list[Event]:
    return [*events[:place], events[place]._replace(**fields), *events[place + 1 :]]


def drop(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    place = rng.randrange(len(events) - 1)
    return events[:place] + events[place + 1 :], {"version-gap"}


def swap(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    a, b = sorted(rng.sample(range(len(events)), 2))
    turned = list(events)
    turned[a], turned[b] = turned[b], turned[a]
    return turned, {"version-gap"}


def repeat(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    place = rng.randrange(len(events))
    return [*events[: place + 1], *events[place:]], {"version-gap"}


def version(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    place = rng.randrange(len(events))
    return changed(events, place, version=events[place].version + rng.choice([-1, 1, 7])), {"version-gap"}


def kind(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    return changed(events, some_move(rng, events), kind="cards-thrown"), {"unknown-kind"}


def stranger(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    return changed(events, some_move(rng, events), seat=98), {"seat-unknown"}


def known_card(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    """The first card of a move becomes one that lies on a board already."""
    moves = [place for place, event in enumerate(events) if event.kind == kinds.CARDS_PLACED]
    place = rng.choice(moves[1:])
    cards, earlier = events[place].cards, events[rng.choice([move for move in moves if move < place])].cards
    start = next(index for index, letter in enumerate(cards) if letter not in "/|?")
    card = earlier.replace("/", "").partition("|")[0][:2]
    return changed(events, place, cards=cards[:start] + card + cards[start + 2 :]), {"card-twice"}


def foreign_card(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    place = some_move(rng, events)
    cards = events[place].cards
    start = next(index for index, letter in enumerate(cards) if letter not in "/|?")
    card = rng.choice(["1s", "Ax", "♠♠"])
    return changed(events, place, cards=cards[:start] + card + cards[start + 2 :]), {"card-unknown"}


def more_cards(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    place = some_move(rng, events)
    unused = next(card for card in CODES if all(card not in event.cards for event in events))
    return changed(events, place, cards=unused + events[place].cards), {"wrong-card-count"}


def more_discards(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    place = some_move(rng, events)
    rows = events[place].cards.partition("|")[0]
    return changed(events, place, cards=rows + "|" + "??" * 5), {"wrong-discard-count"}


def other_rules(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    data = {**(events[0].data or {}), "rules": PRESETS["set-27"].digest}
    return changed(events, 0, data=data), {"rules-differ"}


def other_button(rng: random.Random, events: list[Event], state: HandState) -> tuple[list[Event], set[str]]:
    return changed(events, 0, data={**(events[0].data or {}), "button": 97}), {"button-empty"}


CHANGES: list[Change] = [
    *(drop, swap, repeat, version, kind, stranger, known_card, foreign_card),
    *(more_cards, more_discards, other_rules, other_button),
]


@pytest.mark.parametrize("change", CHANGES)
@given(SEEDS, st.sampled_from(["pineapple", "classic", "set-turbo", "pokerbros-joker"]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_a_change_is_refused_with_its_code(change: Change, seed: int, code: str, fantasyland: bool) -> None:
    events, state = legal(seed, code, fantasyland=fantasyland)
    mutated, codes = change(random.Random(seed), events, state)
    problem = refusal(mutated, state)
    assert problem is not None
    assert problem.code in codes
    assert digest(mutated) != digest(events)


@given(SEEDS, st.sampled_from(sorted(PRESETS)))
@settings(max_examples=60, deadline=None)
def test_a_change_that_stays_legal_changes_the_digest(seed: int, code: str) -> None:
    """Cards exchanged between rows, another unused card, another time: legal perhaps, never unseen."""
    events, state = legal(seed, code)
    rng = random.Random(seed)
    place = some_move(rng, events)
    cards = events[place].cards
    unused = [card for card in CODES[:52] if all(card not in event.cards for event in events)]
    start = next(index for index, letter in enumerate(cards) if letter not in "/|?")
    options: list[dict[str, Any]] = [
        {"happened_at": 1},
        {"actor": "somebody"},
        {"data": {"think_ms": 5}},
        {"cards": "/".join(reversed(cards.partition("|")[0].split("/")))},
    ]
    if unused:
        options.append({"cards": cards[:start] + rng.choice(unused) + cards[start + 2 :]})
    for fields in options:
        mutated = changed(events, place, **fields)
        assert mutated == events or digest(mutated) != digest(events)
        replay(mutated, state.start.rules)  # legal or refused, but never an exception


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(junk: bytes) -> None:
    assert isinstance(read_hand(junk), Problem)


@given(SEEDS, st.data())
@settings(max_examples=200, deadline=None)
def test_a_hand_with_bytes_changed_is_read_or_refused(seed: int, data: st.DataObject) -> None:
    line = bytearray(json.dumps(random_hand(random.Random(seed), "pineapple")).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    document = read_hand(bytes(line))
    result = document if isinstance(document, Problem) else play(document)
    if isinstance(result, Problem):
        json.dumps(result.as_dict())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["1", "2c//", 2, 3]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["version", "boards", "rulings", "seat", "points", "1", "auto", "seats", "rules"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    SEEDS,
    st.sampled_from(kinds.KINDS),
    st.dictionaries(
        st.sampled_from(["version", "boards", "rulings", "house", "1", "auto", "think_ms"]), JSON
    ),
    st.none() | st.integers(-5, 120),
    st.none() | st.integers(-(2**62), 2**62),
)
@settings(max_examples=300, deadline=None)
def test_any_data_of_an_event_is_taken_or_refused(
    seed: int, kind: str, data: dict[str, Any], seat: int | None, at: int | None
) -> None:
    events, state = legal(seed, "pineapple")
    half = events[: len(events) // 2]
    more = Event(len(half) + 1, kind, seat, "", data, happened_at=at)
    after, problem = replay([*half, more], state.start.rules)
    assert after.version == len(half) + (problem is None)
    if problem is not None:
        json.dumps(problem.as_dict())


@given(SEEDS, st.sampled_from(["stake", "button", "seats", "number", "table", "pair_stakes", "more"]), JSON)
@settings(max_examples=200, deadline=None)
def test_any_facts_are_taken_or_refused(seed: int, key: str, value: Any) -> None:
    events, state = legal(seed, "pineapple")
    facts = {**(events[0].data or {}), key: value}
    problem = refusal([events[0]._replace(data=facts), *events[1:]], state)
    if problem is not None:
        json.dumps(problem.as_dict())
