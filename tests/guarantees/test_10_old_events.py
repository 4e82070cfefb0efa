"""Promise 10: old events stay readable.

`tests/fixtures/corpus` holds one archived stream for each kind and schema that ever shipped, with the digests
of that time. The files are frozen; their results were worked out by hand (of the hand in tests/played.py).
"""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ofc_hub.clubs.models import Club
from ofc_hub.hands import upgrades
from ofc_hub.hands.models import Event, FreeText, Hand
from ofc_hub.hands.reading import load_events
from ofc_hub.hands.upgrades import chain_problems
from scoring.domain import events as kinds
from scoring.domain.events import Event as DomainEvent
from scoring.models import SeatResult
from tests.imports import export, import_file, read_lines
from tests.operating import rebuilt, verified
from tests.played import STAKE
from tests.workers import ROOT

CORPUS = ROOT / "tests" / "fixtures" / "corpus"
FILES = sorted(CORPUS.glob("*.ndjson"))


class Seat(NamedTuple):
    points: int
    chips: int | None
    ruled_points: int = 0
    ruled_chips: int = 0
    foul: bool = False
    next_fantasyland: int = 0


class Pinned(NamedTuple):
    """What a file's hand comes to: its facts, and its seats in order (none: no result)."""

    completeness: str = "full"
    complete: bool = True
    voided: bool = False
    locked: bool = False
    seats: tuple[Seat, ...] = (Seat(-3, -3 * STAKE), Seat(3, 3 * STAKE))


# Anna -3, Bo +3 unless said otherwise.
PINNED: dict[str, Pinned] = {
    "hand-started-1": Pinned(complete=False, seats=()),
    "cards-placed-1": Pinned(),
    "boards-recorded-1": Pinned(completeness="boards"),
    # As claimed; nobody knows how chips were paid.
    "result-recorded-1": Pinned(
        "result", seats=(Seat(5, None, next_fantasyland=14), Seat(-5, None, foul=True))
    ),
    # Three rows, three for the scoop, Anna's royalties of seven.
    "seat-died-1": Pinned(seats=(Seat(13, 13 * STAKE), Seat(-13, -13 * STAKE, foul=True))),
    # Bo's last move undone, made with another discard, that undone and redone: the board is the same.
    "event-retracted-1": Pinned(),
    # Kings with four and eight: no full house. Three rows, the scoop, royalties of one against nine.
    "cards-replaced-1": Pinned(seats=(Seat(-14, -14 * STAKE), Seat(14, 14 * STAKE))),
    # Two points to Anna with their chips, and one from Bo to the house.
    "points-ruled-1": Pinned(seats=(Seat(-3, -3 * STAKE, 2, 40_000), Seat(3, 3 * STAKE, -3, -40_000))),
    "hand-voided-1": Pinned(voided=True, seats=()),
    "hand-confirmed-1": Pinned(),
    "hand-locked-1": Pinned(locked=True),
    "note-added-1": Pinned(),
}


def test_every_kind_and_schema_that_ever_shipped_has_a_file() -> None:
    shipped = {f"{kind}-{schema}" for kind, last in kinds.SCHEMAS.items() for schema in range(1, last + 1)}
    assert {file.stem for file in FILES} == PINNED.keys() == shipped
    assert kinds.SCHEMAS.keys() == set(kinds.KINDS)
    for file in FILES:
        kind, _, schema = file.stem.rpartition("-")
        [line] = read_lines(file)
        assert (kind, int(schema)) in {(event["kind"], event.get("schema", 1)) for event in line["events"]}


def test_the_files_are_frozen() -> None:
    frozen = dict(line.split()[::-1] for line in (CORPUS / "checksums.sha256").read_text().splitlines())
    assert frozen == {file.name: sha256(file.read_bytes()).hexdigest() for file in FILES}


@pytest.mark.django_db
@pytest.mark.n_plus_one_allowed  # several commands, each with its own queries
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_read_as_ever(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / file.name
    copy.write_bytes(file.read_bytes())
    assert import_file(copy).counts == (1, 0, 0, 0)
    assert found_in_the_store() == PINNED[file.stem]
    assert verified().status == 0
    assert rebuilt("--check").summary["different"] == 0
    assert read_lines(export(events=True, folder=tmp_path)) == read_lines(file), "digests included"
    assert import_file(copy).counts == (0, 1, 0, 0)


def found_in_the_store() -> Pinned:
    hand = Hand.objects.get()
    assert hand.problem is None
    columns = ("points", "chips", "ruled_points", "ruled_chips", "foul", "next_fantasyland")
    seats = SeatResult.objects.order_by("seat").values_list(*columns)
    facts = hand.completeness, hand.complete, hand.voided, hand.locked
    return Pinned(*facts, tuple(Seat(*seat) for seat in seats))


@pytest.mark.django_db
@pytest.mark.n_plus_one_allowed
def test_facts_and_texts_are_read_as_ever(tmp_path: Path) -> None:
    for name in ("hand-started-1", "note-added-1"):
        copy = tmp_path / f"{name}.ndjson"
        copy.write_bytes((CORPUS / copy.name).read_bytes())
        assert import_file(copy).counts == (1, 0, 0, 0)
    hand = Hand.objects.get(key="hand-started-1")
    assert (hand.number, hand.tournament, hand.table, hand.set) == (42, "thu-48", "T1", 3)
    assert (hand.stake, hand.button, hand.seats) == (5000, 3, 3)
    assert hand.played_at.isoformat() == "2026-11-30T01:00:00+00:00"
    texts = FreeText.objects.order_by("version").values_list("version", "text")
    assert list(texts) == [(12, "Zoë dealt. ♠"), (13, ""), (14, '{"dealer":"Zoë"}')]


# --- The chain of upgrades --------------------------------------------------------------------------------


def test_the_chain_is_whole() -> None:
    assert chain_problems() == []


def same(event: DomainEvent) -> DomainEvent:
    return event


@pytest.mark.parametrize(
    ("schema", "steps", "problems"),
    [
        (1, [], []),
        (3, [1, 2], []),
        (2, [], ["no step leads on from cards-placed of schema 1"]),
        (3, [1], ["no step leads on from cards-placed of schema 2"]),
        (3, [2], ["no step leads on from cards-placed of schema 1"]),
        (1, [1], ["the step from cards-placed of schema 1 leads nowhere"]),
    ],
)
def test_a_hole_in_the_chain_is_seen(schema: int, steps: list[int], problems: list[str]) -> None:
    there = {(kinds.CARDS_PLACED, step): same for step in steps}
    assert chain_problems({**kinds.SCHEMAS, kinds.CARDS_PLACED: schema}, there) == problems


HOLE = "import sys, scoring.domain.events as e; e.SCHEMAS = {**e.SCHEMAS, 'cards-placed': 2}; "
STARTS = {
    "command": "sys.argv = ['manage.py', 'check']; import runpy; runpy.run_path('manage.py', {}, '__main__')",
    "web": "import ofc_hub.wsgi",
    "worker": "sys.argv = ['celery', '-A', 'ofc_hub', 'worker', '-P', 'solo']; "
    "from celery.__main__ import main; main()",
}


@pytest.mark.parametrize("start", STARTS)
def test_a_hole_stops_every_start(start: str, tmp_path: Path) -> None:
    environment = {**os.environ, "SECRET_KEY": "x" * 50, "OFC_BROKER_DIR": str(tmp_path)}
    command = [sys.executable, "-c", HOLE + STARTS[start]]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode != 0
    assert "no step leads on from cards-placed of schema 1" in ended.stderr + ended.stdout


@pytest.fixture
def played(tmp_path: Path, db: None) -> Hand:
    copy = tmp_path / "old.ndjson"
    copy.write_bytes((CORPUS / "cards-placed-1.ndjson").read_bytes())
    import_file(copy)
    return Hand.objects.get()


def raise_schema(monkeypatch: pytest.MonkeyPatch, steps: dict[tuple[str, int], Any]) -> None:
    schemas = {**kinds.SCHEMAS, kinds.CARDS_PLACED: 3}
    monkeypatch.setattr(kinds, "SCHEMAS", schemas)
    monkeypatch.setattr(upgrades, "SCHEMAS", schemas)
    monkeypatch.setattr(upgrades, "STEPS", steps)


@pytest.mark.n_plus_one_allowed
def test_steps_lead_to_the_present_and_leave_the_log_alone(
    played: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invented schemas: 2 writes cards with a dot between the rows, 3 with a slash again."""
    raise_schema(
        monkeypatch,
        {
            (kinds.CARDS_PLACED, 1): lambda event: event._replace(cards=event.cards.replace("/", ".")),
            (kinds.CARDS_PLACED, 2): lambda event: event._replace(cards=event.cards.replace(".", "/")),
        },
    )
    assert {event.schema for event in load_events(played.pk) if event.kind == kinds.CARDS_PLACED} == {3}
    assert set(Event.objects.values_list("schema", flat=True)) == {1}
    assert verified().status == 0
    assert rebuilt().summary["different"] == 0
    assert found_in_the_store() == Pinned()


@pytest.mark.n_plus_one_allowed
def test_an_event_that_nothing_leads_on_from_is_not_read_as_what_it_is_not(
    played: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    raise_schema(monkeypatch, {})
    assert {line["found"] for line in verified().of("hand-broken")} == {"unknown-schema"}
    assert rebuilt().summary["excluded"] == 1
    assert Hand.objects.get().problem["code"] == "unknown-schema"
    assert not SeatResult.objects.exists()
    monkeypatch.undo()
    assert rebuilt().summary["different"] == 1
    assert found_in_the_store() == Pinned()
    assert Club.objects.count() == 1
