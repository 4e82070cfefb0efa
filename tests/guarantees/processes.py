"""Processes of the application on the test's database, and how they are killed (kill -9)."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from django.conf import settings

from tests.workers import ROOT, test_database_url


@dataclass(slots=True)
class Victim:
    """A process of ours that leads a group of its own, with what it prints and its log.

    Its number is free for others once it was waited for, and so is that of its group. That is done in `kill`
    alone, which is why nothing here asks `process.poll()`: a dead process stays until it is buried.
    """

    process: "subprocess.Popen[bytes]"
    output: Path
    log: Path
    _lines: list[str] = field(default_factory=list)
    _read: int = 0
    _buried: bool = False

    @property
    def alive(self) -> bool:
        return self.status is None

    @property
    def status(self) -> int | None:
        """How it ended, as `Popen.returncode`; None while it is at work."""
        if self._buried:
            return self.process.returncode
        end = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if end is None:
            return None
        return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status

    def kill(self) -> bool:
        """Kill it and all that it has started, at once; whether it was not over before."""
        if self._buried:
            return False
        was_alive = self.alive
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._buried = True
        return was_alive and self.status == -signal.SIGKILL

    def kill_a_child(self, random: Random) -> bool:
        """Kill one of the processes that it has started, which it may survive; whether there was one."""
        children = self._children()
        if not children:
            return False
        with suppress(ProcessLookupError):
            os.kill(random.choice(children), signal.SIGKILL)
        return True

    def _children(self) -> list[int]:
        if not self.alive:
            return []
        pid = self.process.pid
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    def kill_some(self, random: Random) -> bool:
        return (random.random() < 0.4 and self.kill_a_child(random)) or self.kill()

    def said(self) -> list[str]:
        """Whole lines of its output so far; a kill may have cut the last one."""
        with self.output.open() as output:
            output.seek(self._read)
            for line in output:
                if line.endswith("\n"):
                    self._lines.append(line)
                    self._read += len(line.encode())
        return self._lines

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-3000:]


@contextmanager
def graveyard(folder: Path) -> Iterator[Callable[..., Victim]]:
    """`start(name, command, **environment)`; whatever still lives at the end of the block is killed."""
    with ExitStack() as stack:

        def start(name: str, command: Sequence[str], **environment: str) -> Victim:
            victim = _start(folder, name, command, environment)
            stack.callback(victim.kill)
            return victim

        yield start


def _start(folder: Path, name: str, command: Sequence[str], environment: dict[str, str]) -> Victim:
    stem = folder / f"{name}-{time.monotonic_ns()}"
    output, log = stem.with_suffix(".out"), stem.with_suffix(".log")
    with output.open("wb") as out, log.open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, **_environment(folder), **environment},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    return Victim(process, output, log)


def _environment(folder: Path) -> dict[str, str]:
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    return {
        "DATABASE_URL": test_database_url(),
        "OFC_QUEUE": settings.CELERY_TASK_DEFAULT_QUEUE,
        "OFC_BROKER_DIR": options.get("data_folder_in", str(folder / "broker")),
        "OFC_TESTING": "1",
        "LOG_LEVEL": "INFO",
    }


# --- What is started --------------------------------------------------------------------------------------


def worker(app: str = "ofc_hub") -> list[str]:
    # RabbitMQ gives the control queue of a name to one worker only.
    name = f"--hostname=test-{time.monotonic_ns()}@%h"
    options = ["--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle", name]
    return ["-m", "celery", "-A", app, "worker", *options]


def web(port: int) -> list[str]:
    options = ["--worker-class=gthread", "--threads=4", "--workers=2", "--no-control-socket"]
    return ["-m", "gunicorn", "ofc_hub.wsgi", f"--bind=127.0.0.1:{port}", *options]


def importer(file: Path, slug: str) -> list[str]:
    return ["manage.py", "import_hands", str(file), "--club", slug, "--json", "--report", f"{file}.refused"]


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(condition: Callable[[], object], seconds: float = 60, words: Callable[[], str] = str) -> None:
    """Wait for `condition`; a failure tells `words`."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {words()}"
        time.sleep(0.02)
