"""The event log and the searchable facts of hands (design section 2).

Foreign keys are constraints on the log itself and nowhere else; no index is there without a reader.
Instants in the log are microseconds since the epoch, as in the domain: exact, and read without parsing.
"""

from django.db import models

from ofc_hub.clubs.models import Club


class RuleSetRecord(models.Model):
    """A rule set, fully resolved, by the SHA-256 of its canonical data. Append-only."""

    digest = models.CharField(primary_key=True, max_length=64)
    code = models.CharField(max_length=60)
    data = models.JSONField()

    def __str__(self) -> str:
        return f"{self.code} {self.digest[:8]}"


class LogHead(models.Model):
    """The last position of a club's log and when it was recorded (microseconds since the epoch).

    Its row lock makes positions gapless and in commit order; the time never goes back, whatever clocks do.
    """

    club = models.OneToOneField(Club, on_delete=models.PROTECT, primary_key=True, related_name="log_head")
    position = models.BigIntegerField(default=0)
    recorded_at = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.position}"


class StreamKind(models.TextChoices):
    HAND = "hand", "Hand"
    TABLE = "table", "Table"
    TOURNAMENT = "tournament", "Tournament"


class Stream(models.Model):
    """One hand (later: table, tournament) in the log; its head is `version` and the last event's `digest`."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=12, choices=StreamKind, default=StreamKind.HAND)
    source = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    version = models.IntegerField(default=0)
    digest = models.BinaryField(max_length=32)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "kind", "source", "key"], name="hands_stream_key"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source}/{self.key}"


class Event(models.Model):
    """One event of the log. Append-only; the order of columns keeps PostgreSQL from padding rows."""

    pk = models.CompositePrimaryKey("club_id", "position")
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    position = models.BigIntegerField()
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="events", db_index=False)
    recorded_at = models.BigIntegerField()
    happened_at = models.BigIntegerField(null=True)
    version = models.IntegerField()
    seat = models.SmallIntegerField(null=True)
    schema = models.SmallIntegerField(default=1)
    kind = models.CharField(max_length=24)
    cards = models.CharField(max_length=100, blank=True, default="")
    actor = models.CharField(max_length=100, blank=True, default="")
    digest = models.BinaryField(max_length=32)
    client_id = models.UUIDField(null=True)
    data = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stream", "version"], name="hands_event_version"),
            models.UniqueConstraint(
                fields=["club", "client_id"],
                condition=models.Q(client_id__isnull=False),
                name="hands_event_client_id",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}@{self.position} {self.kind}"


class FreeText(models.Model):
    """What somebody wrote, erasable; the event at (stream, version) holds its salted SHA-256 only."""

    pk = models.CompositePrimaryKey("stream_id", "version")
    stream = models.ForeignKey(
        Stream, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    version = models.IntegerField()
    salt = models.CharField(max_length=64, blank=True)
    text = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"text of {self.stream_id}@{self.version}"


class Completeness(models.TextChoices):
    FULL = "full", "Every move"
    BOARDS = "boards", "Final boards"
    RESULT = "result", "Result only"


class Hand(models.Model):
    """The searchable facts of a hand, a projection of its stream.

    `number` is 0 and texts are empty where the source gives none, so that both databases order hands alike.
    `content` is the SHA-256 of the hand as imported without `claimed` and `extra` (null: logged live).
    `problem` says why the stream no longer replays (null: it does); such a hand has no results.
    """

    stream = models.OneToOneField(Stream, on_delete=models.PROTECT, primary_key=True, related_name="hand")
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="hands", db_constraint=False, db_index=False
    )
    played_at = models.DateTimeField()
    number = models.BigIntegerField(default=0)
    stake = models.BigIntegerField()
    rule_set = models.ForeignKey(
        RuleSetRecord, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    key = models.CharField(max_length=200)
    tournament = models.CharField(max_length=200, blank=True, default="")
    table = models.CharField(max_length=200, blank=True, default="")
    set = models.IntegerField(null=True)
    button = models.SmallIntegerField()
    seats = models.SmallIntegerField()
    completeness = models.CharField(max_length=6, choices=Completeness)
    complete = models.BooleanField(default=False)
    voided = models.BooleanField(default=False)
    locked = models.BooleanField(default=False)
    content = models.BinaryField(max_length=32, null=True)
    problem = models.JSONField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["club", "played_at", "number", "key"], name="hands_hand_order"),
            models.Index(
                fields=["club"], condition=models.Q(problem__isnull=False), name="hands_hand_excluded"
            ),
        ]

    def __str__(self) -> str:
        return f"hand {self.key}"
