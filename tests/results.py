"""Results of invented hands, straight into the tables: statistics read nothing else."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from django.db import transaction

from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.models import Event, LogHead, Stream
from ofc_hub.hands.reading import head_position
from scoring.models import SeatResult, SliceToDo

FIRST_DAY = date(2026, 9, 1)
ROYALTIES = ("royalties_top", "royalties_middle", "royalties_bottom")
ROWS = ("rows_won", "rows_tied", "rows_lost")
SCOOPS = ("scoops_legal", "scooped_legal", "scoops_foul", "scooped_foul")


def a_club(slug: str = "home", players: Iterable[str] = ("Anna", "Bo", "Cy")) -> Club:
    """A club with an empty log and players of these names."""
    club = Club.objects.create(slug=slug, name=slug)
    LogHead.objects.create(club=club, position=0)
    Player.objects.bulk_create(Player(club=club, name=name) for name in players)
    return club


def invented(random: Random, players: list[int], hands: int, days: int) -> list[dict[str, Any]]:
    """The seat results of `hands` invented hands of all `players` over `days` days, shuffled."""
    rows = [
        _seat(random, hand, seat, player, days)
        for hand in range(1, hands + 1)
        for seat, player in enumerate(players, start=1)
    ]
    random.shuffle(rows)
    return rows


def _seat(random: Random, hand: int, seat: int, player: int, days: int) -> dict[str, Any]:
    day = FIRST_DAY + timedelta(days=hand % days)
    completeness = random.choice(("full", "full", "full", "boards", "result"))
    played_at = datetime(day.year, day.month, day.day, 20, tzinfo=UTC) + timedelta(minutes=hand % 7)
    row = {
        "hand_id": hand, "seat": seat, "player_id": player, "alias_id": player, "played_at": played_at,
        "number": hand, "key": f"h{hand}", "stake": 10_000, "day": day, "points": random.randint(-40, 40),
        "ruled_points": random.choice((0, 0, 0, 5)), "place": seat, "seats": 3,
        "fantasyland": random.choice((0, 0, 0, 14)), "next_fantasyland": random.choice((0, 0, 14)),
        "completeness": completeness, "foul": random.random() < 0.2, "dead": random.random() < 0.05,
        "rules_id": "0" * 64,
    }  # fmt: skip
    if completeness == "result":
        return row
    limits = dict.fromkeys(ROYALTIES, 20) | dict.fromkeys(ROWS, 6) | dict.fromkeys(SCOOPS, 2)
    return row | {name: random.randint(0, limit) for name, limit in limits.items()}


def store(club: Club, rows: Iterable[dict[str, Any]]) -> None:
    SeatResult.objects.bulk_create(SeatResult(club_id=club.pk, **row) for row in rows)


def mark(club: Club, rows: Iterable[dict[str, Any]], position: int) -> None:
    """Leave a to-do row for every slice that `rows` touch, as of `position`; the log goes that far."""
    slices = sorted({(row["player_id"], row["day"]) for row in rows})
    SliceToDo.objects.bulk_create(
        SliceToDo(club=club, player_id=player, day=day, position=position) for player, day in slices
    )
    grow_log(club, position)


@transaction.atomic
def grow_log(club: Club, position: int) -> None:
    """Fill the club's log up to `position` with events that mean nothing: a head must have its events."""
    new = range(head_position(club.pk) + 1, position + 1)
    LogHead.objects.filter(club=club).update(position=position)
    stream = Stream.objects.create(club=club, source="filler", key=f"up to {position}")
    Event.objects.bulk_create(
        Event(
            club=club, position=one, stream=stream, version=one, recorded_at=0, kind="note-added", digest=b""
        )
        for one in new
    )
