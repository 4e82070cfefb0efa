"""Who may see which club, and do what in it (design section 5). What is not yours is None, so 404 outside."""

from dataclasses import dataclass
from typing import Literal

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from ofc_hub.clubs.models import Club, Membership, Role

Viewer = AbstractBaseUser | AnonymousUser
Action = Literal["see", "log", "correct", "lock", "import", "export", "manage"]

_ROLES: dict[Action, frozenset[Role]] = {
    "see": frozenset(Role),
    "log": frozenset({Role.OWNER, Role.DIRECTOR, Role.SCORER}),
    "correct": frozenset({Role.OWNER, Role.DIRECTOR}),
    "lock": frozenset({Role.OWNER, Role.DIRECTOR}),
    "import": frozenset({Role.OWNER, Role.DIRECTOR}),
    "export": frozenset({Role.OWNER, Role.DIRECTOR}),
    "manage": frozenset({Role.OWNER}),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What a viewer is in one club: `role` None is a stranger, `player` the id of the player he is."""

    role: Role | None = None
    player: int | None = None
    superuser: bool = False

    def may(self, action: Action) -> bool:
        return self.superuser or self.role in _ROLES[action]

    @property
    def directs(self) -> bool:
        return self.superuser or self.role in (Role.OWNER, Role.DIRECTOR)

    @property
    def scores(self) -> bool:
        return self.directs or self.role == Role.SCORER


@dataclass(frozen=True, slots=True)
class Doer:
    """Who does something in a club: `actor` as events and the audit name him, and what he may."""

    actor: str
    held: Standing


def doer(viewer: Viewer, club: Club) -> Doer:
    return Doer(f"user:{viewer.pk}", standing(viewer, club))


def operator(name: str) -> Doer:
    """Whoever runs commands on the machine, where he may do anything anyway; `name` is his login there."""
    return Doer(f"operator:{name}"[:100], Standing(superuser=True))


def visible_clubs(viewer: Viewer) -> QuerySet[Club]:
    clubs = Club.objects.order_by("name", "pk")
    if _is_superuser(viewer):
        return clubs
    visible = Q(public=True)
    if viewer.is_authenticated:
        visible |= Q(pk__in=Membership.objects.filter(user_id=viewer.pk).values("club"))
    return clubs.filter(visible)


def get_club(viewer: Viewer, slug: str) -> Club | None:
    """The club, or None where there is none that the viewer may see."""
    return visible_clubs(viewer).filter(slug=slug).first()


def standing(viewer: Viewer, club: Club) -> Standing:
    """What the viewer is in the club; one query at most."""
    if not viewer.is_authenticated:
        return Standing()
    membership = Membership.objects.filter(club=club, user_id=viewer.pk).first()
    if membership is None:
        return Standing(superuser=_is_superuser(viewer))
    return Standing(Role(membership.role), membership.player_id, _is_superuser(viewer))


def may(viewer: Viewer, club: Club, action: Action) -> bool:
    """Whether the viewer may do this in the club; a public club is seen by everybody."""
    return (action == "see" and club.public) or standing(viewer, club).may(action)


def _is_superuser(viewer: Viewer) -> bool:
    return bool(viewer.is_active and getattr(viewer, "is_superuser", False))
