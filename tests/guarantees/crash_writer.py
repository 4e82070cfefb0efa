"""A table that is logged without a pause: `python -m tests.guarantees.crash_writer SLUG LOGIN`.

After each acknowledged event it prints `CLIENT_ID POSITION`, straight to the file. What got no answer it
sends again, as a phone does, until it has one. The writing is done by a child, and as often as that is killed
there is another at once: a hundred kills take no longer than a few starts of Python.
"""

import os
import random
import signal
import sys
import time
import uuid
from collections.abc import Callable
from typing import NoReturn, TypeVar

import django

DAY = 86_400_000_000
BETWEEN_HANDS = 0.03
Answer = TypeVar("Answer")


def main(slug: str, login: str) -> None:
    """Have a child that writes; end if one ends otherwise than by a kill."""
    from ofc_hub.live import record  # noqa: F401 - so that no child has to

    while True:
        child = os.fork()
        if child == 0:
            log_hands(slug, login)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            sys.exit(f"the writer ended with status {status}")


def log_hands(slug: str, login: str) -> NoReturn:
    from django.contrib.auth.models import User

    from ofc_hub.clubs.models import Club
    from tests.played import PLAYED_AT, moves, started

    club = until_answered(lambda: Club.objects.get(slug=slug))
    viewer = until_answered(lambda: User.objects.get(username=login))
    first = until_answered(lambda: started(club))
    while True:
        hand = f"live-{uuid.uuid4()}"
        # A day of its own: no later hand makes good what was lost of the statistics of this one.
        played_at = PLAYED_AT + DAY * random.randrange(-5000, 0)
        for version, event in enumerate([first._replace(happened_at=played_at), *moves()]):
            named = event._replace(client_id=str(uuid.uuid4()))
            position = write(viewer, club, hand, version, named)
            os.write(1, f"{named.client_id} {position}\n".encode())
        time.sleep(BETWEEN_HANDS)


def write(viewer, club, hand, version, event):  # type: ignore[no-untyped-def]
    """The position at which the event is acknowledged; any other answer is a failure."""
    from ofc_hub.hands.log import StreamKey
    from ofc_hub.live.record import Recorded, record

    key = StreamKey("live", hand)
    answer = until_answered(lambda: record(viewer, club, key, version, [event]))
    assert isinstance(answer, Recorded), answer
    return answer.appended.position


def until_answered(question: Callable[[], Answer]) -> Answer:
    """The answer of a database that may be away for a while."""
    from django.db import InterfaceError, OperationalError, connection

    while True:
        try:
            return question()
        except (OperationalError, InterfaceError) as error:
            print(f"once more after {error!r}", file=sys.stderr, flush=True)
            connection.close()
            time.sleep(0.05)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
