"""`manage.py demo`: a club that never was, into a file or into the log."""

from __future__ import annotations

import gzip
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug

from ofc_hub.ops.demo import HANDS, SLUG, bring_in, demo_club, holds_other_hands
from scoring.simulator.hands import hands as simulated_hands

STANDARD_OUTPUT = "-"


class Command(BaseCommand):
    help = (
        "Play hands of Open Face Chinese poker and import them into a public demo club, or write them to a "
        "file as ofc-hand/1. The same options give the same hands, so that the command can be repeated. "
        "With --output no database is touched."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hands", type=_positive, default=HANDS, metavar="N", help=f"default {HANDS}")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, another club")
        parser.add_argument("--players", type=_positive, metavar="P", help="eight for each 24,000 hands")
        parser.add_argument("--club", metavar="SLUG", help=f"made if there is none (default {SLUG})")
        parser.add_argument("--output", metavar="FILE", help="a file, packed if it ends in .gz, or - ")

    def handle(self, **options: Any) -> None:
        hands = simulated_hands(options["hands"], options["seed"], options["players"])
        if options["output"] is None:
            self._bring_in(options["club"] or SLUG, hands, options["hands"])
        elif options["club"] is not None:
            raise CommandError("--output writes a file and --club imports; give one of them.")
        elif options["output"] == STANDARD_OUTPUT:
            self._print(hands)
        else:
            self._write(Path(options["output"]), hands)

    def _bring_in(self, slug: str, hands: Any, count: int) -> None:
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise CommandError(f"{slug!r} cannot name a club: letters, digits, hyphens.") from error
        if holds_other_hands(slug):
            raise CommandError(f"The club {slug!r} holds hands that are no demo; name another one.")
        summary = bring_in(demo_club(slug), hands, count)
        if summary.report:
            self.stderr.write(f"refused lines: {summary.report}")
        self.stdout.write(str(summary))
        if not summary.clean:
            sys.exit(1)

    def _print(self, hands: Any) -> None:
        try:
            for hand in hands:
                sys.stdout.buffer.write(hand)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader has had enough; Python would complain once more when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _write(self, path: Path, hands: Any) -> None:
        """Under another name until it is whole."""
        draft = path.with_name(f"{path.name}.{os.getpid()}.part")
        count = 0
        try:
            # No time in the packed file: the same hands are the same bytes.
            with draft.open("wb") as plain:
                out = gzip.GzipFile("", "wb", 6, plain, mtime=0) if path.suffix == ".gz" else plain
                for count, hand in enumerate(hands, 1):  # noqa: B007 - how many they were
                    out.write(hand)
                out.close()
            draft.replace(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        finally:
            draft.unlink(missing_ok=True)
        self.stdout.write(f"{count} hands written to {path}.")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)
