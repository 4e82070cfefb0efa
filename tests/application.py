"""What the application does all day, as a process of its own: `python -m tests.application`.

Logs hands at a table, corrects and locks one, merges two players, brings the statistics up to date, verifies
the log; prints what came of it.
"""

import json

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from analytics.selectors import complete_up_to, player_statistics  # noqa: E402
from analytics.slices import recompute_some  # noqa: E402
from ofc_hub.clubs.models import Club, Player, Role  # noqa: E402
from ofc_hub.live.people import Changed, merge_players  # noqa: E402
from ofc_hub.live.record import Recorded, record  # noqa: E402
from scoring.domain import events as kinds  # noqa: E402
from scoring.domain.events import Event  # noqa: E402
from tests.people import OPERATOR  # noqa: E402
from tests.played import KEY, member, moves, started  # noqa: E402


def main() -> None:
    club = Club.objects.create(slug="table", name="Table")
    director = member(club, Role.DIRECTOR, "director of the table")
    version = 0
    for batch in ([started(club), *moves()], [Event(0, kinds.HAND_VOIDED)], [retracted(12)], [LOCKED]):
        outcome = record(director, club, KEY, version, batch)
        assert isinstance(outcome, Recorded), outcome
        version = outcome.appended.version
    assert isinstance(record(director, club, SECOND, 0, [started(club, ("cy", "dee")), *moves()]), Recorded)
    bo, dee = (Player.objects.get(club=club, name=name).pk for name in ("bo", "dee"))
    assert isinstance(merge_players(OPERATOR, club, bo, dee), Changed)
    while recompute_some():
        pass
    call_command("verify_events")
    figures = player_statistics(club, Player.objects.get(pk=bo))
    print(json.dumps({"position": complete_up_to(club), "hands": figures.hands, "points": figures.points}))


SECOND = KEY._replace(key="T1-2")
LOCKED = Event(0, kinds.HAND_LOCKED)


def retracted(version: int) -> Event:
    return Event(0, kinds.EVENT_RETRACTED, data={"version": version})


if __name__ == "__main__":
    main()
