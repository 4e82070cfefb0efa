"""A document becomes events, the events a state, the state the same document again."""

import json
from typing import Any

import pytest

from scoring.domain import events as kinds
from scoring.domain.document import content_digest, extra_json
from scoring.domain.events import Event
from scoring.domain.hand import HandState
from scoring.domain.interchange import (
    HandDocument,
    compare,
    document_of,
    events_of,
    play,
    read_hand,
    write_line,
)
from tests.hands import random_hands
from tests.shared import shared_file

ANNA = "0b9f2f9e-2d7c-4a57-9f9e-000000000001"
# As a writer writes it: the expected bytes of the round trip.
WRITTEN = (
    '{"format":"ofc-hand/1","source":"home-club","hand":"T1-0042",'
    '"rules":{"base":"pokerbros-joker","cap":"running"},"played_at":"2026-11-29T19:15:00.25Z","number":42,'
    '"tournament":"thu-48","tournament_name":"Thursday","table":"T1","set":3,"stake":"0.5","button":7,'
    f'"seats":[{{"seat":2,"player":"Zoë","player_id":"{ANNA}","stack":"200"}},'
    '{"seat":7,"player":"bo","stack":"12.5","fantasyland":14}],'
    '"pair_stakes":[{"seats":[7,2],"stake":"10"}],'
    '"actions":[{"seat":2,"cards":"X1/2c3c/KdKh"},'
    '{"seat":7,"cards":"9s9hAd/JcJd4s4h8c/TcTdThQcQd|2h"},'
    '{"seat":2,"cards":"Ac/2d/|6h","auto":true,"at":"2026-11-29T19:16:00Z","think_ms":1200}],'
    '"dead":[2],"claimed":{"2":{"points":-9,"chips":"-12.5","foul":true,"next_fantasyland":0},"7":{"points":9}},'
    '"extra":{"a":1.5,"b":{"c":"d","z":null}}}\n'
).encode()
# The same hand as somebody else writes it.
OTHERWISE: dict[str, Any] = {
    "extra": {"b": {"z": None, "c": "d"}, "a": 1.5},
    "claimed": {
        "7": {"points": 9},
        "2": {"foul": True, "chips": "-12.50", "points": -9, "next_fantasyland": 0},
    },
    "dead": [2],
    "actions": [
        {"seat": 2, "cards": "joker/2c3c/K♦kh", "auto": False},
        {"cards": "9s9hAd/JcJd4s4h8c/10cTdThQcQd|2h", "seat": 7},
        {
            "seat": 2,
            "cards": "Ac / 2d / | 6h",
            "auto": True,
            "at": "2026-11-29T20:16:00+01:00",
            "think_ms": 1200,
        },
    ],
    "pair_stakes": [{"seats": [7, 2], "stake": 10}],
    "seats": [
        {"seat": 7, "player": "bo", "stack": "12.5000", "fantasyland": 14},
        {"seat": 2, "player": "Zoë", "player_id": ANNA.upper(), "stack": 200, "fantasyland": 0},
    ],
    "button": 7,
    "stake": "0.5",
    "set": 3,
    "table": "T1",
    "tournament": "thu-48",
    "tournament_name": "Thursday",
    "number": 42,
    "played_at": "2026-11-29T20:15:00.250+01:00",
    "rules": {"cap": "running", "base": "pokerbros-joker"},
    "hand": "T1-0042",
    "source": "home-club",
    "format": "ofc-hand/1",
}


def read(line: bytes) -> HandDocument:
    document = read_hand(line)
    assert isinstance(document, HandDocument), document
    return document


def written_again(line: bytes) -> bytes:
    document = read(line)
    played = play(document)
    assert isinstance(played, tuple), played
    return write_line(document_of(played[1], document.extra))


def test_what_a_writer_wrote_comes_back_byte_for_byte() -> None:
    assert written_again(WRITTEN) == WRITTEN


def test_what_anybody_wrote_comes_back_in_the_writers_form() -> None:
    line = json.dumps(OTHERWISE).encode()
    assert written_again(line) == WRITTEN
    assert content_digest(read(line)) == content_digest(read(WRITTEN))
    assert compare(read(line), read(WRITTEN)) == []


def test_random_hands_come_back_the_same() -> None:
    for hand in random_hands(7, 200):
        line = json.dumps(hand).encode()
        once = written_again(line)
        assert written_again(once) == once
        assert compare(read(line), read(once)) == []
        assert content_digest(read(line)) == content_digest(read(once))


@pytest.mark.parametrize("name", ["vectors.ndjson", "arena.ndjson"])
def test_every_handed_hand_comes_back_the_same(name: str) -> None:
    for line in shared_file(name).read_bytes().splitlines():
        hand = json.loads(line)
        line = json.dumps(hand.get("hand") if name == "vectors.ndjson" else hand).encode()
        once = written_again(line)
        assert written_again(once) == once
        assert compare(read(line), read(once)) == []


def test_an_import_writes_its_events_in_one_order() -> None:
    document = read(WRITTEN)
    events = events_of(document, lambda index: f"alias-{index}", actor="import", extra_hash="ff")
    assert [event.kind for event in events] == [
        kinds.HAND_STARTED,
        *[kinds.CARDS_PLACED] * 3,
        kinds.SEAT_DIED,
        kinds.RESULT_RECORDED,
        kinds.NOTE_ADDED,
    ]
    assert [event.version for event in events] == [1, 2, 3, 4, 5, 6, 7]
    assert {event.actor for event in events} == {"import"}
    played_at = 1_795_979_700_250_000  # 2026-11-29T19:15:00.25Z
    assert events[0].data == {
        "rules": document.rules.digest,
        "stake": 5000,
        "button": 7,
        "number": 42,
        "tournament": "thu-48",
        "tournament_name": "Thursday",
        "table": "T1",
        "set": 3,
        "seats": [
            {"seat": 2, "alias": "alias-0", "stack": 2_000_000},
            {"seat": 7, "alias": "alias-1", "stack": 125_000, "fantasyland": 14},
        ],
        "pair_stakes": [{"seats": [7, 2], "stake": 100_000}],
    }
    assert events[0].happened_at == played_at
    assert events[1] == Event(2, kinds.CARDS_PLACED, 2, "X1/2c3c/KdKh", actor="import")
    assert events[3].data == {"auto": True, "think_ms": 1200}
    assert events[3].happened_at == played_at + 59_750_000
    assert events[4].seat == 2
    claim = {"points": -9, "chips": -125_000, "foul": True, "next_fantasyland": 0}
    assert events[5].data == {"2": claim, "7": {"points": 9}}
    assert events[6].data == {"extra": "ff"}


def test_boards_and_claims_without_cards_have_events_of_their_own() -> None:
    hand = json.loads(WRITTEN)
    del hand["actions"]
    hand["boards"] = {"7": "9s9hAd/JcJd4s4h8c/TcTdThQcQd", "2": "//"}
    document = read(json.dumps(hand).encode())
    events = events_of(document)
    assert [event.kind for event in events][1:] == [
        kinds.BOARDS_RECORDED,
        kinds.SEAT_DIED,
        kinds.RESULT_RECORDED,
    ]
    assert events[1].data == {"boards": {"7": "9s9hAd/JcJd4s4h8c/TcTdThQcQd"}}
    del hand["boards"], hand["dead"]
    state = _state(hand)
    assert (state.completeness, state.complete) == ("result", True)


def _state(hand: dict[str, Any]) -> HandState:
    played = play(read(json.dumps(hand).encode()))
    assert isinstance(played, tuple), played
    return played[1]


def test_other_claims_and_extra_are_the_same_hand_again() -> None:
    hand = json.loads(WRITTEN)
    hand["claimed"] = {"2": {"points": 5}}
    hand["extra"] = {"other": True}
    again = read(json.dumps(hand).encode())
    assert compare(read(WRITTEN), again) == []
    assert content_digest(again) == content_digest(read(WRITTEN))


@pytest.mark.parametrize(
    ("change", "path", "found", "expected"),
    [
        ({"played_at": "2026-11-29T19:15:01Z"}, "played_at", 1_795_979_701_000_000, 1_795_979_700_250_000),
        ({"number": 43}, "number", 43, 42),
        ({"table": "T2"}, "table", "T2", "T1"),
        ({"stake": "1"}, "stake", 10_000, 5_000),
        ({"button": 2}, "button", 2, 7),
        ({"dead": [2, 7]}, "dead", [2, 7], [2]),
        (
            {"rules": "pokerbros-joker"},
            "rules",
            "pokerbros-joker",
            {"base": "pokerbros-joker", "cap": "running"},
        ),
        ({"pair_stakes": []}, "pair_stakes", [], [[2, 7, 100_000]]),
    ],
)
def test_anything_else_is_a_conflict_named_by_its_field(
    change: dict[str, Any], path: str, found: Any, expected: Any
) -> None:
    again = read(json.dumps(json.loads(WRITTEN) | change).encode())
    [problem] = compare(read(WRITTEN), again)
    assert (problem.code, problem.path) == ("field-differs", path)
    assert (problem.found, problem.expected) == (found, expected)
    assert content_digest(again) != content_digest(read(WRITTEN))


def test_conflicts_in_seats_and_moves_name_their_place() -> None:
    hand = json.loads(WRITTEN)
    hand["seats"][1] |= {"player": "bob", "stack": "12"}
    hand["actions"][0]["cards"] = "X2/2c3c/KdKh"
    del hand["actions"][2]
    problems = compare(read(WRITTEN), read(json.dumps(hand).encode()))
    assert [problem.path for problem in problems] == [
        "seats.7.player",
        "seats.7.stack",
        "actions[0].cards",
        "actions[2]",
    ]


def test_a_player_is_known_by_his_identity_before_his_name() -> None:
    hand = json.loads(WRITTEN)
    hand["seats"][0]["player"] = "Zoe"
    assert compare(read(WRITTEN), read(json.dumps(hand).encode())) == []
    del hand["seats"][0]["player_id"]
    [problem] = compare(read(WRITTEN), read(json.dumps(hand).encode()))
    assert problem.path == "seats.2.player"


def test_extra_has_one_text_whatever_the_order_of_its_keys() -> None:
    assert extra_json({"b": 1, "a": {"d": 2, "c": 3}}) == '{"a":{"c":3,"d":2},"b":1}'
