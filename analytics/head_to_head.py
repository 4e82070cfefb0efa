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


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of points: `cells` of the players shown, `others`, `unknown`, and their sum in `totals`.

    `players`: (key, name), those with the most hands first. `others`: from players that are not shown.
    `unknown`: hands told by their result alone, of which nobody knows who won from whom. Points are those of
    the score, without rulings; all of it is one look at the results.
    """

    players: tuple[tuple[int, str], ...]
    cells: dict[tuple[int, int], Cell]
    others: dict[int, Cell]
    unknown: dict[int, int]
    totals: dict[int, Cell]


def head_to_head(club: Club, players: Sequence[int] | None = None, limit: int = PLAYERS_SHOWN) -> Grid:
    """The grid of some players of the club, by default of those with the most hands."""
    met, totals = _read(club)
    if players is None:
        players = sorted(totals, key=lambda key: (-totals[key].boards, key))[:limit]
    named = Player.objects.filter(club=club).in_bulk(list(players))
    shown = [key for key in players if key in named]
    cells = {pair: cell for pair, cell in met.items() if set(pair) <= set(shown)}
    others = {
        key: _sum(cell for pair, cell in met.items() if pair[0] == key and pair not in cells) for key in shown
    }
    rows = {key: _sum(cell for pair, cell in cells.items() if pair[0] == key) for key in shown}
    unknown = {key: totals.get(key, Cell()).points - rows[key].points - others[key].points for key in shown}
    return Grid(
        tuple((key, str(named[key])) for key in shown),
        cells,
        others,
        unknown,
        {key: totals.get(key, Cell()) for key in shown},
    )


def between(club: Club, first: int, second: int) -> Cell:
    """What the first player won from the second."""
    return _read(club)[0].get((first, second), Cell())


def _read(club: Club) -> tuple[dict[tuple[int, int], Cell], dict[int, Cell]]:
    """What each won from each, and each player's boards and points; one statement, hence one state."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [club.pk, club.pk])
        rows = cursor.fetchall()
    met: dict[tuple[int, int], Cell] = {}
    totals: dict[int, Cell] = {}
    for a, b, boards, points in rows:
        if b == 0:
            totals[a] = Cell(boards, int(points))
        else:
            met[a, b] = _sum((met.get((a, b), Cell()), Cell(boards, int(points))))
            met[b, a] = _sum((met.get((b, a), Cell()), Cell(boards, -int(points))))
    return met, totals


_PAIRS, _SEATS = PairResult._meta.db_table, SeatResult._meta.db_table
# Names of tables, nothing that anybody typed.
_SQL = f"""
SELECT player_a_id, player_b_id, COUNT(*), SUM(points) FROM {_PAIRS}
WHERE club_id = %s GROUP BY player_a_id, player_b_id
UNION ALL
SELECT player_id, 0, COUNT(*), SUM(points) FROM {_SEATS} WHERE club_id = %s GROUP BY player_id
"""  # noqa: S608


def _sum(cells: Iterable[Cell]) -> Cell:
    boards = points = 0
    for cell in cells:
        boards, points = boards + cell.boards, points + cell.points
    return Cell(boards, points)
