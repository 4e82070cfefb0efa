"""Clubs with people to merge, split and erase, and where their names may stand."""

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from analytics.models import PlayerDay
from analytics.slices import recompute_some
from ofc_hub.clubs.models import Club, Player
from ofc_hub.clubs.selectors import operator
from scoring.models import SeatResult, SliceToDo

OPERATOR = operator("tester")


def renamed(documents: Iterable[dict[str, Any]], old: str, new: str) -> list[dict[str, Any]]:
    """The same hands with another name for one player."""
    return [
        document
        | {"seats": [seat | ({"player": new} if seat["player"] == old else {}) for seat in document["seats"]]}
        for document in documents
    ]


def number_of(club: Club, name: str) -> int:
    return int(Player.objects.get(club=club, name=name).pk)


def bring_up_to_date() -> None:
    while recompute_some():
        pass
    assert not SliceToDo.objects.exists()


def day_sums(club: Club) -> dict[tuple[str, str], tuple[int, int]]:
    """(hands, points) of each player's day as the statistics have them, by name and day."""
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    names = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    for player, day, hands, points in PlayerDay.objects.filter(club=club).values_list(
        "player_id", "day", "hands", "points"
    ):
        sums[names[player], str(day)][0] += hands
        sums[names[player], str(day)][1] += points
    return {key: (hands, points) for key, (hands, points) in sums.items()}


def counted_sums(club: Club) -> dict[tuple[str, str], tuple[int, int]]:
    """The same, counted from the results of single hands by their aliases."""
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    rows = SeatResult.objects.filter(club=club).values_list("alias__player__name", "day", "points")
    for name, day, points in rows:
        sums[name, str(day)][0] += 1
        sums[name, str(day)][1] += points
    return {key: (hands, points) for key, (hands, points) in sums.items()}


# --- Where a name stands -----------------------------------------------------------------------------------


def columns_that_hold(*names: str) -> set[str]:
    """Every "table.column" of the database with one of these names in any row, in whatever type of column."""
    found = set()
    for model in apps.get_models():
        for row in model._default_manager.values().iterator():
            found |= {
                f"{model._meta.db_table}.{column}" for column, value in row.items() if _holds(value, names)
            }
    return found


def _holds(value: Any, names: Iterable[str]) -> bool:
    text = bytes(value).decode("utf-8", "replace") if isinstance(value, (bytes, memoryview)) else str(value)
    return any(name.casefold() in text.casefold() for name in names)


def files_of_the_database() -> Iterator[Path]:
    """What the database keeps on disk: SQLite's file and its companions, PostgreSQL's folder of ours."""
    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        yield from file.parent.glob(f"{file.name}*")
        return
    with connection.cursor() as cursor:
        # So that what is in memory is in the files, too.
        cursor.execute("CHECKPOINT")
        cursor.execute(
            "SELECT current_setting('data_directory'), oid FROM pg_database"
            " WHERE datname = current_database()"
        )
        folder, oid = cursor.fetchone()
    yield from (file for file in (Path(folder) / "base" / str(oid)).iterdir() if file.is_file())


def files_can_be_read() -> bool:
    if connection.vendor == "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('data_directory')")
        return os.access(Path(cursor.fetchone()[0]) / "base", os.R_OK | os.X_OK)


def files_that_hold(*names: str) -> set[str]:
    """The names of those files that have one of the names anywhere in their pages."""
    texts = [name.encode() for name in names]
    found = set()
    for file in files_of_the_database():
        # Not in this process: closing a SQLite file drops all locks that the process has on it.
        content = subprocess.run(["cat", str(file)], capture_output=True, check=True).stdout
        if any(text in content for text in texts):
            found.add(_relation_of(file))
    return found


def _relation_of(file: Path) -> str:
    """The table or index that PostgreSQL keeps in the file; else the file's name."""
    if connection.vendor == "sqlite" or not file.name.split(".")[0].isdecimal():
        return file.name
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_filenode_relation(0, %s)::regclass::text", [int(file.name.split(".")[0])])
        return str(cursor.fetchone()[0] or file.name)


def rows_of(model: type[Model]) -> list[tuple[Any, ...]]:
    return sorted(model._default_manager.values_list(), key=repr)
