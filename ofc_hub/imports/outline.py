"""What must be known of a line before it is prepared: its format, its key and whom it names.

A cheap first look in the main process. A line that it cannot make out gets no outline; preparing it says why
it is refused.
"""

from __future__ import annotations

import uuid
from typing import Literal, NamedTuple

import msgspec

from .people import Mention

HAND_FORMAT = "ofc-hand/1"
EVENTS_FORMAT = "ofc-events/1"
MOST_MENTIONS = 99
"""Seats there can be. A line that names more people is refused, and must not be worth a query for each."""


class Outline(NamedTuple):
    """`mentions` are in the order of the document's seats, or of an archive's aliases."""

    format: str
    source: str
    key: str
    mentions: tuple[Mention, ...]


class _Seat(msgspec.Struct):
    player: str
    player_id: str | None = None


class _Hand(msgspec.Struct):
    format: Literal["ofc-hand/1"]
    source: str
    hand: str
    seats: list[_Seat]


class _Player(msgspec.Struct):
    id: str
    name: str


class _Alias(msgspec.Struct):
    id: str
    source: str
    name: str
    player: _Player


class _Stream(msgspec.Struct):
    format: Literal["ofc-events/1"]
    source: str
    key: str
    aliases: list[_Alias]


_hand_decoder = msgspec.json.Decoder(_Hand)
_stream_decoder = msgspec.json.Decoder(_Stream)
_UNREADABLE = (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError)


class _Format(msgspec.Struct):
    format: str = ""


_format_decoder = msgspec.json.Decoder(_Format)


def format_of(text: bytes) -> str:
    """The format that a line claims to have, "" where that cannot be read."""
    if text.startswith(b'{"format":"ofc-hand/1"'):
        return HAND_FORMAT
    try:
        return _format_decoder.decode(text).format
    except _UNREADABLE:
        return ""


def outline_of(text: bytes) -> Outline | None:
    outline = _hand_outline(text) or _stream_outline(text)
    if outline is None or len(outline.mentions) > MOST_MENTIONS or "\0" in outline.source + outline.key:
        return None
    return outline if all(map(_storable, outline.mentions)) else None


def _hand_outline(text: bytes) -> Outline | None:
    try:
        hand = _hand_decoder.decode(text)
        mentions = [mention_of(hand.source, seat.player, seat.player_id) for seat in hand.seats]
    except _UNREADABLE:
        return None
    return Outline(HAND_FORMAT, hand.source, hand.hand, tuple(mentions))


def _stream_outline(text: bytes) -> Outline | None:
    try:
        stream = _stream_decoder.decode(text)
        mentions = [
            Mention(
                alias.source, alias.name, plain_uuid(alias.id), plain_uuid(alias.player.id), alias.player.name
            )
            for alias in stream.aliases
        ]
    except _UNREADABLE:
        return None
    return Outline(EVENTS_FORMAT, stream.source, stream.key, tuple(mentions))


def mention_of(source: str, name: str, identity: str | None) -> Mention:
    """Raises ValueError for an identity that is no UUID."""
    return Mention(source, name, plain_uuid(identity) if identity is not None else None)


def plain_uuid(text: str) -> str:
    """A UUID as it is written everywhere inside. Raises ValueError."""
    return str(uuid.UUID(text))


def _storable(mention: Mention) -> bool:
    """Whether the store can be asked about it; somebody with neither a name nor an identity is nobody."""
    if not mention.name and mention.identity is None:
        return False
    return "\0" not in mention.source + mention.name + (mention.player or "")
