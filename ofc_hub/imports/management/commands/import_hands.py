"""`manage.py import_hands FILE... --club SLUG`: hands or archived streams from files into a club."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from ofc_hub.clubs.models import Club
from ofc_hub.core.commands import StoreCommand
from ofc_hub.imports.importer import Importer
from ofc_hub.imports.reader import STANDARD_INPUT, Reader
from ofc_hub.imports.refused import RefusedReport, default_report
from ofc_hub.imports.summary import Summary

LISTED = 20
"""Hands with differences that are named on a terminal; --json names more, the database knows all."""


class Command(StoreCommand):
    help = (
        "Import ofc-hand/1 and ofc-events/1 files of any size, plain or gzip; lines are told apart by their "
        "format. What is there already is left alone, so an import can be repeated and goes on after a kill. "
        "Refused lines go to a report that can be repaired and imported again. "
        "Exit status 1 if a line was invalid or in conflict."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
        parser.add_argument("--club", required=True, metavar="SLUG", help="made if there is none")
        parser.add_argument("--public", action="store_true", help="a club that is made is open to everyone")
        parser.add_argument("--json", action="store_true", help="the summary as one JSON object")
        parser.add_argument("--report", type=Path, metavar="FILE", help="where refused lines go")

    def handle(self, *, files: list[str], club: str, public: bool, **options: Any) -> None:
        report = options["report"] or default_report(files[0])
        _check_files(files, report)
        reader = Reader(files)
        with RefusedReport(report) as refused, _progress(reader) as advance:
            summary = Importer(_club(club, public), refused, advance).run(reader)
        if refused.count:
            summary.report = str(report)
        self._tell(summary, as_json=options["json"])
        if not summary.clean:
            sys.exit(1)

    def _tell(self, summary: Summary, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(summary.as_dict(), ensure_ascii=False))
            return
        for hand in summary.different_hands[:LISTED]:
            self.stdout.write(f"{hand['source']}/{hand['hand']}: {_differences(hand['differences'])}")
        if summary.differences > LISTED:
            self.stdout.write(f"... and {summary.differences - LISTED} more hands with differences")
        if summary.report:
            self.stdout.write(f"refused lines: {summary.report}")
        self.stdout.write(str(summary))


def _differences(differences: list[dict[str, Any]]) -> str:
    return ", ".join(
        f"seat {one['seat']} {one['what']}: claimed {one['claimed']}, scored {one['scored']}"
        for one in differences
    )


def _check_files(files: list[str], report: Path) -> None:
    """Everything that can be known before the first line is read."""
    for file in files:
        if file == STANDARD_INPUT:
            continue
        if Path(file).is_dir() or not os.access(file, os.R_OK):
            raise CommandError(f"{file} is not a file that can be read.")
        if report.exists() and report.samefile(file):
            raise CommandError(f"The report would take the place of {file}; name another one.")
    if not report.resolve().parent.is_dir():
        raise CommandError(f"There is no directory for the report {report}.")
    try:
        tempfile.TemporaryFile(dir=report.resolve().parent).close()
    except OSError as error:
        message = f"The report {report} cannot be written ({error.strerror}); name another with --report."
        raise CommandError(message) from error


def _club(slug: str, public: bool) -> Club:
    try:
        Club._meta.get_field("slug").clean(slug, None)
    except ValidationError as error:
        message = f"{slug!r} cannot name a club: letters, digits, hyphens and underscores, at most 60."
        raise CommandError(message) from error
    club, _ = Club.objects.get_or_create(slug=slug, defaults={"name": slug, "public": public})
    return club


@contextmanager
def _progress(reader: Reader) -> Iterator[Any]:
    """A bar on a terminal and nothing elsewhere, on standard error so that the summary can be piped."""
    columns = (TextColumn("importing"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, TextColumn("{task.fields[counts]}"), console=console, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=reader.size, counts="")

        def advance(summary: Summary) -> None:
            counts = f"{summary.received} received, {summary.stored} stored"
            progress.update(task, completed=reader.position, counts=counts)

        yield advance
