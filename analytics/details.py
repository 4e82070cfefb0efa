"""The statistics that need the hands themselves, declared as those of `metrics` are.

Their sums are in no slice; pages that read a player's hands show them beside the others.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from analytics.metrics import STATISTICS, Form, Needs, Statistic, SumOf
from analytics.played import HandCounts
from analytics.sums import Kind
from scoring.domain.amounts import UNIT
from scoring.domain.cards import RANKS
from scoring.domain.ladder import Category

Count = Callable[[HandCounts], Any]
_ENTRY = "Normal hands that entered Fantasyland with {} on top over the normal hands whose boards are known."
_STAY = "Fantasyland hands of {0} cards that stayed over those of {0} cards whose boards are known."
_CLASS = "Legal hands with {} in the {} row over the legal hands whose boards are known."
_HANDS_SHARE = "share of normal hands"


def _over(count: Count) -> SumOf:
    # Declarations of both kinds have one type; only these are ever given single hands.
    return cast(SumOf, count)


def _mean(code: str, name: str, definition: str, unit: str, needs: Needs, *counts: Count) -> Statistic:
    numerator, denominator = map(_over, counts)
    scale = UNIT if needs is Needs.CHIPS else 1
    return Statistic(code, name, definition, unit, Form.MEAN, needs, numerator, denominator, scale=scale)


def _share(
    code: str, name: str, definition: str, unit: str, *counts: Count, kind: Kind | None = None
) -> Statistic:
    numerator, denominator = map(_over, counts)
    kinds = tuple(Kind) if kind is None else (kind,)
    return Statistic(
        code,
        name,
        definition,
        unit,
        Form.RATE,
        Needs.BOARDS,
        numerator,
        denominator,
        independent=True,
        kinds=kinds,
    )


def _entries() -> Iterator[Statistic]:
    every = tuple(range(len(RANKS)))
    tops: dict[str, tuple[str, Category, tuple[int, ...]]] = {
        rank * 2: (f"a pair of {word}", Category.PAIR, (RANKS.index(rank),))
        for rank, word in (("Q", "queens"), ("K", "kings"), ("A", "aces"))
    } | {"trips": ("trips", Category.TRIPS, every)}
    for code, (words, category, ranks) in tops.items():
        yield _share(
            f"entries-{code.lower()}",
            f"Fantasyland entries with {code}",
            _ENTRY.format(words),
            _HANDS_SHARE,
            lambda hands, category=category, ranks=ranks: hands.entered(category, ranks),  # type: ignore[misc]
            lambda hands: hands.normal,
            kind=Kind.NORMAL,
        )


def _stays() -> Iterator[Statistic]:
    for cards in range(13, 18):
        yield _share(
            f"stays-{cards}",
            f"Fantasyland stays with {cards} cards",
            _STAY.format(cards),
            "share of Fantasyland hands",
            lambda hands, cards=cards: hands.next_fantasyland * hands.in_fantasyland(cards),  # type: ignore[misc]
            lambda hands, cards=cards: hands.in_fantasyland(cards),  # type: ignore[misc]
            kind=Kind.FANTASYLAND,
        )


CLASS_NAMES: Mapping[Category, str] = {
    Category.HIGH_CARD: "no pair",
    Category.PAIR: "a pair",
    Category.TWO_PAIR: "two pair",
    Category.TRIPS: "trips",
    Category.STRAIGHT: "a straight",
    Category.FLUSH: "a flush",
    Category.FULL_HOUSE: "a full house",
    Category.QUADS: "quads",
    Category.STRAIGHT_FLUSH: "a straight flush",
    Category.FIVE_OF_A_KIND: "five of a kind",
    Category.LOW: "a low",
}
_TOP = (Category.HIGH_CARD, Category.PAIR, Category.TRIPS)
_FIVE = tuple(category for category in Category if category is not Category.LOW)
ROW_CLASSES = {"top": _TOP, "middle": (*_FIVE, Category.LOW), "bottom": _FIVE}


def class_code(row: str, category: Category) -> str:
    """The code of the statistic that counts hands with this class in the row: "bottom-full-house"."""
    return f"{row}-{category.name.lower().replace('_', '-')}"


def _classes() -> Iterator[Statistic]:
    for row, categories in ROW_CLASSES.items():
        for category in categories:
            words = CLASS_NAMES[category]
            yield _share(
                class_code(row, category),
                f"{words.removeprefix('a ').capitalize()} in the {row} row",
                _CLASS.format(words, row),
                "share of legal hands",
                lambda hands, row=row, category=category: hands.row_class(row, category),  # type: ignore[misc]
                lambda hands: hands.legal,
            )


GAIN = Statistic(
    "fantasyland-gain",
    "Gain of a Fantasyland hand",
    "Points per Fantasyland hand less points per normal hand.",
    "points per hand",
    Form.DIFFERENCE,
    Needs.RESULT,
    lambda sums: sums.points * sums.fantasyland_hands,
    lambda sums: sums.fantasyland_hands,
    less=(
        lambda sums: sums.points * (sums.hands - sums.fantasyland_hands),
        lambda sums: sums.hands - sums.fantasyland_hands,
    ),
    kinds=(Kind.ALL,),
)

DETAILED: tuple[Statistic, ...] = (
    _mean(
        "points-per-opponent",
        "Points per opponent",
        "Points won less points lost, before any cap, over the boards of others that sat in the hands.",
        "points per opponent",
        Needs.RESULT,
        lambda hands: hands.points,
        lambda hands: hands.opponents,
    ),
    _mean(
        "chips-per-hand",
        "Chips per hand",
        "Chips as paid over the hands whose chips are known.",
        "chips per hand",
        Needs.CHIPS,
        lambda hands: hands.chips,
        lambda hands: hands.with_chips,
    ),
    _mean(
        "chips-per-opponent",
        "Chips per opponent",
        "Chips as paid over the boards of others in the hands whose chips are known.",
        "chips per opponent",
        Needs.CHIPS,
        lambda hands: hands.chips,
        lambda hands: hands.with_chips * hands.opponents,
    ),
    *_entries(),
    *_stays(),
    GAIN,
    *_classes(),
)

EVERY: Mapping[str, Statistic] = {statistic.code: statistic for statistic in (*STATISTICS, *DETAILED)}
