"""An import that is killed, and imports at the same time: each ends as if it had run once."""

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.models import Event
from ofc_hub.imports.importer import Importer
from ofc_hub.imports.reader import Reader
from ofc_hub.imports.refused import Line, RefusedReport
from ofc_hub.imports.workers import Workers
from tests.imports import assert_whole, copy_of, file_of, import_file, many_hands, start_import

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

HANDS = 1200  # enough for preparing processes, which a killed import must not leave behind
KILLS = 3


def group_is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_killed_again_and_again_an_import_ends_as_if_it_had_run_once(tmp_path: Path) -> None:
    hands = many_hands(HANDS)
    for place in range(0, HANDS, 100):
        hands[place] = hands[place] | {"extra": {"place": place}, "tournament": "t", "tournament_name": "T"}
    file = file_of(tmp_path, hands)
    rng = random.Random(7)
    before = -1
    for _ in range(KILLS):
        process = start_import(file, tmp_path)
        target = before + rng.randint(1, 5000)
        while process.poll() is None and Event.objects.count() <= target:
            time.sleep(rng.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if Club.objects.exists() and Event.objects.exists():
            assert_whole()
        before = Event.objects.count()
    assert before > 0
    finished = import_file(file)
    assert (finished.status, sum(finished.counts)) == (0, HANDS)
    assert_whole()
    killed = copy_of()
    counts = killed.pop("counts")
    assert counts["Hand"] == HANDS
    once = import_file(file, "once")
    assert once.counts == (HANDS, 0, 0, 0)
    whole = copy_of("once")
    assert {name: 2 * count for name, count in counts.items()} == whole.pop("counts")
    whole.pop("slices")
    killed.pop("slices")
    assert killed == whole


def test_a_killed_import_leaves_no_process_behind(tmp_path: Path) -> None:
    process = start_import(file_of(tmp_path, many_hands(HANDS)), tmp_path, own_group=True)
    while process.poll() is None and not Event.objects.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    end = time.monotonic() + 20
    while not group_is_gone(process.pid):
        assert time.monotonic() < end, "preparing processes outlive their import"
        time.sleep(0.05)


def test_two_imports_of_one_file_at_once_give_one_clean_copy(tmp_path: Path) -> None:
    hands = many_hands(600)
    straight, reverse = file_of(tmp_path, hands), file_of(tmp_path, hands[::-1], "reverse.ndjson")
    processes = [start_import(file, tmp_path) for file in (straight, straight, reverse)]
    summaries = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()[-3000:]
        summaries.append(json.loads(output.splitlines()[-1]))
    assert sum(one["stored"] for one in summaries) == 600
    assert {one["received"] for one in summaries} == {600}
    assert_whole()
    together = copy_of()
    counts = together.pop("counts")
    import_file(straight, "once")
    once = copy_of("once")
    assert {name: 2 * count for name, count in counts.items()} == once.pop("counts")
    assert [together[key] for key in ("hands", "seats", "pairs")] == [
        once[key] for key in ("hands", "seats", "pairs")
    ]
    assert (together["players"], together["aliases"]) == (once["players"], once["aliases"])


def test_an_import_that_is_overtaken_by_another_finds_duplicates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one stores the very hands, and makes the very players, that are being prepared here."""
    monkeypatch.setattr(Workers, "ready", True)
    hands = many_hands(HANDS)
    for place, hand in enumerate(hands):
        seats = [{**seat, "player": f"{seat['player']} {place // 50}"} for seat in hand["seats"]]
        hands[place] = hand | {"seats": seats}
    file = file_of(tmp_path, hands)
    club = Club.objects.create(slug="home", name="home")
    overtaken: list[int] = []

    def lines() -> Iterator[Line]:
        for line in Reader([str(file)]):
            if line.number == HANDS - 100:
                overtaken.append(import_file(file).counts[0])
            yield line

    with RefusedReport(tmp_path / "report") as report:
        summary = Importer(club, report).run(lines())
    assert 0 < overtaken[0] < HANDS
    assert (summary.stored, summary.duplicate) == (HANDS - overtaken[0], overtaken[0])
    assert (summary.conflict, summary.invalid) == (0, 0)
    assert_whole()
    names = {f"{seat['player']}" for hand in hands for seat in hand["seats"]}
    assert sorted(Player.objects.values_list("name", flat=True)) == sorted(names)
