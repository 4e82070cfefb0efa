"""The demo club: hands of `scoring.simulator` in a file or in the log."""

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Stream
from ofc_hub.imports.importer import Advance, Importer
from ofc_hub.imports.refused import Line, RefusedReport
from ofc_hub.imports.summary import Summary
from scoring.simulator.evenings import TIME_ZONE

SLUG = "demo"
HANDS = 3000
#: The first `HANDS` hands of the simulator, so that a first start need not play them.
SHIPPED = settings.BASE_DIR / "samples" / "demo-club.ndjson.gz"
_NAME = "Demo club"
#: Evenings go on past midnight and belong to the day on which they began.
_DAY_START = 6


def demo_club(slug: str) -> Club:
    """The club of that slug, made if there is none: open to everyone, discards shown."""
    shown = {"public": True, "shows_discards": True, "time_zone": TIME_ZONE, "day_start": _DAY_START}
    club, _ = Club.objects.get_or_create(slug=slug, defaults={"name": _NAME, **shown})
    return club


def shipped_hands() -> Iterator[bytes]:
    """The sample hands of the repository, a line each."""
    with gzip.open(SHIPPED) as lines:
        yield from lines


def holds_other_hands(slug: str) -> bool:
    """Whether there is such a club with hands that are no demo: what is appended to it stays for ever."""
    others = Stream.objects.filter(club__slug=slug).exclude(source__startswith="demo")
    return others.exclude(source="sample").exists()


def bring_in(club: Club, hands: Iterable[bytes], count: int, report: Path | None = None) -> Summary:
    """Import the hands as they are played; `count` is how many there will be, for the bar on a terminal."""
    lines = (Line("demo", number, hand.rstrip()) for number, hand in enumerate(hands, 1))
    report = report or settings.VAR_DIR / "demo.refused.ndjson"
    report.parent.mkdir(parents=True, exist_ok=True)
    with RefusedReport(report) as refused, progress(count) as advance:
        summary = Importer(club, refused, advance).run(lines)
    if refused.count:
        summary.report = str(report)
    return summary


@contextmanager
def progress(count: int) -> Iterator[Advance]:
    """A bar on a terminal and nothing elsewhere, on standard error."""
    console = Console(stderr=True)
    columns = (TextColumn("demo hands"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=count)
        yield lambda summary: bar.update(task, completed=summary.received)
