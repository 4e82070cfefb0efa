"""Names become aliases and players; instants become club days."""

import uuid
from datetime import UTC, date, datetime

import pytest
from django.db import transaction

from ofc_hub.clubs.days import ClubCalendar, instant_of, moment_of
from ofc_hub.clubs.models import Alias, Club, Player
from ofc_hub.clubs.people import AliasRef, Named, aliases_by_identity, resolve_aliases

# Names are resolved several times in one test, as several batches would.
pytestmark = pytest.mark.n_plus_one_allowed

U1, U2 = uuid.UUID(int=1), uuid.UUID(int=2)


@pytest.fixture
def club(db: None) -> Club:
    return Club.objects.create(slug="home", name="Home")


def resolve(club: Club, *names: Named) -> list[AliasRef]:
    with transaction.atomic():
        found = resolve_aliases(club, names)
    return [found[named] for named in names]


def test_a_name_is_one_alias_of_one_player(club: Club) -> None:
    anna, bo = resolve(club, Named("a", "anna"), Named("a", "bo"))
    assert resolve(club, Named("a", "bo"), Named("a", "anna")) == [bo, anna]
    assert Alias.objects.count() == 2
    assert sorted(Player.objects.values_list("name", flat=True)) == ["anna", "bo"]


def test_the_same_name_of_another_source_is_another_alias_of_the_same_player(club: Club) -> None:
    one, two, loud = resolve(club, Named("a", "anna"), Named("b", "anna"), Named("a", "Anna"))
    assert one.alias_id != two.alias_id
    assert one.player_id == two.player_id != loud.player_id


def test_a_new_identity_is_kept(club: Club) -> None:
    [anna] = resolve(club, Named("a", "anna", U1))
    assert anna.uuid == U1
    assert resolve(club, Named("a", "anna")) == [anna]


def test_a_known_identity_wins_over_a_changed_name(club: Club) -> None:
    [anna] = resolve(club, Named("a", "anna", U1))
    Alias.objects.filter(uuid=U1).update(name="")
    assert resolve(club, Named("a", "Anna B.", U1)) == [anna]
    [bo] = resolve(club, Named("a", "bo"))
    assert resolve(club, Named("a", "bo", U1)) == [anna], "the identity, not the name"
    assert bo != anna


def test_an_unknown_identity_of_a_known_name_is_that_alias(club: Club) -> None:
    [anna] = resolve(club, Named("a", "anna"))
    assert resolve(club, Named("a", "anna", U2)) == [anna]
    assert resolve(club, Named("b", "bo", U1), Named("b", "bo", U2))[1].uuid == U1


def test_an_alias_that_was_pointed_elsewhere_stays_there(club: Club) -> None:
    anna, bo = resolve(club, Named("a", "anna"), Named("a", "bo"))
    Alias.objects.filter(pk=bo.alias_id).update(player_id=anna.player_id)
    assert resolve(club, Named("a", "bo"))[0].player_id == anna.player_id


def test_clubs_do_not_share_people(club: Club) -> None:
    other = Club.objects.create(slug="away", name="Away")
    [here] = resolve(club, Named("a", "anna", U1))
    [there] = resolve(other, Named("a", "anna", U1))
    assert here.player_id != there.player_id
    assert aliases_by_identity(club, [str(U1), "no uuid", str(U2)]) == {str(U1): here}


def test_a_batch_costs_few_queries(club: Club, django_assert_max_num_queries) -> None:
    names = [Named("a", f"player {i}") for i in range(200)]
    with django_assert_max_num_queries(14):
        resolve(club, *names)
    with django_assert_max_num_queries(4):
        resolve(club, *names)


# --- Club days -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "day_start", "moment", "day"),
    [
        ("UTC", 0, "2026-11-29T00:00:00", "2026-11-29"),
        ("UTC", 0, "2026-11-28T23:59:59", "2026-11-28"),
        ("UTC", 6, "2026-11-29T05:59:59", "2026-11-28"),
        ("UTC", 6, "2026-11-29T06:00:00", "2026-11-29"),
        ("Europe/Copenhagen", 0, "2026-11-28T23:00:00", "2026-11-29"),  # UTC+1
        ("Europe/Copenhagen", 0, "2026-07-28T22:00:00", "2026-07-29"),  # UTC+2
        ("America/New_York", 6, "2026-11-29T10:59:00", "2026-11-28"),  # 05:59
        ("America/New_York", 6, "2026-11-29T11:00:00", "2026-11-29"),
        # Clocks go back at 06:00 UTC on 1 November 2026: 05:30 UTC is 01:30, 06:30 UTC is 01:30 again.
        ("America/New_York", 1, "2026-11-01T04:30:00", "2026-10-31"),
        ("America/New_York", 1, "2026-11-01T05:30:00", "2026-11-01"),
        ("America/New_York", 1, "2026-11-01T06:30:00", "2026-11-01"),
        ("Asia/Kathmandu", 0, "2026-11-28T18:14:59", "2026-11-28"),  # UTC+5:45
        ("Asia/Kathmandu", 0, "2026-11-28T18:15:00", "2026-11-29"),
        ("Pacific/Kiritimati", 0, "2026-11-28T10:00:00", "2026-11-29"),  # UTC+14
        ("UTC", 0, "1960-02-29T12:00:00", "1960-02-29"),
    ],
)
def test_the_day_of_an_instant(zone: str, day_start: int, moment: str, day: str) -> None:
    instant = instant_of(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    assert ClubCalendar(zone, day_start).day_of(instant) == date.fromisoformat(day)


@pytest.mark.parametrize("instant", [0, 1, -1, 1_796_000_400_123_456, -1_000_000_000_000_001])
def test_instants_and_moments_are_the_same_to_the_microsecond(instant: int) -> None:
    assert instant_of(moment_of(instant)) == instant
