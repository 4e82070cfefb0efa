"""`manage.py player_stats NAME --club SLUG [--json] [--no-wait | --wait-for POSITION]`: one player."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from django.core.management.base import CommandError

from analytics.metrics import STATISTICS, Figure, Form
from analytics.selectors import AsOf, Statistics, as_of, player_statistics, wait_for
from analytics.slices import recompute_some
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Player
from ofc_hub.core.commands import StoreCommand
from ofc_hub.hands.quarantine import Excluded, excluded_hands

# Rows that other workers hold are theirs to finish; one that died gives them back at once.
WAIT_SECONDS = 60.0


class Command(StoreCommand):
    help = "Print the statistics of one player, with numerators, denominators and 95 % intervals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the player's name, or a name of his as a source wrote it")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--id", type=int, help="which of several players of that name")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
        waiting = parser.add_mutually_exclusive_group()
        waiting.add_argument(
            "--no-wait", action="store_true", help="print what is there; do not compute what waits"
        )
        waiting.add_argument(
            "--wait-for",
            type=int,
            metavar="POSITION",
            help="let workers compute, and wait up to 2 s until they are done up to this position of the log",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        club = find_club(options["club"])
        player = find_player(club, options["name"], options["id"])
        up_to = self._up_to(club, options["wait_for"], options["no_wait"])
        statistics = player_statistics(club, player)
        excluded = excluded_hands(club.pk, player.pk)
        if options["json"]:
            figures = as_dict(club, statistics, up_to) | {"excluded": [hand._asdict() for hand in excluded]}
            self.stdout.write(json.dumps(figures, ensure_ascii=False))
        else:
            self.stdout.write("\n".join([*as_table(club, statistics, up_to), *excluded_lines(excluded)]))

    def _up_to(self, club: Club, position: int | None, no_wait: bool) -> AsOf:
        """How far the statistics are complete after the waiting or working that was asked for."""
        if position is None:
            if not no_wait:
                work_off(club)
            return as_of(club)
        up_to = wait_for(club, position)
        if up_to.position < position:
            reason = "are not that far yet" if position <= up_to.head else "cannot be: the log ends before"
            self.stderr.write(f"position {position}: statistics {reason} (complete up to {up_to.position})")
        return up_to


def excluded_lines(excluded: Sequence[Excluded]) -> list[str]:
    """What no figure counts, each hand by its name."""
    if not excluded:
        return []
    count = f"{len(excluded)} hand" if len(excluded) == 1 else f"{len(excluded)} hands"
    return ["", f"{count} excluded:", *(f"  {hand.name}: {hand.message} ({hand.code})" for hand in excluded)]


def find_club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        slugs = list(Club.objects.values_list("slug", flat=True))
        raise CommandError(f'there is no club "{slug}"{_near(slug, slugs)}')
    return club


def find_player(club: Club, name: str, key: int | None = None) -> Player:
    """The one player of that name, else of that alias; CommandError names near names, or lists several."""
    players = club.players.filter(name=name) or club.players.filter(aliases__name=name).distinct()
    found = [player for player in players.prefetch_related("aliases") if key in (None, player.pk)]
    if len(found) == 1:
        return found[0]
    if not found:
        names = {*club.players.values_list("name", flat=True), *club.aliases.values_list("name", flat=True)}
        raise CommandError(f'no player "{name}" in club "{club.slug}"{_near(name, sorted(names - {""}))}')
    listed = "\n".join(f"  --id {player.pk}  {_known_as(player)}" for player in found)
    raise CommandError(f'{len(found)} players are called "{name}"; say which:\n{listed}')


def _known_as(player: Player) -> str:
    aliases = sorted(f"{alias.source}/{alias}" for alias in player.aliases.all())
    return f"{player} ({', '.join(aliases)})"


def _near(word: str, known: list[str]) -> str:
    by_lower = {one.lower(): one for one in known}
    near = get_close_matches(word.lower(), by_lower, n=5, cutoff=0.5)
    return f"; near it: {', '.join(by_lower[one] for one in near)}" if near else ""


def work_off(club: Club) -> None:
    """Compute what waits for this club; rows that a worker holds are waited for."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        if recompute_some(club.pk):
            continue
        up_to = as_of(club)
        if up_to.position == up_to.head:
            return
        time.sleep(0.1)


def as_dict(club: Club, statistics: Statistics, up_to: AsOf) -> dict[str, Any]:
    """All figures by the code of the statistic and the kind of hands."""
    figures: dict[str, dict[str, Any]] = {
        one.code: {
            "name": one.name,
            "definition": one.definition,
            "unit": one.unit,
            "needs": one.needs.value,
        }
        for one in STATISTICS
    }
    for figure in statistics.figures:
        figures[figure.statistic.code][figure.kind.value] = figure.as_dict()
    return {
        "club": club.slug,
        "player": statistics.player,
        "player_id": statistics.player_id,
        "complete_up_to": up_to.position,
        "head": up_to.head,
        "statistics": figures,
    }


def as_table(club: Club, statistics: Statistics, up_to: AsOf) -> list[str]:
    head = f"{statistics.player}, club {club.slug}: complete up to position {up_to.position} of {up_to.head}"
    columns = f"{'':34}{'value':>11}  {'from':>15}  {'95 % interval':<21}  left out"
    return [head, "", columns, *(_line(figure) for figure in statistics.figures)]


def _line(figure: Figure) -> str:
    kind = "" if figure.kind is Kind.ALL else f"  {figure.kind.value}"
    name = kind or figure.statistic.name
    if figure.kind is not Kind.ALL and Kind.ALL not in figure.statistic.kinds:
        name = figure.statistic.name
    over = "" if figure.denominator is None else f"{figure.numerator} of {figure.denominator}"
    interval = " to ".join(_shown(figure, end) for end in figure.interval or ())
    left_out = str(figure.left_out) if figure.left_out else ""
    return f"{name:34}{_shown(figure, figure.value):>11}  {over:>15}  {interval:<21}  {left_out}".rstrip()


def _shown(figure: Figure, value: float | None) -> str:
    if value is None:
        return "none"
    if figure.statistic.form is Form.RATE:
        return f"{value:.1%}"
    signed = "+" if figure.statistic.code.startswith("points") else ""
    return format(value, f"{signed}d" if figure.statistic.form is Form.COUNT else f"{signed}.2f")
