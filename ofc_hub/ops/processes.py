"""Two children and their parent: start, watch, stop together."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

STOP_SECONDS = 20.0
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


@dataclass(slots=True)
class Child:
    """A process of ours with its log file."""

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def last_lines(self, count: int = 15) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])


def python_module(name: str, arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> Child:
    """Start `python -m arguments...`, its output in `log`, which tells of this run only.

    In a session of its own: Ctrl-C reaches the parent alone, which then asks each child to end in good order.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(environment),
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
    return Child(name, process, log)


def _end_with_parent() -> None:
    # A parent that was killed outright must leave nobody behind who holds the port.
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)


def first_to_end(children: Sequence[Child], seconds: float | None = None) -> Child | None:
    """The first child that ends, or None after `seconds` in which none did."""
    end = None if seconds is None else time.monotonic() + seconds
    while end is None or time.monotonic() < end:
        for child in children:
            if child.process.poll() is not None:
                return child
        time.sleep(0.2)
    return None


def stop(children: Sequence[Child]) -> list[str]:
    """Ask all to end, wait, then kill whoever did not; return the names of the killed."""
    for child in children:
        if child.process.poll() is None:
            child.process.terminate()
    end = time.monotonic() + STOP_SECONDS
    return [child.name for child in children if not _ended(child, end - time.monotonic())]


def _ended(child: Child, seconds: float) -> bool:
    try:
        child.process.wait(timeout=max(seconds, 0.1))
    except subprocess.TimeoutExpired:
        os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()
        return False
    return True


def port_problem(bind: str, port: int) -> str:
    """Why nothing can listen on `bind`:`port`, or "" when it can."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bind, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""
