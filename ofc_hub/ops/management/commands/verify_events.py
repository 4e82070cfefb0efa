"""`manage.py verify_events [--club SLUG] [--json] [--against FILE]`: is the log what was recorded?"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ofc_hub.ops.reading import in_bulk, snapshot
from ofc_hub.ops.selection import chosen_clubs
from ofc_hub.ops.signing import SignedHeads, read_heads, signed_findings
from ofc_hub.ops.verify.findings import Finding
from ofc_hub.ops.verify.run import Tally, verify


class Command(BaseCommand):
    help = (
        "Verify the log: positions, times, versions and digests; that every hand replays and is fair; that "
        "facts, results, rule sets and texts are what the events say. Each finding is one line; exit status "
        "1 if there is any. Writers may go on meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", metavar="SLUG", help="this club only; default: all")
        parser.add_argument(
            "--json", action="store_true", help="one JSON object a line: the findings, then the summary"
        )
        parser.add_argument(
            "--against", type=Path, metavar="FILE", help="a file of sign_heads that the log must continue"
        )
        parser.add_argument(
            "--log-only", action="store_true", help="positions, times, versions, digests and heads only"
        )

    def handle(self, *, club: str | None, against: Path | None, **options: Any) -> None:
        heads = _heads(against) if against else None
        tally = Tally()
        with snapshot(), in_bulk():
            for finding in self._findings(club, heads, tally, hands=not options["log_only"]):
                tally.findings += 1
                self._tell(finding, options["json"])
        summary = tally.as_dict()
        self.stdout.write(json.dumps(summary) if options["json"] else _sentence(summary))
        if tally.findings:
            sys.exit(1)

    def _findings(
        self, slug: str | None, heads: SignedHeads | None, tally: Tally, *, hands: bool
    ) -> Iterator[Finding]:
        clubs = chosen_clubs(slug)
        found = verify(clubs, tally, everything=slug is None, hands=hands)
        if heads is None:
            return found
        if not settings.SIGNING_KEY:
            self.stderr.write("OFC_SIGNING_KEY is not set: the signature itself is not checked.")
        return chain(signed_findings(heads, settings.SIGNING_KEY, clubs, slug), found)

    def _tell(self, finding: Finding, as_json: bool) -> None:
        self.stdout.write(json.dumps(finding.as_dict(), ensure_ascii=False) if as_json else str(finding))


def _heads(file: Path) -> SignedHeads:
    try:
        return read_heads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise CommandError(f"{file}: {error}") from error


def _sentence(summary: dict[str, Any]) -> str:
    verdict = "clean" if summary["clean"] else f"findings: {summary['findings']}"
    return (
        "{verdict}; {clubs} clubs, {streams} streams, {events} events in {seconds} s"
        " ({events_per_second} events/s)"
    ).format(verdict=verdict, **summary)
