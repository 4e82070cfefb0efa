"""The handed tables: 14 hands in a row, scored and folded, with every fact that the next hand starts from."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.domain.amounts import format_amount, parse_amount
from scoring.domain.batch import score_boards, seat_pairs
from scoring.domain.notation import parse_placement
from scoring.domain.rulesets import resolve
from scoring.domain.settlement import settle
from scoring.domain.table import (
    AfterHand,
    NextHand,
    TableState,
    after_hand,
    buy_in,
    facts_for_next_hand,
    open_table,
)
from tests.shared import shared_file
from tests.tables import Hand, Pair, Seat, good

OWN = Path(__file__).resolve().parent.parent / "fixtures" / "tables.ndjson"


def tables_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("number", range(20))
def test_own_tables(number):
    play(tables_of(OWN)[number])


def test_all_handed_tables():
    handed = tables_of(shared_file("tables.ndjson"))
    for table in handed:
        play(table)
    assert len(handed) == 66


def test_own_tables_hold_every_special_case():
    tables = tables_of(OWN)
    hands = [hand for table in tables for hand in table["hands"]]
    kept = [hand for hand in hands if hand.get("set_over") and hand["next"]["fantasyland"]]
    assert len({json.dumps(table["rules"]) for table in tables}) == 11
    assert sum(table["rules"] == "round-progressive" for table in tables) == 2
    assert any(len(hand.get("settled", [])) == 3 for hand in hands)
    assert any(isinstance(table["rules"], dict) for table in tables)  # the rotating button
    assert any(len(hand["next"]["fantasyland"]) > 1 for hand in hands)
    assert any(hand["hand"]["button"] == hand["next"]["button"] for hand in kept)
    assert any(hand["hand"]["button"] not in hand["next"]["playing"] for hand in kept)
    assert any("0" in hand["next"].get("stacks", {}).values() for hand in hands)
    assert any(hand.get("buy_ins") for hand in hands)


# --- Playing a table --------------------------------------------------------------------------------------


def play(table: dict[str, Any]) -> None:
    """Fold a table; before, after and within each hand it must come to what its line says."""
    start = table["start"]
    seats = [(seat["seat"], seat["player"], amount(seat.get("stack"))) for seat in start["seats"]]
    rules = good(resolve(table["rules"]))
    state = good(open_table(rules, amount(table["stake"]), start["button"], seats, start["set"]))
    for expected in table["hands"]:
        facts = good(facts_for_next_hand(state))
        check_facts(facts, expected["hand"])
        hand, points = scored(facts, expected["hand"]["boards"])
        after = good(after_hand(state, hand))
        assert points == by_seat(expected["points"])
        assert after.set_over == expected.get("set_over", False)
        check_chips(after, expected)
        bought = {seat: amount(chips) for seat, chips in by_seat(expected.get("buy_ins", {})).items()}
        state = good(buy_in(after.state, bought)) if bought else after.state
        check_next(state, expected["next"])


def check_facts(facts: NextHand, hand: dict[str, Any]) -> None:
    cards = {seat.seat: seat.fantasyland for seat in facts.seats if seat.fantasyland}
    assert (facts.button, facts.set, cards) == (hand["button"], hand["set"], by_seat(hand["fantasyland"]))
    assert [seat.seat for seat in facts.seats] == sorted(by_seat(hand["boards"]))


def check_chips(after: AfterHand, expected: dict[str, Any]) -> None:
    if "chips" in expected:
        chips = {seat: format_amount(won) for seat, won in after.chips.items()}
        assert chips == by_seat(expected["chips"])
    settled = [(pay.a, pay.b, pay.points, format_amount(pay.chips)) for pay in after.settled]
    assert settled == [tuple(pay.values()) for pay in expected.get("settled", [])]


def check_next(state: TableState, expected: dict[str, Any]) -> None:
    assert (state.button, state.set) == (expected["button"], expected["set"])
    assert list(state.playing) == expected["playing"]
    assert state.fantasyland == by_seat(expected["fantasyland"])
    if "stacks" in expected:
        assert {seat.seat: format_amount(seat.stack) for seat in state.seats} == by_seat(expected["stacks"])


def scored(facts: NextHand, boards: dict[str, str]) -> tuple[Hand, dict[int, int]]:
    """The hand as the table reads it, and the points of each seat."""
    order, start = facts.order, {seat.seat: seat for seat in facts.seats}
    cards = np.array([[board_of(boards[str(seat)]) for seat in order]], np.uint8)
    in_fantasyland = np.array([[start[seat].fantasyland for seat in order]], np.uint8)
    score = score_boards(facts.rules, cards, np.zeros((1, len(order)), bool), in_fantasyland)
    stacks = [start[seat].stack for seat in order]
    paid = settle(
        facts.rules.cap,
        score.points.astype(np.int64) * facts.stake,
        np.array([[stack or 0 for stack in stacks]], np.int64),
        np.array([[stack is not None for stack in stacks]]),
    ).paid[0]
    chips, points = dict.fromkeys(sorted(order), 0), dict.fromkeys(sorted(order), 0)
    pairs = []
    for place, (a, b) in enumerate((order[a], order[b]) for a, b in seat_pairs(len(order))):
        won = int(score.points[0, place])
        pairs.append(Pair(a, b, won))
        for seat, sign in ((a, 1), (b, -1)):
            points[seat] += sign * won
            chips[seat] += sign * int(paid[place])
    cards_next = {seat: int(score.next_fantasyland[0, place]) for place, seat in enumerate(order)}
    seats = tuple(Seat(seat, chips[seat], cards_next[seat]) for seat in chips)
    return Hand(seats, tuple(pairs)), points


def board_of(text: str) -> list[int]:
    placement = good(parse_placement(text))
    return [*placement.top, *placement.middle, *placement.bottom]


def amount(value: object) -> int | None:
    return None if value is None else good(parse_amount(value, ""))


def by_seat(values: dict[str, Any]) -> dict[int, Any]:
    return {int(seat): value for seat, value in values.items()}
