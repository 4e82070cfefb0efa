"""Promise 6, for good: a log that was rewritten so that everything fits is found by heads signed before."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.models import Event, LogHead, Stream
from ofc_hub.hands.reading import load_events
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import GENESIS, chain_all
from scoring.domain.events import Event as DomainEvent
from tests.guarantees.tampered import events, played_club
from tests.operating import Ran, execute, rebuilt, undone, verified
from tests.played import KEY, member

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return played_club(tmp_path)


@pytest.fixture
def signed(club: Club, tmp_path: Path, settings: LazySettings) -> Path:
    settings.SIGNING_KEY = "kept elsewhere"
    file = tmp_path / "heads.json"
    call_command("sign_heads", output=file)
    assert against(file).status == 0
    return file


def against(file: Path) -> Ran:
    return verified("--against", str(file))


def rewrite(stream: Stream, change: Callable[[DomainEvent], DomainEvent]) -> None:
    """Edit events and make all digests fit, as an owner with this program at hand would."""
    edited = [change(event) for event in load_events(stream.pk)]
    digests = chain_all(GENESIS, stream.kind, stream.source, stream.key, edited)
    for event, digest in zip(edited, digests, strict=True):
        execute(
            "UPDATE hands_event SET cards = %s, digest = %s WHERE stream_id = %s AND version = %s",
            [event.cards, digest, stream.pk, event.version],
        )
    Stream.objects.filter(pk=stream.pk).update(digest=digests[-1])


def test_a_consistent_rewrite_is_found_by_signed_heads(club: Club, signed: Path) -> None:
    """Anna's last cards become a pair less: nothing in the database contradicts it."""
    stream = Stream.objects.get(key=KEY.key)
    with undone():
        rewrite(stream, lambda event: event._replace(cards=event.cards.replace("//4c4d|Ts", "//4c8c|Ts")))
        assert rebuilt().summary["different"] == 1
        assert verified().status == 0, "all digests and results fit"
        found = against(signed)
    assert found.status == 1
    [line] = found.lines
    assert (line["code"], line["club"], line["position"]) == ("signed-block-differs", "home", 1)
    assert line["row"].startswith("positions 1 to ")


def test_a_time_between_its_neighbours_is_found_by_signed_heads(club: Club, signed: Path) -> None:
    event = events().get(stream__key=KEY.key, version=14)
    before = events().get(position=event.position - 14)
    with undone():
        for position in range(before.position + 1, event.position + 1):
            execute(
                "UPDATE hands_event SET recorded_at = %s WHERE position = %s", [before.recorded_at, position]
            )
        assert verified().status == 0
        assert against(signed).codes == {"signed-block-differs"}


def test_a_log_that_was_cut_is_found_by_signed_heads(club: Club, signed: Path) -> None:
    stream = events().last().stream
    with undone():
        execute("DELETE FROM hands_event WHERE stream_id = %s", [stream.pk])
        execute("DELETE FROM hands_hand WHERE stream_id = %s", [stream.pk])
        execute("DELETE FROM hands_stream WHERE id = %s", [stream.pk])
        last = events().last()
        LogHead.objects.filter(club=club).update(position=last.position, recorded_at=last.recorded_at)
        assert verified().status == 0
        assert {"signed-log-shorter", "signed-block-differs"} == against(signed).codes


def test_a_log_may_grow_after_it_was_signed(club: Club, signed: Path) -> None:
    director = member(club, Role.DIRECTOR, "later")
    outcome = record(director, club, KEY, None, [DomainEvent(0, kinds.HAND_LOCKED)])
    assert isinstance(outcome, Recorded)
    assert against(signed).status == 0
    assert against(signed).summary["events"] == Event.objects.count()


def test_the_signed_file_cannot_be_changed_either(club: Club, signed: Path, settings: LazySettings) -> None:
    whole = json.loads(signed.read_text())
    signed.write_text(json.dumps(whole | {"signed_at": "2020-01-01T00:00:00Z"}))
    assert against(signed).codes == {"signed-file-differs"}

    settings.SIGNING_KEY = "a forger's"
    call_command("sign_heads", output=signed)
    settings.SIGNING_KEY = "kept elsewhere"
    assert against(signed).codes == {"signature-differs"}
    signed.write_text(json.dumps(whole | {"signature": None}))
    assert against(signed).codes == {"signature-missing"}


def test_a_signed_club_that_is_gone(club: Club, signed: Path) -> None:
    Club.objects.filter(slug="home").update(slug="elsewhere")
    assert against(signed).codes == {"signed-club-missing"}


def test_the_digest_of_a_block_can_be_computed_without_this_program(club: Club, signed: Path) -> None:
    rows = events().values_list("position", "recorded_at", "digest")
    text = "".join(f"{position} {at} {bytes(digest).hex()}\n" for position, at, digest in rows)
    [home] = [one for one in json.loads(signed.read_text())["clubs"] if one["club"] == "home"]
    assert home["blocks"] == [sha256(text.encode()).hexdigest()]
    assert home["position"] == len(rows)
