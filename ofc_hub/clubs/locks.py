"""Who is who in a club stays as it is while results are written, and changes for all of them at once.

A hand's results name players; aliases say which. A merge must not slip in between the look at the aliases
and the commit of results: it would not see them, and they would not see it. On SQLite there is one writer at
a time anyway. On PostgreSQL writers share an advisory lock, which costs them one statement; a lock of the
club's row would make those who add people to a club, and so hold it longer, wait for every writer.
"""

from django.db import connection

from ofc_hub.clubs.models import Club

#: Sets these locks apart from any other advisory lock: "ofc" and the number of the kind.
PEOPLE = 0x6F6663_01
_LARGEST = 2**31


def keep_people(club_id: int) -> None:
    """Until this transaction ends no alias of the club changes its player. Call it before reading aliases."""
    if connection.vendor == "postgresql":
        _lock("pg_advisory_xact_lock_shared", club_id)


def change_people(club_id: int) -> Club | None:
    """The club, once nobody writes results in it any more; writers wait until this transaction ends.

    First of all locks. Its row is locked too, as by everybody who makes players or rebuilds results.
    """
    if connection.vendor == "postgresql":
        _lock("pg_advisory_xact_lock", club_id)
    return Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()


def _lock(function: str, club_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [PEOPLE, club_id % _LARGEST])
