"""A broker that a test may flush without hurting its neighbours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from ofc_hub.celery import app

# Of Redis's 16 databases those from here on are for tests that flush theirs, one for each parallel run.
FIRST_OF_REDIS = 10


@contextmanager
def own_broker() -> Iterator[str]:
    """The URL of a broker for this test alone, and the application of this process sends to it.

    Files and queues of RabbitMQ are this run's own already; on Redis it is another database.
    """
    url = str(settings.CELERY_BROKER_URL)
    if url.startswith("redis"):
        parallel = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
        number = FIRST_OF_REDIS + int(parallel.removeprefix("gw")) % 6
        url = urlsplit(url)._replace(path=f"/{number}").geturl()
    with pytest.MonkeyPatch.context() as patch:
        # Celery asks the environment before its configuration.
        patch.setenv("CELERY_BROKER_URL", url)
        patch.setattr(app.conf, "broker_url", url)
        flush(url)
        yield url
        flush(url)


def flush(url: str) -> None:
    """Lose all messages, delivered or not."""
    if url.startswith("redis"):
        import redis

        redis.Redis.from_url(url).flushdb()
    elif url.startswith("amqp"):
        with app.connection_for_write() as broker:
            broker.default_channel.queue_declare(
                settings.CELERY_TASK_DEFAULT_QUEUE, durable=True, auto_delete=False
            )
            broker.default_channel.queue_purge(settings.CELERY_TASK_DEFAULT_QUEUE)
    else:
        for file in Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]).rglob("*.msg"):
            file.unlink(missing_ok=True)


def deliver(task: str, times: int) -> None:
    """Put one and the same message into the queue so often."""
    with app.connection_for_write() as broker:
        identity = os.urandom(16).hex()
        for _ in range(times):
            app.send_task(task, task_id=identity, connection=broker, ignore_result=True)
