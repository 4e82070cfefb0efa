"""Promise 7: results and statistics are exactly-once in effect, whatever is delivered how often or never.

Each batch of events is sent two or three times, each task likewise; workers are killed between the commit of
a task and its acknowledgement; the broker loses what it holds. In the end every figure is what the input
files come to: their hands carry the scores of a scorer that shares no code with this one.
"""

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.core.management import call_command

from analytics import selectors
from ofc_hub.clubs.models import Club, Player, Role
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.models import LogHead, Stream
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import Event
from scoring.models import PairResult, SeatResult, SliceToDo
from tests.guarantees.brokers import deliver, flush, own_broker
from tests.guarantees.processes import graveyard, until, worker
from tests.guarantees.stores import assert_sound
from tests.imports import file_of, import_file
from tests.played import KEY, STAKE, member, moves, started
from tests.prove import scale
from tests.workers import ROOT, running_worker
from tests.writers import client_id_of

pytestmark = [
    pytest.mark.worker,
    pytest.mark.django_db(transaction=True),
    pytest.mark.n_plus_one_allowed,  # each batch of events is a use case of its own
]

KILLS = scale(3, 50)
HANDS_A_ROUND = 12
VECTORS = ROOT / "tests" / "fixtures" / "vectors.ndjson"
#: Every task that there is; a new one is to be delivered here as well.
TASKS = {"analytics.recompute"}

Document = dict[str, Any]
Figures = Counter[tuple[str, str]]


@pytest.fixture
def broker() -> Iterator[str]:
    with own_broker() as url:
        yield url


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


def test_every_task_is_delivered_here() -> None:
    current_app.loader.import_default_modules()
    assert {name for name in current_app.tasks if not name.startswith("celery.")} == TASKS


def test_repeats_kills_and_losses_change_no_figure(club: Club, broker: str, tmp_path: Path) -> None:
    random, director = Random(13), member(club, Role.DIRECTOR)
    expected, vectors = Expected(), copies()
    for turn in range(KILLS):
        batch = list(islice(vectors, HANDS_A_ROUND))
        import_again_and_again(batch, tmp_path / str(turn), random)
        log_again_and_again(director, club, turn, random)
        expected.play(batch)
        expected.play_live()
        if turn % 2:
            expected.void(void_again_and_again(director, club, random.choice(batch), random))
        for task in TASKS:
            deliver(task, random.randint(2, 3))
        kill_between_commit_and_acknowledgement(tmp_path / str(turn), broker)
        if turn % 3 == 1:
            flush(broker)
    flush(broker)
    with running_worker(broker, tmp_path):
        until(lambda: not SliceToDo.objects.exists())
    head = LogHead.objects.get(club=club).position
    assert selectors.as_of(club) == selectors.AsOf(head, head)
    assert figures_of_results() == expected.results
    assert figures_of_statistics(club) == expected.statistics()
    assert_sound()


# --- Again and again ------------------------------------------------------------------------------------


def copies() -> Iterator[Document]:
    """The vectors for ever, each time under other keys and on another day."""
    vectors = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    for number in count():
        for vector in vectors:
            hand = vector["hand"]
            day = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}{hand['played_at'][10:]}"
            yield vector | {"hand": hand | {"hand": f"{hand['hand']}/{number}", "played_at": day}}


def import_again_and_again(batch: list[Document], folder: Path, random: Random) -> None:
    folder.mkdir()
    file = file_of(folder, [vector["hand"] for vector in batch])
    assert import_file(file).counts == (len(batch), 0, 0, 0)
    for _ in range(random.randint(1, 2)):
        assert import_file(file).counts == (0, len(batch), 0, 0)


def log_again_and_again(viewer: User, club: Club, turn: int, random: Random) -> None:
    """The hand of `tests.played`, in three parts, each sent as a phone sends it that got no answer."""
    key = StreamKey(KEY.source, f"live-{turn}")
    events = [
        event._replace(client_id=client_id_of(f"{turn} {place}"))
        for place, event in enumerate([started(club), *moves()])
    ]
    for first, last in ((0, 1), (1, 6), (6, len(events))):
        send(viewer, club, key, first, events[first:last], random)


def void_again_and_again(viewer: User, club: Club, vector: Document, random: Random) -> Document:
    hand = vector["hand"]
    key = StreamKey(hand["source"], hand["hand"])
    version = Stream.objects.get(source=key.source, key=key.key).version
    send(viewer, club, key, version, [Event(0, kinds.HAND_VOIDED, client_id=client_id_of(key.key))], random)
    return vector


def send(viewer: User, club: Club, key: StreamKey, version: int, events: list[Event], random: Random) -> None:
    answers = [record(viewer, club, key, version, events) for _ in range(random.randint(2, 3))]
    places = [answer.appended.position for answer in answers if isinstance(answer, Recorded)]
    assert places == [places[0]] * len(answers)


def kill_between_commit_and_acknowledgement(folder: Path, broker: str) -> None:
    """A worker does a task and dies; what it did is there, and the broker was never told."""
    before, will = SliceToDo.objects.count(), folder / "last-will"
    with graveyard(folder) as start:
        dying = start(
            "worker", worker("tests.guarantees.dying_worker"), CELERY_BROKER_URL=broker, LAST_WILL=str(will)
        )
        until(lambda: not dying.alive, words=dying.last_words)
        assert int(will.read_text()) > 0, dying.last_words()
    assert SliceToDo.objects.count() < before


# --- What the files come to -----------------------------------------------------------------------------


class Expected:
    """Plain sums, by player and figure, over the hands that were played and not voided."""

    def __init__(self) -> None:
        self.results: Figures = Counter()

    def play(self, batch: list[Document], sign: int = 1) -> None:
        for vector in batch:
            names = {seat["seat"]: seat["player"] for seat in vector["hand"]["seats"]}
            for seat in vector["expected"]["seats"]:
                self._add(names[seat["seat"]], sign, seat)
            self.results["", "pairs"] += sign * len(vector["expected"]["pairs"])

    def void(self, vector: Document) -> None:
        self.play([vector], -1)

    def play_live(self) -> None:
        """Worked out in `tests.played`: Anna -3 with royalties of 7, Bo +3 with 9; a point is STAKE."""
        for name, points, royalties in (("anna", -3, 7), ("bo", 3, 9)):
            chips = str(Decimal(points * STAKE) / 10_000)
            seat = {"points": points, "chips": chips, "royalties": {"all": royalties}, "foul": False}
            self._add(name, 1, seat | {"next_fantasyland": 0})
        self.results["", "pairs"] += 1

    def _add(self, name: str, sign: int, seat: Document) -> None:
        for figure, amount in {
            "hands": 1,
            "points": seat["points"],
            "chips": int(Decimal(seat["chips"]) * 10_000),
            "royalties": sum(seat["royalties"].values()),
            "fouls": int(seat["foul"]),
            "fantasyland next": int(seat["next_fantasyland"] > 0),
        }.items():
            self.results[name, figure] += sign * amount

    def statistics(self) -> Figures:
        """Those that statistics tell."""
        return Counter(
            {key: value for key, value in self.results.items() if key[1] not in ("chips", "pairs")}
        )


def figures_of_results() -> Figures:
    found: Figures = Counter({("", "pairs"): PairResult.objects.count()})
    names = dict(Player.objects.values_list("pk", "name"))
    for row in SeatResult.objects.all():
        name = names[row.player_id]
        found[name, "hands"] += 1
        found[name, "points"] += row.points
        found[name, "chips"] += row.chips
        found[name, "royalties"] += row.royalties_top + row.royalties_middle + row.royalties_bottom
        found[name, "fouls"] += row.foul
        found[name, "fantasyland next"] += row.next_fantasyland > 0
    return found


def figures_of_statistics(club: Club) -> Figures:
    """As `player_stats` prints them, which is asked to compute nothing itself."""
    found: Figures = Counter()
    for player in Player.objects.filter(club=club):
        output = StringIO()
        call_command("player_stats", player.name, club=club.slug, json=True, no_wait=True, stdout=output)
        told = json.loads(output.getvalue())["statistics"]
        for figure, code in {
            "hands": "hands",
            "points": "points",
            "royalties": "royalties-per-hand",
            "fouls": "fouls",
        }.items():
            found[player.name, figure] = told[code]["all"]["numerator"]
        entries, stays = told["fantasyland-entries"]["normal"], told["fantasyland-stays"]["fantasyland"]
        found[player.name, "fantasyland next"] = entries["numerator"] + stays["numerator"]
        curve = selectors.cumulative_points(club, player)
        ends = [(point.hands, point.points) for point in curve[-1:]]
        assert ends == [(found[player.name, "hands"], found[player.name, "points"])]
    return found
