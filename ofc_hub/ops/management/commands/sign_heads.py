"""`manage.py sign_heads [-o FILE]`: a dated digest over all positions and events, to keep elsewhere."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ofc_hub.ops.reading import snapshot
from ofc_hub.ops.selection import chosen_clubs
from ofc_hub.ops.signing import GapError, sign


class Command(BaseCommand):
    help = (
        "Write what the logs of all clubs are now as one signed JSON object. Keep the file where the owner "
        "of the database cannot change it; `verify_events --against FILE` holds the log against it. "
        "Verify first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", metavar="SLUG", help="this club only; default: all")
        parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: output")

    def handle(self, *, club: str | None, output: Path | None, **options: Any) -> None:
        try:
            with snapshot():
                heads = sign(chosen_clubs(club), settings.SIGNING_KEY)
        except GapError as error:
            raise CommandError(str(error)) from error
        text = json.dumps(msgspec.to_builtins(heads), ensure_ascii=False)
        if output is None:
            self.stdout.write(text)
        else:
            output.write_text(text + "\n")
        signed = "signed" if heads.signature else "not signed, since OFC_SIGNING_KEY is not set"
        self.stderr.write(f"{heads.signed_at} {heads.digest} ({signed})")
