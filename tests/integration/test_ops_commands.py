"""What the commands that look after the log say to people, and what they refuse."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from ofc_hub.clubs.models import Club
from scoring.models import SeatResult
from tests.imports import import_lines, sample_hands

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]


def said(command: str, *arguments: str) -> tuple[int, list[str]]:
    """Exit status and lines."""
    output, status = StringIO(), 0
    try:
        call_command(command, *arguments, stdout=output, stderr=StringIO())
    except SystemExit as end:
        status = int(end.code or 0)
    return status, output.getvalue().splitlines()


@pytest.fixture
def club(tmp_path: Path) -> Club:
    import_lines(tmp_path, sample_hands(4))
    return Club.objects.get(slug="home")


def test_a_clean_log_takes_one_line(club: Club) -> None:
    status, [line] = said("verify_events")
    assert status == 0
    assert line.startswith("clean; 1 clubs, 4 streams, ")
    status, [line] = said("rebuild", "--check")
    assert status == 0
    assert line.startswith("4 hands, 0 differ; ")


def test_each_finding_takes_a_line_that_tells_its_place(club: Club) -> None:
    seat = SeatResult.objects.select_related("hand__stream").order_by("pk").first()
    assert seat is not None
    SeatResult.objects.filter(pk=seat.pk).update(points=seat.points + 1)
    place = f"{seat.hand.stream.source}/{seat.hand.key}, seat {seat.seat}, points"
    told = f"{place}: found {seat.points + 1}, expected {seat.points}"
    status, lines = said("verify_events")
    assert status == 1
    assert [line for line in lines if line.startswith("seat-result-differs: club home, ") and told in line]
    assert lines[-1].startswith("findings: 2; ")
    assert said("rebuild", "--check")[0] == 1
    status, lines = said("rebuild")
    assert status == 0
    assert told in lines[0]
    assert lines[-1].startswith("4 hands, 1 differed and were rewritten; ")


def test_heads_go_to_the_output_or_a_file(club: Club, tmp_path: Path, settings: LazySettings) -> None:
    settings.SIGNING_KEY = ""
    status, [line] = said("sign_heads")
    heads = json.loads(line)
    assert (status, heads["format"], heads["signature"]) == (0, "ofc-heads/1", None)
    file = tmp_path / "heads.json"
    said("sign_heads", "--output", str(file))
    assert json.loads(file.read_text())["clubs"] == heads["clubs"]
    assert said("verify_events", "--against", str(file))[0] == 0


@pytest.mark.parametrize("command", ["verify_events", "rebuild", "sign_heads"])
def test_a_club_that_is_not_there(command: str) -> None:
    with pytest.raises(CommandError, match="no club 'nowhere'"):
        call_command(command, club="nowhere")


def test_files_that_are_no_signed_heads(club: Club, tmp_path: Path) -> None:
    for text in ("", "[]", '{"format":"ofc-heads/9","signed_at":"","clubs":[]}', '{"format":"ofc-heads/1"}'):
        file = tmp_path / "file"
        file.write_text(text)
        with pytest.raises(CommandError, match="not a file of"):
            call_command("verify_events", against=file)
    with pytest.raises(CommandError, match="No such file"):
        call_command("verify_events", against=tmp_path / "nothing")
