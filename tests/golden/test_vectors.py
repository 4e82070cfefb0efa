"""Hands with their results from an independent scorer: read, replayed and scored, field by field."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scoring.domain.cards import JOKER_1, ROWS
from scoring.domain.errors import Problem
from scoring.domain.hand import HandState
from scoring.domain.interchange import play, read_hand
from scoring.domain.ladder import Category
from scoring.domain.result_document import result_document
from scoring.domain.rulesets import PRESETS
from scoring.domain.scored import HandScore, score_hand, score_hands
from scoring.domain.strength import category_of
from tests.shared import shared_file

OWN = Path(__file__).resolve().parent.parent / "fixtures" / "vectors.ndjson"
SEAT_KEYS = ("seat", "foul", "royalties", "points", "chips", "next_fantasyland")
PAIR_KEYS = ("a", "b", "rows", "bonus", "royalties", "moon", "points", "chips")


def vectors_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@cache
def own_vectors() -> list[dict[str, Any]]:
    return vectors_of(OWN)


def state_of(hand: Mapping[str, Any]) -> HandState:
    document = read_hand(msgspec.json.encode(hand))
    assert not isinstance(document, Problem), document
    played = play(document)
    assert not isinstance(played, Problem), played
    return played[1]


def result_of(state: HandState, score: HandScore | Problem) -> dict[str, Any]:
    """The written result, cut down to the keys that the vectors give."""
    assert isinstance(score, HandScore), score
    document = result_document(state, score)
    return {
        "seats": [{key: seat[key] for key in SEAT_KEYS} for seat in document["seats"]],
        "pairs": [{key: pair[key] for key in PAIR_KEYS} for pair in document["pairs"]],
    }


def check(vectors: Iterable[Mapping[str, Any]]) -> int:
    """Score all vectors in one go and compare; returns how many there were."""
    vectors = list(vectors)
    states = [state_of(vector["hand"]) for vector in vectors]
    for vector, state, score in zip(vectors, states, score_hands(states), strict=True):
        assert result_of(state, score) == vector["expected"], vector["hand"]["hand"]
    return len(vectors)


def test_own_vectors() -> None:
    assert check(own_vectors()) == 96


def test_all_handed_vectors() -> None:
    assert check(vectors_of(shared_file("vectors.ndjson"))) == 1_440


def test_one_hand_is_a_batch_of_one() -> None:
    for vector in own_vectors():
        state = state_of(vector["hand"])
        assert result_of(state, score_hand(state)) == vector["expected"]


# --- What our own selection covers --------------------------------------------------------------------------


def test_own_vectors_cover_every_rule_set() -> None:
    bases = {vector["hand"]["rules"] for vector in own_vectors() if isinstance(vector["hand"]["rules"], str)}
    assert bases == set(PRESETS) - {"round-progressive"}  # that one settles by the set: see the tables


def test_own_vectors_cover_the_options() -> None:
    options = {
        key
        for vector in own_vectors()
        if isinstance(vector["hand"]["rules"], dict)
        for key in vector["hand"]["rules"]
    }
    assert options == {"base", "scoring", "moon", "entry", "stay", "cap", "order", "button"}


def _specials(vector: dict[str, Any]) -> Iterator[str]:
    """What is rare about a vector."""
    hand, expected = vector["hand"], vector["expected"]
    now = {seat["seat"]: seat.get("fantasyland", 0) for seat in hand["seats"]}
    yield "boards" if "boards" in hand else "actions"
    yield from (f"{key}" for key in ("dead", "pair_stakes") if hand.get(key))
    yield from ("no chips" for seat in hand["seats"] if seat.get("stack") == "0")
    yield from ("moon" for pair in expected["pairs"] if pair["moon"])
    for seat in expected["seats"]:
        following = seat["next_fantasyland"]
        yield "foul" if seat["foul"] else "legal"
        if following:
            yield "stays" if now[seat["seat"]] else "enters"


def _rare_rows(vector: dict[str, Any]) -> Iterator[str]:
    state = state_of(vector["hand"])
    score = score_hand(state)
    assert isinstance(score, HandScore)
    yield from (pair.why for pair in score.pairs if pair.why)
    for seat in score.seats:
        for row, strength in zip(ROWS, seat.strengths, strict=True):
            jokers = sum(JOKER_1 <= card <= JOKER_1 + 1 for card in state.boards[seat.seat][row])
            yield from [f"{jokers} jokers in a row"] * (jokers > 0)
            yield from [category_of(strength).name] * (strength > 0)


@pytest.mark.parametrize(
    "special",
    [
        *("boards", "actions", "dead", "pair_stakes", "no chips", "moon", "foul", "legal", "stays", "enters"),
        *("winner-stack", "loser-stack", "winner-room", "loser-room"),
        *("1 jokers in a row", "2 jokers in a row"),
        *(category.name for category in Category),
    ],
)
def test_own_vectors_cover_what_is_rare(special: str) -> None:
    assert special in _covered()


@cache
def _covered() -> frozenset[str]:
    vectors = own_vectors()
    return frozenset(special for vector in vectors for special in (*_specials(vector), *_rare_rows(vector)))
