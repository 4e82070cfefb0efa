"""What an append costs: `python -m benchmarks.append [--appends N] [--hands N] [--sqlite]`.

In one run on a database of its own: one and eight writers, each a process, who write the same rows by bare
statements, append single events through `hands.log`, and record live moves through the use case; batches as
long as a hand with digests, without, and bare; and, a step every few milliseconds, all three while nothing
else goes on and while --hands hands are imported into the same club. On PostgreSQL (beside DATABASE_URL's
database) or SQLite.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from benchmarks.import_hands import CLUB, ROOT, scratch_database, write_hands

KINDS = ("bare", "append", "live")
BATCHES = ("bare batch", "append batch", "undigested batch")
MANY = 8
PAUSE_SECONDS = 0.005
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "ofc_hub.settings",
    "CELERY_BROKER_URL": "memory://",
    "LOG_LEVEL": "ERROR",
}
TARGETS = {"idle": 10, "importing": 50}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--appends", type=int, default=2000, help="steps of each kind in all")
    parser.add_argument("--hands", type=int, default=100_000, help="hands to import meanwhile; 0 for none")
    parser.add_argument("--sqlite", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _database(arguments.sqlite, Path(folder)) as url:
        os.environ |= ENVIRONMENT | {"DATABASE_URL": url}
        with Writers() as writers:
            writers.start("prepare").result()
            print(f"{'':36}{'steps/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'/ bare':>8}")
            for number in (1, MANY):
                compare(writers, f"{number} at once, ", KINDS, number, arguments.appends)
            compare(writers, "17 events, ", BATCHES, 1, arguments.appends // 4)
            print(f"\ndigests: {writers.start('digest_share').result()}\n")
            paced(writers, "idle", arguments.appends)
            if arguments.hands:
                print()
                imported = Path(folder) / "imported"
                with importing(arguments.hands, Path(folder), imported):
                    paced(writers, "importing", 0, imported)


# --- Measurements -----------------------------------------------------------------------------------------


def compare(writers: Writers, name: str, kinds: tuple[str, ...], number: int, steps: int) -> None:
    """Steps as fast as they go, `number` writers of one kind at once, one kind after the other."""
    rates: list[float] = []
    for kind in kinds:
        started = [writers.start("seconds_of", kind, number, steps // number) for _ in range(number)]
        seconds = [second for future in started for second in future.result()]
        rates.append(number / mean(seconds))
        _line(name + kind, rates[-1], seconds, rates[-1] / rates[0])


def paced(writers: Writers, name: str, steps: int, until: Path | None = None) -> None:
    """One writer of each kind, all at once and with pauses; latencies beside those of bare statements."""
    started = {
        kind: writers.start("seconds_of", kind, len(KINDS), steps // 4, until, PAUSE_SECONDS)
        for kind in KINDS
    }
    found = {kind: future.result() for kind, future in started.items()}
    bare = _percentiles(found["bare"])[1]
    for kind, seconds in found.items():
        _line(f"{name}, {kind}", len(seconds), seconds, _percentiles(seconds)[1] / bare)
    last = _percentiles(found["live"])[1] * 1000
    print(f"target: p99 {TARGETS[name]} ms; live {last:.1f} ms (numbers: steps made, p99 / bare)")


@contextmanager
def importing(hands: int, folder: Path, imported: Path) -> Iterator[None]:
    """An import into the same club goes on until it makes the file `imported`."""
    file = folder / "hands.ndjson"
    write_hands(file, hands)
    command = f"'{sys.executable}' manage.py import_hands '{file}' --club {CLUB} --json; touch '{imported}'"
    process = subprocess.Popen(["sh", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    time.sleep(2)  # until the first batch is there
    yield
    output, _ = process.communicate()
    print(f"imported meanwhile: {output.strip().splitlines()[-1]}")


def _line(name: str, rate: float, seconds: list[float], ratio: float) -> None:
    middle, last = _percentiles(seconds)
    print(f"{name:<36}{rate:>9,.0f}{middle * 1000:>9.2f}{last * 1000:>9.2f}{ratio:>8.2f}", flush=True)


def _percentiles(seconds: list[float]) -> tuple[float, float]:
    """The median and the 99th percentile."""
    cuts = quantiles(seconds, n=100)
    return cuts[49], cuts[98]


# --- Processes and databases --------------------------------------------------------------------------------


class Writers(ProcessPoolExecutor):
    """Processes that are there from the beginning; writers that belong together begin together."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        barriers = {number: context.Barrier(number) for number in (1, len(KINDS), MANY)}
        super().__init__(MANY, mp_context=context, initializer=_set_up, initargs=(barriers,))

    def start(self, function: str, *arguments: Any) -> Future[Any]:
        return self.submit(_call, function, arguments)


_barriers: dict[int, Any] = {}


def _set_up(barriers: dict[int, Any]) -> None:
    import django

    _barriers.update(barriers)
    django.setup()


def _call(function: str, arguments: tuple[Any, ...]) -> Any:
    from benchmarks import appending

    if function != "seconds_of":
        return getattr(appending, function)()
    kind, number, *rest = arguments
    return appending.seconds_of(kind, _barriers[number].wait, *rest)


@contextmanager
def _database(sqlite: bool, folder: Path) -> Iterator[str]:
    if not sqlite:
        with scratch_database("ofc_bench_append") as url:
            yield url
        return
    url = f"sqlite:///{folder / 'bench.sqlite3'}"
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "DATABASE_URL": url}, check=True)
    yield url


if __name__ == "__main__":
    main()
