"""The hands of a club: each replays, is fair, and its facts, results and texts are what its stream says."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import FreeText, StreamKind
from ofc_hub.hands.texts import salted
from ofc_hub.ops.corrections import CorrectedTables, as_difference, place_of
from ofc_hub.ops.fresh import Fresh, RuleBook, fresh_hands
from ofc_hub.ops.reading import Batch, Logged, StreamHead
from ofc_hub.ops.stored import Stored, differences, stored_hands
from ofc_hub.ops.verify.findings import Finding
from scoring.aftermath import find_differences
from scoring.domain.cards import CODES, DECK
from scoring.domain.hand import HandState
from scoring.projector import SEAT_COLUMNS

TEXT_KEYS = ("text", "extra", "reason")
_SUMMED = ("points", "chips")


def hand_findings(
    club: Club, rule_book: RuleBook, tables: CorrectedTables, batch: Batch
) -> Iterator[Finding]:
    """Everything about the hands of a batch that is not as it must be; streams of other kinds have none."""
    hands = [stream for stream in batch.streams if stream.kind == StreamKind.HAND]
    stored = stored_hands([stream.id for stream in batch.streams])
    texts = _texts([stream.id for stream in batch.streams])
    fresh = fresh_hands(club, rule_book, [(stream, batch.events[stream.id]) for stream in hands])
    tables.note(fresh)
    for one in fresh:
        yield from _fresh_findings(club.slug, one)
        yield from _stored_findings(club.slug, one, stored[one.stream.id])
    for stream in batch.streams:
        yield from _text_findings(club.slug, stream, batch.events[stream.id], texts.get(stream.id, {}))


def _fresh_findings(club: str, fresh: Fresh) -> Iterator[Finding]:
    place = (club, fresh.position, fresh.stream.name, "")
    if fresh.problem is not None:
        yield Finding("hand-broken", *place, fresh.problem.path, fresh.problem.code, fresh.problem.message)
    if fresh.state is not None:
        for card, count, most in _cards_too_often(fresh.state):
            yield Finding("card-twice", *place, CODES[card], count, most)


def _cards_too_often(state: HandState) -> Iterator[tuple[int, int, int]]:
    """(card, times, most) of cards that are there more often than dealt; not taken from the replay's word."""
    decks = state.start.rules.deal.decks
    laid = [card for cards in (*state.boards.values(), *state.discards.values()) for card in cards]
    if len(set(laid)) == len(laid):
        return
    for card, count in sorted(Counter(laid).items()):
        if 0 <= card < len(CODES) and count > (decks if card < DECK else 1):
            yield card, count, decks


def _stored_findings(club: str, fresh: Fresh, stored: Stored) -> Iterator[Finding]:
    place = (club, fresh.position, fresh.stream.name)
    for one in differences(stored, fresh):
        yield Finding(one.code, *place, one.row, one.column, one.found, one.expected)
    for column in _SUMMED:
        values = [row[SEAT_COLUMNS.index(column)] for row in stored.seats.values()]
        if None not in values and sum(values):
            yield Finding("sum-not-zero", *place, "", column, sum(values), 0)


def correction_findings(club: Club, tables: CorrectedTables) -> Iterator[Finding]:
    """What corrections left at their tables: transfers that are due, and flags on later hands."""
    for one in find_differences(club, tables=tables.of(club)):
        name, position = place_of(one)
        found = as_difference(one)
        yield Finding(found.code, club.slug, position, name, "", "", found.found, found.expected)


# --- Texts ----------------------------------------------------------------------------------------------


def _texts(stream_ids: Sequence[int]) -> dict[int, dict[int, tuple[str, str]]]:
    """By stream and version: (salt, text)."""
    texts: dict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
    rows = FreeText.objects.filter(stream_id__in=stream_ids).order_by("stream_id", "version")
    for stream, version, salt, text in rows.values_list("stream_id", "version", "salt", "text"):
        texts[stream][version] = salt, text
    return texts


def _text_findings(
    club: str, stream: StreamHead, events: Sequence[Logged], texts: Mapping[int, tuple[str, str]]
) -> Iterator[Finding]:
    """A text that was erased is blank or gone, and no event can miss it."""
    by_version = {one.event.version: one for one in events} if texts else {}
    for version, (salt, text) in texts.items():
        event = by_version.get(version)
        hashes = _hashes(event.event.data) if event else []
        place = (club, event.position if event else None, stream.name, f"version {version}")
        if not hashes:
            yield Finding("text-unknown", *place)
        elif text and salted(salt, text) not in hashes:
            yield Finding("text-differs", *place, "text", salted(salt, text), hashes[0])


def _hashes(data: Any) -> list[str]:
    return [data[key] for key in TEXT_KEYS if key in data] if isinstance(data, Mapping) else []
