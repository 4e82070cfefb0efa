"""The log of a club as a whole: positions, times, the head, and rows that belong to nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection

from ofc_hub.ops.verify.findings import Finding

# The database walks along its index; only what is wrong comes out.
_ORDER = """
SELECT position, previous, recorded_at, before FROM (
  SELECT position, lag(position) OVER w AS previous, recorded_at, lag(recorded_at) OVER w AS before
  FROM hands_event WHERE club_id = %s WINDOW w AS (ORDER BY position)
) AS log
WHERE position <> coalesce(previous, 0) + 1 OR recorded_at < before ORDER BY position"""
_STRANGERS = """
SELECT e.position, e.stream_id, s.club_id FROM hands_event e LEFT JOIN hands_stream s ON s.id = e.stream_id
WHERE e.club_id = %s AND (s.id IS NULL OR s.club_id <> e.club_id) ORDER BY e.position"""
_LAST = "SELECT position, recorded_at FROM hands_event WHERE club_id = %s ORDER BY position DESC LIMIT 1"
_HEAD = "SELECT position, recorded_at FROM hands_loghead WHERE club_id = %s"

# (code, table, its column, the table where it must be, that one's column): rows that no club's pass meets.
_HOMELESS = (
    ("club-unknown", "hands_event", "club_id", "clubs_club", "id"),
    ("club-unknown", "hands_stream", "club_id", "clubs_club", "id"),
    ("club-unknown", "hands_loghead", "club_id", "clubs_club", "id"),
    ("hand-unexpected", "hands_hand", "stream_id", "hands_stream", "id"),
    ("hand-result-unexpected", "scoring_handresult", "hand_id", "hands_stream", "id"),
    ("seat-result-unexpected", "scoring_seatresult", "hand_id", "hands_stream", "id"),
    ("pair-result-unexpected", "scoring_pairresult", "hand_id", "hands_stream", "id"),
    ("correction-unexpected", "scoring_correction", "hand_id", "hands_stream", "id"),
    ("correction-unexpected", "scoring_transfer", "hand_id", "hands_stream", "id"),
    ("correction-unexpected", "scoring_flag", "hand_id", "hands_stream", "id"),
    ("text-unknown", "hands_freetext", "stream_id", "hands_stream", "id"),
)


def log_findings(club: str, club_id: int) -> Iterator[Finding]:
    """Positions have no gap, times never go back, the head is at the last event, events have streams."""
    for position, previous, recorded_at, before in _rows(_ORDER, [club_id]):
        if position != (previous or 0) + 1:
            expected = (previous or 0) + 1
            yield Finding("position-gap", club, position, "", "", "position", position, expected)
        if before is not None and recorded_at < before:
            expected = f"{before} or later"
            yield Finding("time-goes-back", club, position, "", "", "recorded_at", recorded_at, expected)
    for position, stream, owner in _rows(_STRANGERS, [club_id]):
        if owner is None:
            yield Finding("stream-unknown", club, position, "", "", "stream_id", stream)
        else:
            yield Finding("club-differs", club, position, f"stream {stream}", "", "club_id", club_id, owner)
    yield from _head_findings(club, club_id)


def _head_findings(club: str, club_id: int) -> Iterator[Finding]:
    last = next(_rows(_LAST, [club_id]), None)
    head = next(_rows(_HEAD, [club_id]), None)
    if head is None:
        if last is not None:
            yield Finding("head-missing", club, last[0], expected=last[0])
        return
    position = 0 if last is None else last[0]
    if head[0] != position:
        yield Finding("head-differs", club, position, "", "", "position", head[0], position)
    if last is not None and head[1] != last[1]:
        yield Finding("head-differs", club, position, "", "", "recorded_at", head[1], last[1])


def homeless_findings() -> Iterator[Finding]:
    """Rows of any club whose club or stream is not there."""
    for code, table, column, home, key in _HOMELESS:
        rows = _rows(
            f"SELECT t.{column}, count(*) FROM {table} t LEFT JOIN {home} h ON h.{key} = t.{column}"  # noqa: S608
            f" WHERE h.{key} IS NULL GROUP BY t.{column} ORDER BY t.{column}",
            [],
        )
        for value, count in rows:
            words = f"{count} row" if count == 1 else f"{count} rows"
            yield Finding(code, "", None, "", f"{table}: {words}", column, value)


def _rows(statement: str, parameters: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, parameters)
        while rows := cursor.fetchmany(2000):
            yield from rows
