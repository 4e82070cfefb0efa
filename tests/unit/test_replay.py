"""Replay: streets, turns, the legal prefix, dead seats and what corrections mean."""

from typing import Any

import pytest

from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.hand import OUT_OF_TURN, REPLACED, HandStart, HandState, SeatStart
from scoring.domain.replay import replay
from scoring.domain.rulesets import PRESETS
from scoring.domain.starting import started

RULES = PRESETS["pineapple"]
# Seat 3 has the button, so seat 1 acts first, then 2, then 3.
SEATS = (SeatStart(1, "a", "a", None, 0), SeatStart(2, "b", "b", None, 0), SeatStart(3, "c", "c", None, 0))
START = HandStart("club", "1", RULES, 0, 1, None, None, None, None, 10_000, 3, SEATS, ())
FIRST = {1: "2c/3c4c/5c6c", 2: "2d/3d4d/5d6d", 3: "2h/3h4h/5h6h"}
SECOND = {1: "/7c/8c|9c", 2: "/7d/8d|9d", 3: "/7h/8h|9h"}


def stream(*entries: Any, start: HandStart = START) -> list[Event]:
    """Events after the start: a pair is a move (seat, cards), else (kind, the event's other fields)."""
    events = [started(start)]
    for kind, rest in entries:
        version = len(events) + 1
        if isinstance(kind, int):
            events.append(Event(version, kinds.CARDS_PLACED, kind, rest))
        else:
            events.append(Event(version, kind, **rest))
    return events


def retract(version: int) -> tuple[str, dict[str, Any]]:
    return kinds.EVENT_RETRACTED, {"data": {"version": version}}


def replace(version: int, seat: int, cards: str) -> tuple[str, dict[str, Any]]:
    return kinds.CARDS_REPLACED, {"seat": seat, "cards": cards, "data": {"version": version}}


def dies(seat: int) -> tuple[str, dict[str, Any]]:
    return kinds.SEAT_DIED, {"seat": seat}


def good(*entries: Any) -> HandState:
    state, problem = replay(stream(*entries), RULES)
    assert problem is None, problem
    return state


def bad(*entries: Any) -> tuple[HandState, Problem]:
    state, problem = replay(stream(*entries), RULES)
    assert problem is not None
    return state, problem


# --- Moves ---


def test_cards_fill_rows_from_the_left() -> None:
    state = good((1, FIRST[1]), (2, FIRST[2]), (3, FIRST[3]), (1, SECOND[1]))
    # deuce of clubs 0; three 4, four 8, seven 20; five 12, six 16, eight 24; nine 28; empty 54
    assert state.boards[1] == [0, 54, 54, 4, 8, 20, 54, 54, 12, 16, 24, 54, 54]
    assert state.discards == {1: [28], 2: [], 3: []}
    assert [move.version for move in state.moves] == [2, 3, 4, 5]
    assert state.version == 5
    assert not state.complete


def test_a_state_without_moves_is_a_hand_that_has_begun() -> None:
    state = good()
    assert (state.completeness, state.complete, state.version) == ("full", False, 1)
    assert replay(stream(), RULES, "club", "1")[0].start == START


def test_out_of_turn_is_recorded_and_flagged() -> None:
    state = good((2, FIRST[2]), (1, FIRST[1]), (3, FIRST[3]), (3, SECOND[3]))
    assert [move.flags for move in state.moves] == [(OUT_OF_TURN,), (), (), (OUT_OF_TURN,)]


def test_a_seat_cannot_be_a_street_ahead() -> None:
    state, problem = bad((1, FIRST[1]), (2, FIRST[2]), (1, SECOND[1]))
    assert (problem.code, problem.path) == ("street-twice", "actions[2].cards")
    assert problem.message == "legal up to move 2; then seat 1 again, before seat 3 has moved in street 1"
    assert [move.seat for move in state.moves] == [1, 2]
    assert state.version == 3


def test_nobody_waits_for_a_dead_seat_wherever_its_death_stands() -> None:
    moves = [(1, FIRST[1]), (2, FIRST[2]), (1, SECOND[1]), (2, SECOND[2])]
    for entries in ([dies(3), *moves], [*moves, dies(3)]):
        state = good(*entries)
        assert state.dead == {3}
        assert [move.flags for move in state.moves] == [(), (), (), ()]


def test_nobody_waits_for_a_seat_in_fantasyland_and_it_is_never_out_of_turn() -> None:
    seats = (SEATS[0], SeatStart(2, "b", "b", None, 14), SEATS[2])
    start = HandStart("club", "1", RULES, 0, 1, None, None, None, None, 10_000, 3, seats, ())
    land = "2d2sAd/3d3s4d4s5d/6d6s7d7s8d"
    last = stream((1, FIRST[1]), (3, FIRST[3]), (1, SECOND[1]), (3, SECOND[3]), (2, land), start=start)
    first = stream((2, land + "|Ah"), (1, FIRST[1]), (3, FIRST[3]), start=start)
    for events in (last, first):
        state, problem = replay(events, RULES)
        assert problem is None
        assert all(move.flags == () for move in state.moves)
        assert 54 not in state.boards[2]


def test_the_legal_prefix_stands_beside_the_error() -> None:
    state, problem = bad((1, FIRST[1]), (2, FIRST[2]), (3, "2h/3h4h/5h2d"), (1, SECOND[1]))
    assert problem == Problem(
        "card-twice",
        "actions[2].cards",
        "legal up to move 2; then 2d, which seat 2 already holds",
        "2d",
    )
    assert len(state.moves) == 2
    assert state.boards[3] == [54] * 13
    assert state.version == 3


def test_a_refused_move_takes_no_card() -> None:
    # Top and middle would fit; the fourth card of the refused move must not be gone afterwards.
    state, problem = bad((1, FIRST[1]), (2, "Kd/3d4d/5d2c"))
    assert problem.found == "2c"
    assert state.boards[2] == [54] * 13


def test_two_decks_hold_a_card_twice_and_not_three_times() -> None:
    rules = PRESETS["two-deck"]
    start = HandStart("club", "1", rules, 0, 1, None, None, None, None, 10_000, 3, SEATS, ())
    twice = stream((1, "2c/2c3c/5c6c"), (2, "2d/3d4d/5d6d"), start=start)
    assert replay(twice, rules)[1] is None
    for third in (
        stream((1, "2c/2c2c/5c6c"), start=start),
        stream((1, "2c/2c3c/5c6c"), (2, "//2c3d4d5d6d"), start=start),
    ):
        problem = replay(third, rules)[1]
        assert problem is not None
        assert (problem.code, problem.found) == ("card-twice", "2c")


def test_a_rule_set_with_one_joker_has_no_second() -> None:
    from scoring.domain.rulesets import RuleSet, resolve

    rules = resolve({"base": "pineapple", "jokers": 1})
    assert isinstance(rules, RuleSet)
    start = HandStart("club", "1", rules, 0, 1, None, None, None, None, 10_000, 3, SEATS, ())
    assert replay(stream((1, "X1/3c4c/5c6c"), start=start), rules)[1] is None
    problem = replay(stream((1, "X2/3c4c/5c6c"), start=start), rules)[1]
    assert problem is not None
    assert problem.code == "card-outside-deck"


# --- The stream ---


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([], "hand-not-started"),
        ([Event(1, kinds.CARDS_PLACED, 1, FIRST[1])], "hand-not-started"),
        ([Event(2, kinds.HAND_STARTED)], "version-gap"),
        ([started(START), Event(3, kinds.CARDS_PLACED, 1, FIRST[1])], "version-gap"),
        ([started(START), Event(1, kinds.CARDS_PLACED, 1, FIRST[1])], "version-gap"),
        ([started(START), started(START, version=2)], "hand-started-twice"),
        ([started(START), Event(2, "cards-thrown", 1, FIRST[1])], "unknown-kind"),
        ([Event(1, kinds.HAND_STARTED, data={"rules": RULES.digest})], "bad-event"),
        ([Event(1, kinds.HAND_STARTED, data=None)], "rules-differ"),
        ([started(START)._replace(data={**(started(START).data or {}), "button": 4})], "button-empty"),
        ([started(START), Event(2, kinds.BOARDS_RECORDED)], "bad-event"),
        ([started(START), Event(2, kinds.SEAT_DIED, 4)], "seat-unknown"),
        ([started(START), Event(2, kinds.SEAT_DIED)], "seat-unknown"),
        ([started(START), Event(2, kinds.POINTS_RULED, data={"rulings": []})], "bad-event"),
        ([started(START), Event(2, kinds.POINTS_RULED, data={"rulings": [{"seat": 4}]})], "seat-unknown"),
        (
            [started(START), Event(2, kinds.POINTS_RULED, data={"rulings": [{"seat": 1, "points": 2.5}]})],
            "bad-event",
        ),
        (
            [started(START), Event(2, kinds.POINTS_RULED, data={"rulings": [{"seat": 1, "points": 5}]})],
            "rulings-not-zero",
        ),
    ],
)
def test_streams_that_are_refused(events: list[Event], code: str) -> None:
    state, problem = replay(events, RULES)
    assert problem is not None
    assert problem.code == code
    assert not state.complete


def test_a_hand_is_replayed_under_its_own_rules_only() -> None:
    problem = replay(stream(), PRESETS["classic"])[1]
    assert problem is not None
    assert problem.code == "rules-differ"


def test_the_rest_of_what_can_happen_to_a_hand() -> None:
    rulings = [{"seat": 1, "points": 5}, {"seat": 2, "points": -5, "chips": 0}]
    state = good(
        (kinds.POINTS_RULED, {"data": {"rulings": rulings, "reason": "ff"}}),
        (kinds.POINTS_RULED, {"data": {"rulings": [{"seat": 3, "points": -2}], "house": True}}),
        (kinds.NOTE_ADDED, {"data": {"text": "ff"}}),
        (kinds.HAND_CONFIRMED, {}),
        (kinds.HAND_LOCKED, {}),
        (kinds.HAND_VOIDED, {}),
    )
    assert [(one.seat, one.points, one.house) for one in state.rulings] == [
        (1, 5, False),
        (2, -5, False),
        (3, -2, True),
    ]
    assert (state.confirmed, state.locked, state.voided, state.version) == (True, True, True, 7)


def test_a_result_is_complete_when_it_names_every_seat_and_sums_to_zero() -> None:
    def claimed(*points: int) -> HandState:
        data = {str(seat): {"points": won} for seat, won in enumerate(points, 1)}
        return good((kinds.RESULT_RECORDED, {"data": data}))

    assert claimed(5, -3, -2).complete
    assert claimed(5, -3, -2).completeness == "result"
    assert not claimed(5, -3, -1).complete
    assert not claimed(5, -5).complete


# --- Corrections ---


def test_a_retracted_move_was_never_made() -> None:
    state = good((1, FIRST[1]), (2, FIRST[2]), retract(3), (2, FIRST[3]))
    assert [(move.version, move.seat) for move in state.moves] == [(2, 1), (5, 2)]
    assert state.boards[2][0] == 2  # the deuce of hearts
    assert state.version == 5


def test_a_retraction_that_is_retracted_brings_the_move_back() -> None:
    undone = [(1, FIRST[1]), (2, FIRST[2]), retract(3)]
    redone = [*undone, retract(4)]
    assert [move.version for move in good(*undone).moves] == [2]
    assert [move.version for move in good(*redone).moves] == [2, 3]
    assert [move.version for move in good(*redone, retract(5)).moves] == [2]
    assert good(*redone, retract(5)).version == 6


def test_a_long_row_of_undo_and_redo() -> None:
    entries: list[Any] = [(1, FIRST[1])]
    entries += [retract(2 + count) for count in range(1500)]
    assert [move.version for move in good(*entries).moves] == [2]
    assert good(*entries[:-1]).moves == []


def test_replaced_cards_stand_where_the_move_stood() -> None:
    state = good((1, FIRST[1]), (2, FIRST[2]), replace(2, 1, "2s/3s4s/5s6s"), (3, FIRST[1]))
    assert [move.version for move in state.moves] == [2, 3, 5]
    assert state.moves[0].flags == (REPLACED,)
    assert state.boards[1][0] == 3  # the deuce of spades
    state = good((1, FIRST[1]), replace(2, 1, "2s/3s4s/5s6s"), replace(2, 2, "Ks/3s4s/5s6s"))
    assert [(move.seat, move.placement.top) for move in state.moves] == [(2, (47,))]  # the last one holds


def test_a_retracted_replacement_leaves_the_first_cards() -> None:
    state = good((1, FIRST[1]), replace(2, 1, "2s/3s4s/5s6s"), retract(3))
    assert state.boards[1][0] == 0
    assert state.moves[0].flags == ()


def test_a_replaced_board() -> None:
    boards = {
        "1": "2c3c4c/5c6c7c8c9c/TcJcQcKcAc",
        "2": "2d3d4d/5d6d7d8d9d/TdJdQdKdAd",
        "3": "2h3h4h/5h6h7h8h9h/ThJhQhKhAh",
    }
    entries = (kinds.BOARDS_RECORDED, {"data": {"boards": boards}})
    assert good(entries).complete
    state = good(entries, replace(2, 3, "2s3s4s/5s6s7s8s9s/TsJsQsKsAs"))
    assert state.boards[3][0] == 3
    assert (state.completeness, state.complete) == ("boards", True)


def test_what_was_done_to_a_hand_can_be_undone() -> None:
    state = good(
        (kinds.HAND_VOIDED, {}), retract(2), dies(2), retract(4), (kinds.HAND_LOCKED, {}), retract(6)
    )
    assert (state.voided, state.dead, state.locked) == (False, set(), False)


@pytest.mark.parametrize(
    ("entries", "code", "version"),
    [
        ([retract(1)], "version-unknown", 1),  # a hand is voided, not unstarted
        ([retract(2)], "version-unknown", 1),  # itself
        ([retract(9)], "version-unknown", 1),
        ([retract(0)], "version-unknown", 1),
        ([(kinds.EVENT_RETRACTED, {})], "version-unknown", 1),
        ([(kinds.EVENT_RETRACTED, {"data": {"version": "2"}})], "version-unknown", 1),
        ([(1, FIRST[1]), retract(2), retract(2)], "already-retracted", 3),
        ([(1, FIRST[1]), retract(2), replace(2, 1, FIRST[2])], "already-retracted", 3),
        ([dies(1), replace(2, 1, FIRST[2])], "version-unknown", 2),
        # The redo of an undo whose move was undone once more in the meantime.
        ([(1, FIRST[1]), retract(2), retract(3), retract(2), retract(4)], "already-retracted", 5),
    ],
)
def test_corrections_that_correct_nothing(entries: list[Any], code: str, version: int) -> None:
    state, problem = bad(*entries)
    assert problem.code == code
    assert state.version == version


def test_a_correction_after_which_the_rest_is_not_legal_names_the_first_obstacle() -> None:
    moves = [(1, FIRST[1]), (2, FIRST[2]), (3, FIRST[3]), (1, SECOND[1])]
    state, problem = bad(*moves, retract(4))
    assert problem.code == "street-twice"
    assert problem.path == "actions[2].cards"
    state, problem = bad(*moves, replace(2, 1, "7c/3c4c/5c6c"))
    assert problem.message == "legal up to move 3; then 7c, which seat 1 already holds"
    assert len(state.moves) == 3
