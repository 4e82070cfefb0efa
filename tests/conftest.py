"""What all tests share: file databases, guards that give way to a flush, Chromium, real workers."""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import Popen
from typing import Any, Protocol
from unittest import mock

import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from playwright.sync_api import Playwright
from zeal import zeal_context

from ofc_hub.celery import app as celery_app
from ofc_hub.settings import broker_options
from tests.workers import running_worker

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# --- Databases ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """A file for SQLite: two connections to its memory database meet "table is locked" where files wait."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        name = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        connection.settings_dict["TEST"]["NAME"] = name


@pytest.fixture(scope="session", autouse=True)
def _flush_passes_the_guards() -> Iterator[None]:
    """Append-only triggers refuse the DELETE and TRUNCATE by which Django empties tables between tests."""
    execute = BaseDatabaseOperations.execute_sql_flush

    def unguarded(operations: BaseDatabaseOperations, statements: list[str]) -> None:
        from ofc_hub.core.append_only import create_guards, drop_guards

        drop_guards(operations.connection)
        try:
            execute(operations, statements)
        finally:
            create_guards(operations.connection)

    with mock.patch.object(BaseDatabaseOperations, "execute_sql_flush", unguarded):
        yield


@pytest.fixture(autouse=True)
def _n_plus_one_raises(request: pytest.FixtureRequest) -> Iterator[None]:
    """Zeal raises on N+1 queries in the whole test and not only inside a request."""
    if request.node.get_closest_marker("n_plus_one_allowed"):
        yield
        return
    with zeal_context():
        yield


# --- Workers ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def _broker_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A queue, and for files a folder, that neither a demo nor a parallel test run reads."""
    folder = tmp_path_factory.mktemp("broker")
    settings.CELERY_TASK_DEFAULT_QUEUE = f"test-{uuid.uuid4()}"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(settings.CELERY_BROKER_URL, folder)
    celery_app.conf.task_default_queue = settings.CELERY_TASK_DEFAULT_QUEUE
    celery_app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    yield
    if settings.CELERY_BROKER_URL.startswith("amqp"):
        with celery_app.connection_for_write() as broker:
            broker.default_channel.queue_delete(settings.CELERY_TASK_DEFAULT_QUEUE)


class StartWorker(Protocol):
    def __call__(self, broker_url: str = ...) -> "Popen[bytes]": ...


@pytest.fixture
def celery_worker_process(transactional_db: None, tmp_path: Path) -> Iterator[StartWorker]:
    """Start a real worker on the broker of this run (CELERY_BROKER_URL); it ends before tables are emptied.

    For each test and not for the session: a worker that lives through a flush meets half a database.
    """
    with ExitStack() as stack:

        def start(broker_url: str = settings.CELERY_BROKER_URL) -> "Popen[bytes]":
            return stack.enter_context(running_worker(broker_url, tmp_path))

        yield start


# --- Chromium ------------------------------------------------------------------------------------------


def _chromium() -> str | None:
    names = (os.environ.get("OFC_CHROMIUM", ""), *CHROMIUM_NAMES)
    return next((path for name in names if name and (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium; without one a browser test is skipped, but fails where CI is set."""
    path = _chromium()
    if path is None:
        message = "no Chromium found (OFC_CHROMIUM, " + ", ".join(CHROMIUM_NAMES) + ")"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    return {**browser_type_launch_args, "executable_path": path, "args": CHROMIUM_ARGUMENTS}


@pytest.fixture(scope="session")
def playwright(playwright: Playwright) -> Playwright:
    """Its event loop runs on until the session ends, and Django's ORM refuses to share a thread with one."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return playwright
