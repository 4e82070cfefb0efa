"""`manage.py rename_player PLAYER NAME --club SLUG`: another name for a player."""

from typing import Any

from django.core.management.base import CommandParser

from ofc_hub.live.management.people import PeopleCommand, done, find_club, find_player
from ofc_hub.live.people import rename_player


class Command(PeopleCommand):
    help = "Give a player another name; his aliases stay as their sources write them."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("player", metavar="PLAYER", help="a player's number (or exact name)")
        parser.add_argument("name", metavar="NAME")

    def handle(self, *, club: str, player: str, name: str, **options: Any) -> None:
        home = find_club(club)
        changed = done(rename_player(self.operator, home, find_player(home, player), name))
        self.stdout.write(f"player {changed.player} has another name")
