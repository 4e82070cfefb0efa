"""`manage.py split_player PLAYER [IDENTITY...] --club SLUG`: one player is two persons."""

import uuid
from typing import Any

from django.core.management.base import CommandError, CommandParser

from ofc_hub.clubs.models import Alias
from ofc_hub.live.management.people import PeopleCommand, done, find_club, find_player
from ofc_hub.live.people import split_player


class Command(PeopleCommand):
    help = (
        "The aliases of these identities, and their hands, are those of a new player from now on. Without an "
        "identity the aliases of the player are listed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("player", metavar="PLAYER", help="a player's number (or exact name)")
        parser.add_argument("identities", nargs="*", metavar="IDENTITY", help="an alias's UUID")
        parser.add_argument("--name", default="", help="the new player's; default: that of the first alias")

    def handle(self, *, club: str, player: str, identities: list[str], name: str, **options: Any) -> None:
        home = find_club(club)
        number = find_player(home, player)
        if not identities:
            for alias in Alias.objects.filter(player=number).order_by("source", "name"):
                self.stdout.write(f"{alias.uuid}  {alias.source}  {alias.name}")
            return
        try:
            wanted = [uuid.UUID(text) for text in identities]
        except ValueError as error:
            raise CommandError("An identity is a UUID.") from error
        changed = done(split_player(self.operator, home, number, wanted, name))
        self.stdout.write(f"the new player is {changed.player}; {changed.days} days are to be recomputed")
