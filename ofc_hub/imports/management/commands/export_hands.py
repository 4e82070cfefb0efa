"""`manage.py export_hands --club SLUG`: the hands of a club, or their whole log, as a file."""

from __future__ import annotations

import gzip
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.management.base import CommandError

from ofc_hub.clubs.models import Club
from ofc_hub.core.commands import StoreCommand
from ofc_hub.hands.models import Hand
from ofc_hub.hands.quarantine import excluded_hands
from ofc_hub.imports.export import exportable, hand_lines, stream_lines


class Command(StoreCommand):
    help = (
        "Write the hands of a club as ofc-hand/1, one line each, corrections applied; with --events the log "
        "itself as ofc-events/1. A hand that is not complete, or voided, has no line in ofc-hand/1, nor has "
        "one that does not replay: each is named, and the exit status is 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="packed if it ends in .gz; default: output"
        )
        parser.add_argument("--events", action="store_true", help="the log with its digests, for a replica")

    def handle(self, *, club: str, output: str | None, events: bool, **options: Any) -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"There is no club {club!r}.")
        broken: list[str] = []
        lines = stream_lines(found) if events else hand_lines(found, broken)
        count = 0
        try:
            with _target(output) as out, closing(lines):
                for count, line in enumerate(lines, 1):  # noqa: B007
                    out.write(line)
        except BrokenPipeError:
            # Whoever reads has seen enough; the interpreter must not try to flush once more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        excluded = [] if events else [*(hand.name for hand in excluded_hands(found.pk)), *broken]
        self._tell(found, count, events, excluded)
        if excluded:
            sys.exit(1)

    def _tell(self, club: Club, count: int, events: bool, excluded: list[str]) -> None:
        hands = Hand.objects.filter(club=club, problem__isnull=True)
        left_out = 0 if events else hands.count() - exportable(club).count()
        note = f", {left_out} left out that are not complete or voided" if left_out else ""
        self.stderr.write(f"exported {count} {'streams' if events else 'hands'}{note}")
        for name in excluded:
            self.stderr.write(f"excluded: {name} does not replay; rebuild says why")


@contextmanager
def _target(output: str | None) -> Iterator[BinaryIO]:
    """Where lines go; a file has its name only once it is whole."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    if not path.resolve().parent.is_dir():
        raise CommandError(f"There is no directory for {output}.")
    if path.is_dir():
        raise CommandError(f"{output} is a directory; name a file in it.")
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as raw:
            if output.endswith(".gz"):
                # Without a time and a name in it, the same hands give the same bytes.
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield raw
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
