"""The application at work while it is killed: who does what, what was acknowledged, what is left of it."""

import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from http.client import HTTPException
from http.cookiejar import CookieJar
from itertools import count
from pathlib import Path
from random import Random

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection

from analytics import selectors
from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.models import Event, Hand, LogHead
from scoring.models import SeatResult, SliceToDo
from tests.guarantees import processes
from tests.guarantees.processes import Victim, free_port, until
from tests.imports import file_of, import_file, many_hands
from tests.played import member, started
from tests.prove import scale

PASSWORD = "four of a kind"
#: From a thousand on an import has processes that help it.
HANDS_A_FILE = scale(300, 1200)
START_SECONDS = 120
STATISTICS_SECONDS = 300


class Subject:
    """Something that works, is killed while it does (at most `most_work` of it), and is started again."""

    most_work: int
    most_seconds = 0.2

    def __init__(self, name: str, start: Callable[..., Victim], command: Callable[[], list[str]]) -> None:
        self.name, self.kills = name, 0
        self._start, self._command = start, command
        self.victims: list[Victim] = []
        self.begin()

    def begin(self) -> None:
        if self.victims:
            self.now.kill()  # whatever of it is left
        self.victims.append(self._start(self.name, self._command()))

    @property
    def now(self) -> Victim:
        return self.victims[-1]

    def work(self) -> int:
        """How much it has done since it began."""
        raise NotImplementedError

    def wait_for(self, work: int) -> None:
        until(lambda: self.work() >= work or not self.now.alive, START_SECONDS, words=self.now.last_words)
        assert self.now.alive or self.is_done(), f"{self.name} ended by itself: {self.now.last_words()}"

    def kill(self, random: Random) -> None:
        """In the middle of its work; it then begins anew if it does not go on by itself."""
        killed = False
        while not killed:
            self.wait_for(random.randint(1, self.most_work))
            time.sleep(random.random() * self.most_seconds)
            killed = self.strike(random)
            self.go_on()
        self.kills += 1

    def strike(self, random: Random) -> bool:
        return self.now.kill_some(random)

    def is_done(self) -> bool:
        """Whether it may have ended without having been killed."""
        return False

    def go_on(self) -> None:
        if not self.now.alive:
            self.begin()


class Writer(Subject):
    """Events of hands at a table, one at a time; only its child is killed, who does the writing."""

    most_work = 10
    most_seconds = 0.02

    def __init__(self, start: Callable[..., Victim], club: Club, scorer: User) -> None:
        command = ["-m", "tests.guarantees.crash_writer", club.slug, scorer.username]
        self._before = 0
        super().__init__("writer", start, lambda: command)

    def work(self) -> int:
        return len(self.now.said()) - self._before

    def strike(self, random: Random) -> bool:
        return self.now.kill_a_child(random)

    def go_on(self) -> None:
        super().go_on()
        self._before += self.work()

    def acknowledged(self) -> list[tuple[str, int]]:
        """(client id, position) of every event of which it had an answer."""
        lines = (line.split() for victim in self.victims for line in victim.said())
        return [(client_id, int(position)) for client_id, position in lines]


class Importer(Subject):
    """One file after the other, each again and again until its import has ended by itself."""

    most_work = HANDS_A_FILE // 3

    def __init__(self, start: Callable[..., Victim], club: Club, folder: Path) -> None:
        self.club, self.files = club, list[Path]()
        self._names, self._folder, self._before = count(), folder, 0
        super().__init__("importer", start, self._next)

    def _next(self) -> list[str]:
        if not self.files or self.is_done():
            source = f"file-{next(self._names)}"
            hands = [hand | {"source": source} for hand in many_hands(HANDS_A_FILE)]
            self.files.append(file_of(self._folder, hands, source))
        return processes.importer(self.files[-1], self.club.slug)

    def work(self) -> int:
        return self._stored() - self._before

    def _stored(self) -> int:
        """Hands of its present file."""
        return Hand.objects.filter(stream__source=self.files[-1].name).count()

    def is_done(self) -> bool:
        return self.now.status == 0

    def resume(self) -> None:
        """Begin anew if the database went away from under it."""
        if not self.now.alive:
            self.begin()

    def go_on(self) -> None:
        # Without one of its processes it ends as well.
        until(lambda: not self.now.alive, words=self.now.last_words)
        connection.close()
        self.begin()
        self._before = self._stored()


class Worker(Subject):
    """Statistics of what the others write; its work are tasks."""

    most_work = 3

    def __init__(self, start: Callable[..., Victim]) -> None:
        super().__init__("worker", start, processes.worker)

    def work(self) -> int:
        return self.now.log.read_text(errors="replace").count(" succeeded in ")


class Web(Subject):
    """Pages, and logins as what it stores, for a visitor who never rests."""

    most_work = 15

    def __init__(self, start: Callable[..., Victim], club: Club, login: str) -> None:
        self.port = free_port()
        super().__init__("web", start, lambda: processes.web(self.port))
        self.visitor = Visitor(f"http://127.0.0.1:{self.port}", club.slug, login)
        self._before = 0

    def work(self) -> int:
        return self.visitor.served - self._before

    def go_on(self) -> None:
        super().go_on()
        self._before = self.visitor.served


class Visitor:
    """A thread that looks at the club's page and logs in, each time as if for the first time."""

    def __init__(self, address: str, slug: str, login: str) -> None:
        self.served = 0
        self.sessions: list[str] = []
        self.errors: list[str] = []
        self._address, self._slug, self._login = address, slug, login
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._over.wait(0.02):
            try:
                self.visit()
            except urllib.error.HTTPError as error:
                self.errors.append(f"{error.url}: {error.code}")
            except (OSError, HTTPException):
                pass  # nobody is there, or was killed while he answered

    def visit(self) -> None:
        cookies = CookieJar()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
        browser.open(f"{self._address}/c/{self._slug}/", timeout=10).read()
        form = browser.open(f"{self._address}/login/", timeout=10).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token is not None
        fields = {"username": self._login, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
        browser.open(f"{self._address}/login/", urllib.parse.urlencode(fields).encode(), timeout=10).read()
        self.sessions += [cookie.value for cookie in cookies if cookie.name == "sessionid" and cookie.value]
        self.served += 1


# --- What is there in the beginning, and what must be there in the end ----------------------------------


def a_club_with_a_scorer() -> tuple[Club, User]:
    club = Club.objects.create(slug="home", name="Home", public=True)
    scorer = member(club, Role.SCORER)
    scorer.set_password(PASSWORD)
    scorer.save()
    started(club)
    return club, scorer


class Witness:
    """Remembers ends of the log that it has seen: what a reader has seen must stay, at its position."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, bytes]] = []

    def look(self) -> None:
        connection.close()
        for head in LogHead.objects.all():
            event = Event.objects.get(club_id=head.club_id, position=head.position)
            self.seen.append((head.club_id, head.position, bytes(event.digest)))

    def gone(self) -> list[str]:
        found = []
        for club, position, digest in self.seen:
            event = Event.objects.filter(club_id=club, position=position).first()
            if event is None or bytes(event.digest) != digest:
                found.append(f"position {position} was seen and is gone")
        return found


def lost(acknowledged: Iterable[tuple[str, int]]) -> list[str]:
    """Acknowledged events that are not stored at the position that was told."""
    told = dict(acknowledged)
    ids = Event.objects.filter(client_id__isnull=False).values_list("client_id", "position")
    stored = {str(client_id): position for client_id, position in ids.iterator()}
    return [
        f"{client_id} was acknowledged at {position} and is at {stored.get(client_id)}"
        for client_id, position in told.items()
        if stored.get(client_id) != position
    ]


def lost_sessions(sessions: Iterable[str]) -> set[str]:
    told = set(sessions)
    return told - set(Session.objects.values_list("pk", flat=True).iterator())


def finish_imports(files: Iterable[Path], slug: str) -> None:
    """Import each file once more: all that a killed import had stored is recognised, and the rest follows."""
    for file in files:
        stored, duplicate, conflict, invalid = import_file(file, slug).counts
        assert (stored + duplicate, conflict, invalid) == (HANDS_A_FILE, 0, 0)
        assert Hand.objects.filter(stream__source=file.name).count() == HANDS_A_FILE


def assert_statistics_are_right(club: Club) -> None:
    """As soon as a worker is through: the leaderboard is what the results come to, one by one."""
    until(lambda: not SliceToDo.objects.exists(), STATISTICS_SECONDS)
    sums: dict[int, list[int]] = {}
    for player, points in SeatResult.objects.values_list("player_id", "points").iterator():
        line = sums.setdefault(player, [0, 0])
        line[0] += 1
        line[1] += points
    assert {one.player_id: [one.hands, one.points] for one in selectors.leaderboard(club)} == sums


def in_random_order(times: Mapping[Subject, int], random: Random) -> list[Subject]:
    """Each of the subjects so often."""
    order = [subject for subject, number in times.items() for _ in range(number)]
    random.shuffle(order)
    return order
