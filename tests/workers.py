"""A real Celery worker as a process of its own, at work on the test database."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
READY = " ready."
START_SECONDS = 60


def test_database_url() -> str:
    """The URL under which another process reaches the database that this test uses."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    login = database["USER"] + (f":{database['PASSWORD']}" if database["PASSWORD"] else "")
    return f"postgres://{login}@{database['HOST']}:{database['PORT'] or 5432}/{database['NAME']}"


test_database_url.__test__ = False  # type: ignore[attr-defined]


@contextmanager
def running_worker(broker_url: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker on `broker_url`, ready when the block begins and stopped warmly when it ends.

    Its log is in `folder`; the files of a filesystem broker are in the test run's own folder.
    """
    name = f"test-{uuid.uuid4()}"
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(name), cwd=ROOT, env=_environment(broker_url), stdout=output, stderr=output
        )
    try:
        _wait_until_ready(process, log)
        yield process
    finally:
        _stop(process)


def _command(name: str) -> list[str]:
    # RabbitMQ gives the control queue of a name to one worker only, and parallel tests share the broker.
    options = ["--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle"]
    options.append(f"--hostname={name}@%h")
    return [sys.executable, "-m", "celery", "-A", "ofc_hub", "worker", *options]


def _environment(broker_url: str) -> dict[str, str]:
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    folder = {"OFC_BROKER_DIR": options["data_folder_in"]} if "data_folder_in" in options else {}
    own = {"DATABASE_URL": test_database_url(), "CELERY_BROKER_URL": broker_url, "LOG_LEVEL": "INFO"}
    own["OFC_QUEUE"] = settings.CELERY_TASK_DEFAULT_QUEUE
    return {**os.environ, **own, **folder}


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if READY in log.read_text(errors="replace"):
            return
        time.sleep(0.1)
    raise RuntimeError(f"the worker did not start:\n{log.read_text(errors='replace')[-3000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
