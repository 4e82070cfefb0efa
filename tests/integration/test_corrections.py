"""The use cases at a table, and what corrections leave there: transfers that are due, flags on later hands.

The hand is that of tests/played.py: Anna -3, Bo +3 points at 2 chips each. With another last card Bo's bottom
is no flush and he fouls: Anna gets 6 and her royalties, 7, so +13.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ofc_hub.clubs.models import Alias, Club, Player, Role, Tournament
from ofc_hub.hands.log import ClientIdConflict, Stale, StreamKey
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import FreeText, Hand, RuleSetRecord, Stream
from ofc_hub.live import hands as live
from ofc_hub.live.entry import Answer, Entry
from ofc_hub.live.record import NotAllowed, Recorded
from ofc_hub.live.start import start_hand
from scoring.aftermath import find_differences
from scoring.domain.errors import Problem
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.rulesets import PRESETS
from scoring.models import Correction, Flag, HandResult, SeatResult, Transfer
from tests.imports import export, import_file, import_lines
from tests.played import PLAYED_AT, ROUNDS, STAKE, member
from tests.writers import at_once, client_id_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

CHIP = 10_000
LAST = "//7hQs|Qd"  # instead of a fifth heart
MISREAD = 11  # the version of that move
TABLE = "T1"


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


@pytest.fixture
def director(club: Club) -> User:
    return member(club, Role.DIRECTOR)


@pytest.fixture
def scorer(club: Club) -> User:
    return member(club, Role.SCORER)


def facts(number: int = 1, **other: Any) -> HandStart:
    """Anna, seat 1, and Bo, seat 2, who has the button, with 100 chips each."""
    seats = tuple(SeatStart(seat, "", name, 100 * CHIP, 0) for seat, name in ((1, "anna"), (2, "bo")))
    start = HandStart(
        *("", "", PRESETS["pineapple"], PLAYED_AT + number, number, None, None, TABLE, None),
        *(STAKE, 2, seats, ()),
    )
    return replace(start, **other)


def with_stacks(anna: int, bo: int) -> tuple[SeatStart, ...]:
    return SeatStart(1, "", "anna", anna * CHIP, 0), SeatStart(2, "", "bo", bo * CHIP, 0)


def entry(user: User, club: Club, hand: str = "h1", version: int | None = None, name: str = "") -> Entry:
    client_id = client_id_of(name) if name else None
    return Entry(user, club, StreamKey("home-club", hand), version, client_id)


def begin(user: User, club: Club, hand: str = "h1", **other: Any) -> None:
    ok(start_hand(entry(user, club, hand, 0), facts(int(hand[1:]), **other)))


def play(user: User, club: Club, hand: str = "h1", **other: Any) -> None:
    begin(user, club, hand, **other)
    for turn in ROUNDS:
        for seat, cards in enumerate(turn, start=1):
            ok(live.place(entry(user, club, hand), seat, cards))


def ok(answer: Answer) -> Recorded:
    assert isinstance(answer, Recorded), answer
    return answer


def code_of(answer: Answer) -> str:
    assert isinstance(answer, Problem), answer
    return answer.code


def transfers(hand: str = "h1") -> dict[int, int]:
    return dict(Transfer.objects.filter(hand__key=hand).values_list("seat", "chips"))


def flags(hand: str = "h2", club: str = "home") -> set[tuple[int, str, int, int]]:
    rows = Flag.objects.filter(hand__key=hand, hand__club__slug=club)
    return set(rows.values_list("seat", "what", "recorded", "follows"))


def points(hand: str = "h1") -> list[int]:
    return list(SeatResult.objects.filter(hand__key=hand).order_by("seat").values_list("points", flat=True))


# --- Playing ---------------------------------------------------------------------------------------------


def test_a_hand_begins_and_brings_its_people(club: Club, scorer: User) -> None:
    begin(scorer, club, tournament="thu", tournament_name="Thursday")
    assert sorted(Player.objects.values_list("name", flat=True)) == ["anna", "bo"]
    assert Tournament.objects.get().name == "Thursday"
    hand = Hand.objects.get()
    assert (hand.key, hand.table, hand.tournament, hand.button) == ("h1", TABLE, "thu", 2)


def test_a_refused_beginning_leaves_nothing(club: Club, scorer: User) -> None:
    stranger = member(club, Role.VIEWER)
    assert start_hand(entry(stranger, club, version=0), facts()) == NotAllowed("log")
    wrong = facts(button=7)
    assert code_of(start_hand(entry(scorer, club, version=0), wrong)) == "button-empty"
    blank = facts(seats=(SeatStart(1, "", " ", None, 0), SeatStart(2, "", "bo", None, 0)))
    assert code_of(start_hand(entry(scorer, club, version=0), blank)) == "bad-text"
    for model in (Stream, Player, Alias, RuleSetRecord):
        assert not model.objects.exists()


def test_a_beginning_that_is_sent_again_is_one(club: Club, scorer: User) -> None:
    sent = entry(scorer, club, version=0, name="start")
    assert not ok(start_hand(sent, facts())).appended.repeated
    assert ok(start_hand(sent, facts())).appended.repeated
    assert isinstance(start_hand(sent, facts(stake=CHIP)), ClientIdConflict)
    assert Row.objects.count() == 1


def test_every_use_case_knows_versions_and_repeats(club: Club, director: User) -> None:
    play(director, club)
    sent = entry(director, club, version=11, name="void")
    ok(live.void(sent, "misdeal"))
    assert ok(live.void(sent, "misdeal")).appended.repeated
    stale = live.confirm(entry(director, club, version=11))
    assert isinstance(stale, Stale)
    assert (stale.head_version, [event.kind for event in stale.missed]) == (12, ["hand-voided"])


def test_cards_are_written_in_the_plain_form(club: Club, scorer: User) -> None:
    begin(scorer, club)
    ok(live.place(entry(scorer, club), 1, "6s 6♥ / 6c 6d / kc", auto=True, think_ms=900))
    row = Row.objects.get(version=2)
    assert (row.cards, row.data) == ("6s6h/6c6d/Kc", {"auto": True, "think_ms": 900})
    assert code_of(live.place(entry(scorer, club), 2, "8h8d/9s9d")) == "bad-placement"


def test_boards_and_results_without_moves(club: Club, scorer: User) -> None:
    begin(scorer, club)
    boards = {1: "6s6hAd/6c6dAc3s2h/KcKdKs4c4d", 2: "8h8d2s/9s9d9c3d5c/AhKhJh7h4h"}
    ok(live.record_boards(entry(scorer, club), boards))
    assert points() == [-3, 3]
    ok(live.replace(entry(scorer, club), 2, "8h8d2s/9s9d9c3d5c/AhKhJh7hQs", seat=2))
    assert points() == [13, -13]
    begin(scorer, club, "h2")
    ok(live.record_result(entry(scorer, club, "h2"), {1: {"points": 4}, 2: {"points": -4}}))
    assert points("h2") == [4, -4]


# --- Who may, and what is refused ------------------------------------------------------------------------


def test_rulings_voids_and_locked_hands_are_for_directors(club: Club, director: User, scorer: User) -> None:
    play(scorer, club)
    given = [live.SeatRuling(1, 2), live.SeatRuling(2, -2)]
    assert live.rule(entry(scorer, club), given, "late") == NotAllowed("correct")
    assert live.void(entry(scorer, club)) == NotAllowed("correct")
    assert live.lock(entry(scorer, club)) == NotAllowed("lock")
    ok(live.confirm(entry(scorer, club)))
    ok(live.lock(entry(director, club)))
    assert live.undo(entry(scorer, club), MISREAD) == NotAllowed("correct")
    assert live.undo(entry(scorer, club), 13) == NotAllowed("correct")
    ok(live.undo(entry(director, club), MISREAD))


def test_a_ruling_needs_a_reason_and_sums_to_zero(club: Club, director: User) -> None:
    play(director, club)
    assert code_of(live.rule(entry(director, club), [live.SeatRuling(1, 2)], " ")) == "bad-text"
    assert code_of(live.rule(entry(director, club), [live.SeatRuling(1, 2)], "late")) == "rulings-not-zero"
    ok(live.rule(entry(director, club), [live.SeatRuling(1, -2)], "late", house=True))
    assert FreeText.objects.get().text == "late"
    assert "late" not in str(Row.objects.get(version=12).data)


def test_only_an_undo_is_redone(club: Club, director: User) -> None:
    play(director, club)
    assert code_of(live.redo(entry(director, club), MISREAD)) == "version-unknown"
    assert code_of(live.redo(entry(director, club), 50)) == "version-unknown"
    ok(live.undo(entry(director, club), MISREAD))
    assert code_of(live.undo(entry(director, club), MISREAD)) == "already-retracted"
    ok(live.redo(entry(director, club), 12))
    assert points() == [-3, 3]


# --- Transfers -------------------------------------------------------------------------------------------


def test_the_difference_to_what_was_first_settled_is_due(club: Club, director: User) -> None:
    play(director, club)
    assert transfers() == {}
    ok(live.replace(entry(director, club), MISREAD, LAST, reason="misread"))
    assert points() == [13, -13]
    assert transfers() == {1: 16 * STAKE, 2: -16 * STAKE}
    assert set(Transfer.objects.values_list("seat", "alias__name")) == {(1, "anna"), (2, "bo")}
    assert Correction.objects.get().version == 11
    ok(live.void(entry(director, club)))
    assert transfers() == {1: 3 * STAKE, 2: -3 * STAKE}, "a void gives back what was settled first"
    ok(live.undo(entry(director, club), 13))
    ok(live.undo(entry(director, club), 12))
    assert (points(), transfers(), Correction.objects.count()) == ([-3, 3], {}, 0)


def test_nothing_is_due_while_a_hand_is_open_again(club: Club, director: User) -> None:
    play(director, club)
    ok(live.undo(entry(director, club), MISREAD))
    assert transfers() == {}
    ok(live.place(entry(director, club), 2, LAST))
    assert transfers() == {1: 16 * STAKE, 2: -16 * STAKE}


def test_a_penalty_is_due_to_the_house(club: Club, director: User) -> None:
    play(director, club)
    ok(live.rule(entry(director, club), [live.SeatRuling(1, 0, -5 * CHIP)], "phone", house=True))
    assert transfers() == {0: 5 * CHIP, 1: -5 * CHIP}
    assert Transfer.objects.get(seat=0).alias is None
    assert SeatResult.objects.get(seat=1).chips == -3 * STAKE, "a ruling stands beside the score"


def test_a_death_after_the_settlement_is_a_correction(club: Club, director: User) -> None:
    """Bo's hand is declared dead: Anna gets 6 and her royalties."""
    play(director, club)
    ok(live.declare_dead(entry(director, club), 2))
    assert transfers() == {1: 16 * STAKE, 2: -16 * STAKE}


def document(hand: str, number: int, **other: Any) -> dict[str, Any]:
    """The same hand as a file tells it."""
    actions = [{"seat": seat, "cards": cards} for turn in ROUNDS for seat, cards in enumerate(turn, start=1)]
    return {
        "format": "ofc-hand/1",
        "source": "home-club",
        "hand": hand,
        "rules": "pineapple",
        "played_at": f"2026-11-30T01:00:00.{number:06}Z",
        "number": number,
        "table": TABLE,
        "stake": "2",
        "button": 2,
        "seats": [
            {"seat": 1, "player": "anna", "stack": "100"},
            {"seat": 2, "player": "bo", "stack": "100"},
        ],
        "actions": actions,
        **other,
    }


def test_a_seat_that_a_file_declares_dead_was_dead_at_once(
    club: Club, director: User, tmp_path: Path
) -> None:
    import_lines(tmp_path, [document("h1", 1, dead=[2])])
    assert points() == [13, -13]
    ok(live.void(entry(director, club)))
    assert transfers() == {1: -13 * STAKE, 2: 13 * STAKE}
    ok(live.undo(entry(director, club), 13))
    assert (points(), transfers(), Correction.objects.count()) == ([13, -13], {}, 0)


# --- Flags -----------------------------------------------------------------------------------------------


def test_later_stacks_that_no_longer_follow_are_flagged(club: Club, director: User) -> None:
    """100 - 6 and 100 + 6 followed; with the correction 126 and 74 do, and so on from hand to hand."""
    play(director, club)
    play(director, club, "h2", seats=with_stacks(94, 106), button=1)
    begin(director, club, "h3", seats=with_stacks(88, 112))
    before = list(HandResult.objects.filter(hand__key="h2").values_list())
    ok(live.replace(entry(director, club), MISREAD, LAST))
    assert flags("h2") == {
        (1, "stack", 94 * CHIP, 126 * CHIP),
        (2, "stack", 106 * CHIP, 74 * CHIP),
    }
    assert flags("h3") == {(1, "stack", 88 * CHIP, 120 * CHIP), (2, "stack", 112 * CHIP, 80 * CHIP)}
    assert list(HandResult.objects.filter(hand__key="h2").values_list()) == before, "not settled again"
    assert transfers("h2") == {}
    ok(live.undo(entry(director, club), 12))
    assert not Flag.objects.exists()


def test_flags_end_where_the_difference_was_made_good(club: Club, director: User) -> None:
    play(director, club)
    play(director, club, "h2", seats=with_stacks(94, 106))
    ok(live.replace(entry(director, club), MISREAD, LAST))
    begin(director, club, "h3", seats=with_stacks(120, 80))  # 88 + 32 and 112 - 32: they paid
    assert (len(flags("h2")), flags("h3")) == (2, set())


def test_a_hand_that_begins_with_the_old_stacks_is_flagged_at_once(club: Club, director: User) -> None:
    play(director, club)
    ok(live.replace(entry(director, club), MISREAD, LAST))
    begin(director, club, "h2", seats=with_stacks(94, 106))
    assert (1, "stack", 94 * CHIP, 126 * CHIP) in flags("h2")


def test_what_never_followed_is_not_flagged(club: Club, director: User, tmp_path: Path) -> None:
    """An import without continuity: the same stacks again and again, and a button that stays."""
    import_lines(tmp_path, [document(f"h{number}", number) for number in (1, 2, 3)])
    ok(live.replace(entry(director, club), MISREAD, LAST))
    assert transfers() == {1: 16 * STAKE, 2: -16 * STAKE}
    assert not Flag.objects.exists()


def test_other_tables_are_left_alone(club: Club, director: User) -> None:
    play(director, club)
    begin(director, club, "h2", seats=with_stacks(94, 106), table="T2")
    begin(director, club, "h3", seats=with_stacks(94, 106), tournament="thu")
    begin(director, club, "h4", seats=with_stacks(94, 106), table=None)
    ok(live.replace(entry(director, club), MISREAD, LAST))
    assert not Flag.objects.exists()


def test_a_fantasyland_that_was_missed(club: Club, director: User) -> None:
    """Bo's eights on top were queens, under his three nines, so he is due 14 cards and keeps the button."""
    play(director, club)
    begin(director, club, "h2", seats=with_stacks(94, 106), button=1)
    ok(live.replace(entry(director, club), 3, "QhQc/9s9d/Ah"))
    assert (2, "fantasyland", 0, 14) in flags("h2")
    assert (0, "button", 1, 2) in flags("h2")


def test_a_void_gives_back_button_and_set(club: Club, director: User) -> None:
    """Heads-up, a set is two hands. With its second hand void the set goes on and Anna deals once more."""
    play(director, club, "h1", set=1)
    play(director, club, "h2", set=1, button=1, seats=with_stacks(94, 106))
    begin(director, club, "h3", set=2, seats=with_stacks(88, 112))
    ok(live.void(entry(director, club, "h2")))
    assert flags("h3") == {
        (0, "button", 2, 1),
        (0, "set", 2, 1),
        (1, "stack", 88 * CHIP, 94 * CHIP),
        (2, "stack", 112 * CHIP, 106 * CHIP),
    }
    ok(live.undo(entry(director, club, "h2"), 12))
    assert not Flag.objects.exists()


def test_the_set_is_judged_by_all_its_hands(club: Club, director: User) -> None:
    """With the first hand void Bo has not had the button, so the second did not end the set."""
    play(director, club, "h1", set=1)
    play(director, club, "h2", set=1, button=1, seats=with_stacks(100, 100))
    begin(director, club, "h3", set=2, seats=with_stacks(88, 112))
    ok(live.void(entry(director, club)))
    assert flags("h2") == {(0, "button", 1, 2)}
    assert flags("h3") == {(0, "set", 2, 1)}


def test_a_player_who_would_not_have_been_out(club: Club, director: User) -> None:
    """Under a cap of stacks of 6 Anna lost all she had; after the correction she has 12 and Bo is out."""
    capped = {"rules": PRESETS["set-pineapple"], "seats": with_stacks(6, 6)}
    play(director, club, "h1", **capped)
    three = (SeatStart(2, "", "bo", 12 * CHIP, 0), SeatStart(3, "", "cy", 50 * CHIP, 0))
    begin(director, club, "h2", rules=PRESETS["set-pineapple"], seats=three, button=3)
    ok(live.replace(entry(director, club), MISREAD, LAST))
    assert transfers() == {1: 12 * CHIP, 2: -12 * CHIP}
    assert flags("h2") == {(1, "stack", 0, 12 * CHIP), (2, "stack", 12 * CHIP, 0)}


def test_pages_say_what_is_due_and_what_no_longer_follows(club: Club, director: User, client: Client) -> None:
    play(director, club)
    begin(director, club, "h2", seats=with_stacks(94, 106))
    ok(live.replace(entry(director, club), MISREAD, LAST))
    client.force_login(director)
    first, second = Hand.objects.order_by("key").values_list("pk", flat=True)
    page = client.get(reverse("web:hand", args=["home", first])).content.decode()
    assert "Due at the table: anna +32, bo −32." in page
    page = client.get(reverse("web:hand", args=["home", second])).content.decode()
    assert "anna with a stack of 94 instead of 126; bo with a stack of 106 instead of 74." in page


# --- The same by other ways -------------------------------------------------------------------------------


def test_a_hand_that_is_imported_in_between(club: Club, director: User, tmp_path: Path) -> None:
    play(director, club)
    ok(live.replace(entry(director, club), MISREAD, LAST))
    begin(director, club, "h9", seats=with_stacks(94, 106))
    assert flags("h9") == {(1, "stack", 94 * CHIP, 126 * CHIP), (2, "stack", 106 * CHIP, 74 * CHIP)}
    seats = [{"seat": 1, "player": "anna", "stack": "94"}, {"seat": 2, "player": "bo", "stack": "106"}]
    import_lines(tmp_path, [document("h5", 5, seats=seats)])
    assert flags("h5") == {(1, "stack", 94 * CHIP, 126 * CHIP), (2, "stack", 106 * CHIP, 74 * CHIP)}
    assert flags("h9") == set(), "94 and 106 no longer followed from the hand before it"
    assert list(find_differences(club)) == []


def test_an_archive_brings_transfers_and_flags_along(club: Club, director: User, tmp_path: Path) -> None:
    play(director, club)
    play(director, club, "h2", seats=with_stacks(94, 106))
    begin(director, club, "h3", seats=with_stacks(88, 112))
    ok(live.replace(entry(director, club), MISREAD, LAST))
    ok(live.rule(entry(director, club, "h2"), [live.SeatRuling(1, 0, -CHIP)], "phone", house=True))
    file = export("home", events=True, folder=tmp_path)
    import_file(file, "copy")
    copy = Club.objects.get(slug="copy")
    assert list(find_differences(copy)) == []
    for hand in ("h1", "h2", "h3"):
        assert flags(hand, "copy") == flags(hand, "home")
        rows = Transfer.objects.filter(hand__key=hand).order_by("seat")
        here, there = (list(rows.filter(club=one).values_list("seat", "chips")) for one in (club, copy))
        assert here == there
    assert Flag.objects.filter(club=copy).count() == 4


def test_a_correction_and_the_next_hands_at_the_same_time(club: Club, director: User) -> None:
    """Whoever comes later sees the other: no flag is missed."""
    for number in range(10, 60, 10):
        play(director, club, f"h{number}", table=f"T{number}")
        acts = (
            lambda hand=f"h{number}": live.replace(entry(director, club, hand), MISREAD, LAST),
            lambda hand=number + 1: _begin_with_old_stacks(director, club, hand),
            lambda hand=number + 2: _begin_with_old_stacks(director, club, hand),
        )
        for answer in at_once(lambda writer, acts=acts: acts[writer](), len(acts)):
            ok(answer)
        assert (1, "stack", 94 * CHIP, 126 * CHIP) in flags(f"h{number + 1}")
    assert list(find_differences(club)) == []


def _begin_with_old_stacks(user: User, club: Club, number: int) -> Answer:
    start = facts(number, seats=with_stacks(94, 106), table=f"T{number // 10 * 10}")
    return start_hand(entry(user, club, f"h{number}", 0), start)


def test_from_scratch_they_are_found_and_put_right(club: Club, director: User) -> None:
    play(director, club)
    begin(director, club, "h2", seats=with_stacks(94, 106))
    ok(live.replace(entry(director, club), MISREAD, LAST))
    whole = set(Transfer.objects.values_list()), set(Flag.objects.values_list())
    Transfer.objects.filter(seat=1).update(chips=1)
    Flag.objects.filter(seat=2).delete()
    assert [one.hand_id for one in find_differences(club)] == list(
        Hand.objects.order_by("key").values_list("pk", flat=True)
    )
    assert len(list(find_differences(club, repair=True))) == 2
    assert list(find_differences(club)) == []
    assert (set(Transfer.objects.values_list()), set(Flag.objects.values_list())) == whole
