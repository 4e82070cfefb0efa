"""From lines to rows, without a database: read, replay, score, encode. Runs in processes of its own.

Everything that can be refused is refused here, so that what reaches the transaction is stored whole.
"""

from __future__ import annotations

from typing import Any

from ofc_hub.clubs.days import ClubCalendar, moment_of
from ofc_hub.hands.models import StreamKind
from ofc_hub.hands.projection import hand_values
from scoring.domain.amounts import format_amount
from scoring.domain.errors import Problem
from scoring.domain.outcomes import may_have_changed
from scoring.domain.rulesets import as_data
from scoring.domain.scored import Difference, HandScore, score_hands
from scoring.projector import Place, result_rows

from . import archive, documents
from .columns import BEFORE_THE_HEAD, HAND, PAIR_RESULT, SEAT_RESULT, STREAM, TEXT
from .jobs import Different, Job, Key, Prepared, Replayed
from .outline import EVENTS_FORMAT, format_of
from .tables import EVENT_ENCODERS, POSTGRESQL, encode

_READERS = {EVENTS_FORMAT: archive.read}


def prepare(job: Job) -> Prepared:
    """Every line of the job ends in exactly one of the lists of what comes back."""
    return _Preparation(job).run()


class _Preparation:
    """The work on one job."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._calendar = ClubCalendar(job.club.time_zone, job.club.day_start)
        self._result = Prepared()
        self._seen: set[Key] = set()
        self._rows: dict[str, list[Any]] = {table: [] for table in BEFORE_THE_HEAD}
        self._encode_event = EVENT_ENCODERS[job.vendor]
        self._events: list[Any] = []

    def run(self) -> Prepared:
        hands = [hand for place in range(len(self._job.lines)) if (hand := self._replayed(place))]
        scorable = [hand for hand in hands if hand.has_result]
        scores = score_hands([hand.state for hand in scorable])
        by_place: dict[int, HandScore | Problem] = {
            hand.place: score for hand, score in zip(scorable, scores, strict=True)
        }
        for hand in hands:
            score = by_place.get(hand.place)
            if isinstance(score, Problem):
                self._result.refused.append((hand.place, score))
            else:
                self._accept(hand, score)
        return self._encoded()

    # --- One line ------------------------------------------------------------------------------------------

    def _replayed(self, place: int) -> Replayed | None:
        """The hand of a line that is new and legal; for others, what became of them is noted."""
        text = self._job.lines[place]
        read = _READERS.get(format_of(text), documents.read)
        hand = self._job.unreadable.get(place) or read(self._job, place, text)
        result = self._result
        if isinstance(hand, Problem):
            result.refused.append((place, hand))
            return None
        key = hand.state.start.source, hand.state.start.hand
        known = self._job.stored.get(key)
        if known is not None:
            same = hand.content == known.content if hand.head is None else hand.head == known.digest
            (result.duplicates if same else result.doubtful).append(place)
            return None
        if key in self._seen:
            result.again.append(place)
            return None
        self._seen.add(key)
        return hand

    # --- Rows ----------------------------------------------------------------------------------------------

    def _accept(self, hand: Replayed, score: HandScore | None) -> None:
        club_id, stream_id = self._job.club.id, self._job.stream_ids[hand.place]
        start, rows = hand.state.start, self._rows
        self._result.accepted.append(hand.place)
        self._result.stream_ids.append(stream_id)
        if hand.head is not None and may_have_changed(hand.events):
            self._result.corrected_ids.append(stream_id)
        self._note(hand)
        version, digest = hand.events[-1].version, hand.digests[-1]
        stream = (stream_id, club_id, StreamKind.HAND.value, start.source, start.hand, version, digest)
        rows[STREAM].append(stream)
        rows[TEXT] += [(stream_id, *text) for text in hand.texts]
        rows[HAND].append(hand_values(stream_id, club_id, hand.state, hand.content, hand.problem))
        pairs = zip(hand.events, hand.digests, strict=True)
        self._events += [self._encode_event(stream_id, event, digest) for event, digest in pairs]
        if score is not None:
            self._add_results(hand, score, stream_id)

    def _note(self, hand: Replayed) -> None:
        start, result = hand.state.start, self._result
        result.people.update(hand.people)
        if start.rules.digest not in result.rule_sets:
            result.rule_sets[start.rules.digest] = as_data(start.rules)
        if start.tournament:
            name = result.tournaments.get(start.tournament) or start.tournament_name or ""
            result.tournaments[start.tournament] = name

    def _add_results(self, hand: Replayed, score: HandScore, stream_id: int) -> None:
        start, result = hand.state.start, self._result
        day = self._calendar.day_of(start.played_at)
        place = Place(stream_id, self._job.club.id, moment_of(start.played_at), day)
        by_seat = hand.by_seat
        rows = result_rows(place, hand.state, score, by_seat)
        result.hand_results.append((*rows.hand, len(self._events)))
        self._rows[SEAT_RESULT] += rows.seats
        self._rows[PAIR_RESULT] += rows.pairs
        result.slices.update((person.player_id, day) for person in by_seat.values())
        if score.differences:
            differences = [_readable(one) for one in score.differences]
            result.different.append(Different(start.source, start.hand, differences))

    def _encoded(self) -> Prepared:
        result, vendor = self._result, self._job.vendor
        # One order for all writers: of two imports of the same hands one waits, and neither for ever.
        self._rows[STREAM].sort(key=lambda row: row[3:5])
        result.event_count = len(self._events)
        result.events = "".join(self._events).encode() if vendor == POSTGRESQL else self._events
        result.rows = {table: encode(vendor, rows) for table, rows in self._rows.items() if rows}
        return result


def _readable(difference: Difference) -> dict[str, Any]:
    """Chips as files write them."""
    shown = difference._asdict()
    if difference.what == "chips":
        shown |= {key: format_amount(shown[key]) for key in ("claimed", "scored")}
    return shown
