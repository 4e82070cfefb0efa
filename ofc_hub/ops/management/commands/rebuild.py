"""`manage.py rebuild [--check] [--club SLUG]`: facts and results anew from the log."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from django.core.management.base import BaseCommand

from ofc_hub.ops.reading import in_bulk, snapshot
from ofc_hub.ops.rebuild import Checked, Tally, check, rebuild
from ofc_hub.ops.selection import chosen_clubs
from ofc_hub.ops.verify.findings import Finding
from scoring.wake import send_wake_up


class Command(BaseCommand):
    help = (
        "Rescore every hand from its events and rewrite those whose facts or results differ, each under its "
        "lock; their statistics follow. A hand that does not replay is excluded and named. With --check "
        "nothing is written, and the exit status is 1 if anything differs. Writers may go on meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", metavar="SLUG", help="this club only; default: all")
        parser.add_argument("--check", action="store_true", help="list differences and change nothing")
        parser.add_argument(
            "--json", action="store_true", help="one JSON object a line: what was found, then the summary"
        )

    def handle(self, *, club: str | None, **options: Any) -> None:
        only_check = options["check"]
        tally = Tally()
        with snapshot() if only_check else nullcontext(), in_bulk():
            for checked in (check if only_check else rebuild)(chosen_clubs(club), tally):
                for finding in _findings(checked):
                    self.stdout.write(
                        json.dumps(finding.as_dict(), ensure_ascii=False) if options["json"] else str(finding)
                    )
        self._conclude(tally, only_check=only_check, as_json=options["json"])

    def _conclude(self, tally: Tally, *, only_check: bool, as_json: bool) -> None:
        summary = tally.as_dict()
        self.stdout.write(json.dumps(summary) if as_json else _sentence(summary, only_check))
        if tally.different and not only_check:
            send_wake_up()
        if tally.beyond_repair or (only_check and tally.different):
            sys.exit(1)


def _findings(checked: Checked) -> Iterator[Finding]:
    place = (checked.club.slug, checked.position, checked.name)
    for one in checked.differences:
        yield Finding(one.code, *place, one.row, one.column, one.found, one.expected)
    if checked.problem is not None:
        problem = checked.problem
        yield Finding("hand-broken", *place, "", problem.path, problem.code, problem.message)


def _sentence(summary: dict[str, Any], only_check: bool) -> str:
    verb = "differ" if only_check else "differed and were rewritten"
    broken = f", {summary['excluded']} excluded that do not replay" if summary["excluded"] else ""
    left = f", {summary['beyond_repair']} beyond repair" if summary["beyond_repair"] else ""
    return (
        "{hands} hands, {different} {verb}{broken}{left}; {seconds} s ({hands_per_second} hands/s)"
    ).format(verb=verb, broken=broken, left=left, **summary)
