"""What statistics say about themselves, held against the log (promise 9).

All hands are Anna's and of one day, so that one slice is all there is to read, and how many of them count
after any position can be told from the log alone.
"""

import random
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import accumulate
from pathlib import Path
from threading import Event as Signal
from typing import NamedTuple

from django.contrib.auth.models import User

from analytics import selectors
from analytics.slices import recompute_some
from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.reading import head_position
from ofc_hub.imports.importer import Importer
from ofc_hub.imports.reader import Reader as FileReader
from ofc_hub.imports.refused import RefusedReport
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import Event
from scoring.domain.writing import format_time
from tests.guarantees.contention import meanwhile
from tests.imports import Document, file_of
from tests.pages import SCOOP
from tests.played import KEY, PLAYED_AT, moves, started
from tests.writers import note

MOVES_OF_A_HAND = 10


class Look(NamedTuple):
    """Statistics complete up to `position`, it said; then they had `hands`, then the log ended at `head`."""

    position: int
    hands: int
    head: int


def look(club: Club) -> Look:
    player = Player.objects.filter(club=club, name="anna").first()
    position = selectors.as_of(club).position
    hands = selectors.player_statistics(club, player).hands if player else 0
    return Look(position, hands, head_position(club.pk))


def older_than_said(club: Club, looks: Sequence[Look]) -> list[str]:
    """Looks at figures that were true at no position from the one named up to the head; empty if none."""
    counted = hands_after(club)
    positions = [position for position, _ in counted]
    found = []
    for one in looks:
        first = bisect_right(positions, one.position) - 1
        last = bisect_right(positions, one.head)
        if one.hands not in {hands for _, hands in counted[first:last]}:
            found.append(f"{one.hands} hands as of position {one.position}: there were {counted[first][1]}")
    return found


def hands_after(club: Club) -> list[tuple[int, int]]:
    """(position, how many hands count from there on), from position 0; read off the events."""
    placed: Counter[int] = Counter()
    changes = [(0, 0)]
    rows = Row.objects.filter(club=club).order_by("position").values_list("position", "stream_id", "kind")
    for position, stream, kind in rows:
        placed[stream] += kind == kinds.CARDS_PLACED
        if kind == kinds.CARDS_PLACED and placed[stream] == MOVES_OF_A_HAND:
            changes.append((position, 1))
        elif kind in (kinds.HAND_VOIDED, kinds.EVENT_RETRACTED):
            changes.append((position, -1 if kind == kinds.HAND_VOIDED else 1))
    sums = accumulate(change for _, change in changes)
    return list(zip((position for position, _ in changes), sums, strict=True))


# --- At work in the background ------------------------------------------------------------------------------


def repeated(work: Callable[[], object]) -> AbstractContextManager[None]:
    """`work` again and again on a thread and connection of its own, while the block runs."""

    def loop(over: Signal) -> None:
        while not over.is_set():
            work()
            time.sleep(0.001)

    return meanwhile(loop)


def worker() -> None:
    """A worker that is not always at once there."""
    time.sleep(random.random() * 0.01)
    recompute_some()


# --- Writers ------------------------------------------------------------------------------------------------


def play(club: Club, scorer: User, key: str, dice: random.Random, sizes: Sequence[int] = (1, 3, 12)) -> int:
    """A hand, move by move or several at once; the position of the write that completed it."""
    stream, rest, version = StreamKey(KEY.source, key), [started(club), *moves(), note(key)], 0
    while rest:
        count = dice.choice(sizes)
        outcome = record(scorer, club, stream, version, rest[:count])
        assert isinstance(outcome, Recorded), outcome
        version, rest = version + len(rest[:count]), rest[count:]
    return outcome.appended.position


def void_and_restore(club: Club, director: User, key: str, times: int) -> int:
    """A hand that is taken out and brought back; the position of the last write."""
    stream = StreamKey(KEY.source, key)
    outcome = record(director, club, stream, 0, [started(club), *moves()])
    for _ in range(times):
        outcome = record(director, club, stream, None, [Event(0, kinds.HAND_VOIDED, data={})])
        assert isinstance(outcome, Recorded), outcome
        undo = Event(0, kinds.EVENT_RETRACTED, data={"version": outcome.appended.version})
        outcome = record(director, club, stream, None, [undo, note(None)])
    assert isinstance(outcome, Recorded), outcome
    return outcome.appended.position


def import_hands(club: Club, folder: Path, source: str, count: int) -> int:
    """Hands of the same day from a file; the position of its last event."""
    file = file_of(folder, (_document(source, number) for number in range(count)), source)
    with RefusedReport(folder / f"{source}.refused") as refused:
        summary = Importer(club, refused).run(FileReader([str(file)]))
    assert summary.stored == count
    assert summary.position is not None
    return summary.position


def _document(source: str, number: int) -> Document:
    seats = [{"seat": 1, "player": "anna"}, {"seat": 2, "player": "bo"}]
    of_the_day = {"played_at": format_time(PLAYED_AT), "seats": seats}
    return SCOOP | of_the_day | {"source": source, "hand": f"{number}", "number": number}
