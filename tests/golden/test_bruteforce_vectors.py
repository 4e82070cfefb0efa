"""Every statistic over the vectors' hands, of every rule set, equals plain counting over their export.

The demo club plays neither two hands against one nor jokers, two decks or a 2-7 middle; the vectors do.
"""

from pathlib import Path

import pytest

from analytics.components import by_opponent, components
from analytics.filtered import statistics_of
from analytics.filters import HandFilter
from analytics.hand_rows import hands_of
from analytics.head_to_head import head_to_head
from ofc_hub.clubs.models import Club, Player
from tests import statistics_twin as twin
from tests.golden.test_bruteforce_statistics import agree, exported
from tests.golden.test_vectors import own_vectors
from tests.imports import import_lines

PARTS = ("rows", "scoops", "fouls", "royalties", "moon", "other")

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    vectors = [vector["hand"] for vector in own_vectors()]
    assert import_lines(tmp_path, vectors).counts == (len(vectors), 0, 0, 0)
    return Club.objects.get()


def boards_of(club: Club) -> twin.Boards:
    return twin.in_order(
        board for hand, result in exported(club) for board in twin.boards_of(hand, result, "UTC", 0)
    )


def test_every_statistic_of_every_player_and_game(club: Club) -> None:
    boards = boards_of(club)
    games = sorted({one["game"] for one in boards})
    assert {"heads-up-two-hands", "set-27", "two-deck", "pokerbros-ultimate-joker"} <= set(games)
    for player in Player.objects.all():
        own = [one for one in boards if one["player"] == player.name]
        for asked in ({}, *({"game": [game]} for game in games)):
            found = HandFilter(players=(player.pk,), games=tuple(asked.get("game", ())))
            hands, expected = hands_of(club, found), twin.chosen(own, asked)
            assert len(hands) == len(expected)
            for figure in statistics_of(hands).figures:
                agree(figure, expected)
            lines = by_opponent(club, found, hands)
            assert {line.player: (line.boards, line.points) for line in lines} == twin.exchanged(expected)
            made = components(club, found, hands)
            assert {name: getattr(made, name) for name in PARTS} == twin.made_of(expected)


def test_the_grid_of_every_game(club: Club) -> None:
    boards = boards_of(club)
    grid = head_to_head(club, limit=1000)
    names = dict(grid.players)
    for key, name in grid.players:
        own = [one for one in boards if one["player"] == name]
        won = {names[pair[1]]: cell for pair, cell in grid.cells.items() if pair[0] == key}
        row = {other: (cell.boards, cell.points) for other, cell in won.items()}
        assert row == twin.exchanged(own)
        assert grid.totals[key].points == twin.points(own)
