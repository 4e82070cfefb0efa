"""`make prove`: the full proofs of the log's promises on SQLite and PostgreSQL, and docs/proofs.md about it.

`python -m tests.proof_report [--postgres URL] [--output FILE] [--resume] [pytest arguments]`. Each file of
proofs is a run of its own, whose result is kept in var/proofs: with --resume, files that have one from the
same commit are not run again. With arguments of pytest the proofs are a part, and their report goes to
var/proofs.md unless --output says otherwise.
"""

import argparse
import os
import platform
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
PROOFS = "tests/guarantees"
PROMISES = ROOT / "docs" / "guarantees.md"
FAILED = "FAILED"
ENDED = (0, 1, 5)
"""Exit statuses of pytest: all passed, some failed, none selected."""
POSTGRES = "postgres://postgres@127.0.0.1:5432/ofc_prove"


class Outcome(NamedTuple):
    """One test on one database; `scale` are the numbers that its module ran with, `why` the first line."""

    file: str
    test: str
    database: str
    result: str
    seconds: float
    scale: tuple[tuple[str, str], ...]
    why: str

    @property
    def promise(self) -> int:
        return int(self.file.split("_")[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    own = os.environ.get("DATABASE_URL", "")
    parser.add_argument("--postgres", default=own if own.startswith("postgres") else POSTGRES)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--resume", action="store_true")
    arguments, selection = parser.parse_known_args()
    began = datetime.now(UTC)
    databases = (("SQLite", ""), ("PostgreSQL", arguments.postgres))
    # Side by side: the proofs wait for locks, disks and kills more than they compute.
    with ThreadPoolExecutor() as both:
        told = both.map(lambda one: run_all(*one, selection, arguments.resume), databases)
    outcomes = [outcome for of_one in told for outcome in of_one]
    output = arguments.output or ROOT / ("var/proofs.md" if selection else "docs/proofs.md")
    output.write_text("\n".join(report(outcomes, began, arguments.postgres, selection)) + "\n")
    print(f"report: {output}")
    return int(any(outcome.result == FAILED for outcome in outcomes))


def run_all(database: str, url: str, selection: list[str], resume: bool) -> list[Outcome]:
    """The outcomes of all proofs on one database."""
    folder = ROOT / "var" / "proofs" / (_said("git", "rev-parse", "--short", "HEAD") or "unknown") / database
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for file in sorted((ROOT / PROOFS).glob("test_*.py")):
        result = folder / f"{file.stem}.xml"
        if not (resume and result.exists()):
            found += run(database, url, file, result, selection)
        if result.exists():
            found += outcomes_of(database, result.read_text())
    return found


def run(database: str, url: str, file: Path, result: Path, selection: list[str]) -> list[Outcome]:
    """Run one file; a run that ended without a result is an outcome, too."""
    result.unlink(missing_ok=True)
    options = ["-q", "-o", "junit_family=xunit2", f"--junitxml={result}"]
    command = [sys.executable, "-m", "pytest", str(file.relative_to(ROOT)), *options, *selection]
    environment = {**os.environ, "OFC_PROVE": "1", "DATABASE_URL": url}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    print(f"=== {database}, {file.stem}: {(done.stdout.strip().splitlines() or [''])[-1]}", flush=True)
    if done.returncode not in (0, 5):
        print(done.stdout, done.stderr, flush=True)
    if done.returncode in ENDED:
        return []
    why = f"pytest ended with status {done.returncode}"
    return [Outcome(file.stem, "test_all_of_it", database, FAILED, 0.0, (), why)]


def outcomes_of(database: str, junit: str) -> Iterator[Outcome]:
    for case in ElementTree.fromstring(junit).iter("testcase"):
        told = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        result = "passed" if told is None else "skipped" if told.tag == "skipped" else FAILED
        scale = tuple((one.get("name", ""), one.get("value", "")) for one in case.iter("property"))
        why = "" if told is None else told.get("message", "").partition("\n")[0]
        file = case.get("classname", "").rpartition(".")[2]
        yield Outcome(file, case.get("name", ""), database, result, float(case.get("time", 0)), scale, why)


# --- The report ---------------------------------------------------------------------------------------------


def report(outcomes: list[Outcome], began: datetime, postgres: str, selection: list[str]) -> Iterator[str]:
    command = " ".join(["make prove", *([f'ARGS="{" ".join(selection)}"'] if selection else [])])
    yield "# Proofs of what the log promises"
    yield ""
    yield f"{began:%Y-%m-%d %H:%M} UTC, `{command}`, code {_code()}."
    yield f"{_machine()}, {_server(postgres)}."
    yield ""
    yield from _totals(outcomes)
    ordered = sorted(outcomes, key=lambda one: (one.promise, one.file))
    promises = dict(re.findall(r"^\| (\d+) \| ([^|]+?) \|", PROMISES.read_text(), flags=re.MULTILINE))
    for promise, some in groupby(ordered, attrgetter("promise")):
        yield ""
        yield f"## {promise}. {promises[str(promise)]}" if promise else "## Promises broken on purpose"
        for file, of_file in groupby(some, attrgetter("file")):
            yield from _file(file, list(of_file))


def _totals(outcomes: list[Outcome]) -> Iterator[str]:
    yield "| database | passed | failed | skipped | minutes |"
    yield "|---|---|---|---|---|"
    for database, some in groupby(outcomes, attrgetter("database")):
        counts, seconds = Counter(), 0.0
        for outcome in some:
            counts[outcome.result] += 1
            seconds += outcome.seconds
        cells = (counts["passed"], counts[FAILED], counts["skipped"], f"{seconds / 60:.1f}")
        yield f"| {database} | {' | '.join(map(str, cells))} |"


def _file(file: str, outcomes: list[Outcome]) -> Iterator[str]:
    scale = ", ".join(
        f"{name} {value}" for name, value in dict(sum((one.scale for one in outcomes), ())).items()
    )
    yield ""
    yield f"`{file}.py`" + (f" at {scale}" if scale else "")
    yield ""
    yield "| test | SQLite | PostgreSQL |"
    yield "|---|---|---|"
    by_test: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_test.setdefault(outcome.test.partition("[")[0], []).append(outcome)
    for test, some in by_test.items():
        cells = (_cell([one for one in some if one.database == name]) for name in ("SQLite", "PostgreSQL"))
        yield f"| {test.removeprefix('test_').replace('_', ' ')} | {' | '.join(cells)} |"


def _cell(outcomes: list[Outcome]) -> str:
    """Cases of one test are counted together; what failed or was skipped says why."""
    counts = Counter(outcome.result for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    many = len(outcomes) > 1
    results = ", ".join(f"{count} {result}" if many else result for result, count in counts.items())
    reasons = {outcome.why for outcome in outcomes if outcome.result != "passed"}
    ended = f"{results}, {seconds:.1f} s" if counts["passed"] or counts[FAILED] else results or "not run"
    return " — ".join([ended, *sorted(_plain(reason) for reason in reasons)])


def _plain(text: str) -> str:
    return text.replace("|", "\\|")[:200]


def _code() -> str:
    commit = _said("git", "rev-parse", "--short", "HEAD") or "unknown"
    changed = _said("git", "status", "--porcelain", "--untracked-files=no")
    return f"{commit} with local changes" if changed else commit


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} {platform.release()}"
    return f"{system}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"


def _server(url: str) -> str:
    import psycopg

    with psycopg.connect(url.rpartition("/")[0] + "/postgres") as connection:
        return (
            f"PostgreSQL {connection.info.server_version // 10000}.{connection.info.server_version % 10000}"
        )


def _said(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
