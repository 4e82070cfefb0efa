"""Who won what from whom, over the whole club: exact, since settlement is pairwise."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection

from ofc_hub.clubs.models import Club, Player
from scoring.models import PairResult, SeatResult

PLAYERS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Cell:
    """`boards` compared between two players and the points that the first won from the second."""

    boards: int = 0
    points: int = 0


Cells = dict[tuple[int, int], Cell]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of boards and points: `cells` of the players shown, `others`, `unknown`, their sum in `totals`.

    `players`: (key, name), those who were compared most often first. `others`: from players that are not
    shown. `unknown`: hands told by their result alone, of which nobody knows who won from whom. Points are
    those of the score, without rulings; all of it is one look at the results.
    """

    players: tuple[tuple[int, str], ...]
    cells: Cells
    others: dict[int, Cell]
    unknown: dict[int, Cell]
    totals: dict[int, Cell]


def head_to_head(club: Club, players: Sequence[int] | None = None, limit: int = PLAYERS_SHOWN) -> Grid:
    """The grid of some players of the club, by default of those who were compared most often."""
    met, unknown = _read(club)
    if players is None:
        players = _busiest(met, unknown)[:limit]
    named = Player.objects.filter(club=club).in_bulk(list(players))
    shown = [key for key in players if key in named]
    cells = {pair: cell for pair, cell in met.items() if set(pair) <= set(shown)}
    rows = {key: [(pair, cell) for pair, cell in met.items() if pair[0] == key] for key in shown}
    return Grid(
        tuple((key, str(named[key])) for key in shown),
        cells,
        {key: _sum(cell for pair, cell in rows[key] if pair not in cells) for key in shown},
        {key: unknown.get(key, Cell()) for key in shown},
        {key: _sum([*(cell for _, cell in rows[key]), unknown.get(key, Cell())]) for key in shown},
    )


def between(club: Club, first: int, second: int) -> Cell:
    """What the first player won from the second."""
    return _read(club)[0].get((first, second), Cell())


def _busiest(met: Cells, unknown: dict[int, Cell]) -> list[int]:
    boards = {key: cell.boards for key, cell in unknown.items()}
    for (key, _), cell in met.items():
        boards[key] = boards.get(key, 0) + cell.boards
    return sorted(boards, key=lambda key: (-boards[key], key))


def _read(club: Club) -> tuple[Cells, dict[int, Cell]]:
    """What each won from each, and each player's boards and points of unknown origin.

    One statement, hence one state of the results.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [club.pk, club.pk])
        rows = cursor.fetchall()
    met: Cells = {}
    alone: dict[int, Cell] = {}
    for a, b, boards, points in rows:
        if b == 0:
            alone[a] = Cell(boards, int(points))
        else:
            met[a, b] = _sum((met.get((a, b), Cell()), Cell(boards, int(points))))
            met[b, a] = _sum((met.get((b, a), Cell()), Cell(boards, -int(points))))
    return met, alone


_PAIRS, _SEATS = PairResult._meta.db_table, SeatResult._meta.db_table
# Names of tables, nothing that anybody typed. Every board has its pairs but those of a claimed result.
_SQL = f"""
SELECT player_a_id, player_b_id, COUNT(*), SUM(points) FROM {_PAIRS}
WHERE club_id = %s GROUP BY player_a_id, player_b_id
UNION ALL
SELECT player_id, 0, COUNT(*), SUM(points) FROM {_SEATS} AS seats
WHERE club_id = %s AND completeness = 'result'
AND NOT EXISTS (SELECT 1 FROM {_PAIRS} AS pairs WHERE pairs.hand_id = seats.hand_id)
GROUP BY player_id
"""  # noqa: S608


def _sum(cells: Iterable[Cell]) -> Cell:
    boards = points = 0
    for cell in cells:
        boards, points = boards + cell.boards, points + cell.points
    return Cell(boards, points)
