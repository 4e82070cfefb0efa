"""Read the hands that a filter asks for: one indexed read of seat results, into numpy columns."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from django.db.models import BigIntegerField, Func, Q, QuerySet

from analytics.details import EVERY
from analytics.filters import FIRST_STREETS, HandFilter
from analytics.hours import hours_of
from analytics.played import Array, Found, Mask, PlayedHands, chains_of
from analytics.sums import Kind
from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Completeness, RuleSetRecord
from scoring.models import SeatResult

NUMBERS: Final = (
    "hand_id", "player_id", "seat", "points", "ruled_points", "place", "seats", "stake", "fantasyland",
    "next_fantasyland", "foul", "dead", "started",
)  # fmt: skip
UNKNOWN: Final = (
    "chips", "royalties_top", "royalties_middle", "royalties_bottom", "rows_won", "rows_tied", "rows_lost",
    "scoops_legal", "scooped_legal", "scoops_foul", "scooped_foul", "strength_top", "strength_middle",
    "strength_bottom", "opening",
)  # fmt: skip
TEXTS: Final = ("completeness", "day", "rules_id", "tournament", "table")
_COLUMNS: Final = (*NUMBERS, *UNKNOWN, *TEXTS)
_LEVELS: Final = {Completeness.RESULT.value: 0, Completeness.BOARDS.value: 1, Completeness.FULL.value: 2}
_NEEDED: Final = {"": 0, "boards": 1, "full": 2}


class Seconds(Func):
    """Whole seconds since the epoch: thousands of numbers are read faster than datetimes."""

    output_field = BigIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(
            compiler, connection, template="FLOOR(EXTRACT(EPOCH FROM %(expressions)s))::BIGINT"
        )

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        # Twice doubled: for the template, and for the parameters that Django puts in.
        template = "CAST(STRFTIME('%%%%s', %(expressions)s) AS INTEGER)"
        return self.as_sql(compiler, connection, template=template)


def hands_of(club: Club, asked: HandFilter) -> PlayedHands:
    """The boards that `asked` asks for, in the order of play; `found` says how many lack what is needed.

    A filter without players reads the results of the whole club: pages always name some.
    """
    in_order = results(club, asked).order_by("day", "played_at", "number", "key", "seat")
    rows = list(in_order.annotate(started=Seconds("played_at")).values_list(*_COLUMNS))
    hands = _narrowed(club, asked, played(rows))
    return _known_enough(asked, hands)


def played(rows: Sequence[Sequence[Any]]) -> PlayedHands:
    """Columns of rows in the order of _COLUMNS."""
    listed = (
        dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True)) if rows else dict.fromkeys(_COLUMNS, ())
    )
    columns: dict[str, Array] = {name: np.array(listed[name], dtype=np.int64) for name in NUMBERS}
    for name in UNKNOWN:
        # As floats, None becomes NaN; every number here is far below 2**53.
        columns[name] = np.nan_to_num(np.array(listed[name], dtype=np.float64)).astype(np.int64)
    columns["with_chips"] = np.array([chips is not None for chips in listed["chips"]], dtype=np.int64)
    columns["completeness"] = _numbered(_LEVELS[level] for level in listed["completeness"])
    columns["day"] = _numbered(day.toordinal() for day in listed["day"])
    columns["with_opening"] = np.array([code is not None for code in listed["opening"]], dtype=np.int64)
    columns["opponents"] = _opponents(columns)
    columns["chain"] = chains_of(columns)
    return PlayedHands(columns, {name: listed[name] for name in TEXTS[1:]})


def _numbered(numbers: Iterable[int]) -> Array:
    return np.fromiter(numbers, dtype=np.int64)


def _opponents(columns: dict[str, Array]) -> Array:
    """Boards that are not the player's own: in the game of two hands he may hold two of three."""
    players, player = np.unique(columns["player_id"], return_inverse=True)
    own = columns["hand_id"] * len(players) + player
    _, of, boards = np.unique(own, return_inverse=True, return_counts=True)
    return columns["seats"] - boards[of]


def results(club: Club, asked: HandFilter) -> QuerySet[SeatResult]:
    """The boards that the database finds, before opponents, places, hours and the like are looked at."""
    return SeatResult.objects.filter(_where(club, asked), club=club)


def _where(club: Club, asked: HandFilter) -> Q:
    """What the database decides: everything but what a single seat of a hand may differ in."""
    where = Q()
    lists = {"player_id": asked.players, "table": asked.tables, "tournament": asked.tournaments}
    lists |= {"stake": asked.stakes, "seats": asked.seats}
    for column, values in lists.items():
        if values:
            where &= Q(**{f"{column}__in": values})
    for column in asked.without:
        where &= Q(**{column: ""})
    if asked.rules or asked.games:
        where &= Q(rules_id__in=_digests(asked))
    if asked.since:
        where &= Q(day__gte=asked.since)
    if asked.until:
        where &= Q(day__lte=asked.until)
    return where


def _digests(asked: HandFilter) -> list[str]:
    records = RuleSetRecord.objects.all()
    if asked.rules:
        records = records.filter(pk__in=asked.rules)
    if asked.games:
        records = records.filter(code__in=asked.games)
    return list(records.values_list("pk", flat=True))


def _narrowed(club: Club, asked: HandFilter, hands: PlayedHands) -> PlayedHands:
    masks: list[Mask] = []
    if asked.opponents:
        masks.append(np.isin(hands["hand_id"], _hands_of_opponents(club, asked)))
    if asked.kind is not Kind.ALL:
        masks.append(hands.kinds[asked.kind] == 1)
    if asked.places:
        masks.append(np.isin(hands["place"], asked.places))
    if asked.weekdays:
        # Ordinal 1, the first of January of the year 1, is a Monday.
        masks.append(np.isin((hands["day"] - 1) % 7, asked.weekdays))
    if asked.hours:
        masks.append(np.isin(hours_of(club, hands), asked.hours))
    if asked.firsts:
        codes = [FIRST_STREETS.index(name) for name in asked.firsts]
        masks.append(np.isin(hands["opening"] // 1000, codes) & (hands["with_opening"] == 1))
    if asked.shapes:
        codes = [int(shape.replace("-", "")) for shape in asked.shapes]
        masks.append(np.isin(hands["opening"] % 1000, codes) & (hands["with_opening"] == 1))
    for code in asked.only:
        masks.append(np.asarray(EVERY[code].numerator(hands.counts)) != 0)
    return hands.where(np.logical_and.reduce(masks)) if masks else hands


def _hands_of_opponents(club: Club, asked: HandFilter) -> Array:
    """Read by themselves: a database that has not analysed its tables yet joined them for minutes."""
    theirs = results(club, asked.but(players=asked.opponents))
    return _numbered(theirs.values_list("hand_id", flat=True))


def _known_enough(asked: HandFilter, hands: PlayedHands) -> PlayedHands:
    enough = hands["completeness"] >= _NEEDED[asked.known]
    found = Found(len(hands), int(enough.sum()), asked.known)
    shown = hands if enough.all() else hands.where(enough)
    return PlayedHands(shown.columns, shown.texts, found)
