"""What a correction leaves at its table: transfers that are due, and flags on later hands.

Both follow from the log and can be rebuilt. They are kept in the transaction that writes the results, after
the club's log head was taken: writers of a club come here one after the other, so that none of them misses
what another does to the same table.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from django.db.models import QuerySet

from ofc_hub.clubs.models import Club
from ofc_hub.clubs.people import aliases_by_identity
from ofc_hub.hands.models import Hand
from scoring.domain import continuity
from scoring.domain.continuity import TableFold
from scoring.domain.hand import HandStart
from scoring.domain.outcomes import Settled
from scoring.models import Correction, Flag, Transfer
from scoring.projector import Person
from scoring.table_hands import Told, at_table, in_chunks, in_order, stand_before, told_hands

# A hand's set is followed back so far; none is longer.
LONGEST_SET = 100

Flags = tuple[continuity.Flag, ...]


def follow_up(hand_id: int, club_id: int, came_to: Settled, people: Mapping[int, Person]) -> None:
    """After a hand was started, or comes to something else than before: its transfers, its table's flags."""
    hand = Hand.objects.get(pk=hand_id, club_id=club_id)
    was_corrected = Correction.objects.filter(pk=hand_id).exists()
    if was_corrected or came_to.is_corrected:
        _write_correction(hand, came_to, {seat: person.alias_id for seat, person in people.items()})
    if hand.table and (was_corrected or _has_corrections(hand)):
        _flag_from(hand)


def follow_up_import(club: Club, stream_ids: Sequence[int], corrected_ids: Sequence[int]) -> None:
    """After these hands were imported; `corrected_ids` came with corrections of their own."""
    for hands in in_chunks(Hand.objects.filter(pk__in=corrected_ids).order_by("pk")):
        for hand, told in zip(hands, told_hands(hands, None), strict=True):
            if told is not None and told.came_to.is_corrected:
                _write_correction(hand, told.came_to, _aliases(club, told.start))
    corrected = set(Correction.objects.filter(club=club).values_list("tournament", "table").distinct())
    if not corrected:
        return
    new: dict[tuple[str, str], list[Hand]] = {}
    for hand in in_order(Hand.objects.filter(pk__in=stream_ids).exclude(table="")):
        new.setdefault((hand.tournament, hand.table), []).append(hand)
    for table in corrected & new.keys():
        _flag_from(*new[table])


# --- From scratch ---------------------------------------------------------------------------------------

Row = tuple[object, ...]


class Difference(NamedTuple):
    """The rows of a hand that are stored and do not follow from the log, and those that are missing.

    ("correction", version), ("transfer", seat, alias, chips), ("flag", seat, what, recorded, follows).
    """

    hand_id: int
    stored: frozenset[Row]
    follows: frozenset[Row]


def find_differences(
    club: Club, *, tables: Collection[tuple[str, str]] | None = None, repair: bool = False
) -> Iterator[Difference]:
    """Every hand of the club whose corrections, transfers or flags are not what follows from the log.

    `tables` are the (tournament, table) to look at, None for all. With `repair` they are written anew; then
    it runs in a transaction that has locked the club's log head.
    """
    for tournament, table in _tables(club) if tables is None else sorted(tables):
        fold = TableFold()
        for hands in in_chunks(in_order(Hand.objects.filter(club=club, tournament=tournament, table=table))):
            stored = _stored_rows(hands)
            for hand, told in zip(hands, told_hands(hands, None), strict=True):
                if not table:
                    fold = TableFold()  # nobody knows which of these hands follow each other
                flags = _add(fold, told)
                rows = {("flag", *flag) for flag in flags} | _correction_rows(club, told)
                if rows != stored[hand.pk]:
                    yield Difference(
                        hand.pk, frozenset(stored[hand.pk] - rows), frozenset(rows - stored[hand.pk])
                    )
                    if repair:
                        _repair(club, hand, told, flags)


def _tables(club: Club) -> list[tuple[str, str]]:
    tables = Hand.objects.filter(club=club).order_by("tournament", "table")
    return list(tables.values_list("tournament", "table").distinct())


def _stored_rows(hands: Sequence[Hand]) -> dict[int, set[Row]]:
    rows: dict[int, set[Row]] = {hand.pk: set() for hand in hands}
    for hand_id, version in Correction.objects.filter(pk__in=rows).values_list("pk", "version"):
        rows[hand_id].add(("correction", version))
    transfers = Transfer.objects.filter(hand_id__in=rows)
    for hand_id, *transfer in transfers.values_list("hand_id", "seat", "alias_id", "chips"):
        rows[hand_id].add(("transfer", *transfer))
    for hand_id, flags in _stored_flags(hands).items():
        rows[hand_id] |= {("flag", *flag) for flag in flags}
    return rows


def _correction_rows(club: Club, told: Told | None) -> set[Row]:
    if told is None or not told.came_to.is_corrected:
        return set()
    aliases = _aliases(club, told.start)
    transfers = told.came_to.transfers().items()
    rows: set[Row] = {("transfer", seat, aliases.get(seat), chips) for seat, chips in transfers}
    return {("correction", told.came_to.version)} | rows


def _repair(club: Club, hand: Hand, told: Told | None, flags: Flags) -> None:
    came_to = told.came_to if told else Settled(None, None)
    _write_correction(hand, came_to, _aliases(club, told.start) if told else {})
    _write_flags(hand, flags)


# --- Corrections and transfers ------------------------------------------------------------------------------


def _write_correction(hand: Hand, came_to: Settled, aliases: Mapping[int, int]) -> None:
    Transfer.objects.filter(hand_id=hand.pk).delete()
    Correction.objects.filter(pk=hand.pk).delete()
    if not came_to.is_corrected:
        return
    Correction.objects.create(
        hand_id=hand.pk,
        club_id=hand.club_id,
        version=came_to.version,
        tournament=hand.tournament,
        table=hand.table,
    )
    Transfer.objects.bulk_create(
        Transfer(hand_id=hand.pk, club_id=hand.club_id, seat=seat, chips=chips, alias_id=aliases.get(seat))
        for seat, chips in came_to.transfers().items()
    )


def _aliases(club: Club, start: HandStart) -> dict[int, int]:
    known = aliases_by_identity(club, [seat.alias for seat in start.seats])
    return {seat.seat: known[seat.alias].alias_id for seat in start.seats if seat.alias in known}


def _has_corrections(hand: Hand) -> bool:
    """Whether any hand of the same table is corrected."""
    place = {"club_id": hand.club_id, "tournament": hand.tournament, "table": hand.table}
    return Correction.objects.filter(**place).exists()


# --- Flags ----------------------------------------------------------------------------------------------


def _flag_from(hand: Hand, *others: Hand) -> None:
    """Flag these hands of one table, in their order, and the later ones as far as anything changes.

    The hand after each is always looked at; further ones until one keeps its flags, since only these carry
    on, and until the set ends, which is judged by all its hands.
    """
    table = at_table(hand)
    fold = TableFold()
    before = _before_and_its_set(table, hand)
    known = _stored_flags(before)
    for earlier, told in zip(before, told_hands(before), strict=True):
        _add(fold, told, known.get(earlier.pk, ()))
    open_sets = {one.set for one in (*before, hand, *others)}
    waiting = {hand.pk, *(one.pk for one in others)}
    for later, told, flags in _from(table, hand):
        follows = _add(fold, told)
        if follows != flags:
            _write_flags(later, follows)
            open_sets.add(later.set)
        elif not waiting and (later.set is None or later.set not in open_sets):
            return
        waiting.discard(later.pk)


def _add(fold: TableFold, told: Told | None, known: Flags | None = None) -> Flags:
    if told is not None:
        return fold.add(told.start, told.came_to, known)
    fold.lose_track()
    return ()


def _before_and_its_set(table: QuerySet[Hand], hand: Hand) -> list[Hand]:
    """The hand before this one and those of its set that were played before it, in their order."""
    earlier = list(table.filter(stand_before(hand)).order_by("-played_at", "-number", "-key")[:LONGEST_SET])
    if not earlier:
        return []
    last = earlier[0]
    same = list(takewhile(lambda one: one.set is not None and one.set == last.set, earlier))
    return (same or [last])[::-1]


def _from(table: QuerySet[Hand], hand: Hand) -> Iterator[tuple[Hand, Told | None, Flags]]:
    """The hand and all after it at its table, with the flags that are stored."""
    for hands in in_chunks(in_order(table.filter(~stand_before(hand)))):
        flags = _stored_flags(hands)
        for one, told in zip(hands, told_hands(hands), strict=True):
            yield one, told, flags.get(one.pk, ())


def _write_flags(hand: Hand, flags: Flags) -> None:
    Flag.objects.filter(hand_id=hand.pk).delete()
    Flag.objects.bulk_create(Flag(hand_id=hand.pk, club_id=hand.club_id, **flag._asdict()) for flag in flags)


def _stored_flags(hands: Iterable[Hand]) -> dict[int, Flags]:
    rows = Flag.objects.filter(hand_id__in=[hand.pk for hand in hands])
    flags: dict[int, Flags] = {}
    for hand_id, seat, what, recorded, follows in rows.values_list(
        "hand_id", "seat", "what", "recorded", "follows"
    ):
        flags[hand_id] = (*flags.get(hand_id, ()), continuity.Flag(seat, what, recorded, follows))
    return {hand_id: tuple(sorted(some)) for hand_id, some in flags.items()}
