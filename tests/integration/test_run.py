"""`manage.py run` as its user meets it: a process of its own, from an empty folder."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO_HANDS = 3000
OF_THE_TESTS = (
    "DATABASE_URL",
    "CELERY_BROKER_URL",
    "OFC_TESTING",
    "SECRET_KEY",
    "OFC_EMBEDDED",
    "PYTEST_VERSION",
)


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(folder: Path, port: int) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in OF_THE_TESTS}
    return {**inherited, "OFC_VAR_DIR": str(folder), "OFC_PORT": str(port), "PYTHONUNBUFFERED": "1"}


@contextmanager
def _running(folder: Path, port: int, output: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "run"],
            cwd=ROOT,
            env=_environment(folder, port),
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=40)


def _wait_for(text: str, output: Path, process: "subprocess.Popen[bytes]", seconds: float = 90) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if text in output.read_text(errors="replace"):
            break
        time.sleep(0.1)
    said = output.read_text(errors="replace")
    assert text in said, said
    return said


def _hands(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "demo.sqlite3")) as database:
        return int(database.execute("SELECT count(*) FROM hands_hand").fetchone()[0])


def _listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_from_nothing_to_pages_and_again(tmp_path: Path) -> None:
    port, output = _free_port(), tmp_path / "output"
    with _running(tmp_path, port, output) as process:
        said = _wait_for("Ready", output, process)
        assert f"http://127.0.0.1:{port}/" in said
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            assert json.load(answer)["status"] == "ok"
        assert _hands(tmp_path) == DEMO_HANDS
        assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=40) == 0
    assert "Stopped." in output.read_text()
    assert not _listens(port)

    with _running(tmp_path, port, output) as process:
        said = _wait_for("Ready", output, process)
        assert f"{DEMO_HANDS} hands are there" in said
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=40) == 0


def test_a_taken_port_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port, output = other.getsockname()[1], tmp_path / "output"
        with _running(tmp_path, port, output) as process:
            assert process.wait(timeout=30) == 1
    assert f"cannot listen on 127.0.0.1:{port}" in output.read_text()
    assert not (tmp_path / "demo.sqlite3").exists()


def test_a_dead_worker_ends_the_run_with_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFC_SAMPLES", "0")
    port, output = _free_port(), tmp_path / "output"
    with _running(tmp_path, port, output) as process:
        _wait_for("Ready", output, process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        worker = next(child for child in children if b"celery" in Path(f"/proc/{child}/cmdline").read_bytes())
        os.kill(int(worker), signal.SIGKILL)
        assert process.wait(timeout=40) == 1
    assert "the worker ended" in output.read_text()
    assert not _listens(port)
