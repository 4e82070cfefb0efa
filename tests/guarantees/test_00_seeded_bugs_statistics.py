"""The proofs of promise 9 are put to the proof, like the others in test_00_seeded_bugs.py."""

import random
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from analytics import selectors
from analytics.selectors import AsOf, as_of
from analytics.slices import recompute_some
from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.reading import head_position
from ofc_hub.imports import loader
from ofc_hub.live import record as use_case
from scoring.models import SliceToDo
from tests.guarantees.reading import Look, import_hands, look, older_than_said, play, repeated
from tests.played import member

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


@pytest.fixture
def director(club: Club) -> User:
    return member(club, Role.DIRECTOR)


def test_statistics_that_ignore_what_waits_are_noticed(
    club: Club, director: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(club, director, "waits", random.Random(1))
    assert older_than_said(club, [look(club)]) == []
    head = head_position(club.pk)
    monkeypatch.setattr(selectors, "as_of", lambda club: AsOf(head, head))
    assert len(older_than_said(club, [look(club)])) == 1


def test_a_head_read_after_the_rows_to_do_is_noticed(
    club: Club, director: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit between the two queries is in the head and not among the rows."""

    def backwards(club: Club) -> AsOf:
        waits = SliceToDo.objects.filter(club=club).order_by("position").first()
        play(club, director, "between", random.Random(1))
        head = head_position(club.pk)
        return AsOf(waits.position - 1 if waits else head, head)

    monkeypatch.setattr(selectors, "as_of", backwards)
    assert len(older_than_said(club, [look(club)])) == 1


def test_slices_marked_with_the_last_position_of_an_import_are_noticed(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statistics then say that all but one event of the batch are counted."""
    import_hands(club, tmp_path, "honest", 3)
    assert older_than_said(club, [look(club)]) == []
    write_rows = loader.write_rows

    def marked_late(table: str, *rest: Any) -> None:
        write_rows(table, *rest)
        if table == loader.SLICE:
            SliceToDo.objects.filter(club=club).update(position=head_position(club.pk))

    monkeypatch.setattr(loader, "write_rows", marked_late)
    import_hands(club, tmp_path, "late", 3)
    assert len(older_than_said(club, [look(club)])) == 1


def test_slices_marked_with_the_last_position_of_a_batch_are_noticed(
    club: Club, director: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand that is completed in the middle of its batch, before a note."""
    project = use_case.project

    def marked_late(*facts: Any) -> bool:
        *rest, (_, last) = facts
        return project(*rest, (last, last))

    monkeypatch.setattr(use_case, "project", marked_late)
    play(club, director, "late", random.Random(0), sizes=(12,))
    assert len(older_than_said(club, [look(club)])) == 1


def test_figures_read_before_their_position_are_noticed(club: Club, director: User) -> None:
    """Whoever asks for the figures first and how far they are complete afterwards may say too much."""
    looks = []
    with repeated(recompute_some):
        for turn in range(3):
            hands = look(club).hands
            position = play(club, director, f"{turn}", random.Random(turn))
            while as_of(club).position < position:
                pass
            looks.append(Look(as_of(club).position, hands, head_position(club.pk)))
    assert len(older_than_said(club, looks)) == 3
