"""Sessions: hands played in one go on one club day, and points an hour from the minutes played."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

import numpy as np

from analytics.filters import HandFilter
from analytics.played import Array, PlayedHands

# A session ends with its club day, and when the next hand begins later than this after the last one began.
GAP_MINUTES = 60
MINUTE = 60


@dataclass(frozen=True, slots=True)
class Session:
    """`minutes` are None for a session of one hand: nobody knows how long it took.

    `began` and `last_began` are the starts of the first and of the last hand, in UTC; the last hand is taken
    to last as long as the others did on average. `hands` are hands, not boards.
    """

    day: date
    began: datetime
    last_began: datetime
    hands: int
    minutes: float | None
    points: int

    @property
    def points_per_hour(self) -> float | None:
        return self.points * 60 / self.minutes if self.minutes else None

    def filter(self, asked: HandFilter) -> HandFilter:
        """The hands of this session's club day; sessions of the same day share it."""
        return asked.but(since=self.day, until=self.day)


def sessions(hands: PlayedHands) -> tuple[Session, ...]:
    """The sessions of one player, in the order of play."""
    if not len(hands):
        return ()
    began = hands["started"]
    new = np.flatnonzero(_begins(hands["day"], began)).tolist()
    return tuple(
        _session(hands, began, first, last) for first, last in zip(new, [*new[1:], len(hands)], strict=True)
    )


def minutes_played(some: tuple[Session, ...]) -> float:
    """All minutes of the sessions whose length is known."""
    return sum(session.minutes or 0.0 for session in some)


def _begins(days: Array, began: Array) -> Array:
    begins = np.ones(len(days), dtype=np.int64)
    begins[1:] = (np.diff(days) != 0) | (np.diff(began) > GAP_MINUTES * MINUTE)
    return begins


def _session(hands: PlayedHands, began: Array, first: int, last: int) -> Session:
    number = len(np.unique(hands["hand_id"][first:last]))
    seconds = int(began[last - 1] - began[first])
    minutes = seconds / MINUTE * number / (number - 1) if number > 1 and seconds else None
    return Session(
        hands.texts["day"][first],
        datetime.fromtimestamp(int(began[first]), UTC),
        datetime.fromtimestamp(int(began[last - 1]), UTC),
        number,
        minutes,
        int(hands["points"][first:last].sum()),
    )
