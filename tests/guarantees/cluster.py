"""A PostgreSQL server of a test's own, to be killed."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import psycopg
import pytest

from tests.guarantees.processes import free_port, until

DATABASE = "ofc"
START_SECONDS = 60


class Cluster:
    """One server with an empty database; `configuration` are settings other than the default ones."""

    def __init__(self, folder: Path, configuration: dict[str, str]) -> None:
        self._programs = _programs()
        self._data = folder / "data"
        self._log = folder / "log"
        self.port = free_port()
        self._configuration = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            **configuration,
        }
        self._run(
            "initdb",
            f"--pgdata={self._data}",
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-sync",
        )
        self.start()
        with self._connection("postgres") as maintenance:
            maintenance.execute(f"CREATE DATABASE {DATABASE}")

    def start(self) -> None:
        options = [f"--{name}={value}" for name, value in self._configuration.items()]
        command = [self._programs / "postgres", "-D", self._data, "-p", str(self.port), *options]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **_user()
            )
        self.wait()

    def wait(self) -> None:
        """Until it answers: its log is replayed by then."""
        until(self._answers, START_SECONDS, words=lambda: self._log.read_text()[-3000:])

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), self._connection("postgres") as database:
            return database.execute("SELECT 1").fetchone() == (1,)
        return False

    def _connection(self, name: str) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user="postgres", dbname=name, autocommit=True, connect_timeout=5
        )

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments], capture_output=True, text=True, **_user()
        )
        assert done.returncode == 0, done.stderr

    # --- Crashes ------------------------------------------------------------------------------------------

    def kill(self) -> None:
        """Kill every process of it at once."""
        # Stopped, it starts no process that would be missed.
        self._process.send_signal(signal.SIGSTOP)
        processes = [self._process.pid, *self._children()]
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()
        until(lambda: not any(map(_is_running, processes[1:])))
        self.start()

    def stop_immediately(self) -> None:
        """What an operator does who cannot wait: no checkpoint, no goodbye."""
        self._run("pg_ctl", f"--pgdata={self._data}", "--mode=immediate", "stop")
        self._process.wait()
        self.start()

    def kill_a_backend(self, random: Random) -> None:
        """Kill one client's process; the server then stops all the others and recovers."""
        backends = [process for process in self._children() if f" {DATABASE} " in _title(process)]
        if backends:
            with suppress(ProcessLookupError):
                os.kill(random.choice(backends), signal.SIGKILL)
            time.sleep(0.1)
        self.wait()

    def crash(self, kind: int, random: Random) -> None:
        """One of the three in turn."""
        [self.kill, self.stop_immediately, lambda: self.kill_a_backend(random)][kind % 3]()

    def _children(self) -> list[int]:
        pid = self._process.pid
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()


@contextmanager
def own_cluster(**configuration: str) -> Iterator[Cluster]:
    """A running server in a folder of its own; without PostgreSQL's programs skipped, but failed in CI."""
    # pytest's folders are closed to the user that the server runs as.
    folder = Path(tempfile.mkdtemp(prefix="ofc-cluster-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        cluster = Cluster(folder, configuration)
        try:
            yield cluster
        finally:
            cluster.end()
    finally:
        shutil.rmtree(folder)


def _programs() -> Path:
    """Where initdb and postgres are; Debian keeps them off the path."""
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    if found := shutil.which("postgres"):
        places.insert(0, Path(found).resolve().parent)
    for place in places:
        if (place / "initdb").exists():
            return place
    (pytest.fail if os.environ.get("CI") else pytest.skip)("PostgreSQL's server programs are not installed")
    raise AssertionError


def _user() -> dict[str, object]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    return {"user": "postgres", "group": pwd.getpwnam("postgres").pw_gid, "extra_groups": [], "cwd": "/"}


def _title(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
