"""One hand as it is logged at a table, with its score worked out by hand from the rulebook.

Anna, seat 1: top 6s6hAd (pair of sixes, 1), middle 6c6dAc3s2h (pair, 0), bottom KcKdKs4c4d (full house, 6).
Bo, seat 2, deals: top 8h8d2s (pair of eights, 3), middle 9s9d9c3d5c (trips, 2), bottom AhKhJh7h4h (flush, 4).
Anna wins the bottom, Bo top and middle: -1 for her; royalties 7 against 9: -2. Anna -3, Bo +3.
"""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from ofc_hub.clubs.models import Alias, Club, Membership, Role
from ofc_hub.clubs.people import Named, resolve_aliases
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.rulesets import record_of
from scoring.domain.events import CARDS_PLACED, HAND_STARTED, Event
from scoring.domain.rulesets import PRESETS, RuleSet

KEY = StreamKey("home-club", "T1-1")
PLAYED_AT = 1_796_000_400_000_000  # 2026-11-30 01:00 UTC
STAKE = 20_000  # 2 chips a point

ANNA = ("6s6h/6c6d/Kc", "Ad/Ac/|Td", "/3s/Kd|Th", "/2h/Ks|??", "//4c4d|Ts")
BO = ("8h8d/9s9d/Ah", "2s/9c/|Jd", "/3d/Kh|Js", "/5c/Jh|2d", "//7h4h|Qd")
ROUNDS = tuple(zip(ANNA, BO, strict=True))


def member(club: Club, role: Role, name: str = "", player: str = "") -> User:
    """A login with a role in the club, linked to the player of that name if there is one."""
    user = User.objects.create_user(name or role.value)
    alias = Alias.objects.filter(club=club, name=player).first() if player else None
    Membership.objects.create(club=club, user=user, role=role, player=alias.player if alias else None)
    return user


def started(
    club: Club,
    names: Sequence[str] = ("anna", "bo"),
    rules: RuleSet = PRESETS["pineapple"],
    fantasyland: Sequence[int] = (),
    played_at: int = PLAYED_AT,
) -> Event:
    """The first event; aliases and rule set are in the store afterwards. Seats 1, 2, ...; the last deals."""
    record_of(rules)
    with transaction.atomic():
        people = resolve_aliases(club, [Named(KEY.source, name) for name in names])
    seats: list[dict[str, object]] = [
        {"seat": seat, "alias": str(people[Named(KEY.source, name)].uuid)}
        for seat, name in enumerate(names, start=1)
    ]
    for seat, cards in zip(seats, fantasyland, strict=False):
        if cards:
            seat["fantasyland"] = cards
    data = {"rules": rules.digest, "stake": STAKE, "button": len(names), "seats": seats, "number": 7}
    return Event(0, HAND_STARTED, data=data, happened_at=played_at)


def placed(seat: int, cards: str, client_id: str | None = None) -> Event:
    return Event(0, CARDS_PLACED, seat, cards, client_id=client_id)


def moves() -> list[Event]:
    """The ten moves of the hand; with `started` before them they are versions 2 to 11."""
    return [placed(seat, cards) for turn in ROUNDS for seat, cards in enumerate(turn, start=1)]
