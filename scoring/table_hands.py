"""The hands of a table in their order, and what the log tells of each."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet

from ofc_hub.hands.models import Hand
from ofc_hub.hands.reading import load_streams
from ofc_hub.hands.rulesets import rules_of
from scoring.domain.events import Event
from scoring.domain.hand import HandStart, HandState
from scoring.domain.outcomes import Settled, settled
from scoring.domain.replay import replay
from scoring.domain.scored import score_hands
from scoring.models import Correction

logger = logging.getLogger(__name__)

HANDS_AT_ONCE = 50


class Told(NamedTuple):
    """What the log tells of a hand."""

    start: HandStart
    came_to: Settled


def told_hands(hands: Sequence[Hand], corrected: Iterable[int] | None = ()) -> list[Told | None]:
    """What the log tells of these hands, None where it cannot be read.

    Only hands that are known to be corrected are looked through for what they first came to; with
    `corrected` None all are.
    """
    pks = [hand.pk for hand in hands]
    look_through = set(pks)
    if corrected is not None:
        look_through = set(Correction.objects.filter(pk__in=pks).values_list("pk", flat=True))
    streams = load_streams(pks)
    states = {hand.pk: state for hand in hands if (state := _state(hand, streams[hand.pk]))}
    ready = [pk for pk, state in states.items() if state.complete and not state.voided]
    scores = dict(zip(ready, score_hands([states[pk] for pk in ready]), strict=True))
    return [
        Told(state.start, settled(streams[pk] if pk in look_through else (), state, scores.get(pk)))
        if (state := states.get(pk))
        else None
        for pk in pks
    ]


def _state(hand: Hand, events: Sequence[Event]) -> HandState | None:
    if hand.problem is not None:
        return None
    try:
        state, problem = replay(events, rules_of(hand.rule_set_id), "", hand.key)
    except Exception:  # bad data may hold anything; it is found and named elsewhere, and stops nobody here
        logger.exception("hand %s cannot be read", hand.pk)
        return None
    return None if problem else state


def at_table(hand: Hand) -> QuerySet[Hand]:
    return Hand.objects.filter(club_id=hand.club_id, tournament=hand.tournament, table=hand.table)


def stand_before(hand: Hand) -> Q:
    """Hands that stand before this one in the order (played_at, number, key)."""
    earlier = Q(played_at=hand.played_at, number__lt=hand.number)
    tied = Q(played_at=hand.played_at, number=hand.number, key__lt=hand.key)
    return Q(played_at__lt=hand.played_at) | earlier | tied


def in_order(hands: QuerySet[Hand]) -> QuerySet[Hand]:
    return hands.order_by("played_at", "number", "key", "pk")


def in_chunks(hands: QuerySet[Hand]) -> Iterator[list[Hand]]:
    chunk: list[Hand] = []
    for hand in hands.iterator(chunk_size=HANDS_AT_ONCE):
        chunk.append(hand)
        if len(chunk) == HANDS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
