"""The demo club as a whole: how its players fare, what was played when, and how hands follow each other."""

import json
from collections import Counter
from datetime import UTC, datetime
from itertools import groupby, pairwise
from typing import Any

import pytest

from scoring.domain.hand import BOARDS, FULL, RESULT
from scoring.domain.notation import UNSEEN
from scoring.simulator.evenings import LAST_DAY, evenings
from scoring.simulator.hands import hands
from scoring.simulator.people import THE_EIGHT, circle
from tests.simulated import DEMO_HANDS, Played, demo_hands
from tests.table_twin import Twin

UNITS = 10_000
STRONGEST = [person.name for person in THE_EIGHT[:4]]


def _evenings() -> list[list[Played]]:
    return [list(evening) for _, evening in groupby(demo_hands(), lambda hand: hand.document.tournament)]


# --- How players fare -------------------------------------------------------------------------------------


def _rates() -> dict[str, tuple[float, float]]:
    """Fouls and entries into Fantasyland of each player, of his normal hands that are known to the cards."""
    normal, fouls, entries = Counter[str](), Counter[str](), Counter[str]()
    for hand in demo_hands():
        for start, seat in zip(hand.state.start.seats, hand.score.seats, strict=True):
            if start.fantasyland == 0 and hand.state.completeness != RESULT:
                normal[start.name] += 1
                fouls[start.name] += seat.foul
                entries[start.name] += seat.next_fantasyland > 0
    return {name: (fouls[name] / count, entries[name] / count) for name, count in normal.items()}


def test_players_foul_and_reach_fantasyland_as_people_do() -> None:
    rates = _rates()
    assert set(rates) == {person.name for person in THE_EIGHT}
    for name, (fouls, entries) in rates.items():
        assert 0.10 <= fouls <= 0.25, (name, fouls)
        assert 0.06 <= entries <= 0.20, (name, entries)
    for name in STRONGEST:
        assert rates[name][1] >= 0.08, (name, rates[name])


def test_the_stronger_players_win_from_the_weaker() -> None:
    points = Counter[str]()
    for hand in demo_hands():
        for start, seat in zip(hand.state.start.seats, hand.score.seats, strict=True):
            points[start.name] += seat.points
    assert sum(points.values()) == 0
    assert sum(points[name] for name in STRONGEST) > 1000
    assert points[THE_EIGHT[-1].name] < 0


def test_nobody_fouls_in_fantasyland_who_is_there() -> None:
    in_fantasyland = [
        seat
        for hand in demo_hands()
        for start, seat in zip(hand.state.start.seats, hand.score.seats, strict=True)
        if start.fantasyland and not seat.dead
    ]
    assert len(in_fantasyland) > 500
    assert not any(seat.foul for seat in in_fantasyland)
    stays = sum(seat.next_fantasyland > 0 for seat in in_fantasyland) / len(in_fantasyland)
    assert 0.05 < stays < 0.30


# --- What was played --------------------------------------------------------------------------------------


def test_the_season() -> None:
    documents = [hand.document for hand in demo_hands()]
    assert len(documents) == len({document.hand for document in documents}) == DEMO_HANDS
    assert {document.source for document in documents} == {"demo"}
    assert {document.table for document in documents} == {"T1", "T2"}
    assert len({document.rules.base for document in documents}) == 5
    assert len({document.stake for document in documents}) >= 5
    days = {datetime.fromtimestamp(document.played_at / 1e6, UTC).date() for document in documents}
    assert (max(days) - min(days)).days > 120
    assert max(days) <= LAST_DAY
    begins = [evening[0].line["tournament"][:10] for evening in _evenings()]
    assert {datetime.fromisoformat(day).strftime("%A") for day in begins} == {"Thursday", "Sunday"}


def test_hands_are_told_in_every_form() -> None:
    every = demo_hands()
    forms = Counter(hand.state.completeness for hand in every)
    assert forms[FULL] > 2600
    assert forms[BOARDS] > 50
    assert forms[RESULT] > 30
    seats = Counter((hand.document.rules.deal.code, len(hand.document.seats)) for hand in every)
    assert set(seats) == {("pineapple", 2), ("pineapple", 3), ("classic", 2), ("classic", 3), ("classic", 4)}
    assert 5 <= sum(bool(hand.document.dead) for hand in every) <= 40
    assert 2 <= sum(bool(hand.score.differences) for hand in every) <= 20
    assert sum(bool(hand.document.pair_stakes) for hand in every) > 50
    discards = [
        hand.state.discards.values() for hand in every if hand.document.rules.deal.code == "pineapple"
    ]
    unseen = sum(any(UNSEEN in cards for cards in seats) for seats in discards)
    assert 100 < unseen < len(discards) / 2


def test_time_passes() -> None:
    for evening in _evenings():
        for hand, following in pairwise(evening):
            times = [hand.document.played_at, *(move.at or 0 for move in hand.state.moves)]
            assert times == sorted(times)
            assert times[-1] < following.document.played_at
        minutes = (evening[-1].document.played_at - evening[0].document.played_at) / 60e6
        assert len(evening) < 10 or 1 < minutes / (len(evening) - 1) < 10
    thought = [move.think_ms or 0 for hand in demo_hands() for move in hand.state.moves]
    assert min(thought) > 1000
    assert max(thought) < 10 * 60 * 1000


# --- From hand to hand ------------------------------------------------------------------------------------


def _stacks(hand: Played) -> dict[int, int | None]:
    return {seat.seat: seat.stack for seat in hand.state.start.seats}


def _names(hand: Played) -> dict[int, str]:
    return {seat.seat: seat.name for seat in hand.state.start.seats}


def _seen(hand: Played) -> dict[str, Any]:
    start = hand.state.start
    return {
        "button": start.button,
        "set": start.set,
        "playing": tuple(seat.seat for seat in start.seats),
        "fantasyland": {seat.seat: seat.fantasyland for seat in start.seats if seat.fantasyland},
    }


def _chips(hand: Played, settled: bool) -> dict[int, int]:
    """What each seat won: from the claim where only the result is known."""
    claims = hand.line.get("claimed", {})
    won = {}
    for seat in hand.score.seats:
        claimed = claims.get(str(seat.seat), {}).get("chips", "0")
        units = seat.chips if seat.chips is not None else round(float(claimed) * UNITS)
        won[seat.seat] = units if settled else 0
    return won


def _between_sets(twin: Twin, hand: Played, people: dict[int, str], stake: int) -> None:
    """What people did before this hand, read off its facts, and whether it is what they may do."""
    for seat, stack in _stacks(hand).items():
        if _names(hand)[seat] != people.get(seat):
            twin.leave(seat)
            twin.join(seat, stack)  # type: ignore[arg-type]
        elif stack is not None and stack != twin.stacks[seat]:
            before = twin.stacks[seat]
            assert before is not None
            assert before < 25 * stake
            assert stack == 100 * stake
            twin.buy_in(seat, stack - before)


@pytest.mark.parametrize("by_set", [False, True], ids=["settled by the hand", "settled by the set"])
def test_button_set_fantasyland_and_stacks_follow_from_hand_to_hand(by_set: bool) -> None:
    """By a table written from the rulebook alone; a stack that settles by the set moves between sets only."""
    followed = 0
    for evening in _evenings():
        rules = evening[0].document.rules
        if (rules.settle == "set") != by_set:
            continue
        first = evening[0]
        capped = rules.cap != "none"
        twin = Twin(_stacks(first), first.state.start.button, capped, rotates=False)
        people = _names(first)
        for hand, following in pairwise(evening):
            assert twin.view().items() >= _seen(hand).items(), hand.document.hand
            next_fantasyland = {seat.seat: seat.next_fantasyland for seat in hand.score.seats}
            twin.hand(_chips(hand, settled=capped and not by_set), next_fantasyland)
            if twin.over and by_set:
                twin.stacks |= _stacks(following)
            if twin.over:
                _between_sets(twin, following, people, following.state.start.stake)
            people |= _names(following)
            stacks = _stacks(following)
            assert {seat: twin.stacks[seat] for seat in stacks} == stacks, following.document.hand
            followed += 1
    assert followed > 300


# --- More hands, other seeds --------------------------------------------------------------------------------


def test_the_same_hands_again() -> None:
    again = list(hands(40))
    assert again == list(hands(40))
    assert again != list(hands(40, seed=2))
    assert {line[:60].split(b'"hand"')[0] for line in hands(5, seed=2)} == {
        b'{"format":"ofc-hand/1","source":"demo-2",'
    }


def test_more_hands_begin_earlier_and_hold_the_same_evenings() -> None:
    few, more = list(evenings(1, 0, 300)), list(evenings(1, 0, 900))
    assert more[-len(few) :] == few
    assert sum(evening.hands for evening in more) >= 900
    played = {hand.document.hand: hand.line for hand in demo_hands()}
    common = [line for line in _lines(300) if line["hand"] in played]
    assert len(common) > 100
    assert all(line == played[line["hand"]] for line in common)


def _lines(count: int, players: int | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in hands(count, players=players)]


def test_a_million_hands_are_played_by_many_circles() -> None:
    assert next(hands(1_000_000)).startswith(b'{"format":"ofc-hand/1"')
    names = [person.name for number in range(60) for person in circle(number)]
    assert len(set(names)) == len(names) == 480
    assert max(map(len, names)) > 50


def test_hands_are_shared_out_among_circles() -> None:
    tables = Counter(line["table"] for line in _lines(101, players=16))
    assert tables["T1"] + tables["T2"] == 51
    assert tables["T3"] + tables["T4"] == 50
