"""Promise 13: nothing acknowledged is lost in a crash. Everything is killed with -9 while it is at work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
from django.db import connection

from tests.guarantees.brokers import own_broker
from tests.guarantees.cluster import DATABASE, Cluster, own_cluster
from tests.guarantees.processes import Victim, graveyard
from tests.guarantees.stores import assert_sound, said, working_on
from tests.guarantees.under_fire import (
    Importer,
    Subject,
    Web,
    Witness,
    Worker,
    Writer,
    a_club_with_a_scorer,
    assert_statistics_are_right,
    finish_imports,
    in_random_order,
    lost,
    lost_sessions,
)
from tests.prove import PROVING, scale

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

KILLS_OF_EACH = scale(3, 50)
KILLS_OF_THE_WRITER = scale(12, 300)
KILLS_OF_THE_SERVER = scale(3, 50)
on_postgresql = pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite has no server: its writers are killed"
)


Start = Callable[[str, list[str]], Victim]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with own_broker() as url, graveyard(tmp_path) as begin:
        yield partial(begin, CELERY_BROKER_URL=url)


def test_kills_of_web_worker_importer_and_writer_lose_nothing(start: Start, tmp_path: Path) -> None:
    random, witness = Random(1913), Witness()
    club, scorer = a_club_with_a_scorer()
    writer, importer = Writer(start, club, scorer), Importer(start, club, tmp_path)
    web, worker = Web(start, club, scorer.username), Worker(start)
    others = dict.fromkeys((importer, web, worker), KILLS_OF_EACH)
    for subject in in_random_order({writer: KILLS_OF_THE_WRITER, **others}, random):
        subject.kill(random)
        witness.look()
    web.visitor.end()
    assert web.visitor.errors == []
    end(writer, importer, web)
    assert [one.kills for one in (writer, importer, web, worker)] == [
        KILLS_OF_THE_WRITER,
        *[KILLS_OF_EACH] * 3,
    ]
    assert lost(writer.acknowledged()) == []
    assert lost_sessions(web.visitor.sessions) == set()
    finish_imports(importer.files, club.slug)
    assert_statistics_are_right(club)
    assert witness.gone() == []
    assert_sound()


def end(*subjects: Subject) -> None:
    for subject in subjects:
        subject.now.kill()


# --- The database server --------------------------------------------------------------------------------


@contextmanager
def using(cluster: Cluster) -> Iterator[Cluster]:
    """All processes of the test work on the cluster's database."""
    with working_on(DATABASE, HOST="127.0.0.1", PORT=str(cluster.port), USER="postgres", PASSWORD=""):
        said("migrate", verbosity=0)
        yield cluster


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with own_cluster() as cluster, using(cluster):
        yield cluster


@on_postgresql
def test_kills_of_the_server_lose_nothing(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    """Web process and worker live on, the writer sends again what got no answer, the import is repeated."""
    random, witness = Random(1789), Witness()
    club, scorer = a_club_with_a_scorer()
    writer, importer = Writer(start, club, scorer), Importer(start, club, tmp_path)
    web, worker = Web(start, club, scorer.username), Worker(start)
    for number in range(KILLS_OF_THE_SERVER):
        writer.wait_for(writer.work() + random.randint(1, 60))
        web.wait_for(web.work() + 1)
        witness.look()
        connection.close()
        cluster.crash(number, random)
        importer.resume()
    web.wait_for(web.work() + 2)
    web.visitor.end()
    end(writer, importer, web)
    connection.close()
    assert lost(writer.acknowledged()) == []
    assert lost_sessions(web.visitor.sessions) == set()
    finish_imports(importer.files, club.slug)
    assert_statistics_are_right(club)
    assert [len(subject.victims) for subject in (writer, web, worker)] == [1, 1, 1]
    assert witness.gone() == []
    assert_sound()


@on_postgresql
@pytest.mark.skipif(not PROVING, reason="needs a server of its own: with OFC_PROVE=1")
def test_a_server_that_acknowledges_too_early_is_found_out(start: Start) -> None:
    """That these tests see a loss where there is one: such a server forgets its last seconds."""
    with own_cluster(synchronous_commit="off", wal_writer_delay="10s") as careless, using(careless):
        club, scorer = a_club_with_a_scorer()
        writer = Writer(start, club, scorer)
        writer.wait_for(30)
        connection.close()
        careless.kill()
        writer.now.kill()
        assert lost(writer.acknowledged()) != []


def test_a_commit_is_on_the_disk_before_it_is_acknowledged() -> None:
    """No kill can show what a power cut would: these settings tell whether it takes anything away."""
    expected = {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2}  # 2: FULL
    if connection.vendor == "postgresql":
        expected = {f"SHOW {name}": "on" for name in ("fsync", "synchronous_commit", "full_page_writes")}
    for question, answer in expected.items():
        with connection.cursor() as cursor:
            cursor.execute(question)
            assert cursor.fetchone() == (answer,), question
