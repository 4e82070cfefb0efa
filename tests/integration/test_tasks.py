"""The task against what goes wrong: delivered twice, at once, beside writers, with the broker away."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from analytics import selectors
from analytics.models import DayCurve, PlayerDay
from analytics.slices import recompute_some
from analytics.tasks import recompute
from ofc_hub.clubs.models import Club
from scoring.models import SeatResult, SliceToDo
from scoring.wake import wake_statistics
from tests.results import a_club, invented, mark, store
from tests.workers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def a_filled_club(hands: int = 40, days: int = 5) -> Club:
    club = a_club()
    rows = invented(Random(11), list(club.players.values_list("pk", flat=True)), hands, days)
    store(club, rows)
    mark(club, rows, 3)
    return club


def slices_now() -> list[dict[str, Any]]:
    return list(PlayerDay.objects.order_by("pk").values())


def points_by_player(rows: Any) -> dict[int, int]:
    sums: dict[int, int] = {}
    for player, points in rows:
        sums[player] = sums.get(player, 0) + points
    return sums


def assert_figures_are_those_of_the_results(club: Club) -> None:
    plain = points_by_player(SeatResult.objects.values_list("player_id", "points"))
    assert {line.player_id: line.points for line in selectors.leaderboard(club)} == plain


def in_threads(*jobs: Callable[[], Any]) -> None:
    """Run the jobs at once, each on a connection of its own; the first error of any is raised here."""
    errors: list[BaseException] = []

    def run(job: Callable[[], Any]) -> None:
        try:
            job()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]


def test_a_task_delivered_twice_changes_nothing() -> None:
    club = a_filled_club()
    assert recompute() == 15
    first = slices_now()
    assert recompute() == 0
    mark(club, SeatResult.objects.values("player_id", "day"), 4)
    assert recompute() == 15
    assert slices_now() == first
    assert_figures_are_those_of_the_results(club)


def test_workers_beside_writers_end_with_the_right_figures() -> None:
    club = a_club()
    players = list(club.players.values_list("pk", flat=True))
    rows = invented(Random(5), players, 120, 3)
    batches = [rows[at : at + 12] for at in range(0, len(rows), 12)]
    written = threading.Event()

    def write() -> None:
        for position, batch in enumerate(batches, start=1):
            with transaction.atomic():
                store(club, batch)
                mark(club, batch, position)
        written.set()

    def work() -> None:
        while not written.is_set() or SliceToDo.objects.exists():
            recompute_some()

    in_threads(write, work, work, work)
    assert selectors.as_of(club) == selectors.AsOf(len(batches), len(batches))
    assert_figures_are_those_of_the_results(club)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one writer in at a time")
def test_a_slice_is_locked_before_its_results_are_read() -> None:
    """A worker that waits for the slice must count what was written while it waited."""
    club = a_filled_club(hands=3, days=1)
    recompute()
    mark(club, SeatResult.objects.values("player_id", "day"), 4)
    started = threading.Event()

    def hold_and_write() -> None:
        with transaction.atomic():
            list(DayCurve.objects.select_for_update().values_list("day"))
            started.set()
            time.sleep(0.5)
            SeatResult.objects.update(points=100)

    def work() -> None:
        started.wait()
        recompute_some()

    in_threads(hold_and_write, work)
    assert {line.points for line in selectors.leaderboard(club)} == {300}


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one writer in at a time")
def test_rows_that_another_worker_holds_are_skipped() -> None:
    club = a_filled_club(hands=3, days=1)
    with transaction.atomic():
        list(SliceToDo.objects.select_for_update())
        counts: list[int] = []
        in_threads(lambda: counts.append(recompute_some()))
        assert counts == [0]
        assert selectors.as_of(club) == selectors.AsOf(2, 3)
    assert recompute_some() == 3


def test_a_row_written_while_its_slice_is_computed_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly the rows taken are deleted, not whatever names the slice by then."""
    club = a_filled_club(hands=3, days=1)
    row = SeatResult.objects.values("player_id", "day").first()
    from analytics import slices

    rewrite = slices._rewrite

    def rewrite_late(*place: Any) -> None:
        rewrite(*place)
        SliceToDo.objects.create(club=club, position=3, **row)

    monkeypatch.setattr(slices, "_rewrite", rewrite_late)
    assert recompute_some() == 3
    assert SliceToDo.objects.count() == 3
    assert selectors.as_of(club).position == 2


def messages() -> list[Path]:
    folder = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("data_folder_out")
    if folder is None:
        pytest.skip("only a filesystem broker shows its messages")
    return [file for file in Path(folder).iterdir() if file.suffix == ".msg"]


def test_the_message_goes_out_after_the_commit_and_only_then() -> None:
    before = len(messages())
    with transaction.atomic():
        wake_statistics()
        assert len(messages()) == before
    assert len(messages()) == before + 1
    with transaction.atomic():
        wake_statistics()
        transaction.set_rollback(True)
    assert len(messages()) == before + 1


@pytest.mark.parametrize("broker", ["redis://127.0.0.1:1/0", "amqp://guest:guest@127.0.0.1:1//"])
def test_a_broker_that_is_away_costs_no_write(broker: str, tmp_path: Path) -> None:
    code = (
        "import django; django.setup()\n"
        "from django.db import transaction\n"
        "from scoring.wake import wake_statistics\n"
        "for _ in range(3):\n"
        "    with transaction.atomic(): wake_statistics()\n"
        "print('written')"
    )
    own = {
        "CELERY_BROKER_URL": broker,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "ofc_hub.settings",
        "LOG_LEVEL": "WARNING",
        "OFC_VAR_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **own}, capture_output=True, timeout=60
    )
    assert done.stdout.split() == [b"written"]
    assert done.stderr.count(b"no message sent") == 1
