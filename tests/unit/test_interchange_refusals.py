"""Every kind of bad input that one document can hold: a code and a place for each (design section 6)."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from scoring.domain.errors import CODES, Problem
from scoring.domain.interchange import HandDocument, play, read_hand

Change = Callable[[dict[str, Any]], Any]

# Three seats of pineapple; seat 5 is in Fantasyland; seat 2 is first to act.
GOOD: dict[str, Any] = {
    "format": "ofc-hand/1",
    "source": "home-club",
    "hand": "T1-0042",
    "rules": {"base": "pineapple", "cap": "running"},
    "played_at": "2026-11-29T19:15:00Z",
    "number": 42,
    "tournament": "thu-48",
    "table": "T1",
    "set": 3,
    "stake": "1",
    "button": 1,
    "seats": [
        {"seat": 1, "player": "anna", "stack": "200"},
        {"seat": 2, "player": "bo", "stack": "180.5"},
        {"seat": 5, "player": "cy", "fantasyland": 14},
    ],
    "actions": [
        {"seat": 2, "cards": "2c/3c3d/4c4d"},
        {"seat": 5, "cards": "5c6c7d/8c8d9c9dTc/TdJcJdQcQd|Ah"},
        {"seat": 1, "cards": "2d/3h3s/4h4s"},
        {"seat": 2, "cards": "/5d/6d|7c"},
        {"seat": 1, "cards": "/5h/6h|7h"},
        {"seat": 2, "cards": "8h/8s/|9h"},
        {"seat": 1, "cards": "9s/Th/|Ts"},
        {"seat": 2, "cards": "/Jh/Js|Qh"},
        {"seat": 1, "cards": "/Qs/Kc|??"},
        {"seat": 2, "cards": "Kd//Kh|Ks"},
        {"seat": 1, "cards": "Ac//Ad|As"},
    ],
    "claimed": {"1": {"points": 0, "chips": "0", "foul": False, "next_fantasyland": 0}},
}


def problem_of(change: Change) -> Problem | None:
    """What is wrong with the good hand after a change."""
    document = copy.deepcopy(GOOD)
    change(document)
    return problem_in(json.dumps(document).encode())


def problem_in(line: bytes) -> Problem | None:
    document = read_hand(line)
    if isinstance(document, Problem):
        return document
    played = play(document)
    return played if isinstance(played, Problem) else None


def put(path: str, value: Any) -> Change:
    """Set the value at a dotted path."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]

    def change(document: dict[str, Any]) -> None:
        target: Any = document
        for step in steps:
            # Objects that are keyed by seat have text keys.
            target = target[str(step)] if isinstance(target, dict) else target[step]
        target[str(last) if isinstance(target, dict) else last] = value

    return change


def drop(key: str) -> Change:
    return lambda document: document.pop(key)


def both(*changes: Change) -> Change:
    return lambda document: [change(document) for change in changes]


def boards(**written: str) -> Change:
    """Final boards instead of moves, by seat: `s1="..."`."""
    return both(drop("actions"), put("boards", {key[1:]: cards for key, cards in written.items()}))


FULL_1, FULL_2 = "2d9sAc/3h3s5hThQs/4h4s6hKcAd", "2c8hKd/3c3d5d8sJh/4c4d6dJsKh"
FULL_5 = "5c6c7d/8c8d9c9dTc/TdJcJdQcQd"


def test_the_hand_is_good_before_it_is_changed() -> None:
    assert problem_of(lambda document: None) is None
    assert problem_of(boards(s1=FULL_1, s2=FULL_2, s5=FULL_5)) is None


FACTS: list[tuple[str, Change, str, str]] = [
    ("no format", drop("format"), "missing-key", "format"),
    ("another version", put("format", "ofc-hand/2"), "unknown-format", "format"),
    ("another format", put("format", "ofc-result/1"), "unknown-format", "format"),
    ("no source", drop("source"), "missing-key", "source"),
    ("no hand", drop("hand"), "missing-key", "hand"),
    ("no rules", drop("rules"), "missing-key", "rules"),
    ("no time", drop("played_at"), "missing-key", "played_at"),
    ("no button", drop("button"), "missing-key", "button"),
    ("no seats", drop("seats"), "missing-key", "seats"),
    ("a seat without number", put("seats.1", {"player": "bo"}), "missing-key", "seats[1].seat"),
    ("a seat without player", put("seats.1", {"seat": 2}), "missing-key", "seats[1].player"),
    ("an unknown key", put("stakes", "1"), "unknown-key", "stakes"),
    ("an unknown key in a seat", put("seats.1.name", "bo"), "unknown-key", "seats[1].name"),
    ("an unknown key in a move", put("actions.3.card", "As"), "unknown-key", "actions[3].card"),
    ("an unknown key in a claim", put("claimed.1.point", 1), "unknown-key", "claimed.1.point"),
    ("null", put("table", None), "wrong-type", "table"),
    ("a number for a text", put("hand", 42), "wrong-type", "hand"),
    ("a text for a seat", put("seats.0.seat", "1"), "wrong-type", "seats[0].seat"),
    ("true for a number", put("number", True), "wrong-type", "number"),
    ("a float for a number", put("number", 42.0), "wrong-type", "number"),
    ("a list for an object", put("claimed", []), "wrong-type", "claimed"),
    ("a text for a claim", put("claimed.1", "39"), "wrong-type", "claimed.1"),
    ("a text for points", put("claimed.1.points", "39"), "wrong-type", "claimed.1.points"),
    ("an empty name", put("seats.0.player", ""), "bad-text", "seats[0].player"),
    ("a blank name", put("seats.0.player", " "), "bad-text", "seats[0].player"),
    ("a NUL in a name", put("seats.0.player", "an\x00na"), "bad-text", "seats[0].player"),
    ("a line break in a key", put("hand", "a\nb"), "bad-text", "hand"),
    ("a blank hand", put("hand", "  "), "bad-text", "hand"),
    ("a long name", put("source", "x" * 201), "bad-text", "source"),
    ("a NUL in extra", put("extra", {"a": "\x00"}), "bad-text", "extra"),
    ("extra is no object", put("extra", [1]), "wrong-type", "extra"),
    ("no UUID", put("seats.0.player_id", "anna"), "bad-uuid", "seats[0].player_id"),
    ("a naive time", put("played_at", "2026-11-29T19:15:00"), "bad-date", "played_at"),
    ("a day only", put("played_at", "2026-11-29"), "bad-date", "played_at"),
    ("no such day", put("played_at", "2026-02-30T00:00:00Z"), "bad-date", "played_at"),
    ("a time as number", put("played_at", 1790000000), "bad-date", "played_at"),
    ("a time long ago", put("played_at", "0001-01-01T00:00:00+05:00"), "bad-date", "played_at"),
    ("a time far ahead", put("played_at", "9999-12-31T23:59:59-05:00"), "bad-date", "played_at"),
    ("a bad time of a move", put("actions.2.at", "19:15"), "bad-date", "actions[2].at"),
    ("unknown rules", put("rules", "omaha"), "unknown-rules", "rules"),
    ("unknown base", put("rules", {"base": "omaha"}), "unknown-rules", "rules.base"),
    ("rules of another type", put("rules", 5), "bad-option", "rules"),
    ("unknown option", put("rules.mooon", 20), "unknown-option", "rules.mooon"),
    ("another value", put("rules.moon", 10), "bad-option", "rules.moon"),
    (
        "options that do not go together",
        put("rules", {"base": "set-27", "jokers": 2}),
        "options-conflict",
        "rules.jokers",
    ),
    ("a float as stake", put("stake", 0.5), "bad-amount", "stake"),
    ("a negative stake", put("stake", "-1"), "amount-negative", "stake"),
    ("a stake too precise", put("stake", "0.00001"), "amount-precision", "stake"),
    ("a huge stake", put("stake", 10**40), "amount-too-large", "stake"),
    ("a stake in words", put("stake", "one"), "bad-amount", "stake"),
    ("a negative stack", put("seats.1.stack", -5), "amount-negative", "seats[1].stack"),
    ("a float as stack", put("seats.1.stack", 1.0), "bad-amount", "seats[1].stack"),
    ("chips too precise", put("claimed.1.chips", "1.23456"), "amount-precision", "claimed.1.chips"),
    ("seat zero", put("seats.0.seat", 0), "out-of-range", "seats[0].seat"),
    ("seat 100", put("seats.0.seat", 100), "out-of-range", "seats[0].seat"),
    ("a negative number", put("number", -1), "out-of-range", "number"),
    ("a number beyond all", put("set", 10**30), "out-of-range", "set"),
    ("points beyond all", put("claimed.1.points", 10**9), "out-of-range", "claimed.1.points"),
    ("a seat twice", put("seats.1.seat", 1), "seat-twice", "seats[1].seat"),
    ("a player twice", put("seats.1.player", "anna"), "player-twice", "seats[1].player"),
    ("one seat", put("seats", [{"seat": 1, "player": "anna"}]), "seat-count", "seats"),
    (
        "too many seats",
        put("seats", [{"seat": n, "player": f"p{n}"} for n in range(1, 5)]),
        "seat-count",
        "seats",
    ),
    ("an empty button", put("button", 3), "button-empty", "button"),
    (
        "Fantasyland the deal has not",
        put("seats.2.fantasyland", 13),
        "fantasyland-cards",
        "seats[2].fantasyland",
    ),
    (
        "pair stakes of a stranger",
        put("pair_stakes", [{"seats": [1, 4], "stake": 1}]),
        "seat-unknown",
        "pair_stakes[0].seats",
    ),
    (
        "pair stakes of one seat",
        put("pair_stakes", [{"seats": [1, 1], "stake": 1}]),
        "bad-pair",
        "pair_stakes[0].seats",
    ),
    (
        "pair stakes twice",
        put("pair_stakes", [{"seats": [1, 2], "stake": 1}, {"seats": [2, 1], "stake": 2}]),
        "pair-twice",
        "pair_stakes[1].seats",
    ),
    (
        "pair stakes of three",
        put("pair_stakes", [{"seats": [1, 2, 5], "stake": 1}]),
        "out-of-range",
        "pair_stakes[0].seats",
    ),
    (
        "a bad pair stake",
        put("pair_stakes", [{"seats": [1, 2], "stake": 0.1}]),
        "bad-amount",
        "pair_stakes[0].stake",
    ),
    ("a stranger dead", put("dead", [3]), "seat-unknown", "dead[0]"),
    ("dead twice", put("dead", [2, 2]), "seat-twice", "dead[1]"),
    ("a stranger's claim", put("claimed.3", {"points": 1}), "seat-unknown", "claimed.3"),
    ("a claim of no seat", put("claimed.one", {"points": 1}), "seat-unknown", "claimed.one"),
    (
        "a claim of seat 01",
        lambda d: d["claimed"].update({"01": {"points": 1}}),
        "seat-unknown",
        "claimed.01",
    ),
    ("nothing recorded", both(drop("actions"), drop("claimed")), "nothing-recorded", ""),
    ("no moves in the list", both(put("actions", []), drop("claimed")), "nothing-recorded", ""),
    ("moves and boards", put("boards", {"1": FULL_1}), "actions-and-boards", "boards"),
    ("a claim of one seat alone", drop("actions"), "claim-incomplete", "claimed.2.points"),
    (
        "a claim that does not sum to zero",
        both(drop("actions"), put("claimed", {"1": {"points": 3}, "2": {"points": -2}, "5": {"points": 0}})),
        "claim-not-zero",
        "claimed",
    ),
]


@pytest.mark.parametrize(
    ("change", "code", "path"), [case[1:] for case in FACTS], ids=[case[0] for case in FACTS]
)
def test_facts_that_are_refused(change: Change, code: str, path: str) -> None:
    problem = problem_of(change)
    assert problem is not None
    assert (problem.code, problem.path) == (code, path)
    assert code in CODES
    json.dumps(problem.as_dict())


MOVES: list[tuple[str, Change, str, str]] = [
    ("no placement", put("actions.3.cards", "5d6d"), "bad-placement", "actions[3].cards"),
    ("no card", put("actions.3.cards", "/5z/6d"), "card-unknown", "actions[3].cards"),
    ("cards of a stranger", put("actions.3.seat", 3), "seat-unknown", "actions[3].seat"),
    ("a card that another holds", put("actions.3.cards", "/5d/2d|7c"), "card-twice", "actions[3].cards"),
    ("a card that was thrown away", put("actions.4.cards", "/5h/7c|7h"), "card-twice", "actions[4].cards"),
    ("a discard that lies", put("actions.4.cards", "/5h/6h|2c"), "card-twice", "actions[4].cards"),
    ("a card twice in one move", put("actions.3.cards", "/5d/5d|7c"), "card-twice", "actions[3].cards"),
    ("a joker without jokers", put("actions.3.cards", "/X1/6d|7c"), "card-outside-deck", "actions[3].cards"),
    ("a row over its size", put("actions.5.cards", "//9h8h|8s"), "row-full", "actions[7].cards"),
    ("too few cards", put("actions.3.cards", "/5d/|7c"), "wrong-card-count", "actions[3].cards"),
    ("too many cards", put("actions.3.cards", "/5d7c/6d"), "wrong-card-count", "actions[3].cards"),
    ("no cards", put("actions.3.cards", "//"), "wrong-card-count", "actions[3].cards"),
    ("too many discards", put("actions.3.cards", "/5d/6d|7c??"), "wrong-discard-count", "actions[3].cards"),
    (
        "12 cards in Fantasyland",
        put("actions.1.cards", "5c6c/8c8d9c9dTc/TdJcJdQcQd|Ah"),
        "wrong-card-count",
        "actions[1].cards",
    ),
    ("2 discards of 14", put("actions.1.cards", FULL_5 + "|AhAs"), "wrong-discard-count", "actions[1].cards"),
    (
        "a move after a full board",
        lambda d: d["actions"].append({"seat": 2, "cards": "//9c|9d"}),
        "board-full",
        "actions[11].cards",
    ),
    (
        "Fantasyland twice",
        lambda d: d["actions"].append({"seat": 5, "cards": "//9c"}),
        "board-full",
        "actions[11].cards",
    ),
    (
        "two moves in one street",
        lambda d: d["actions"].insert(1, {"seat": 2, "cards": "/Ah/Ts"}),
        "street-twice",
        "actions[1].cards",
    ),
    ("a live seat that lacks cards", lambda d: d["actions"].pop(), "board-incomplete", "actions"),
    ("a live seat that never moved", lambda d: d["actions"].pop(1), "board-incomplete", "actions"),
    (
        "a board that lacks cards",
        boards(s1=FULL_1, s2="2c8hKd/3c3d5d8sJh/4c4d6dJs", s5=FULL_5),
        "board-incomplete",
        "boards.2",
    ),
    ("a board that is missing", boards(s1=FULL_1, s2=FULL_2), "board-incomplete", "boards.5"),
    ("a board of a stranger", boards(s1=FULL_1, s2=FULL_2, s4=FULL_5), "seat-unknown", "boards.4"),
    ("a board row over its size", boards(s1="2d9sAcAs/3h3s5hThQs/4h4s6hKcAd"), "row-full", "boards.1"),
    ("a card on two boards", boards(s1=FULL_1, s2=FULL_1), "card-twice", "boards.2"),
    ("a board that is no placement", boards(s1="2d9sAc"), "bad-placement", "boards.1"),
    ("discards of a board", boards(s1=FULL_1 + "|Ts"), "wrong-discard-count", "boards.1"),
]


@pytest.mark.parametrize(
    ("change", "code", "path"), [case[1:] for case in MOVES], ids=[case[0] for case in MOVES]
)
def test_moves_that_are_refused(change: Change, code: str, path: str) -> None:
    problem = problem_of(change)
    assert problem is not None
    assert (problem.code, problem.path) == (code, path)
    json.dumps(problem.as_dict())


def test_the_message_names_the_move_and_the_holder() -> None:
    problem = problem_of(put("actions.3.cards", "/5d/2d|7c"))
    assert problem is not None
    assert problem.message == "legal up to move 3; then 2d, which seat 1 already holds"
    assert problem.found == "2d"
    problem = problem_of(put("actions.4.cards", "/5h/7c|7h"))
    assert problem is not None
    assert problem.message == "legal up to move 4; then 7c, which seat 2 has discarded"


# --- Lines ---

LINE = json.dumps(GOOD).encode()


@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        (b"", "broken-json", ""),
        (b"nonsense", "broken-json", ""),
        (LINE[:-1], "broken-json", ""),
        (LINE + b" {}", "broken-json", ""),
        (LINE.replace(b'"1"', b"NaN", 1), "broken-json", ""),
        (LINE.replace(b"anna", b"an\x00na"), "broken-json", ""),
        (LINE.replace(b"anna", b"an\xffna"), "not-utf8", ""),
        (LINE.replace(b"anna", b"\\ud800"), "bad-text", ""),
        (bytes(range(256)), "not-utf8", ""),
        (b"\x1f\x8b\x08\x00junk", "not-utf8", ""),
        (b"\x00" * 100, "broken-json", ""),
        (b"[1]", "wrong-type", ""),
        (b'"text"', "wrong-type", ""),
        (b"17", "wrong-type", ""),
        (b"null", "wrong-type", ""),
        (b"[" * 100_000, "nested-too-deep", ""),
        (b'{"extra":' * 100_000, "nested-too-deep", ""),
        (LINE[:-1] + b', "extra": ' + b"[" * 40 + b"]" * 40 + b"}", "nested-too-deep", "extra"),
        (LINE[:-1] + b', "extra": {"a":' + b"[" * 5000 + b"]" * 5000 + b"}}", "nested-too-deep", ""),
        (LINE[:-1] + b', "extra": {"a": 1e999}}', "out-of-range", "extra"),
        (LINE[:-1] + b', "extra": {"a": ' + b"9" * 5000 + b"}}", "out-of-range", "extra"),
        (LINE[:-1] + b', "number": ' + b"9" * 5000 + b"}", "out-of-range", ""),
        (LINE[:-1] + b', "extra": {"a": "' + b"x" * (1 << 20) + b'"}}', "line-too-long", ""),
        (LINE[:-1] + b', "stake": "2"}', "key-twice", "stake"),
        (LINE[:-1] + b' , "stake" : "2"}', "key-twice", "stake"),
        (LINE[:-1] + b', "st\\u0061ke": "2"}', "key-twice", "stake"),
        (LINE.replace(b'"seat": 2,', b'"seat": 2, "seat": 1,', 1), "key-twice", "seats[1].seat"),
        (LINE.replace(b'"cap":', b'"cap": "none", "cap":'), "key-twice", "rules.cap"),
        (LINE.replace(b'"points": 0', b'"points": 0, "points": 1'), "key-twice", "claimed.1.points"),
        (LINE[:-1] + b', "extra": {"a": {"b": 1, "b": 2}}}', "key-twice", "extra.a.b"),
        (b'{"format": "ofc-hand/3", "shape": "new"}', "unknown-format", "format"),
        (b"{}", "missing-key", "format"),
    ],
    ids=lambda value: repr(value[-24:]) if isinstance(value, bytes) else None,
)
def test_lines_that_are_refused(line: bytes, code: str, path: str) -> None:
    problem = problem_in(line)
    assert problem is not None
    assert (problem.code, problem.path) == (code, path)
    json.dumps(problem.as_dict())


def test_what_is_accepted_though_it_looks_unusual() -> None:
    for line in (
        b"\xef\xbb\xbf" + LINE,
        LINE + b"\r\n",
        json.dumps(GOOD, indent=2).encode(),
        json.dumps(GOOD, separators=(",", ":")).encode(),
        LINE.replace(b"19:15:00Z", b"21:15:00+02:00"),
        LINE.replace(b"anna", b"\\u0061nna"),
        LINE.replace(b'"stake": "1"', b'"stake": 1'),
        LINE.replace(b'"stake": "1"', b'"stake": "1.0000"'),
    ):
        document = read_hand(line)
        assert isinstance(document, HandDocument), document
        assert document == read_hand(LINE)


def test_two_persons_of_one_name_are_told_apart_by_their_identities() -> None:
    first, second = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    names = both(put("seats.0.player", "bo"), put("seats.0.player_id", first))
    assert problem_of(both(names, put("seats.1.player_id", second))) is None
    for again in (names, both(names, put("seats.1.player_id", first))):
        problem = problem_of(again)
        assert problem is not None
        assert problem.code == "player-twice"


@pytest.mark.parametrize(
    ("players", "button", "good"),
    [
        ("anna bo bo", 5, True),  # anna acts first, then bo's two hands, the later on the button
        ("bo anna bo", 1, True),  # left of the button: anna at 2, bo at 5, bo at 1
        ("bo bo anna", 2, True),
        ("anna bo bo", 2, False),  # the button is the earlier of the two
        ("anna bo bo", 1, False),  # the button plays one hand
        ("anna bo cy", 5, False),
        ("bo bo bo", 5, False),
    ],
)
def test_in_the_two_hands_game_the_button_plays_the_last_two(players: str, button: int, good: bool) -> None:
    seats = [
        {"seat": seat, "player": player} for seat, player in zip((1, 2, 5), players.split(), strict=True)
    ]
    problem = problem_of(both(put("rules", "heads-up-two-hands"), put("seats", seats), put("button", button)))
    codes = {None, "street-twice", "wrong-card-count"} if good else {"two-hands"}
    assert (problem.code if problem else None) in codes


def test_the_two_hands_of_one_player_have_no_stake_between_them() -> None:
    seats = [{"seat": 1, "player": "anna"}, {"seat": 2, "player": "bo"}, {"seat": 5, "player": "bo"}]
    pair = put("pair_stakes", [{"seats": [2, 5], "stake": 1}])
    rules = both(put("rules", "heads-up-two-hands"), put("seats", seats), put("button", 5), pair)
    problem = problem_of(rules)
    assert problem is not None
    assert problem.code == "bad-pair"


def test_a_third_seat_needs_no_stack_under_a_cap() -> None:
    assert "stack" not in GOOD["seats"][2]
    document = read_hand(LINE)
    assert isinstance(document, HandDocument)
    assert [seat.stack for seat in document.seats] == [2_000_000, 1_805_000, None]
