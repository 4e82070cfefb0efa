"""Files of hands in and out through the real commands, and what the store then holds."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management import call_command
from django.db.models import Max, Min

from ofc_hub.clubs.models import Alias, Club, Player
from ofc_hub.hands.models import Event, FreeText, Hand, LogHead, Stream
from ofc_hub.imports.export import hand_lines
from scoring.models import HandResult, PairResult, SeatResult, SliceToDo
from tests.workers import ROOT, test_database_url

SAMPLES = ROOT / "samples" / "demo.ndjson"
STORED = (Stream, Event, FreeText, Hand, HandResult, SeatResult, PairResult, SliceToDo, Alias, Player)

Document = dict[str, Any]


class Imported(NamedTuple):
    """`status` of the exit, the summary, and the lines of the report."""

    status: int
    summary: Document
    refused: list[Document]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """(stored, duplicate, conflict, invalid); their sum is checked against `received`."""
        keys = ("stored", "duplicate", "conflict", "invalid")
        counts = tuple(self.summary[key] for key in keys)
        assert self.summary["received"] == sum(counts)
        return counts


def sample_hands(count: int = 20) -> list[Document]:
    """The first hands of the samples, one after the other of different rule sets."""
    lines = SAMPLES.read_text().splitlines()
    return [json.loads(line) for line in lines[:: len(lines) // count][:count]]


def many_hands(count: int) -> list[Document]:
    """The samples as often as needed, each time under other keys."""
    samples = [json.loads(line) for line in SAMPLES.read_text().splitlines()]
    return [
        samples[number % len(samples)] | {"hand": f"{number}", "number": number} for number in range(count)
    ]


def line_of(document: Document) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def file_of(folder: Path, lines: Iterable[Document | bytes], name: str = "hands.ndjson") -> Path:
    file = folder / name
    texts = (line if isinstance(line, bytes) else line_of(line) for line in lines)
    file.write_bytes(b"".join(text + b"\n" for text in texts))
    return file


def import_file(file: Path | str, slug: str = "home", **options: Any) -> Imported:
    """The command in this process; its report lies beside the file."""
    report = options.pop("report", None) or Path(f"{file}.report")
    output, status = StringIO(), 0
    try:
        call_command("import_hands", str(file), club=slug, json=True, report=report, stdout=output, **options)
    except SystemExit as end:
        status = int(end.code or 0)
    summary = json.loads(output.getvalue().splitlines()[-1])
    return Imported(status, summary, read_lines(report) if report.exists() else [])


def import_lines(folder: Path, lines: Iterable[Document | bytes], slug: str = "home") -> Imported:
    return import_file(file_of(folder, lines), slug)


def export(slug: str = "home", *, events: bool = False, folder: Path) -> Path:
    """The file that the command writes."""
    file = folder / f"{slug}{'.events' if events else ''}.ndjson"
    call_command("export_hands", club=slug, events=events, output=str(file), stderr=StringIO())
    return file


def read_lines(file: Path) -> list[Document]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def start_import(
    file: Path, folder: Path, slug: str = "home", *, own_group: bool = False
) -> subprocess.Popen[bytes]:
    """The command as a process of its own on the test's database."""
    arguments = [
        "import_hands",
        str(file),
        "--club",
        slug,
        "--json",
        "--report",
        f"{file}.{os.urandom(4).hex()}",
    ]
    environment = {
        **os.environ,
        "DATABASE_URL": test_database_url(),
        "OFC_BROKER_DIR": str(folder / "broker"),
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=own_group,
    )


# --- What the store holds ---------------------------------------------------------------------------------


def row_counts() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in STORED}


def results(slug: str = "home") -> list[tuple[Any, ...]]:
    """Every seat result by what it says, without the ids of the store."""
    hands = Hand.objects.filter(club__slug=slug).values_list("pk", "stream__source", "key")
    key_of = {pk: (source, key) for pk, source, key in hands}
    names = dict(Player.objects.filter(club__slug=slug).values_list("pk", "name"))
    columns = [
        field.attname
        for field in SeatResult._meta.concrete_fields
        if field.attname not in ("hand_id", "club_id", "player_id", "alias_id")
    ]
    rows = SeatResult.objects.filter(club__slug=slug).values_list("hand_id", "player_id", *columns)
    return sorted((*key_of[hand], names[player], *rest) for hand, player, *rest in rows)


def pair_results(slug: str = "home") -> list[tuple[Any, ...]]:
    keys = dict(Hand.objects.filter(club__slug=slug).values_list("pk", "key"))
    columns = ("a", "b", "points", "chips", "row_top", "row_middle", "row_bottom", "royalties", "moon", "why")
    rows = PairResult.objects.filter(club__slug=slug).values_list("hand_id", *columns)
    return sorted((keys[hand], *map(str, rest)) for hand, *rest in rows)


def nameless(lines: Iterable[bytes]) -> list[Document]:
    """Exported hands without the identities, which are random in each store."""
    documents = [json.loads(line) for line in lines]
    for document in documents:
        for seat in document["seats"]:
            seat.pop("player_id", None)
    return documents


def copy_of(slug: str = "home") -> Document:
    """All that an import leaves behind, ids and identities aside."""
    club = Club.objects.get(slug=slug)
    return {
        "hands": nameless(hand_lines(club)),
        "seats": results(slug),
        "pairs": pair_results(slug),
        "players": sorted(Player.objects.filter(club=club).values_list("name", flat=True)),
        "aliases": sorted(Alias.objects.filter(club=club).values_list("source", "name", "player__name")),
        "counts": {model.__name__: model.objects.count() for model in STORED if model is not SliceToDo},
        "slices": set(SliceToDo.objects.values_list("player__name", "day")),
    }


def assert_whole(slug: str = "home") -> None:
    """The log has no gap and nothing is there in part."""
    club = Club.objects.get(slug=slug)
    events = Event.objects.filter(club=club)
    spans = events.aggregate(first=Min("position"), last=Max("position"))
    head = LogHead.objects.get(club=club).position
    assert (spans["first"], spans["last"], events.count()) == (1, head, head)
    hands = set(Hand.objects.filter(club=club).values_list("pk", flat=True))
    assert set(Stream.objects.filter(club=club).values_list("pk", flat=True)) == hands
    assert set(HandResult.objects.filter(club=club).values_list("hand_id", flat=True)) == hands
    assert set(SeatResult.objects.filter(club=club).values_list("hand_id", flat=True)) == hands


def strip(documents: Sequence[Document], *keys: str) -> list[Document]:
    return [{key: value for key, value in one.items() if key not in keys} for one in documents]
