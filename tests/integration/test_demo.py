"""`manage.py demo` through the real command: into files, and into a club."""

import gzip
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Sum

from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.models import Hand
from ofc_hub.ops.demo import shipped_hands
from scoring.domain.interchange import play, read_hand
from scoring.domain.scored import score_hand
from scoring.models import SeatResult
from scoring.simulator.hands import hands
from tests.simulated import demo_hands
from tests.tables import good

HANDS = 150


def _demo(*arguments: Any) -> str:
    out = io.StringIO()
    call_command("demo", *map(str, arguments), stdout=out)
    return out.getvalue()


# --- Files: without a database ------------------------------------------------------------------------------


def test_a_file_holds_the_hands_and_nothing_else_is_touched(tmp_path: Path) -> None:
    file = tmp_path / "demo.ndjson"
    assert _demo("--hands", HANDS, "--output", file) == f"{HANDS} hands written to {file}.\n"
    assert file.read_bytes() == b"".join(hands(HANDS))
    assert [path.name for path in tmp_path.iterdir()] == ["demo.ndjson"]


def test_a_packed_file_is_the_same_bytes_again(tmp_path: Path) -> None:
    first, second = tmp_path / "a.ndjson.gz", tmp_path / "b.ndjson.gz"
    for file in (first, second):
        _demo("--hands", 20, "--seed", 7, "--output", file)
    assert first.read_bytes() == second.read_bytes()
    assert gzip.decompress(first.read_bytes()) == b"".join(hands(20, seed=7))


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("demo", "--hands", "3", "--output", "-")
    assert capfdbinary.readouterr().out == b"".join(hands(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hands", "0"), "not a number of at least 1"),
        (("--hands", "many"), "not a number of at least 1"),
        (("--club", "x", "--output", "-"), "give one of them"),
        (("--club", "no slug!"), "cannot name a club"),
        (("--hands", "1", "--output", "/nowhere/at/all"), "cannot be written"),
    ],
)
def test_what_cannot_be_asked_for(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        _demo(*arguments)


# --- Into a club --------------------------------------------------------------------------------------------


@pytest.mark.n_plus_one_allowed  # several commands, one after the other
@pytest.mark.django_db(transaction=True)
def test_a_club_is_made_filled_and_filled_but_once() -> None:
    said = _demo("--hands", HANDS)
    assert f"received {HANDS} = stored {HANDS} + duplicate 0 + conflict 0 + invalid 0" in said
    club = Club.objects.get(slug="demo")
    assert (club.public, club.shows_discards, club.day_start) == (True, True, 6)
    assert Hand.objects.filter(club=club, problem__isnull=True).count() == HANDS
    assert f"stored 0 + duplicate {HANDS}" in _demo("--hands", HANDS)
    assert "stored 30 + duplicate 0" in _demo("--hands", 30, "--seed", 2, "--club", "other")
    assert Player.objects.filter(club=club).count() == 8


@pytest.mark.django_db(transaction=True)
def test_stored_results_are_those_of_the_hands() -> None:
    _demo("--hands", HANDS)
    points: Counter[str] = Counter()
    for line in hands(HANDS):
        document = good(read_hand(line))
        score = good(score_hand(good(play(document))[1]))
        points.update(
            {
                seat.player: seat_score.points
                for seat, seat_score in zip(document.seats, score.seats, strict=True)
            }
        )
    stored = SeatResult.objects.values_list("player_id").annotate(won=Sum("points"))
    names = dict(Player.objects.values_list("id", "name"))
    assert {names[player]: won for player, won in stored} == dict(points)


@pytest.mark.django_db
def test_a_club_with_hands_of_its_own_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "own.ndjson"
    (line,) = hands(1)
    file.write_bytes(line.replace(b'"source":"demo"', b'"source":"kitchen"'))
    call_command("import_hands", str(file), "--club", "ours", stdout=io.StringIO())
    with pytest.raises(CommandError, match="no demo"):
        _demo("--hands", 1, "--club", "ours")
    assert Hand.objects.count() == 1


def test_the_shipped_hands_are_those_that_the_simulator_plays() -> None:
    assert [json.loads(line) for line in shipped_hands()] == [played.line for played in demo_hands()]
