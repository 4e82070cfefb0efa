"""What is summed over a player's hands before any statistic is computed. Pure data."""

from dataclasses import dataclass, fields
from enum import StrEnum
from operator import add, attrgetter


class Kind(StrEnum):
    """Which hands: Fantasyland hands are set from many cards at once and are never averaged unseen."""

    ALL = "all"
    NORMAL = "normal"
    FANTASYLAND = "fantasyland"


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over a player's hands; a hand is one board, so the two hands of one player count as two.

    All but `hands`, `fantasyland_hands` and the points leave hands out whose boards are not known. Pairs in
    which both fouled have neither rows nor scoops.
    """

    hands: int = 0
    result_hands: int = 0
    fantasyland_hands: int = 0
    points: int = 0
    points_squared: int = 0
    ruled_points: int = 0
    royalties_squared: int = 0
    royalties_top: int = 0
    royalties_top_squared: int = 0
    royalties_middle: int = 0
    royalties_middle_squared: int = 0
    royalties_bottom: int = 0
    royalties_bottom_squared: int = 0
    fouls: int = 0
    dead: int = 0
    next_fantasyland: int = 0
    rows_won: int = 0
    rows_tied: int = 0
    rows_lost: int = 0
    scoops_legal: int = 0
    scooped_legal: int = 0
    scoops_foul: int = 0
    scooped_foul: int = 0

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*map(add, _values(self), _values(other)))

    @property
    def board_hands(self) -> int:
        """Hands whose boards are known."""
        return self.hands - self.result_hands

    @property
    def royalties(self) -> int:
        return self.royalties_top + self.royalties_middle + self.royalties_bottom

    @property
    def rows(self) -> int:
        """Rows compared with an opponent's row, the three rows over a foul included."""
        return self.rows_won + self.rows_tied + self.rows_lost

    @property
    def pairs(self) -> int:
        """Opponents faced in a hand that at least one of the two did not foul."""
        return self.rows // 3

    @property
    def legal_pairs(self) -> int:
        """Opponents faced with neither board fouled: every other pair is a scoop over a foul."""
        return self.pairs - self.scoops_foul - self.scooped_foul


SUM_NAMES: tuple[str, ...] = tuple(field.name for field in fields(Sums))
_values = attrgetter(*SUM_NAMES)
