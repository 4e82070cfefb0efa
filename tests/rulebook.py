"""Hands written as documents and scored through the public path, for tests that follow the rulebook."""

import json
from typing import Any

from scoring.domain.errors import Problem
from scoring.domain.interchange import read_hand
from scoring.domain.recording import play
from scoring.domain.result_document import result_document
from scoring.domain.scored import score_hand

# Legal, a flush (4) on the bottom and no other royalty: 10 points from a seat that fouls.
TEN_FROM_A_FOUL = "Qc9d4s/8c8dKs7s3c/AhKh9h5h2h"


def document(rules: object, boards: dict[int, str], **more: Any) -> dict[str, Any]:
    """An `ofc-hand/1` document with players `P<seat>`; the button is the highest seat unless it is given.

    `stacks` and `fantasyland` by seat; seats without a board must be in `dead`.
    """
    stacks, cards = more.pop("stacks", {}), more.pop("fantasyland", {})
    numbers = sorted({*boards, *more.get("dead", [])})
    seats = [
        {"seat": seat, "player": f"P{seat}"}
        | ({"stack": str(stacks[seat])} if seat in stacks else {})
        | ({"fantasyland": cards[seat]} if seat in cards else {})
        for seat in numbers
    ]
    return {
        "format": "ofc-hand/1",
        "source": "rulebook",
        "hand": "1",
        "rules": rules,
        "played_at": "2026-11-29T19:15:00Z",
        "button": numbers[-1],
        "seats": seats,
        "boards": {str(seat): board for seat, board in boards.items()},
    } | more


def outcome(hand: dict[str, Any]) -> dict[str, Any] | Problem:
    """The `ofc-result/1` of a document, or why there is none."""
    read = read_hand(json.dumps(hand).encode())
    played = read if isinstance(read, Problem) else play(read)
    if isinstance(played, Problem):
        return played
    score = score_hand(played[1])
    return score if isinstance(score, Problem) else result_document(played[1], score)


class Result:
    """A scored document with its figures by seat."""

    def __init__(self, rules: object, boards: dict[int, str], **more: Any) -> None:
        written = outcome(document(rules, boards, **more))
        assert not isinstance(written, Problem), written
        self.pairs = written["pairs"]
        self.seats = {seat["seat"]: seat for seat in written["seats"]}

    def by_seat(self, figure: str) -> dict[int, Any]:
        return {number: seat[figure] for number, seat in self.seats.items()}

    def by_pair(self, figure: str) -> dict[tuple[int, int], Any]:
        return {(pair["a"], pair["b"]): pair[figure] for pair in self.pairs}

    def reads(self, row: str, seat: int = 1) -> str:
        return self.seats[seat]["rows"][row]["reads"]


def refusal(rules: object, boards: dict[int, str], **more: Any) -> tuple[str, str]:
    """The code and the path of the problem that the document must have."""
    problem = outcome(document(rules, boards, **more))
    assert isinstance(problem, Problem), problem
    return problem.code, problem.path


def alone(rules: object, board: str, **more: Any) -> Result:
    """The board at seat 1 against a dead seat 2 on the button."""
    return Result(rules, {1: board}, dead=[2], **more)
