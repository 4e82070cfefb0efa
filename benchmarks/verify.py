"""How fast the log is verified and rebuilt: `python -m benchmarks.verify [--hands N]`.

On a database of its own beside DATABASE_URL's: imported hands of three seats and 17 events. A core is the
processor time of this process, since the server works on another; beside it stands the time on the clock. In
the same run: a bare pass of SHA-256 over the very bytes that the digests cover, reading the same rows without
looking at them, and the whole verification with replay, scoring and a comparison of every row.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from benchmarks.import_hands import CLUB, ROOT, _environment, scratch_database, write_hands

TARGET = 200_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=20_000)
    hands = parser.parse_args().hands
    with tempfile.TemporaryDirectory() as folder, scratch_database("ofc_bench_verify") as url:
        file = Path(folder) / "hands.ndjson"
        write_hands(file, hands)
        command = [sys.executable, "manage.py", "import_hands", str(file), "--club", CLUB, "--json"]
        subprocess.run(command, cwd=ROOT, env=_environment(url), stdout=subprocess.DEVNULL, check=True)
        # Django is set up on the scratch database, hence in a process of its own.
        measure = [sys.executable, "-c", "from benchmarks.verify import measure; measure()"]
        subprocess.run(measure, cwd=ROOT, env=_environment(url), check=True)


def measure() -> None:
    """Print one line for each pass, in events a second and beside the first."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")
    import django

    django.setup()
    from ofc_hub.clubs.models import Club
    from ofc_hub.ops.reading import batches, in_bulk, snapshot
    from ofc_hub.ops.rebuild import Tally as RebuildTally
    from ofc_hub.ops.rebuild import check
    from ofc_hub.ops.signing import sign
    from ofc_hub.ops.verify.run import Tally, verify
    from scoring.domain.events import GENESIS, canonical_bytes

    [club] = Club.objects.all()

    def verified(*, hands: bool) -> int:
        tally = Tally()
        assert list(verify([club], tally, everything=True, hands=hands)) == []
        return tally.events

    def read() -> int:
        return sum(sum(map(len, batch.events.values())) for batch in batches(club.pk))

    def rescored() -> int:
        assert list(check([club], RebuildTally())) == []
        return events

    texts = [
        GENESIS + canonical_bytes(stream.kind, stream.source, stream.key, one.event)
        for batch in batches(club.pk)
        for stream in batch.streams
        for one in batch.events[stream.id]
    ]
    events = len(texts)

    def bare() -> int:
        for text in texts:
            sha256(text).digest()
        return events

    def signed() -> int:
        return sum(one.position for one in sign([club], "key").clubs)

    passes: dict[str, Callable[[], int]] = {
        "versions, positions, digests": lambda: verified(hands=False),
        "bare SHA-256 of the same bytes": bare,
        "reading the same rows": read,
        "sign_heads": signed,
        "whole verification": lambda: verified(hands=True),
        "rebuild --check": rescored,
    }
    print(
        f"{events:,} events in {events // 17:,} hands, {sum(map(len, texts)) / events:.0f} bytes an event\n"
    )
    print(f"{'':<34}{'events/s a core':>16}{'on the clock':>14}{'ratio':>8}")
    first = 0.0
    for name, run in passes.items():
        with snapshot(), in_bulk():
            rate, clock = _best(run)
        first = first or rate
        print(f"{name:<34}{rate:>16,.0f}{clock:>14,.0f}{rate / first:>8.2f}")
    print(f"\ntarget {TARGET:,} events/s a core: {first / TARGET:.2f} of it")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB with the bytes kept")


def _best(run: Callable[[], int], times: int = 3) -> tuple[float, float]:
    """(events a second of processor time, of the clock), each the best of `times` runs."""
    rates = []
    for _ in range(times):
        processor, clock = time.process_time(), time.perf_counter()
        events = run()
        rates.append((events / (time.process_time() - processor), events / (time.perf_counter() - clock)))
    return max(rate for rate, _ in rates), max(clock for _, clock in rates)


if __name__ == "__main__":
    main()
