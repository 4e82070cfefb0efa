"""Results of hands: rebuilt at will, hence without constraints on foreign keys (design section 4).

Amounts of chips are integers of 1/10,000; points are plain integers.
"""

from typing import Any

from django.db import models

from ofc_hub.clubs.models import Alias, Club, Player
from ofc_hub.hands.models import Completeness, Hand, RuleSetRecord


def _loose(to: type[models.Model], **options: Any) -> Any:
    """A foreign key that is neither a constraint nor an index."""
    return models.ForeignKey(
        to, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False, **options
    )


class HandResult(models.Model):
    """One scored hand: by which engine, from which version of its stream, at which position of the log."""

    hand = models.OneToOneField(
        Hand, on_delete=models.DO_NOTHING, primary_key=True, related_name="result", db_constraint=False
    )
    position = models.BigIntegerField()
    club = _loose(Club)
    version = models.IntegerField()
    engine = models.SmallIntegerField()
    complete = models.BooleanField(default=True)
    differences = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"result of hand {self.hand_id}"


class SeatResult(models.Model):
    """What one seat made of one hand.

    `place`: 1 acts first, `seats` is the button. `fantasyland`, `next_fantasyland`: cards, 0 for none.
    Royalties, rows and strengths are null where the source gives the result only. `opening`: the first street
    as `scoring.domain.openings` codes it, null in Fantasyland and where moves are not known.
    `scoops_legal`: legal hands scooped; `scooped_legal`: legal hands that scooped this one; `..._foul`: the
    same where the loser had fouled or was dead. Rulings stand beside the score, never inside it.
    """

    pk = models.CompositePrimaryKey("hand_id", "seat")
    hand = _loose(Hand)
    club = _loose(Club)
    player = _loose(Player)
    alias = _loose(Alias)
    played_at = models.DateTimeField()
    number = models.BigIntegerField(default=0)
    stake = models.BigIntegerField()
    chips = models.BigIntegerField(null=True)
    ruled_chips = models.BigIntegerField(default=0)
    day = models.DateField()
    points = models.IntegerField()
    ruled_points = models.IntegerField(default=0)
    seat = models.SmallIntegerField()
    place = models.SmallIntegerField()
    seats = models.SmallIntegerField()
    fantasyland = models.SmallIntegerField(default=0)
    next_fantasyland = models.SmallIntegerField(default=0)
    royalties_top = models.SmallIntegerField(null=True)
    royalties_middle = models.SmallIntegerField(null=True)
    royalties_bottom = models.SmallIntegerField(null=True)
    rows_won = models.SmallIntegerField(null=True)
    rows_tied = models.SmallIntegerField(null=True)
    rows_lost = models.SmallIntegerField(null=True)
    scoops_legal = models.SmallIntegerField(null=True)
    scooped_legal = models.SmallIntegerField(null=True)
    scoops_foul = models.SmallIntegerField(null=True)
    scooped_foul = models.SmallIntegerField(null=True)
    strength_top = models.SmallIntegerField(null=True)
    strength_middle = models.SmallIntegerField(null=True)
    strength_bottom = models.SmallIntegerField(null=True)
    opening = models.SmallIntegerField(null=True)
    foul = models.BooleanField(default=False)
    dead = models.BooleanField(default=False)
    completeness = models.CharField(max_length=6, choices=Completeness)
    rules = _loose(RuleSetRecord)
    key = models.CharField(max_length=200)
    tournament = models.CharField(max_length=200, blank=True, default="")
    table = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        # A slice is one player's day; a day's order is that of (played_at, number, key).
        # Hands told by their result alone are few, and whoever adds up pairs looks for them.
        indexes = [
            models.Index(fields=["club", "player", "day", "played_at"], name="scoring_seat_player"),
            models.Index(
                fields=["club", "player"],
                condition=models.Q(completeness=Completeness.RESULT),
                name="scoring_seat_result_only",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of hand {self.hand_id}"


class PairResult(models.Model):
    """What two seats settled with each other; all figures from `a`'s side, rows null where unknown."""

    pk = models.CompositePrimaryKey("hand_id", "a", "b")
    hand = _loose(Hand)
    club = _loose(Club)
    player_a = _loose(Player)
    player_b = _loose(Player)
    chips = models.BigIntegerField(null=True)
    points = models.IntegerField()
    a = models.SmallIntegerField()
    b = models.SmallIntegerField()
    row_top = models.SmallIntegerField(null=True)
    row_middle = models.SmallIntegerField(null=True)
    row_bottom = models.SmallIntegerField(null=True)
    bonus = models.SmallIntegerField(null=True)
    royalties = models.SmallIntegerField(null=True)
    moon = models.SmallIntegerField(null=True)
    why = models.CharField(max_length=24, blank=True, default="")

    def __str__(self) -> str:
        return f"seats {self.a} and {self.b} of hand {self.hand_id}"


class Correction(models.Model):
    """A hand that no longer comes to what was first settled, in `version` of its stream.

    Points, chips, Fantasyland, rulings or a void: whatever its table was told then and is not so now.
    """

    hand = models.OneToOneField(
        Hand, on_delete=models.DO_NOTHING, primary_key=True, related_name="correction", db_constraint=False
    )
    club = _loose(Club)
    version = models.IntegerField()
    tournament = models.CharField(max_length=200, blank=True, default="")
    table = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        indexes = [models.Index(fields=["club", "tournament", "table"], name="scoring_correction_table")]

    def __str__(self) -> str:
        return f"correction of hand {self.hand_id}"


class Transfer(models.Model):
    """Chips that a seat of a corrected hand is still to get (or give, if negative); a hand's sum to zero.

    Seat 0 without an alias is the house, where a ruling was a penalty.
    """

    pk = models.CompositePrimaryKey("hand_id", "seat")
    hand = _loose(Hand)
    club = _loose(Club)
    alias = _loose(Alias, null=True)
    chips = models.BigIntegerField()
    seat = models.SmallIntegerField()

    def __str__(self) -> str:
        return f"transfer to seat {self.seat} of hand {self.hand_id}"


class Flag(models.Model):
    """A recorded fact of a hand that no longer follows, since an earlier hand of its table was corrected.

    `what` is "button" or "set" (of the table: seat 0), "fantasyland" (cards) or "stack" (units of chips).
    """

    pk = models.CompositePrimaryKey("hand_id", "what", "seat")
    hand = _loose(Hand)
    club = _loose(Club)
    recorded = models.BigIntegerField()
    follows = models.BigIntegerField()
    seat = models.SmallIntegerField()
    what = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"{self.what} of seat {self.seat} in hand {self.hand_id}"


class SliceToDo(models.Model):
    """A player's day whose statistics lack the commit that began at `position`; written with its events."""

    club = _loose(Club)
    player = _loose(Player)
    position = models.BigIntegerField()
    day = models.DateField()

    def __str__(self) -> str:
        return f"player {self.player_id} on {self.day}"
