"""Round trips of the interchange page: hands as they stand, and the log itself."""

import gzip
import subprocess
import sys
import uuid
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ofc_hub.clubs.models import Alias, Club, Player, Role
from ofc_hub.hands.models import Event, FreeText, Hand, Stream
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import GENESIS, chain
from scoring.domain.events import Event as DomainEvent
from scoring.models import HandResult
from tests.hands import random_hands
from tests.imports import (
    assert_whole,
    export,
    import_file,
    import_lines,
    pair_results,
    read_lines,
    results,
    sample_hands,
)
from tests.played import KEY, member, moves, started
from tests.workers import ROOT, test_database_url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

Document = dict[str, Any]


def digests(slug: str) -> list[tuple[str, str, int, str]]:
    events = Event.objects.filter(club__slug=slug)
    rows = events.values_list("stream__source", "stream__key", "version", "digest")
    return sorted((source, key, version, bytes(digest).hex()) for source, key, version, digest in rows)


def assert_same_hands(first: str, second: str, folder: Path) -> None:
    assert export(first, folder=folder).read_bytes() == export(second, folder=folder).read_bytes()
    assert results(first) == results(second)
    assert pair_results(first) == pair_results(second)


def various_hands() -> list[Document]:
    """Hands of every rule set, with dead seats, Fantasyland, boards only, claims only, times and extra."""
    hands: list[Document] = random_hands(5, 68)
    for number, hand in enumerate(hands):
        hand["hand"] = f"r{number}"
        if number % 5 == 0:
            hand["extra"] = {"table camera": number, "b": {"z": 1, "a": [None, True]}}
        if number % 7 == 0 and "actions" in hand:
            hand["actions"][0] |= {"auto": True, "at": "2026-03-01T10:00:00.25Z", "think_ms": 1500}
    claim = {key: value for key, value in sample_hands(1)[0].items() if key != "actions"}
    return [*hands, *sample_hands(10), claim | {"hand": "claim only", "tournament": "t", "set": 3}]


def test_hands_come_back_with_the_same_bytes_and_results(tmp_path: Path) -> None:
    hands = various_hands()
    assert import_lines(tmp_path, hands, "one").counts == (len(hands), 0, 0, 0)
    file = export("one", folder=tmp_path)
    assert import_file(file, "two").counts == (len(hands), 0, 0, 0)
    assert_whole("two")
    assert_same_hands("one", "two", tmp_path)
    assert import_file(file, "one").counts == (0, len(hands), 0, 0)


def test_an_export_says_what_the_import_said(tmp_path: Path) -> None:
    hands = sample_hands(12)
    import_lines(tmp_path, hands)
    written = read_lines(export(folder=tmp_path))
    for seat in (seat for hand in written for seat in hand["seats"]):
        assert str(uuid.UUID(seat.pop("player_id"))) == str(Alias.objects.get(name=seat["player"]).uuid)
    by_key = {hand["hand"]: hand for hand in written}
    assert by_key == {hand["hand"]: hand for hand in hands}
    assert [(hand["played_at"], hand["number"]) for hand in written] == sorted(
        (hand["played_at"], hand["number"]) for hand in hands
    )


def test_the_order_does_not_depend_on_the_database(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    keys = ["b", "a", "B", "A", "é", "z", "10", "9", "_"]
    import_lines(tmp_path, [hand | {"hand": key} for key in keys])
    assert [one["hand"] for one in read_lines(export(folder=tmp_path))] == sorted(keys)


def test_streams_come_back_with_the_same_digests_and_results(tmp_path: Path) -> None:
    hands = various_hands()
    import_lines(tmp_path, hands, "one")
    file = export("one", events=True, folder=tmp_path)
    assert import_file(file, "two").counts == (len(hands), 0, 0, 0)
    assert_whole("two")
    assert digests("one") == digests("two")
    assert_same_hands("one", "two", tmp_path)
    assert export("two", events=True, folder=tmp_path).read_bytes() == file.read_bytes()
    assert import_file(file, "two").counts == (0, len(hands), 0, 0)
    assert import_lines(tmp_path, hands, "two").counts == (0, len(hands), 0, 0)


# --- What happened after the hand -------------------------------------------------------------------------


def logged(slug: str, *more: DomainEvent) -> Club:
    """A club with the hand of tests.played, logged live, and later events of a director."""
    club = Club.objects.create(slug=slug, name=slug)
    director = member(club, Role.DIRECTOR, f"director of {slug}")
    add(club, director, [started(club), *moves()], {})
    for event in more:
        add(club, director, [event], {0: "because"} if event.kind != kinds.HAND_LOCKED else {})
    return club


def add(club: Club, director: Any, events: list[DomainEvent], texts: dict[int, str]) -> None:
    stream = Stream.objects.filter(club=club).first()
    outcome = record(director, club, KEY, stream.version if stream else 0, events, texts)
    assert isinstance(outcome, Recorded), outcome


RULED = DomainEvent(
    0, kinds.POINTS_RULED, data={"rulings": [{"seat": 1, "points": 2}, {"seat": 2, "points": -2}]}
)
VOIDED = DomainEvent(0, kinds.HAND_VOIDED)
LOCKED = DomainEvent(0, kinds.HAND_LOCKED)
# Anna's third placement, version 6: the ten of hearts was placed, the three of spades discarded.
REPLACED = DomainEvent(0, kinds.CARDS_REPLACED, 1, "/Th/Kd|3s", {"version": 6})


def test_an_archive_keeps_rulings_locks_texts_and_players(tmp_path: Path) -> None:
    logged("one", RULED, LOCKED)
    Alias.objects.filter(name="bo").update(name="")
    Player.objects.filter(name="anna").update(name="Anna B.")
    import_file(export("one", events=True, folder=tmp_path), "two")
    assert digests("one") == digests("two")
    assert results("one") == results("two")
    assert Hand.objects.get(club__slug="two").locked
    assert [row[0] for row in FreeText.objects.values_list("text")] == ["because", "because"]
    names = Alias.objects.filter(club__slug="two").values_list("name", "player__name")
    assert set(names) == {("anna", "Anna B."), ("", "bo")}


def test_a_corrected_hand_is_exported_corrected(tmp_path: Path) -> None:
    logged("one")
    [before] = read_lines(export("one", folder=tmp_path))
    logged("two", REPLACED)
    [after] = read_lines(export("two", folder=tmp_path))
    assert (before["actions"][4]["cards"], after["actions"][4]["cards"]) == ("/3s/Kd|Th", "/Th/Kd|3s")
    import_file(export("two", folder=tmp_path), "three")
    assert_same_hands("two", "three", tmp_path)


def test_a_voided_hand_has_no_line_but_its_stream_has(tmp_path: Path) -> None:
    logged("one", VOIDED)
    errors = StringIO()
    call_command("export_hands", club="one", output=str(tmp_path / "out"), stderr=errors)
    assert (tmp_path / "out").read_bytes() == b""
    assert "1 left out" in errors.getvalue()
    import_file(export("one", events=True, folder=tmp_path), "two")
    assert Hand.objects.get(club__slug="two").voided
    assert not HandResult.objects.filter(club__slug="two").exists()


def test_a_hand_in_progress_is_archived_only(tmp_path: Path) -> None:
    club = Club.objects.create(slug="one", name="one")
    add(club, member(club, Role.DIRECTOR), [started(club), *moves()[:3]], {})
    assert export("one", folder=tmp_path).read_bytes() == b""
    assert import_file(export("one", events=True, folder=tmp_path), "two").counts == (1, 0, 0, 0)
    assert not Hand.objects.get(club__slug="two").complete
    assert not HandResult.objects.filter(club__slug="two").exists()


def test_players_that_were_merged_come_back_merged(tmp_path: Path) -> None:
    one, two = (hand | {"hand": key} for hand, key in zip(sample_hands(1) * 2, "ab", strict=True))
    for seat, name in zip(two["seats"], ("ann", "ben", "cat"), strict=True):
        two["seats"] = [*two["seats"]]
        two["seats"][two["seats"].index(seat)] = {**seat, "player": name}
    import_lines(tmp_path, [one, two], "one")
    merged = Player.objects.get(name=one["seats"][0]["player"])
    Alias.objects.filter(name="ann").update(player=merged)
    Alias.objects.filter(name="ben").update(player=Player.objects.create(club=merged.club, name=merged.name))
    lines = read_lines(export("one", events=True, folder=tmp_path))
    for order in (lines, lines[::-1]):
        slug = f"from-{order[0]['key']}"
        import_lines(tmp_path, order, slug)
        groups: dict[int, set[str]] = {}
        for player, name in Alias.objects.filter(club__slug=slug).values_list("player_id", "name"):
            groups.setdefault(player, set()).add(name)
        assert {merged.name, "ann"} in groups.values()
        assert {"ben"} in groups.values()
        assert Player.objects.filter(club__slug=slug, name=merged.name).count() == 2


def test_an_erased_name_is_exported_as_its_identity(tmp_path: Path) -> None:
    import_lines(tmp_path, sample_hands(1), "one")
    alias = Alias.objects.order_by("pk")[0]
    Alias.objects.filter(pk=alias.pk).update(name="")
    file = export("one", folder=tmp_path)
    assert alias.name not in file.read_text()
    import_file(file, "two")
    assert Alias.objects.get(club__slug="two", uuid=alias.uuid).name == ""
    assert export("two", folder=tmp_path).read_bytes() == file.read_bytes()


# --- Archives that are not as they were written -----------------------------------------------------------


@pytest.fixture
def archived(tmp_path: Path) -> Document:
    import_lines(tmp_path, [sample_hands(1)[0] | {"extra": {"a": 1}}], "one")
    [line] = read_lines(export("one", events=True, folder=tmp_path))
    return line


def refusal(line: Document, folder: Path) -> tuple[str, str]:
    imported = import_lines(folder, [line, *sample_hands(1)], f"club-{uuid.uuid4()}")
    assert imported.counts == (1, 0, 0, 1)
    return imported.refused[0]["code"], imported.refused[0]["path"]


def test_a_tampered_stream_is_refused(archived: Document, tmp_path: Path) -> None:
    move = archived["events"][3]
    tampered = [
        ({"cards": move["cards"].replace("/", "|", 1)}, 3),
        ({"seat": 3 - move["seat"] % 3}, 3),
        ({"kind": "note-added"}, 3),
        ({"actor": "somebody"}, 3),
        ({"happened_at": 5}, 3),
        ({"client_id": str(uuid.uuid4())}, 3),
        ({"digest": "0" * 64}, 3),
    ]
    for change, place in tampered:
        events = [*archived["events"]]
        events[place] = {**events[place], **change}
        found = refusal(archived | {"events": events}, tmp_path)
        assert found == ("digest-differs", f"events[{place}].digest"), change
    dropped = archived["events"][:3] + archived["events"][4:]
    assert refusal(archived | {"events": dropped}, tmp_path)[0] == "digest-differs"
    assert refusal(archived | {"key": "other"}, tmp_path) == ("digest-differs", "events[0].digest")
    text = [{**archived["texts"][0], "text": '{"a":2}'}]
    assert refusal(archived | {"texts": text}, tmp_path) == ("digest-differs", "texts[0].text")


def test_a_stream_that_does_not_fit_is_refused(archived: Document, tmp_path: Path) -> None:
    rules = {**archived["rules"], "moon": 20}
    assert refusal(archived | {"rules": rules}, tmp_path)[0] == "rules-differ"
    assert refusal(archived | {"aliases": archived["aliases"][:1]}, tmp_path)[0] == "missing-key"
    assert refusal(archived | {"events": []}, tmp_path)[0] == "wrong-type"
    assert refusal(archived | {"kind": "table"}, tmp_path)[0] == "unknown-kind"
    assert refusal(archived | {"more": 1}, tmp_path)[0] == "wrong-type"
    assert refusal(archived | {"events": archived["events"][:-3]}, tmp_path) is not None


def test_a_stream_with_another_past_is_a_conflict(archived: Document, tmp_path: Path) -> None:
    import_lines(tmp_path, [archived], "two")
    shorter = archived | {"events": archived["events"][:-1], "texts": []}
    assert import_lines(tmp_path, [shorter], "two").counts == (0, 1, 0, 0)
    import_lines(tmp_path, sample_hands(1), "three")
    imported = import_lines(tmp_path, [archived], "three")
    assert imported.counts == (0, 0, 1, 0)
    assert imported.refused[0]["path"] == "events[0]"


def chained(line: Document, *more: Document, first: Document | None = None) -> Document:
    """The stream with further events, its first one changed, and digests that follow from the content."""
    events = [{**archived_event} for archived_event in (*line["events"], *more)]
    events[0] |= first or {}
    digest = GENESIS
    for version, event in enumerate(events, 1):
        event["version"] = version
        known = {key: value for key, value in event.items() if key != "digest"}
        digest = chain(digest, "hand", line["source"], line["key"], DomainEvent(**known))
        event["digest"] = digest.hex()
    return line | {"events": events}


def test_illegal_events_are_refused_however_well_chained(archived: Document, tmp_path: Path) -> None:
    move = archived["events"][1]
    assert refusal(chained(archived, move), tmp_path)[0] in {"board-full", "card-twice"}
    assert refusal(chained(archived, {"kind": "seat-danced"}), tmp_path)[0] == "unknown-kind"
    assert refusal(chained(archived, {"kind": "note-added", "data": {"x": 0.5}}), tmp_path)[0] == "bad-event"


def test_what_only_the_database_refuses_concerns_one_line(archived: Document, tmp_path: Path) -> None:
    client_id = {"client_id": str(uuid.uuid4())}
    one = chained(archived, first=client_id)
    two = chained(archived | {"key": "two", "texts": []}, first=client_id)
    imported = import_lines(tmp_path, [one, two, *sample_hands(3)[1:]], "two")
    assert imported.counts == (3, 0, 0, 1)
    assert [line["code"] for line in imported.refused] == ["client-id-conflict"]
    assert_whole("two")
    huge = [{"seat": 1, "points": 10**12}, {"seat": 2, "points": -(10**12)}]
    ruled = chained(archived, {"kind": "points-ruled", "data": {"rulings": huge}})
    imported = import_lines(tmp_path, [ruled, *sample_hands(3)], "three")
    assert imported.counts == (3, 0, 0, 1)


# --- The command ------------------------------------------------------------------------------------------


def test_files_are_packed_by_their_name_and_always_the_same(tmp_path: Path) -> None:
    import_lines(tmp_path, sample_hands(5))
    plain = export(folder=tmp_path).read_bytes()
    texts = []
    for name in ("a.gz", "b.gz"):
        call_command("export_hands", club="home", output=str(tmp_path / name), stderr=StringIO())
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    assert gzip.decompress(texts[0]) == plain
    assert not list(tmp_path.glob("*.part"))


def test_an_unknown_club_and_an_unknown_directory(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("export_hands", club="nowhere")
    Club.objects.create(slug="home", name="home")
    with pytest.raises(CommandError):
        call_command("export_hands", club="home", output=str(tmp_path / "no" / "file"))


def test_standard_output_and_a_reader_that_leaves(tmp_path: Path) -> None:
    import_lines(tmp_path, sample_hands(300))
    file = export(folder=tmp_path)
    environment = {"DATABASE_URL": test_database_url(), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "manage.py", "export_hands", "--club", "home"]
    whole = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, timeout=60)
    assert whole.stdout == file.read_bytes()
    left = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert left.stdout is not None
    left.stdout.read(10)
    left.stdout.close()
    errors = left.stderr.read() if left.stderr else b""
    left.wait(60)
    assert b"Traceback" not in errors
