"""Seat results as numpy columns: one entry a board, in the order of play. Pure.

`HandCounts` has the fields of `Sums` with one number a board instead of one number a slice, so that a
statistic's declaration serves both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol, cast

import numpy as np
import numpy.typing as npt

from analytics.sums import SUM_NAMES, Kind, Sums
from scoring.domain.ladder import LADDER

Array = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# Class and first rank of each strength; strength 0 is a row with a card missing and of no class.
CATEGORY: Final = np.array([-1, *(int(rung.category) for rung in LADDER)], dtype=np.int64)
RANK: Final = np.array([-1, *(rung.ranks[0] for rung in LADDER)], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Found:
    """Of `matching` hands `shown` are counted; `lacking` have not what the filter says must be known."""

    matching: int = 0
    shown: int = 0
    known: str = ""

    @property
    def lacking(self) -> int:
        return self.matching - self.shown


class HandCounts(Sums):
    """The sums, each an array of one number a board; `table` has whatever else is known of the boards."""

    table: "PlayedHands"

    @property
    def board_hands(self) -> Any:
        return self.table.known

    @cached_property
    def legal(self) -> Any:
        """1 for a board that is known and not fouled."""
        return self.table.known * (1 - self.fouls)

    @property
    def opponents(self) -> Any:
        return self.table["opponents"]

    @property
    def chips(self) -> Any:
        return self.table["chips"]

    @property
    def with_chips(self) -> Any:
        return self.table["with_chips"]

    def row_class(self, row: str, category: int) -> Any:
        """1 for a legal board whose row ("top", "middle", "bottom") is of this class."""
        return self.legal * (CATEGORY[self.table[f"strength_{row}"]] == category)

    def entered(self, category: int, ranks: Sequence[int]) -> Any:
        """1 for a normal hand that entered Fantasyland with a top of this class and one of these ranks."""
        strength = self.table["strength_top"]
        fits = (CATEGORY[strength] == category) & np.isin(RANK[strength], ranks)
        return self.next_fantasyland * self.normal * fits

    @cached_property
    def normal(self) -> Any:
        return self.table.known * (self.table["fantasyland"] == 0)

    def in_fantasyland(self, cards: int) -> Any:
        """1 for a known board of a Fantasyland hand of so many cards."""
        return self.table.known * (self.table["fantasyland"] == cards)


@dataclass(frozen=True)
class PlayedHands:
    """Boards of one or several players in the order of play; `columns` by the names of `SeatResult`.

    Besides: `started` (seconds since the epoch), `opponents` (boards faced that are not his own), `chain`
    (`chains_of`), `with_chips` and `with_opening` (1 where these are known). Unknown numbers are 0. `texts`:
    columns of other things, as lists of the same length.
    """

    columns: Mapping[str, Array]
    texts: Mapping[str, Any] = field(default_factory=dict)
    found: Found = Found()

    def __len__(self) -> int:
        return len(self.columns["hand_id"])

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def text(self, name: str) -> npt.NDArray[Any]:
        """A column of texts, days or instants as an array of objects."""
        array = np.empty(len(self), dtype=object)
        array[:] = self.texts[name]
        return array

    def where(self, mask: Mask) -> "PlayedHands":
        """Only the boards for which `mask` is true."""
        columns = {name: column[mask] for name, column in self.columns.items()}
        texts = {name: self.text(name)[mask] for name in self.texts}
        return PlayedHands(columns, texts, self.found)

    @cached_property
    def kinds(self) -> Mapping[Kind, Array]:
        """For each kind 1 for the boards of that kind."""
        fantasyland = (self["fantasyland"] > 0).astype(np.int64)
        return {
            Kind.ALL: np.ones(len(self), dtype=np.int64),
            Kind.NORMAL: 1 - fantasyland,
            Kind.FANTASYLAND: fantasyland,
        }

    def ids(self) -> list[int]:
        """The hands, newest first, each once."""
        return list(dict.fromkeys(self["hand_id"][::-1].tolist()))

    @cached_property
    def known(self) -> Array:
        """1 for each hand whose boards are known."""
        return (self["completeness"] > 0).astype(np.int64)

    @cached_property
    def counts(self) -> HandCounts:
        values = cast(dict[str, Any], {name: _COUNTS[name](self) for name in SUM_NAMES})
        counts = HandCounts(**values)
        object.__setattr__(counts, "table", self)
        return counts

    @cached_property
    def clusters(self) -> "Clusters":
        return clusters_of(self)


# --- The sums of one board ----------------------------------------------------------------------------------


class _Count(Protocol):
    def __call__(self, hands: PlayedHands, /) -> Array: ...


def _column(name: str) -> _Count:
    return lambda hands: hands[name]


def _known(name: str) -> _Count:
    return lambda hands: hands[name] * hands.known


def _squared(count: _Count) -> _Count:
    return lambda hands: count(hands) ** 2


def _royalties(hands: PlayedHands) -> Array:
    return (hands["royalties_top"] + hands["royalties_middle"] + hands["royalties_bottom"]) * hands.known


_COUNTS: dict[str, _Count] = {name: _known(name) for name in SUM_NAMES if "squared" not in name}
_COUNTS |= {
    f"royalties_{row}_squared": _squared(_known(f"royalties_{row}")) for row in ("top", "middle", "bottom")
}
_COUNTS |= {
    "hands": lambda hands: np.ones(len(hands), dtype=np.int64),
    "result_hands": lambda hands: 1 - hands.known,
    "fantasyland_hands": lambda hands: (hands["fantasyland"] > 0).astype(np.int64),
    "points": _column("points"),
    "points_squared": _squared(_column("points")),
    "ruled_points": _column("ruled_points"),
    "royalties_squared": _squared(_royalties),
    "fouls": _known("foul"),
    "next_fantasyland": lambda hands: (hands["next_fantasyland"] > 0) * hands.known,
}


# --- Clusters: hands that hang together ---------------------------------------------------------------------

# Below so many club days the t interval over days says little but its own uncertainty.
ENOUGH_DAYS = 20


@dataclass(frozen=True)
class Clusters:
    """`of` numbers the cluster of each board, 0 to `number` - 1; `what` is "club-days" or "chains"."""

    what: str
    number: int
    of: Array

    def sums(self, per_hand: Array) -> Array:
        """The sum of one number a board over each cluster; exact below 2**53."""
        return np.bincount(self.of, weights=per_hand, minlength=self.number).astype(np.int64)


def clusters_of(hands: PlayedHands) -> Clusters:
    """Club days where there are ENOUGH_DAYS of them, else Fantasyland chains (column `chain`)."""
    days = np.unique(hands["day"], return_inverse=True)
    if len(days[0]) >= ENOUGH_DAYS:
        return Clusters("club-days", len(days[0]), days[1])
    chains, of = np.unique(hands["chain"], return_inverse=True)
    return Clusters("chains", len(chains), of)


def chains_of(columns: Mapping[str, Array]) -> Array:
    """The number of each board's chain: a hand of a player and the Fantasyland hands that it led to.

    Over all of a player's hands in the order of play: of some of them only, chains would run together.
    """
    order = np.argsort(columns["player_id"], kind="stable")
    player, hand = columns["player_id"][order], columns["hand_id"][order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (player[1:] != player[:-1]) | (
        (hand[1:] != hand[:-1]) & (columns["fantasyland"][order][1:] == 0)
    )
    chains = np.empty(len(order), dtype=np.int64)
    chains[order] = np.cumsum(new)
    return chains
