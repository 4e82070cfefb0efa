"""How fast statistics are read at 1,000,000 seat results: `python -m benchmarks.statistics [--seats N]`.

On PostgreSQL, in databases of its own beside DATABASE_URL's: the selectors behind the filtered player page,
the leaderboard and the head-to-head grid, each beside the bare SQL that reads or adds up the same rows, and
the leaderboard again at a hundredth of the results. Results are invented by the database itself: three seats
a hand, 250 players (4,000 hands each at 1,000,000 results), evenings over three years.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.import_hands import ROOT, scratch_database

PLAYERS = 250
DAYS = 300
RUNS = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=1_000_000)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        measure(arguments.seats)
        return
    for seats in (arguments.seats // 100, arguments.seats):
        with scratch_database("ofc_bench_statistics") as url:
            # Django takes its database from the environment once, so each size has a process of its own.
            command = [sys.executable, "-m", "benchmarks.statistics", "--inside", "--seats", str(seats)]
            environment = {**os.environ, "DATABASE_URL": url, "CELERY_BROKER_URL": "memory://"}
            subprocess.run(command, cwd=ROOT, env=environment, check=True)


def measure(seats: int) -> None:
    """Fill the database that the environment names and print one line a selector."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")
    django.setup()
    from analytics.filtered import statistics_of
    from analytics.filters import HandFilter
    from analytics.hand_rows import hands_of
    from analytics.head_to_head import head_to_head
    from analytics.leaderboards import ranked
    from ofc_hub.clubs.models import Club, Player

    fill(seats // 3)
    club = Club.objects.get()
    players = list(Player.objects.values_list("pk", flat=True)[:RUNS])
    print(f"{seats:,} seat results, {seats // PLAYERS:,} of each player")
    page = [HandFilter(players=(key,), games=("progressive", "pineapple"), seats=(3,)) for key in players]
    figures = lambda one: statistics_of(hands_of(club, page[one])).figures  # noqa: E731
    line("filtered player page", figures, ONE_PLAYER, lambda one: [players[one]])
    line("leaderboard", lambda one: ranked(club), LEADERBOARD, lambda one: [])
    line("head-to-head grid", lambda one: head_to_head(club), GRID, lambda one: [])


def line(name: str, selector: Callable[[int], Any], sql: str, parameters: Callable[[int], list[int]]) -> None:
    from django.db import connection

    def bare(one: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters(one))
            cursor.fetchall()

    (half, ours, own), (raw_half, raw, _) = timed(selector), timed(bare)
    print(
        f"  {name:<22} p50 {half:>5.0f}  p95 {ours:>5.0f} ms, of it Python {own:>4.0f}"
        f"   bare SQL p50 {raw_half:>5.0f}  p95 {raw:>5.0f} ms",
        flush=True,
    )


def timed(run: Callable[[int], Any]) -> tuple[float, float, float]:
    """Milliseconds of RUNS runs: median, 95 %, and this process's own processor time on average.

    Two runs before them warm the caches up. On a busy machine the processor time is what can be compared.
    """
    times = []
    for one in range(-2, RUNS):
        if one == 0:
            cpu = time.process_time()
        began = time.perf_counter()
        run(one)
        times.append((time.perf_counter() - began) * 1000)
    ordered = sorted(times[2:])
    return ordered[RUNS // 2], ordered[int(RUNS * 0.95)], (time.process_time() - cpu) * 1000 / RUNS


ONE_PLAYER = """SELECT COUNT(*), SUM(points), SUM(royalties_top), SUM(royalties_middle),
    SUM(royalties_bottom), SUM(rows_won), SUM(rows_tied), SUM(rows_lost), COUNT(*) FILTER (WHERE foul)
    FROM scoring_seatresult WHERE club_id = 1 AND player_id = %s AND seats = 3"""
LEADERBOARD = """SELECT player_id, SUM(hands), SUM(points), SUM(points_squared), SUM(fouls),
    SUM(next_fantasyland) FROM analytics_playerday WHERE club_id = 1 GROUP BY player_id ORDER BY 3 DESC"""
GRID = """SELECT player_a_id, player_b_id, COUNT(*), SUM(points) FROM scoring_pairresult
    WHERE club_id = 1 GROUP BY player_a_id, player_b_id"""


# --- Filling ------------------------------------------------------------------------------------------------


def fill(hands: int) -> None:
    """A club with `hands` invented hands, their pairs and their slices; sums of a hand come to zero."""
    from django.db import connection

    from analytics.models import PlayerDay
    from analytics.slices import day_sums
    from ofc_hub.clubs.models import Club, Player
    from ofc_hub.hands.rulesets import record_of
    from scoring.domain.rulesets import PRESETS
    from scoring.models import SeatResult

    club = Club.objects.create(pk=1, slug="bench", name="Bench")
    Player.objects.bulk_create(
        Player(pk=key, club=club, name=f"player {key}") for key in range(1, PLAYERS + 1)
    )
    digests = [record_of(PRESETS[code]).pk for code in ("progressive", "pineapple")]
    with connection.cursor() as cursor:
        cursor.execute(_HANDS, [hands])
        cursor.execute(_SEATS, digests)
        cursor.execute(_PAIRS)
        cursor.execute("ANALYZE")
    for key in range(1, PLAYERS + 1):
        slices = day_sums(SeatResult.objects.filter(club=club, player_id=key))
        PlayerDay.objects.bulk_create(PlayerDay(club_id=1, player_id=key, **sums) for sums in slices)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _player(seat: str, modulo: str) -> str:
    """Who sits at a seat of a game; each player comes on evenings of his own."""
    return f"(game * 7 + game / {DAYS} * 13 + {seat}) {modulo} {PLAYERS} + 1"


# Hands of one evening follow each other, and its players sit in each hand of their table.
_HANDS = f"""
CREATE TEMP TABLE invented AS
SELECT hand, (hand / 60) AS game,
    DATE '2023-11-01' + (hand / 60 %% {DAYS} * 3.5)::int AS day,
    (random() * 20 - 10)::int AS ab, (random() * 20 - 10)::int AS ac, (random() * 20 - 10)::int AS bc,
    random() AS luck
FROM generate_series(1, %s) AS hand
"""
_SEATS = f"""
INSERT INTO scoring_seatresult (hand_id, club_id, player_id, alias_id, played_at, number, stake, chips,
    ruled_chips, day, points, ruled_points, seat, place, seats, fantasyland, next_fantasyland, royalties_top,
    royalties_middle, royalties_bottom, rows_won, rows_tied, rows_lost, scoops_legal, scooped_legal,
    scoops_foul, scooped_foul, strength_top, strength_middle, strength_bottom, foul, dead, completeness,
    rules_id, key, tournament, "table")
SELECT hand, 1, {_player("seat", "%%")}, {_player("seat", "%%")},
    day + INTERVAL '19 hours' + INTERVAL '3 minutes' * (hand %% 60), hand %% 60, 10000, points * 10000,
    0, day, points, 0, seat, seat, 3, CASE WHEN luck > 0.88 THEN 14 ELSE 0 END,
    CASE WHEN luck BETWEEN 0.5 AND 0.62 THEN 14 ELSE 0 END, (luck * 9)::int, (luck * 100)::int %% 12,
    (luck * 1000)::int %% 10, 3, 1, 2, 0, 0, 0, 0, 100 + (luck * 300)::int, 400 + (luck * 3000)::int,
    500 + (luck * 4000)::int, luck < 0.16, false, 'full', CASE WHEN game %% 4 = 0 THEN %s ELSE %s END,
    'H' || hand, 'evening ' || game %% {DAYS}, 'T' || game %% 4
FROM invented, LATERAL (VALUES (1, ab + ac), (2, bc - ab), (3, -ac - bc)) AS seats (seat, points)
ORDER BY hand, seat
"""
_PAIRS = f"""
INSERT INTO scoring_pairresult (hand_id, club_id, player_a_id, player_b_id, chips, points, a, b, row_top,
    row_middle, row_bottom, bonus, royalties, moon, why)
SELECT hand, 1, {_player("a", "%")}, {_player("b", "%")}, points * 10000, points, a, b,
    1, -1, 1, 0, points - 1, 0, ''
FROM invented, LATERAL (VALUES (1, 2, ab), (1, 3, ac), (2, 3, bc)) AS pairs (a, b, points)
ORDER BY hand, a, b
"""


if __name__ == "__main__":
    main()
