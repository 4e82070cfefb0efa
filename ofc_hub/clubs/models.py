"""Clubs, who belongs to them, and the players and aliases that hands name."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models


class Club(models.Model):
    """A club, its own log of hands, and what it shows to whom.

    A club day begins at `day_start` o'clock (0..23) in `time_zone`: with 6, a hand at 02:00 belongs to the
    evening before.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    public = models.BooleanField(default=False)
    shows_discards = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=60, default="UTC")
    day_start = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(23)])
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person as the club knows him; events name his aliases and never him."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players", db_index=False)
    name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["club", "name"], name="clubs_player_name")]

    def __str__(self) -> str:
        return self.name or f"player {self.pk}"


class Alias(models.Model):
    """A name as one source writes it. Merging or splitting players points aliases elsewhere; events stay."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="aliases", db_index=False)
    uuid = models.UUIDField(default=uuid.uuid4)
    source = models.CharField(max_length=200)
    name = models.CharField(max_length=200, blank=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="aliases")

    class Meta:
        verbose_name_plural = "aliases"
        constraints = [
            models.UniqueConstraint(fields=["club", "uuid"], name="clubs_alias_uuid"),
            models.UniqueConstraint(
                fields=["club", "source", "name"], condition=~models.Q(name=""), name="clubs_alias_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.uuid)


class Role(models.TextChoices):
    OWNER = "owner", "Owner"
    DIRECTOR = "director", "Director"
    SCORER = "scorer", "Scorer"
    PLAYER = "player", "Player"
    VIEWER = "viewer", "Viewer"


class Membership(models.Model):
    """What a login may do in a club, and which player it is."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.VIEWER)
    player = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="clubs_membership_once")]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.role} of {self.club_id}"


class Tournament(models.Model):
    """The name of a tournament; hands carry its `code`."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments", db_index=False)
    code = models.CharField(max_length=200)
    name = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "code"], name="clubs_tournament_code")]

    def __str__(self) -> str:
        return self.name or self.code


class AuditLine(models.Model):
    """Who did what to the people of a club, and when. Append-only.

    It names people by the numbers of their players and aliases only: a name here could never be erased.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="audit", db_index=False)
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=100)
    action = models.CharField(max_length=24)
    details = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.action} {self.details}"
