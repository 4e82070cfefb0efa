"""The handed tables: 14 hands in a row, scored and folded, with every fact that the next hand starts from."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.domain.amounts import format_amount, parse_amount
from scoring.domain.hand import BOARDS, HandStart, HandState, SeatStart
from scoring.domain.notation import parse_placement
from scoring.domain.rulesets import resolve
from scoring.domain.scored import HandScore, score_hand
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
from tests.tables import good

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
        hand = score(facts, expected["hand"]["boards"])
        assert {seat.seat: seat.points for seat in hand.seats} == by_seat(expected["points"])
        after = good(after_hand(state, hand))
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


def score(facts: NextHand, boards: dict[str, str]) -> HandScore:
    """The hand that was played from these facts to these boards."""
    seats = tuple(
        SeatStart(seat.seat, seat.player, seat.player, seat.stack, seat.fantasyland) for seat in facts.seats
    )
    of_table = {"number": None, "tournament": None, "tournament_name": None, "table": None, "set": facts.set}
    start = HandStart(
        source="tables",
        hand="",
        rules=facts.rules,
        played_at=0,
        stake=facts.stake,
        button=facts.button,
        seats=seats,
        pair_stakes=facts.pair_stakes,
        **of_table,
    )
    full = {int(seat): board_of(text) for seat, text in boards.items()}
    return good(score_hand(HandState(start, BOARDS, full, complete=True)))


def board_of(text: str) -> list[int]:
    placement = good(parse_placement(text))
    return [*placement.top, *placement.middle, *placement.bottom]


def amount(value: object) -> int | None:
    return None if value is None else good(parse_amount(value, ""))


def by_seat(values: dict[str, Any]) -> dict[int, Any]:
    return {int(seat): value for seat, value in values.items()}
