"""A hand whose stored events no longer replay is excluded as soon as somebody comes across it."""

from django.db import transaction

from ofc_hub.clubs.models import Club
from ofc_hub.hands.log import StreamKey, load_events, lock_stream
from ofc_hub.hands.models import Event, Hand
from ofc_hub.hands.projection import write_hand
from ofc_hub.hands.rulesets import rules_of
from scoring.domain.replay import replay
from scoring.projector import replace_results
from scoring.wake import wake_statistics


def exclude_if_broken(club: Club, key: StreamKey) -> bool:
    """Take the results of the hand away and say why on it, if what is stored of it does not replay."""
    with transaction.atomic():
        stream = lock_stream(club.pk, key)
        hand = Hand.objects.filter(pk=stream.pk, problem__isnull=True).first() if stream else None
        if stream is None or hand is None:
            return False
        try:
            rules = rules_of(hand.rule_set_id)
        except LookupError:
            return False  # there is nothing to replay it by; verification and rebuilding name it
        state, problem = replay(load_events(stream.pk), rules, stream.source, stream.key)
        if problem is None:
            return False
        if state.start.seats:
            write_hand(stream.pk, club.pk, state, hand, problem)
        else:
            Hand.objects.filter(pk=hand.pk).update(problem=problem.as_dict())
        position = Event.objects.filter(stream=stream).order_by("version").values_list("position", flat=True)
        replace_results(stream.pk, club.pk, None, (position.last() or 0,) * 2)
        wake_statistics()
        return True
