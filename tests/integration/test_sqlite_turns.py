"""Writers of a SQLite file who wait for each other."""

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from ofc_hub.clubs.models import Club
from tests.writers import at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="other servers keep a queue of their own"),
]


@pytest.fixture
def _no_patience() -> Iterator[None]:
    options = connection.settings_dict["OPTIONS"]
    seconds = options["timeout"]
    options["timeout"] = 0.2
    yield
    options["timeout"] = seconds


def busy_timeout() -> int:
    with connection.cursor() as cursor:
        return cursor.execute("PRAGMA busy_timeout").fetchone()[0]


@pytest.mark.usefixtures("_no_patience")
def test_a_writer_gives_up_when_his_time_is_up() -> None:
    def work(writer: int) -> str:
        try:
            with transaction.atomic():
                time.sleep(0.6)
            return "wrote"
        except OperationalError as error:
            assert busy_timeout() == 200, "other statements go on waiting as they did"
            return str(error)

    assert sorted(at_once(work, 2)) == ["database is locked", "wrote"]


def test_writers_take_turns() -> None:
    """Everybody who writes again at once gets turns."""
    club = Club.objects.create(slug="home", name="Home")
    turns: list[int] = []
    end = time.monotonic() + 1

    def work(writer: int) -> int:
        count = 0
        while time.monotonic() < end:
            with transaction.atomic():
                Club.objects.filter(pk=club.pk).update(name=f"{writer}")
                turns.append(writer)
                time.sleep(0.002)
            count += 1
        return count

    counts = at_once(work, 6)
    assert sum(counts) == len(turns) > 20
    assert min(counts) > 0


def test_whoever_waits_looks_often() -> None:
    """SQLite alone would look a dozen times in this half second, the later the less often."""
    looks: list[str] = []

    def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        looks.append(sql)
        return execute(sql, *rest)

    def work(writer: int) -> None:
        time.sleep(0.1 * writer)
        with connection.execute_wrapper(count) if writer else nullcontext(), transaction.atomic():
            time.sleep(0.6)

    at_once(work, 2)
    assert looks.count("BEGIN IMMEDIATE") > 25


def test_an_error_that_is_not_a_lock_is_raised_at_once() -> None:
    with transaction.atomic(), pytest.raises(OperationalError, match="within a transaction"):
        connection._start_transaction_under_autocommit()
