"""`manage.py erase_person PLAYER --club SLUG`: erase everything that tells who a player is."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from ofc_hub.core.scrub import WAIT_SECONDS
from ofc_hub.live.erasure import erase_person, finish
from ofc_hub.live.management.people import PeopleCommand, done, find_club, find_player
from ofc_hub.live.names import Names

# Logs and reports of refused lines are a person's to read; what is larger is a database or an archive.
LARGEST_FILE = 64 << 20
_OUR_FILES = ("*.log", "*.ndjson", "*.part")


class Command(PeopleCommand):
    help = (
        "Erase a player's names, those of his aliases, the free texts of his hands and others that name him, "
        "and his login; then rewrite the database's files without them. Hands, results and the log stay. "
        "Exit status 1 if something is left to do, which is said. Give the player's number: your shell would "
        "remember his name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("player", metavar="PLAYER", help="his number, as in the address of his page")
        parser.add_argument(
            "--wait",
            type=float,
            default=WAIT_SECONDS,
            metavar="SECONDS",
            help="for others' older transactions, which may still see what is erased; default: %(default)s",
        )

    def handle(self, *, club: str, player: str, wait: float, **options: Any) -> None:
        home = find_club(club)
        erased = done(erase_person(self.operator, home, find_player(home, player)))
        self.stdout.write(f"player {erased.player} is erased, and {erased.texts} texts")
        left = finish(wait)
        for words in erased.remains:
            self.stdout.write(f"stays: {words}")
        for file in files_that_name(erased.names):
            self.stdout.write(f"names him, yours to delete: {file}")
        for words in left:
            self.stderr.write(f"not done: {words}")
        if left:
            sys.exit(1)


def files_that_name(names: Names) -> Iterator[Path]:
    """Logs, reports and exports in VAR_DIR and the working directory in which a name stands."""
    here = (file for kind in _OUR_FILES for file in Path.cwd().glob(kind))
    ours = (file for kind in _OUR_FILES for file in settings.VAR_DIR.rglob(kind))
    for file in sorted({*here, *ours}):
        if file.is_file() and file.stat().st_size <= LARGEST_FILE and _names_in(names, file):
            yield file


def _names_in(names: Names, file: Path) -> bool:
    try:
        return names.in_text(file.read_text(errors="replace"))
    except OSError:
        return False
