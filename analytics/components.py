"""What a player's points are made of, and against whom he made them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analytics.filters import HandFilter
from analytics.intervals import Interval, ratio_interval
from analytics.metrics import HIDDEN_UNDER, THIN_UNDER
from analytics.pair_rows import PlayedPairs, pairs_of
from analytics.played import Array, PlayedHands
from ofc_hub.clubs.models import Club, Player


@dataclass(frozen=True, slots=True)
class Components:
    """Points by where they come from; together they are `points`.

    `rows`, `scoops`: single rows and the bonus between legal boards. `fouls`: rows and bonus where one of the
    two had fouled. `royalties`: own less the other's. `other`: hands told by their result alone, of which
    nobody knows who won what from whom.
    """

    rows: int
    scoops: int
    fouls: int
    royalties: int
    moon: int
    other: int

    @property
    def points(self) -> int:
        return self.rows + self.scoops + self.fouls + self.royalties + self.moon + self.other


@dataclass(frozen=True, slots=True)
class OpponentLine:
    """What a player exchanged with one opponent: `boards` compared with his, points from them alone."""

    player_id: int
    player: str
    filter: HandFilter
    boards: int
    points: int
    interval: Interval | None
    rows: int
    scoops: int
    fouls: int
    royalties: int
    moon: int

    @property
    def per_board(self) -> float:
        return self.points / self.boards

    @property
    def shown(self) -> bool:
        return self.boards >= HIDDEN_UNDER

    @property
    def thin(self) -> bool:
        return self.boards < THIN_UNDER


def components(club: Club, asked: HandFilter, hands: PlayedHands) -> Components:
    """What the points of `hands`, which `asked` found, are made of."""
    parts = _parts(pairs_of(club, asked, hands))
    return Components(**parts, other=int(hands["points"].sum()) - _points(parts))


def by_opponent(club: Club, asked: HandFilter, hands: PlayedHands) -> tuple[OpponentLine, ...]:
    """What was exchanged with each opponent, the one met most often first. Exact: settlement is pairwise."""
    pairs = pairs_of(club, asked, hands)
    met, boards = np.unique(pairs["opponent"], return_counts=True)
    names = Player.objects.filter(club=club).in_bulk(met.tolist())
    most_first = np.argsort(-boards, kind="stable").tolist()
    return tuple(
        _line(asked, names[int(met[one])], pairs.where(pairs["opponent"] == met[one])) for one in most_first
    )


def _line(asked: HandFilter, opponent: Player, pairs: PlayedPairs) -> OpponentLine:
    parts = _parts(pairs)
    boards = np.ones(len(pairs["of"]), dtype=np.int64)
    return OpponentLine(
        opponent.pk,
        str(opponent),
        asked.but(opponents=(opponent.pk,)),
        len(boards),
        int(pairs["points"].sum()),
        ratio_interval(pairs.per_cluster(pairs["points"]), pairs.per_cluster(boards)),
        **parts,
    )


def _parts(pairs: PlayedPairs) -> dict[str, int]:
    rows = pairs["row_top"] + pairs["row_middle"] + pairs["row_bottom"]
    legal = 1 - pairs["fouled"]
    each: Mapping[str, Array] = {
        "rows": rows * legal,
        "scoops": pairs["bonus"] * legal,
        "fouls": (rows + pairs["bonus"]) * pairs["fouled"],
        "royalties": pairs["royalties"],
        "moon": pairs["moon"],
    }
    return {name: int(values.sum()) for name, values in each.items()}


def _points(parts: Mapping[str, int]) -> int:
    return sum(parts.values())
