"""How fast hands get into PostgreSQL: `python -m benchmarks.import_hands [--hands N] [--tenfold]`.

In one run, on databases of its own beside DATABASE_URL's: the command `import_hands` end to end (file in;
events, hands, results and to-do rows committed), a bare staged COPY of the same rows into the same schema,
and with --tenfold ten times the hands. A hand has three seats and 17 events: the sample pineapple hands,
multiplied under new keys over a year of evenings, 60 hands a table, 100 players.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples" / "demo.ndjson"
CLUB = "bench"
MOVES = 15
PLAYERS = 100
EVENINGS = 365
HANDS_A_TABLE = 60
HANDS_A_COMMIT = 100
TABLES = {
    "hands_stream": "id",
    "hands_event": "stream_id",
    "hands_hand": "stream_id",
    "scoring_handresult": "hand_id",
    "scoring_seatresult": "hand_id",
    "scoring_pairresult": "hand_id",
}


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        once = Path(folder) / "once.ndjson"
        write_hands(once, arguments.hands)
        with scratch_database("ofc_bench_import") as url, scratch_database("ofc_bench_copy") as bare_url:
            rate = imported(url, once)
            print(f"import end to end        {rate:>8,.0f} hands/s")
            bare = copied(url, bare_url)
            print(f"bare staged COPY         {bare:>8,.0f} hands/s   import / COPY {rate / bare:.2f}")
        if arguments.tenfold:
            tenfold = Path(folder) / "tenfold.ndjson"
            write_hands(tenfold, 10 * arguments.hands)
            with scratch_database("ofc_bench_import") as url:
                more = imported(url, tenfold)
            print(f"import of 10 x the hands {more:>8,.0f} hands/s   10 x / 1 x {more / rate:.2f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=50_000)
    parser.add_argument("--tenfold", action="store_true")
    return parser.parse_args()


# --- Input ------------------------------------------------------------------------------------------------


def write_hands(file: Path, count: int) -> None:
    """`count` legal hands; each moves the players of a sample hand on and has a key of its own."""
    samples = [json.loads(line) for line in SAMPLES.read_text().splitlines()]
    samples = [hand for hand in samples if len(hand["actions"]) == MOVES and len(hand["seats"]) == 3]
    start = datetime(2025, 11, 1, 19, tzinfo=UTC)
    with file.open("w") as out:
        for number in range(count):
            hand = dict(samples[number % len(samples)])
            table, place = divmod(number, HANDS_A_TABLE)
            hand |= {
                "source": "bench",
                "hand": f"H{number:07d}",
                "number": place,
                "table": f"T{table}",
                "played_at": (start + timedelta(days=table % EVENINGS, minutes=place * 3)).isoformat(),
                "seats": [
                    {**seat, "player": f"player {(table * 7 + i) % PLAYERS}"}
                    for i, seat in enumerate(hand["seats"])
                ],
            }
            out.write(json.dumps(hand, separators=(",", ":")) + "\n")


# --- Measurements -----------------------------------------------------------------------------------------


def imported(url: str, file: Path) -> float:
    """Hands a second of the command, by its own clock: from the first line to the last commit."""
    command = [sys.executable, "manage.py", "import_hands", str(file), "--club", CLUB, "--json"]
    done = subprocess.run(
        command, cwd=ROOT, env=_environment(url), capture_output=True, text=True, check=True
    )
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary["stored"] == summary["received"], summary
    return summary["stored"] / summary["seconds"]


def copied(source_url: str, target_url: str) -> float:
    """Hands a second of a staged COPY of the rows in `source_url`, prepared before the clock starts."""
    with psycopg.connect(source_url) as source, psycopg.connect(target_url) as target:
        columns = {table: _columns(source, table) for table in TABLES}
        batches = list(_batches(source, columns))
        with source.cursor().copy("COPY clubs_club TO STDOUT") as rows:
            clubs = b"".join(bytes(row) for row in rows)
        with target.cursor().copy("COPY clubs_club FROM STDIN") as copy:
            copy.write(clubs)
        target.execute(
            "INSERT INTO hands_loghead (club_id, position, recorded_at) SELECT id, 0, 0 FROM clubs_club"
        )
        for table in TABLES:
            target.execute(
                f"CREATE TEMP TABLE staged_{table} AS SELECT {columns[table]} FROM {table} LIMIT 0"
            )
        target.commit()
        began = time.perf_counter()
        for _, events, texts in batches:
            _store_staged(target, columns, events, texts)
        return sum(batch[0] for batch in batches) / (time.perf_counter() - began)


def _store_staged(
    target: psycopg.Connection[Any], columns: dict[str, str], events: int, texts: dict[str, bytes]
) -> None:
    cursor = target.cursor()
    for table, text in texts.items():
        with cursor.copy(f"COPY staged_{table} ({columns[table]}) FROM STDIN") as copy:
            copy.write(text)
    cursor.execute("UPDATE hands_loghead SET position = position + %s", [events])
    for table in texts:
        cursor.execute(f"INSERT INTO {table} ({columns[table]}) SELECT {columns[table]} FROM staged_{table}")
    for table in texts:
        cursor.execute(f"TRUNCATE staged_{table}")
    target.commit()


def _batches(
    source: psycopg.Connection[Any], columns: dict[str, str]
) -> Iterator[tuple[int, int, dict[str, bytes]]]:
    """(hands, events, COPY text by table) of each commit, in the order of the log."""
    cursor = source.cursor()
    found = cursor.execute("SELECT stream_id FROM hands_event WHERE version = 1 ORDER BY position").fetchall()
    ids = [row[0] for row in found]
    for first in range(0, len(ids), HANDS_A_COMMIT):
        some = ids[first : first + HANDS_A_COMMIT]
        texts = {table: _text(cursor, table, columns[table], key, some) for table, key in TABLES.items()}
        yield len(some), texts["hands_event"].count(b"\n"), texts


def _text(cursor: psycopg.Cursor[Any], table: str, columns: str, key: str, ids: list[int]) -> bytes:
    order = "position" if table == "hands_event" else key
    listed = ",".join(map(str, ids))
    query = f"COPY (SELECT {columns} FROM {table} WHERE {key} IN ({listed}) ORDER BY {order}) TO STDOUT"
    with cursor.copy(query) as rows:
        return b"".join(bytes(row) for row in rows)


def _columns(connection: psycopg.Connection[Any], table: str) -> str:
    query = (
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position"
    )
    return ", ".join(f'"{row[0]}"' for row in connection.execute(query, [table]).fetchall())


# --- Databases --------------------------------------------------------------------------------------------


@contextmanager
def scratch_database(name: str) -> Iterator[str]:
    """An empty migrated database beside that of DATABASE_URL; gone afterwards."""
    server = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    url = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
        try:
            command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(command, cwd=ROOT, env=_environment(url), check=True)
            yield url
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _environment(url: str) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": url, "CELERY_BROKER_URL": "memory://", "LOG_LEVEL": "WARNING"}


if __name__ == "__main__":
    main()
