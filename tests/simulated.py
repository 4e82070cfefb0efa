"""Hands of the simulator, read back through the public reader and scored, for several tests."""

import json
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.domain.hand import HandState
from scoring.domain.interchange import HandDocument, play, read_hand
from scoring.domain.scored import HandScore, score_hands
from scoring.simulator.hands import hands
from tests.tables import good

DEMO_HANDS = 3000


class Played(NamedTuple):
    """One simulated hand: its line as JSON, and what the domain makes of it."""

    line: dict[str, Any]
    document: HandDocument
    state: HandState
    score: HandScore


@lru_cache(maxsize=1)
def demo_hands() -> list[Played]:
    """The hands of the demo club. None of them is refused, or `good` fails."""
    lines = list(hands(DEMO_HANDS))
    documents = [good(read_hand(line)) for line in lines]
    states = [good(play(document))[1] for document in documents]
    scores = [good(score) for score in score_hands(states)]
    return [
        Played(json.loads(line), *rest) for line, *rest in zip(lines, documents, states, scores, strict=True)
    ]
