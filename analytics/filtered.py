"""A player's statistics over the hands that a filter asks for."""

from dataclasses import dataclass, field
from functools import cached_property

from analytics.details import EVERY
from analytics.estimates import figure_over, figures_over
from analytics.metrics import Figure
from analytics.played import Found, PlayedHands
from analytics.sums import Kind


@dataclass(frozen=True)
class FilteredStatistics:
    """The figures over some hands; those hands themselves are `hands.ids()`."""

    hands: PlayedHands = field(repr=False)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Every declared statistic for every kind of hands it is declared for, in the order declared."""
        return figures_over(EVERY.values(), self.hands)

    def figure(self, code: str, kind: Kind = Kind.ALL) -> Figure:
        """One statistic; KeyError for a code that is not declared."""
        return figure_over(EVERY[code], kind, self.hands)

    @property
    def found(self) -> Found:
        return self.hands.found

    @property
    def clusters(self) -> str:
        """What hands hang together in: "club-days" or "chains" of Fantasyland."""
        return self.hands.clusters.what

    @property
    def number_of_clusters(self) -> int:
        return self.hands.clusters.number


def statistics_of(hands: PlayedHands) -> FilteredStatistics:
    """What `hands` come to."""
    return FilteredStatistics(hands)
