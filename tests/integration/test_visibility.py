"""Who sees which clubs, may do what, and sees what of a hand."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from ofc_hub.clubs.models import Alias, Club, Membership, Role
from ofc_hub.clubs.selectors import Viewer, get_club, may, standing, visible_clubs
from ofc_hub.hands.visibility import Sight, seen_by
from scoring.domain import events as kinds
from scoring.domain.events import Event
from scoring.domain.hand import HandState
from scoring.domain.replay import replay
from scoring.domain.rulesets import PRESETS
from tests.played import ANNA, BO, member, moves, placed, started

# Several viewers look at the same club here, each with a query of his own.
pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]

NOBODY = AnonymousUser()


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


@pytest.fixture
def other(club: Club) -> Club:
    return Club.objects.create(slug="away", name="Away", public=True)


def test_a_club_is_seen_by_its_members_only_unless_it_is_public(club: Club, other: Club) -> None:
    viewers: dict[Viewer, list[str]] = {
        NOBODY: ["away"],
        User.objects.create_user("stranger"): ["away"],
        member(club, Role.VIEWER): ["away", "home"],
        member(other, Role.OWNER): ["away"],
        User.objects.create_superuser("root"): ["away", "home"],
    }
    for viewer, slugs in viewers.items():
        assert [club.slug for club in visible_clubs(viewer)] == slugs
        assert (get_club(viewer, "home") is not None) == ("home" in slugs)
        assert get_club(viewer, "nowhere") is None


def test_a_club_is_listed_once_whatever_the_memberships(club: Club, other: Club) -> None:
    viewer = member(club, Role.VIEWER)
    Membership.objects.create(club=other, user=viewer, role=Role.PLAYER)
    assert visible_clubs(viewer).count() == 2


@pytest.mark.parametrize(
    ("action", "roles"),
    [
        ("see", {"owner", "director", "scorer", "player", "viewer"}),
        ("log", {"owner", "director", "scorer"}),
        ("correct", {"owner", "director"}),
        ("lock", {"owner", "director"}),
        ("import", {"owner", "director"}),
        ("export", {"owner", "director"}),
        ("manage", {"owner"}),
    ],
)
def test_what_the_roles_may(club: Club, other: Club, action: str, roles: set[str]) -> None:
    allowed = {role.value for role in Role if may(member(club, role), club, action)}  # type: ignore[arg-type]
    assert allowed == roles
    stranger = member(other, Role.OWNER, "stranger")
    assert not may(stranger, club, action)  # type: ignore[arg-type]
    assert not may(NOBODY, club, action)  # type: ignore[arg-type]
    assert may(User.objects.create_superuser("root"), club, action)  # type: ignore[arg-type]


def test_a_public_club_is_seen_and_nothing_more(other: Club) -> None:
    assert may(NOBODY, other, "see")
    assert not may(NOBODY, other, "export")


def test_an_inactive_superuser_is_nobody(club: Club) -> None:
    gone = User.objects.create_superuser("gone", is_active=False)
    assert get_club(gone, "home") is None
    assert not may(gone, club, "see")


# --- Of a hand -------------------------------------------------------------------------------------------

FANTASYLAND = "6s6hAd/6c6dAc3s2h/KcKdKs4c4d|Td"


def state_of(events: list[Event]) -> HandState:
    numbered = [event._replace(version=i) for i, event in enumerate(events, start=1)]
    state, problem = replay(numbered, PRESETS["pineapple"])
    assert problem is None
    return state


@pytest.fixture
def complete(club: Club) -> HandState:
    return state_of([started(club), *moves()])


@pytest.fixture
def under_way(club: Club) -> HandState:
    return state_of([started(club), *moves()[:4]])


@pytest.fixture
def hidden(club: Club) -> HandState:
    """Anna is in Fantasyland and has set her board; Bo still plays."""
    return state_of([started(club, fantasyland=(14, 0)), placed(1, FANTASYLAND), placed(2, BO[0])])


def seats_seen(viewer: Viewer, club: Club, state: HandState) -> tuple[set[int], set[int]]:
    """(boards, discards) that the viewer sees; fresh from the store, as a request would."""
    players = {alias.player_id: alias.name for alias in Alias.objects.filter(club=club)}
    by_name = {name: player for player, name in players.items()}
    sight = seen_by(viewer, club, state, {1: by_name["anna"], 2: by_name["bo"]})
    assert isinstance(sight, Sight)
    return set(sight.boards), set(sight.discards)


def viewers(club: Club) -> dict[str, Viewer]:
    people: dict[str, Viewer] = {role.value: member(club, role) for role in Role}
    people["anna"] = member(club, Role.PLAYER, "anna", player="anna")
    people["bo"] = member(club, Role.VIEWER, "bo", player="bo")
    people["stranger"] = User.objects.create_user("stranger")
    people["root"] = User.objects.create_superuser("root")
    return people | {"nobody": NOBODY}


def discards_seen(club: Club, state: HandState) -> dict[str, set[int]]:
    return {name: seats_seen(viewer, club, state)[1] for name, viewer in viewers(club).items()}


NONE: set[int] = set()
STAFF = {"owner": {1, 2}, "director": {1, 2}, "scorer": {1, 2}, "root": {1, 2}}
PLAYERS = {"anna": {1}, "bo": {2}}
REST = {"player": NONE, "viewer": NONE, "stranger": NONE, "nobody": NONE}


def test_discards_are_their_owners_the_directors_and_the_scorers(club: Club, complete: HandState) -> None:
    assert discards_seen(club, complete) == {**STAFF, **PLAYERS, **REST}


def test_a_lock_takes_the_discards_from_the_scorer(club: Club, complete: HandState) -> None:
    locked = state_of([started(club), *moves(), Event(0, kinds.HAND_LOCKED)])
    assert discards_seen(club, locked) == {**STAFF, "scorer": NONE, **PLAYERS, **REST}


def test_a_club_may_show_discards_once_the_hand_is_over(club: Club, complete: HandState) -> None:
    club.shows_discards = True
    assert set(map(frozenset, discards_seen(club, complete).values())) == {frozenset({1, 2})}


def test_not_while_it_is_played(club: Club, under_way: HandState) -> None:
    club.shows_discards = True
    assert discards_seen(club, under_way) == {**STAFF, **PLAYERS, **REST}


def test_a_void_does_not_end_the_secret_of_a_hand_that_is_not_over(club: Club) -> None:
    club.shows_discards = True
    void = state_of([started(club), *moves()[:4], Event(0, kinds.HAND_VOIDED)])
    assert discards_seen(club, void) == {**STAFF, **PLAYERS, **REST}


def test_normal_boards_are_open(club: Club, under_way: HandState) -> None:
    assert {frozenset(seats_seen(v, club, under_way)[0]) for v in viewers(club).values()} == {
        frozenset({1, 2})
    }


def test_a_fantasyland_board_is_hidden_until_every_seat_has_finished(club: Club, hidden: HandState) -> None:
    boards = {name: seats_seen(viewer, club, hidden)[0] for name, viewer in viewers(club).items()}
    assert {name for name, seats in boards.items() if 1 in seats} == set(STAFF)
    assert all(2 in seats for seats in boards.values())


def test_the_end_of_the_hand_reveals_it(club: Club) -> None:
    rest = [placed(2, cards) for cards in BO]
    over = state_of([started(club, fantasyland=(14, 0)), placed(1, FANTASYLAND), *rest])
    assert seats_seen(NOBODY, club, over)[0] == {1, 2}


def test_a_dead_seat_has_finished(club: Club) -> None:
    dead = Event(0, kinds.SEAT_DIED, 2)
    over = state_of([started(club, fantasyland=(14, 0)), placed(1, FANTASYLAND), dead])
    assert seats_seen(NOBODY, club, over)[0] == {1, 2}


def test_a_player_of_another_club_is_no_owner_here(club: Club, other: Club, complete: HandState) -> None:
    started(other)
    anna_elsewhere = member(other, Role.PLAYER, "anna-elsewhere", player="anna")
    assert standing(anna_elsewhere, other).player is not None
    assert seats_seen(anna_elsewhere, club, complete)[1] == set()
    assert ANNA[1].endswith("|Td"), "there is a discard to hide"
