"""What the commands about people have in common."""

import getpass
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ofc_hub.clubs.models import Club, Player
from ofc_hub.clubs.selectors import Doer, operator
from ofc_hub.live.people import Refused
from ofc_hub.live.record import NotAllowed

T = TypeVar("T")


class PeopleCommand(BaseCommand):
    """A command for one club, done by the login at the machine."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")

    @property
    def operator(self) -> Doer:
        return operator(getpass.getuser())


def find_club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise CommandError(f"There is no club {slug!r}.")
    return club


def find_player(club: Club, text: str) -> int:
    """The player's number: `text` is it, as in the address of his page, or else his exact name."""
    players = Player.objects.filter(club=club)
    players = players.filter(pk=int(text)) if text.isdecimal() else players.filter(name=text)
    found = list(players.values_list("pk", flat=True)[:20])
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandError("The club has no such player.")
    raise CommandError(f"Several players have that name; give a number: {', '.join(map(str, found))}.")


def done(outcome: T | Refused | NotAllowed) -> T:
    if isinstance(outcome, Refused):
        raise CommandError(str(outcome))
    if isinstance(outcome, NotAllowed):
        raise CommandError(f"You may not {outcome.action} here.")
    return outcome
