"""What each board of a player exchanged with each other board, seen from his side: numpy columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from analytics.filters import HandFilter
from analytics.hand_rows import results
from analytics.played import Array, Mask, PlayedHands
from ofc_hub.clubs.models import Club
from scoring.models import PairResult, SeatResult

SIGNED: Final = ("points", "row_top", "row_middle", "row_bottom", "bonus", "royalties", "moon")
_COLUMNS: Final = ("hand_id", "a", "b", "player_a_id", "player_b_id", *SIGNED)
# Seats are small numbers: a board is told by its hand and its seat together.
_SEATS: Final = 64


@dataclass(frozen=True)
class PlayedPairs:
    """One entry a pair of boards. `of`: the index of the player's board in `hands`; `opponent`: a player.

    The other columns are those of `PairResult` from the player's side, 0 where unknown; `fouled` is 1 where
    one of the two boards or both are fouled.
    """

    hands: PlayedHands
    columns: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def where(self, mask: Mask) -> "PlayedPairs":
        return PlayedPairs(self.hands, {name: column[mask] for name, column in self.columns.items()})

    def per_cluster(self, values: Array) -> Array:
        """The sum of one number a pair over each cluster of `hands`."""
        clusters = self.hands.clusters
        weights = np.bincount(self["of"], weights=values, minlength=len(self.hands))
        return clusters.sums(weights.astype(np.int64))


def pairs_of(club: Club, asked: HandFilter, hands: PlayedHands) -> PlayedPairs:
    """The pairs of `hands`, which `asked` found. Hands of which only the result is known may have none."""
    ids = results(club, asked).values("hand_id")
    rows = list(PairResult.objects.filter(hand_id__in=ids).values_list(*_COLUMNS))
    fouls = SeatResult.objects.filter(hand_id__in=ids, foul=True).exclude(completeness="result")
    fouled = np.array(
        [hand * _SEATS + seat for hand, seat in fouls.values_list("hand_id", "seat")], dtype=np.int64
    )
    return _from_his_side(hands, _table(rows), fouled)


def _table(rows: list[tuple[Any, ...]]) -> dict[str, Array]:
    values = np.array(rows, dtype=np.float64).reshape(-1, len(_COLUMNS))
    table = np.nan_to_num(values).astype(np.int64)
    return {name: table[:, place] for place, name in enumerate(_COLUMNS)}


def _from_his_side(hands: PlayedHands, table: dict[str, Array], fouled: Array) -> PlayedPairs:
    boards = hands["hand_id"] * _SEATS + hands["seat"]
    order = np.argsort(boards)
    sides = [
        _side(table, sign, mine, other, boards[order], order)
        for sign, mine, other in ((1, "a", "b"), (-1, "b", "a"))
    ]
    columns = {name: np.concatenate([side[name] for side in sides]) for name in sides[0]}
    both = np.isin(columns["board"], fouled) | np.isin(columns["other_board"], fouled)
    return PlayedPairs(hands, columns | {"fouled": both.astype(np.int64)})


def _side(
    table: dict[str, Array], sign: int, mine: str, other: str, boards: Array, order: Array
) -> dict[str, Array]:
    """The pairs in which the player's board is `mine`."""
    board = table["hand_id"] * _SEATS + table[mine]
    place = np.searchsorted(boards, board)
    his = (
        (place < len(boards)) & (boards[np.minimum(place, len(boards) - 1)] == board)
        if len(boards)
        else place > 0
    )
    columns = {name: sign * table[name][his] for name in SIGNED}
    return columns | {
        "of": order[place[his]],
        "opponent": table[f"player_{other}_id"][his],
        "board": board[his],
        "other_board": (table["hand_id"] * _SEATS + table[other])[his],
    }
