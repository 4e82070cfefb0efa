"""Every kind of bad input of design section 6 through the real command, the rest of the file going on."""

import base64
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ofc_hub.clubs.models import Player
from ofc_hub.hands.models import Hand
from ofc_hub.imports.refused import LONGEST_LINE, default_report
from scoring.domain.events import GENESIS, Event, chain
from scoring.domain.rulesets import PRESETS, as_data
from tests.imports import assert_whole, import_file, import_lines, line_of, sample_hands

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]

Document = dict[str, Any]

# Pineapple for two; seat 1 acts first. Move 4 of the list (from 0) is seat 1's third.
HAND: Document = {
    "format": "ofc-hand/1",
    "source": "bad",
    "hand": "bad-1",
    "rules": "pineapple",
    "played_at": "2026-11-29T19:15:00Z",
    "stake": "1",
    "button": 2,
    "seats": [{"seat": 1, "player": "Badger"}, {"seat": 2, "player": "Bedbug"}],
    "actions": [
        {"seat": 1, "cards": "2c/3c3d/4c4d"},
        {"seat": 2, "cards": "2d/3h3s/4h4s"},
        {"seat": 1, "cards": "/5d/6d|7c"},
        {"seat": 2, "cards": "/5h/6h|7h"},
        {"seat": 1, "cards": "8h/8s/|9h"},
        {"seat": 2, "cards": "9s/Th/|Ts"},
        {"seat": 1, "cards": "/Jh/Js|Qh"},
        {"seat": 2, "cards": "/Qs/Kc|??"},
        {"seat": 1, "cards": "Kd//Kh|Ks"},
        {"seat": 2, "cards": "Ac//Ad|As"},
    ],
}


def changed(change: Callable[[Document], Any]) -> bytes:
    document = copy.deepcopy(HAND)
    change(document)
    return line_of(document)


def cards(place: int, text: str) -> bytes:
    return changed(lambda hand: hand["actions"][place].update(cards=text))


def given(**values: Any) -> bytes:
    return changed(lambda hand: hand.update(values))


def moves(change: Callable[[list[Document]], Any]) -> bytes:
    return changed(lambda hand: change(hand["actions"]))


def seats(change: Callable[[list[Document]], Any]) -> bytes:
    return changed(lambda hand: change(hand["seats"]))


def archive_of(count: int, name: str) -> bytes:
    """A stream of the log, sound but for the people it is about: all of one name, from as many sources."""
    identities = [f"00000000-0000-4000-8000-{number:012d}" for number in range(count)]
    people = [
        {"id": one, "source": f"s{one}", "name": one[-5:], "player": {"id": one, "name": name}}
        for one in identities
    ]
    note = Event(1, "note-added", None, "", {}, "", None, None, 1)
    digest = chain(GENESIS, "hand", "bad", "bad-1", note).hex()
    return line_of(
        {
            "format": "ofc-events/1",
            "kind": "hand",
            "source": "bad",
            "key": "bad-1",
            "rules": as_data(PRESETS["pineapple"]),
            "aliases": people,
            "events": [{"version": 1, "kind": "note-added", "data": {}, "digest": digest}],
        }
    )


BAD: list[tuple[str, bytes, str, str]] = [
    ("a card twice", cards(4, "8h/5h/|9h"), "card-twice", "actions[4].cards"),
    ("a card outside the deck", cards(4, "8h/X1/|9h"), "card-outside-deck", "actions[4].cards"),
    ("no card", cards(4, "8h/8z/|9h"), "card-unknown", "actions[4].cards"),
    ("no placement", cards(4, "8h8s"), "bad-placement", "actions[4].cards"),
    ("a row over its size", cards(0, "2c2h8c8d//4c"), "row-full", "actions[0].cards"),
    ("a card too few for the street", cards(4, "8h//|9h"), "wrong-card-count", "actions[4].cards"),
    ("a card too many for the street", cards(4, "8h/8s/9h"), "wrong-card-count", "actions[4].cards"),
    ("too many discards", cards(4, "8h/8s/|9h9c"), "wrong-discard-count", "actions[4].cards"),
    (
        "a move after a full board",
        moves(lambda all_moves: all_moves.append({"seat": 1, "cards": "/7d/7s|9c"})),
        "board-full",
        "actions[10].cards",
    ),
    (
        "a move of an unknown seat",
        moves(lambda all_moves: all_moves[4].update(seat=5)),
        "seat-unknown",
        "actions[4].seat",
    ),
    ("an unknown seat is dead", given(dead=[5]), "seat-unknown", "dead[0]"),
    ("nobody at the button", given(button=5), "button-empty", "button"),
    (
        "one player at two seats",
        seats(lambda all_seats: all_seats[1].update(player="Badger")),
        "player-twice",
        "seats[1].player",
    ),
    ("a seat twice", seats(lambda all_seats: all_seats[1].update(seat=1)), "seat-twice", "seats[1].seat"),
    (
        "too many seats",
        seats(lambda all_seats: all_seats.extend({"seat": n, "player": f"p{n}"} for n in (3, 4))),
        "seat-count",
        "seats",
    ),
    (
        "two moves of a seat in one street",
        moves(lambda all_moves: all_moves.insert(3, all_moves.pop(4))),
        "street-twice",
        "actions[3].cards",
    ),
    ("an incomplete board", moves(lambda all_moves: all_moves.pop()), "board-incomplete", "actions"),
    ("an unknown rule set", given(rules="omaha"), "unknown-rules", "rules"),
    ("an unknown option", given(rules={"base": "pineapple", "mooon": 20}), "unknown-option", "rules.mooon"),
    ("another value", given(rules={"base": "pineapple", "moon": 11}), "bad-option", "rules.moon"),
    (
        "options that do not go together",
        given(rules={"base": "set-27", "jokers": 2}),
        "options-conflict",
        "rules.jokers",
    ),
    ("a negative amount", given(stake="-1"), "amount-negative", "stake"),
    ("an over-precise amount", given(stake="0.00001"), "amount-precision", "stake"),
    ("a float", given(stake=0.5), "bad-amount", "stake"),
    ("no number", given(stake="NaN"), "bad-amount", "stake"),
    ("a huge amount", given(stake="1" + "0" * 30), "amount-too-large", "stake"),
    ("a naive time", given(played_at="2026-11-29T19:15:00"), "bad-date", "played_at"),
    ("no such day", given(played_at="2026-02-30T19:15:00Z"), "bad-date", "played_at"),
    ("another version", given(format="ofc-hand/2"), "unknown-format", "format"),
    ("a typing mistake", given(stakes="2"), "unknown-key", "stakes"),
    ("a key missing", changed(lambda hand: hand.pop("rules")), "missing-key", "rules"),
    ("nothing recorded", changed(lambda hand: hand.pop("actions")), "nothing-recorded", ""),
    ("a name of control characters", given(hand="a\0b"), "bad-text", "hand"),
    (
        "a player's name with NUL",
        seats(lambda all_seats: all_seats[0].update(player="\0")),
        "bad-text",
        "seats[0].player",
    ),
    (
        "a player without a name",
        seats(lambda all_seats: all_seats[0].update(player="")),
        "bad-text",
        "seats[0].player",
    ),
    (
        "a crowd at one table",
        seats(lambda all_seats: all_seats.extend({"seat": 3, "player": f"p{n}"} for n in range(20_000))),
        "seat-twice",
        "seats[3].seat",
    ),
    ("half a character", line_of(HAND).replace(b"Badger", b"\\ud800"), "bad-text", ""),
    ("an identity that is none", seats(lambda all_seats: all_seats[0].update(player_id="7")), "bad-uuid", ""),
    ("broken JSON", line_of(HAND)[:-20], "broken-json", ""),
    ("a key twice", line_of(HAND)[:-1] + b', "button": 1}', "key-twice", "button"),
    ("an archive with a crowd from everywhere", archive_of(2_000, "Beth"), "out-of-range", "aliases"),
    (
        "an archive of a name that turns what stands beside it",
        archive_of(1, "\u202eBeth"),
        "bad-text",
        "aliases[0].player.name",
    ),
    ("a list", b"[1, 2]", "wrong-type", ""),
    ("deep nesting", b'{"extra":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, "nested-too-deep", ""),
    ("deep nesting of lists", b"[" * 200_000, "", ""),
    ("binary junk", bytes(range(128, 256)) * 3, "not-utf8", ""),
    ("junk with zeros", b"\0\1\2\3\0", "broken-json", ""),
    ("not UTF-8 inside a name", line_of(HAND).replace(b"Badger", b"B\xe4dger"), "not-utf8", ""),
    ("an oversize line", given(extra={"x": "y" * (1 << 20)}), "line-too-long", ""),
    ("a line beyond all bounds", b"x" * (LONGEST_LINE + 2), "line-too-long", ""),
]


@pytest.mark.parametrize(("line", "code", "path"), [one[1:] for one in BAD], ids=[one[0] for one in BAD])
def test_a_bad_line_is_refused_and_the_rest_goes_on(
    line: bytes, code: str, path: str, tmp_path: Path
) -> None:
    good = sample_hands(2)
    imported = import_lines(tmp_path, [good[0], line, good[1]])
    assert (imported.status, imported.counts) == (1, (2, 0, 0, 1))
    [refused] = imported.refused
    assert refused["line"] == 2
    assert refused["file"].endswith("hands.ndjson")
    assert refused["message"]
    assert {"found", "expected"} <= refused.keys()
    if code:
        assert refused["code"] == code
    if path:
        assert refused["path"] == path
    if len(line) <= LONGEST_LINE:
        text = refused["text"].encode() if "text" in refused else base64.b64decode(refused["base64"])
        assert text == line.strip()
    assert_whole()
    assert not Hand.objects.exclude(key__in=[hand["hand"] for hand in good]).exists()
    assert not Player.objects.filter(name__startswith="B").exclude(name="Bo").exists()


def test_the_hand_is_good_before_it_is_changed(tmp_path: Path) -> None:
    assert import_lines(tmp_path, [HAND]).counts == (1, 0, 0, 0)


def test_a_move_out_of_turn_is_taken_and_flagged(tmp_path: Path) -> None:
    swapped = copy.deepcopy(HAND)
    swapped["actions"][2], swapped["actions"][3] = swapped["actions"][3], swapped["actions"][2]
    assert import_lines(tmp_path, [swapped]).counts == (1, 0, 0, 0)


def test_all_of_it_in_one_file(tmp_path: Path) -> None:
    good = sample_hands(len(BAD))
    lines = [one for hand, (_, bad, *_) in zip(good, BAD, strict=True) for one in (hand, bad)]
    imported = import_lines(tmp_path, lines)
    assert imported.counts == (len(BAD), 0, 0, len(BAD))
    assert [one["line"] for one in imported.refused] == [2 * i for i in range(1, len(BAD) + 1)]
    assert_whole()


# --- The report -------------------------------------------------------------------------------------------


def test_a_report_is_repaired_and_imported_again(tmp_path: Path) -> None:
    good = sample_hands(1)[0]
    bad = [given(stake="-5"), line_of(HAND).replace(b"Badger", b"B\xe4dger"), given(hand="x", button=9)]
    first = import_lines(tmp_path, [good, *bad])
    assert first.counts == (1, 0, 0, 3)
    report = tmp_path / "hands.ndjson.report"
    stake, latin, button = first.refused
    stake["text"] = stake["text"].replace('"-5"', '"5"')
    # The whole object may be replaced as well: here by a new text without the old bytes.
    latin = {"format": latin["format"], "text": line_of(HAND | {"hand": "bad-2"}).decode()}
    repaired = tmp_path / "repaired.ndjson"
    repaired.write_text("".join(json.dumps(one) + "\n" for one in (stake, latin, button)))
    second = import_file(repaired)
    assert second.counts == (2, 0, 0, 1)
    assert set(Hand.objects.values_list("key", flat=True)) == {good["hand"], "bad-1", "bad-2"}
    assert json.loads(second.refused[0]["text"])["button"] == 9
    # As it is, a report is refused again for the same reasons.
    third = import_file(report, "other")
    assert [one["code"] for one in third.refused] == [one["code"] for one in first.refused]


def test_a_mended_line_in_place_of_the_reports_line(tmp_path: Path) -> None:
    first = import_lines(tmp_path, [given(stake="-5")])
    assert import_lines(tmp_path, [HAND, line_of(first.refused[0])]).counts == (1, 0, 0, 1)


def test_conflicts_are_in_the_report_too(tmp_path: Path) -> None:
    imported = import_lines(tmp_path, [HAND, given(table="loft")])
    assert imported.counts == (1, 0, 1, 0)
    assert imported.refused[0]["code"] == "field-differs"


def test_a_report_that_is_broken_is_refused(tmp_path: Path) -> None:
    lines = [b'{"format":"ofc-refused/1","base64":"%%%"}', b'{"format":"ofc-refused/1","text":5}']
    imported = import_lines(tmp_path, lines)
    assert imported.counts == (0, 0, 0, 2)
    assert imported.refused[0]["code"] == "report-broken"


def test_an_old_report_goes_when_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "hands.ndjson"
    report = tmp_path / "hands.refused.ndjson"
    for line, expected in ((given(button=9), True), (line_of(HAND), False)):
        file.write_bytes(line)
        import_file(file, report=default_report(str(file)))
        assert report.exists() is expected
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("file", "report"),
    [
        ("-", "stdin.refused.ndjson"),
        ("/data/hands.ndjson", "hands.refused.ndjson"),
        ("hands.ndjson.gz", "hands.refused.ndjson"),
        ("hands.refused.ndjson", "hands.refused.refused.ndjson"),
        ("hands", "hands.refused.ndjson"),
    ],
)
def test_the_name_of_a_report(file: str, report: str) -> None:
    assert default_report(file) == Path(report)
