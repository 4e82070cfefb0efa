"""`manage.py merge_players KEPT MERGED --club SLUG`: two players are one person."""

from typing import Any

from django.core.management.base import CommandParser

from ofc_hub.live.management.people import PeopleCommand, done, find_club, find_player
from ofc_hub.live.people import merge_players


class Command(PeopleCommand):
    help = (
        "All aliases and hands of the player MERGED are those of KEPT from now on. Refused where the two sat "
        "at one table in the same hand. To undo it, split the aliases off again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kept", metavar="KEPT", help="a player's number (or exact name)")
        parser.add_argument("merged", metavar="MERGED", help="a player's number (or exact name)")

    def handle(self, *, club: str, kept: str, merged: str, **options: Any) -> None:
        home = find_club(club)
        numbers = find_player(home, kept), find_player(home, merged)
        changed = done(merge_players(self.operator, home, *numbers))
        self.stdout.write(f"merged into player {changed.player}; {changed.days} days are to be recomputed")
