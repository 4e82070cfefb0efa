"""The tables that an import fills, and the order of the values in their rows."""

from ofc_hub.hands import projection
from ofc_hub.hands.models import Event, FreeText, Hand, Stream
from scoring import projector
from scoring.models import HandResult, PairResult, SeatResult, SliceToDo

STREAM = Stream._meta.db_table
EVENT = Event._meta.db_table
TEXT = FreeText._meta.db_table
HAND = Hand._meta.db_table
HAND_RESULT = HandResult._meta.db_table
SEAT_RESULT = SeatResult._meta.db_table
PAIR_RESULT = PairResult._meta.db_table
SLICE = SliceToDo._meta.db_table

STREAM_COLUMNS = ("id", "club_id", "kind", "source", "key", "version", "digest")
TEXT_COLUMNS = ("stream_id", "version", "salt", "text")
# A batch's rows of these need nothing that is known under the head only.
BEFORE_THE_HEAD = {
    STREAM: STREAM_COLUMNS,
    TEXT: TEXT_COLUMNS,
    HAND: projection.HAND_COLUMNS,
    SEAT_RESULT: projector.SEAT_COLUMNS,
    PAIR_RESULT: projector.PAIR_COLUMNS,
}
EVENT_COLUMNS = (
    "stream_id",
    "happened_at",
    "version",
    "seat",
    "schema",
    "kind",
    "cards",
    "actor",
    "digest",
    "client_id",
    "data",
)
PLACE_COLUMNS = ("club_id", "position", "recorded_at")
HAND_RESULT_COLUMNS = projector.HAND_COLUMNS
SLICE_COLUMNS = ("club_id", "player_id", "day", "position")
