"""`ofc-events/1`: one stream of the log a line, with its rule set, aliases, free texts and digests.

Digests cover all that an event says, so a line that was tampered with is refused; aliases and texts are
outside of them because they can be changed and erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.reading import COLUMNS
from ofc_hub.hands.texts import salted
from ofc_hub.hands.upgrades import upgraded
from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import GENESIS, Event, chain
from scoring.domain.replay import replay
from scoring.domain.rulesets import RuleSet, from_data
from scoring.domain.strict_json import strict_decode
from scoring.domain.texts import find_unseen

from .jobs import Job, Replayed
from .people import Mention, Person

FORMAT: Final = "ofc-events/1"
STREAM_KIND: Final = "hand"
_DIGEST = 64
TEXT_KEYS = ("text", "extra", "reason")

Text = Annotated[str, Meta(min_length=1, max_length=200)]
Int16 = Annotated[int, Meta(ge=-(2**15), lt=2**15)]
Int32 = Annotated[int, Meta(ge=0, lt=2**31)]
Int63 = Annotated[int, Meta(ge=-(2**62), lt=2**62)]


class PlayerLine(Struct, forbid_unknown_fields=True):
    """The player behind an alias: `id` is the identity of his first alias, which tells players apart."""

    id: UUID
    name: Annotated[str, Meta(max_length=200)]


class AliasLine(Struct, forbid_unknown_fields=True):
    """One alias that the stream names, or the first of the player of one."""

    id: UUID
    source: Text
    name: Annotated[str, Meta(max_length=200)]
    player: PlayerLine


class TextLine(Struct, forbid_unknown_fields=True):
    """A free text that has not been erased, and the salt of its hash in the event."""

    version: Int32
    salt: Annotated[str, Meta(max_length=64)]
    text: str


class EventLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One event with its digest in hexadecimal."""

    version: Int32
    kind: Annotated[str, Meta(max_length=24)]
    digest: Annotated[str, Meta(min_length=_DIGEST, max_length=_DIGEST)]
    seat: Int16 | None = None
    cards: Annotated[str, Meta(max_length=100)] = ""
    data: dict[str, Any] | None = None
    actor: Annotated[str, Meta(max_length=100)] = ""
    client_id: UUID | None = None
    happened_at: Int63 | None = None
    schema: Int16 = 1

    def event(self) -> Event:
        client_id = None if self.client_id is None else str(self.client_id)
        facts = (self.version, self.kind, self.seat, self.cards, self.data, self.actor, client_id)
        return Event(*facts, self.happened_at, self.schema)


class StreamLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A whole stream. `problem` marks one that did not replay where it comes from either."""

    format: str
    kind: str
    source: Text
    key: Text
    rules: dict[str, Any]
    aliases: list[AliasLine]
    events: Annotated[list[EventLine], Meta(min_length=1)]
    texts: list[TextLine] = []
    problem: dict[str, Any] | None = None


def event_lines(stream_ids: Iterable[int]) -> dict[int, list[EventLine]]:
    """All events of streams that are stored, as an archive writes them."""
    streams: dict[int, list[EventLine]] = {pk: [] for pk in stream_ids}
    rows = Row.objects.filter(stream_id__in=list(streams)).order_by("stream_id", "version")
    for stream_id, digest, *event in rows.values_list("stream_id", "digest", *COLUMNS):
        version, kind, *rest = event
        streams[stream_id].append(EventLine(version, kind, bytes(digest).hex(), *rest))
    return streams


_decode = msgspec.json.Decoder(StreamLine).decode


def read(job: Job, place: int, text: bytes) -> Replayed | Problem:
    """The hand of an archived stream, or why it is refused."""
    line = _stream(text)
    if isinstance(line, Problem):
        return line
    rules = from_data(line.rules)
    if isinstance(rules, Problem):
        return rules
    events = [event.event() for event in line.events]
    problem = _digest_problem(line, events) or _text_problem(line)
    if problem is not None:
        return problem
    people = {str(alias.id): person for alias in line.aliases if (person := _person(job, alias))}
    if len(people) < len({alias.id for alias in line.aliases}):
        return Problem("out-of-range", "aliases", "The stream names more people than a hand can have.")
    return _replayed(place, line, rules, events, people)


def _replayed(
    place: int, line: StreamLine, rules: RuleSet, events: list[Event], people: Mapping[str, Person]
) -> Replayed | Problem:
    names = {identity: person.name for identity, person in people.items() if person.name}
    state, problem = replay(map(upgraded, events), rules, line.source, line.key, names)
    if problem is not None and line.problem is None:
        return problem
    unknown = [seat.alias for seat in state.start.seats if seat.alias not in people]
    if unknown:
        return Problem("missing-key", "aliases", "The stream names an alias that the line lacks.", unknown)
    digests = [bytes.fromhex(event.digest) for event in line.events]
    return Replayed(
        place=place,
        state=state,
        events=events,
        digests=digests,
        content=content_of(events, digests),
        people=list(people.values()),
        by_seat={seat.seat: people[seat.alias] for seat in state.start.seats},
        texts=[(one.version, one.salt, one.text) for one in line.texts],
        head=digests[-1],
        problem=problem,
    )


_CONTENT = {kinds.HAND_STARTED, kinds.CARDS_PLACED, kinds.BOARDS_RECORDED, kinds.SEAT_DIED}


def content_of(events: Sequence[Event], digests: Sequence[bytes]) -> bytes:
    """What an import of the hand left as its content: the digest before the claim and what came later."""
    count = next((i for i, event in enumerate(events) if event.kind not in _CONTENT), len(events))
    return digests[max(count, 1) - 1]


def _person(job: Job, alias: AliasLine) -> Person | None:
    """None where the line names so many that nobody was looked up."""
    mention = Mention(alias.source, alias.name, str(alias.id), str(alias.player.id), alias.player.name)
    return job.people.get(mention)


# --- The line --------------------------------------------------------------------------------------------


def _stream(text: bytes) -> StreamLine | Problem:
    value = strict_decode(text)
    if isinstance(value, Problem):
        return value
    if b"\\u0000" in text:
        return Problem("bad-text", "", "The line holds the character U+0000.", "U+0000")
    try:
        line = _decode(text)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        return Problem("wrong-type", path.rstrip("`").lstrip("."), f"{what}.")
    except (msgspec.DecodeError, UnicodeError) as error:
        return Problem("broken-json", "", f"The text is not JSON: {error}.")
    if line.kind != STREAM_KIND:
        return Problem(
            "unknown-kind", "kind", "Streams of this kind are not read here.", line.kind, STREAM_KIND
        )
    for place, alias in enumerate(line.aliases):
        for path, name in (("name", alias.name), ("player.name", alias.player.name)):
            # A blank name is one that was erased.
            if name and (problem := find_unseen(name, f"aliases[{place}].{path}")):
                return problem
    if any(_has_float(event.data) for event in line.events):
        return Problem("bad-event", "events", "An event holds a number that is no integer.")
    return line


def _has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    if isinstance(value, list):
        return any(map(_has_float, value))
    return isinstance(value, float)


def _digest_problem(line: StreamLine, events: Sequence[Event]) -> Problem | None:
    previous = GENESIS
    for place, (event, written) in enumerate(zip(events, line.events, strict=True)):
        previous = chain(previous, line.kind, line.source, line.key, event)
        if previous.hex() != written.digest:
            message = f"The digest of event {place + 1} does not follow from its content."
            path = f"events[{place}].digest"
            return Problem("digest-differs", path, message, written.digest, previous.hex())
    return None


def _text_problem(line: StreamLine) -> Problem | None:
    """A text that is not the one of its event; an erased one is blank."""
    datas = {event.version: event.data or {} for event in line.events}
    for place, one in enumerate(line.texts):
        hashes = [datas.get(one.version, {}).get(key) for key in TEXT_KEYS]
        if one.text and salted(one.salt, one.text) not in hashes:
            message = f"The text of event {one.version} is another than the one that was recorded."
            return Problem("digest-differs", f"texts[{place}].text", message)
    return None
