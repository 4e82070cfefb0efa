"""Slices: what one player's hands of one club day sum to. Recomputed whole, never incremented."""

from typing import Any

from django.db import models

from analytics.sums import SUM_NAMES, Kind, Sums
from ofc_hub.clubs.models import Club, Player


def _loose(to: type[models.Model]) -> Any:
    """Slices are rebuildable: a foreign key here is neither a constraint nor an index."""
    return models.ForeignKey(
        to, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )


class DayCurve(models.Model):
    """How a player's points ran over one club day, and the lock under which his slices are recomputed.

    `samples`: [[hands, points], ...] since the day began, in the order of play, the last one the day's end.
    The row stays when the day has lost its hands: workers may be waiting for its lock.
    """

    pk = models.CompositePrimaryKey("club_id", "player_id", "day")
    club = _loose(Club)
    player = _loose(Player)
    day = models.DateField()
    samples = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"player {self.player_id} on {self.day}"


class PlayerDay(models.Model):
    """The sums over a player's hands of one kind on one club day; each field as in `analytics.sums.Sums`."""

    pk = models.CompositePrimaryKey("club_id", "player_id", "day", "kind")
    club = _loose(Club)
    player = _loose(Player)
    day = models.DateField()
    kind = models.CharField(
        max_length=11, choices=[(Kind.NORMAL.value, "Normal"), (Kind.FANTASYLAND.value, "Fantasyland")]
    )
    hands = models.BigIntegerField(default=0)
    result_hands = models.BigIntegerField(default=0)
    fantasyland_hands = models.BigIntegerField(default=0)
    points = models.BigIntegerField(default=0)
    points_squared = models.BigIntegerField(default=0)
    ruled_points = models.BigIntegerField(default=0)
    royalties_squared = models.BigIntegerField(default=0)
    royalties_top = models.BigIntegerField(default=0)
    royalties_top_squared = models.BigIntegerField(default=0)
    royalties_middle = models.BigIntegerField(default=0)
    royalties_middle_squared = models.BigIntegerField(default=0)
    royalties_bottom = models.BigIntegerField(default=0)
    royalties_bottom_squared = models.BigIntegerField(default=0)
    fouls = models.BigIntegerField(default=0)
    dead = models.BigIntegerField(default=0)
    next_fantasyland = models.BigIntegerField(default=0)
    rows_won = models.BigIntegerField(default=0)
    rows_tied = models.BigIntegerField(default=0)
    rows_lost = models.BigIntegerField(default=0)
    scoops_legal = models.BigIntegerField(default=0)
    scooped_legal = models.BigIntegerField(default=0)
    scoops_foul = models.BigIntegerField(default=0)
    scooped_foul = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.kind} hands of player {self.player_id} on {self.day}"

    @property
    def sums(self) -> Sums:
        return Sums(*(getattr(self, name) for name in SUM_NAMES))
