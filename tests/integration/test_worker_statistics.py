"""A real worker process on the broker of this run: woken, sweeping, killed."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from celery import current_app
from django.db import connection, transaction

from analytics import selectors
from analytics.models import DayCurve
from ofc_hub.clubs.models import Club, Player
from scoring.models import SeatResult, SliceToDo
from scoring.wake import wake_statistics
from tests.results import a_club, invented, mark, store

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]


def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.05)


def write(club: Club, position: int, hands: int = 6) -> None:
    """A use case's transaction: results and to-do rows, without a message."""
    players = list(Player.objects.filter(club=club).values_list("pk", flat=True))
    rows = invented(Random(position), players, hands, 2)
    for row in rows:
        row["hand_id"] += position * 1000
    with transaction.atomic():
        store(club, rows)
        mark(club, rows, position)


def caught_up(club: Club, position: int) -> Callable[[], bool]:
    return lambda: selectors.as_of(club) == selectors.AsOf(position, position)


def assert_right(club: Club) -> None:
    for line in selectors.leaderboard(club):
        results = SeatResult.objects.filter(player_id=line.player_id).values_list("points", flat=True)
        assert (line.hands, line.points) == (len(results), sum(results))


def test_a_worker_sweeps_at_its_start_and_is_woken_by_messages(celery_worker_process) -> None:
    club = a_club()
    write(club, 1)
    celery_worker_process()
    until(caught_up(club, 1))
    for position in range(2, 6):
        with transaction.atomic():
            write(club, position)
            wake_statistics()
        until(caught_up(club, position))
    assert_right(club)


def test_a_lost_message_costs_one_sweep(celery_worker_process) -> None:
    club = a_club()
    celery_worker_process()
    time.sleep(1)
    write(club, 1)
    until(caught_up(club, 1))
    assert_right(club)


def test_a_message_delivered_twice_and_thrice_changes_nothing(celery_worker_process) -> None:
    club = a_club()
    celery_worker_process()
    write(club, 1)
    for _ in range(3):
        current_app.send_task("analytics.recompute")
    until(caught_up(club, 1))
    time.sleep(1)
    assert_right(club)


def test_a_worker_killed_in_the_middle_loses_nothing(celery_worker_process) -> None:
    """Killed with kill -9 inside its transaction, while it waits for what this test holds."""
    club = a_club()
    write(club, 1)
    with transaction.atomic():
        _hold(club)
        worker = celery_worker_process()
        time.sleep(2)
        _kill_with_children(worker.pid)
        worker.wait()
    assert SliceToDo.objects.count() == 6
    assert not selectors.leaderboard(club)
    celery_worker_process()
    until(caught_up(club, 1))
    assert_right(club)


def _hold(club: Club) -> None:
    """Locks that the worker needs for its last step: the write lock on SQLite, else every slice."""
    if connection.vendor == "sqlite":
        return  # a transaction on SQLite holds it from its beginning
    days = SliceToDo.objects.values_list("player_id", "day")
    DayCurve.objects.bulk_create(DayCurve(club=club, player_id=player, day=day) for player, day in days)


def _kill_with_children(parent: int) -> None:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    for process in (parent, *map(int, children)):
        os.kill(process, signal.SIGKILL)
