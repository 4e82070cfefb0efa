"""Signed heads (`ofc-heads/1`): what a log was at a date, to hold it against later.

Whoever owns the database can rewrite an event, every digest after it and every result, and all will fit
together. A file kept elsewhere tells: it holds a digest over all positions, times and digests of each club.

The digest of a block is the SHA-256 of one line for each event, `position recorded_at digest` (the digest in
hexadecimal, a line feed after each), so that it can be computed without this program.
"""

import hmac
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import msgspec
from django.db import connection

from ofc_hub.clubs.models import Club
from ofc_hub.hands.reading import head_position
from ofc_hub.ops.reading import raw_rows
from ofc_hub.ops.verify.findings import Finding

FORMAT: Final = "ofc-heads/1"
BLOCK: Final = 1000
_canonical = msgspec.json.Encoder(order="deterministic").encode


class SignedClub(msgspec.Struct, forbid_unknown_fields=True):
    """A club's log up to `position`, in blocks of `block` events, the last one shorter."""

    club: str
    position: int
    block: int
    blocks: list[str]


class SignedHeads(msgspec.Struct, forbid_unknown_fields=True):
    """`digest` covers all before it; `signature` is its HMAC-SHA-256 with the key, or null."""

    format: str
    signed_at: str
    clubs: list[SignedClub]
    digest: str = ""
    signature: str | None = None

    def own_digest(self) -> str:
        return sha256(_canonical([self.format, self.signed_at, self.clubs])).hexdigest()


class GapError(Exception):
    """A log with a gap is not signed."""


def sign(clubs: Sequence[Club], key: str) -> SignedHeads:
    """The logs of the clubs as they are now; without a key there is no signature. Raises GapError."""
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    heads = SignedHeads(FORMAT, now, [_signed_club(club) for club in clubs])
    heads.digest = heads.own_digest()
    heads.signature = signature(heads.digest, key) if key else None
    return heads


def signature(digest: str, key: str) -> str:
    return hmac.new(key.encode(), digest.encode(), sha256).hexdigest()


def _signed_club(club: Club) -> SignedClub:
    position = head_position(club.pk)
    blocks = []
    for first, last, count, digest in _blocks(club.pk, position, BLOCK):
        if count != last - first + 1:
            raise GapError(f"positions {first} to {last} of club {club.slug} have a gap; run verify_events")
        blocks.append(digest)
    return SignedClub(club.slug, position, BLOCK, blocks)


def _blocks(club_id: int, head: int, size: int) -> Iterator[tuple[int, int, int, str]]:
    """(first position, last position, events, digest) of each block up to `head`."""
    mark = "%s" if connection.vendor == "postgresql" else "?"
    statement = (
        "SELECT position, recorded_at, digest FROM hands_event"  # noqa: S608
        f" WHERE club_id = {mark} AND position BETWEEN {mark} AND {mark} ORDER BY position"
    )
    for first in range(1, head + 1, size):
        last = min(first + size - 1, head)
        rows = raw_rows(statement, [club_id, first, last])
        lines = "".join(
            [f"{position} {recorded_at} {_hex(digest)}\n" for position, recorded_at, digest in rows]
        )
        yield first, last, len(rows), sha256(lines.encode()).hexdigest()


def _hex(digest: Any) -> str:
    return digest.hex() if isinstance(digest, bytes) else str(digest)


# --- Held against ---------------------------------------------------------------------------------------


def read_heads(text: bytes) -> SignedHeads:
    """Raises ValueError for what is no file of signed heads."""
    try:
        heads = msgspec.json.decode(text, type=SignedHeads)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise ValueError(f"not a file of signed heads ({error})") from error
    if heads.format != FORMAT or any(one.block < 1 for one in heads.clubs):
        raise ValueError(f"not a file of the format {FORMAT}")
    return heads


def signed_findings(
    heads: SignedHeads, key: str, clubs: Sequence[Club], only: str | None = None
) -> Iterator[Finding]:
    """In what the file is not ours, and the logs of `clubs` are not those that it tells of.

    `only` looks at the club of that slug alone; else a club of the file that is not there is a finding.
    """
    yield from _file_findings(heads, key)
    by_slug = {club.slug: club for club in clubs}
    for signed in heads.clubs:
        club = by_slug.get(signed.club)
        if only not in (None, signed.club):
            continue
        if club is None:
            yield Finding("signed-club-missing", signed.club, signed.position)
        else:
            yield from _club_findings(club, signed)


def _file_findings(heads: SignedHeads, key: str) -> Iterator[Finding]:
    if heads.digest != heads.own_digest():
        yield Finding("signed-file-differs", "", None, "", "", "digest", heads.digest, heads.own_digest())
    if key and heads.signature is None:
        yield Finding("signature-missing", "", None, "", "", "signature")
    elif key and not hmac.compare_digest(heads.signature or "", signature(heads.digest, key)):
        yield Finding("signature-differs", "", None, "", "", "signature", heads.signature)


def _club_findings(club: Club, signed: SignedClub) -> Iterator[Finding]:
    head = head_position(club.pk)
    if head < signed.position:
        yield Finding("signed-log-shorter", club.slug, head, "", "", "position", head, signed.position)
    blocks = _blocks(club.pk, signed.position, signed.block)
    for (first, last, _, found), expected in zip(blocks, signed.blocks, strict=False):
        if found != expected:
            row = f"positions {first} to {last}"
            yield Finding("signed-block-differs", club.slug, first, "", row, "digest", found, expected)
