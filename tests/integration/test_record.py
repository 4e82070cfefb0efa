"""The use case of live logging: events, facts, results and to-do rows in one transaction."""

from datetime import date
from hashlib import sha256

import pytest
from django.contrib.auth.models import AnonymousUser, User

from ofc_hub.clubs.models import Alias, Club, Player, Role
from ofc_hub.hands.log import ClientIdConflict, Stale
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import FreeText, Hand, Stream
from ofc_hub.live.record import NotAllowed, Recorded, record
from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.rulesets import PRESETS
from scoring.models import HandResult, PairResult, SeatResult, SliceToDo
from tests.played import BO, KEY, STAKE, member, moves, placed, started
from tests.writers import at_once, client_id_of

# A hand is recorded in several calls here, each with its own queries.
pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home", time_zone="America/New_York", day_start=6)


@pytest.fixture
def director(club: Club) -> User:
    return member(club, Role.DIRECTOR)


@pytest.fixture
def played(club: Club, director: User) -> Stream:
    """The whole hand, recorded as one batch of 11 events."""
    outcome = record(director, club, KEY, 0, [started(club), *moves()])
    assert isinstance(outcome, Recorded), outcome
    SliceToDo.objects.all().delete()
    return Stream.objects.get()


def results() -> list[tuple]:
    return list(SeatResult.objects.order_by("seat").values_list("seat", "points", "chips"))


def everything() -> list[list[tuple]]:
    """All rows that a refusal must not touch."""
    models = (Stream, Row, Hand, FreeText, HandResult, SeatResult, PairResult, SliceToDo)
    return [sorted(model.objects.values_list(), key=repr) for model in models]


def test_a_hand_move_by_move(club: Club, director: User) -> None:
    assert isinstance(record(director, club, KEY, 0, [started(club)]), Recorded)
    for version, move in enumerate(moves(), start=1):
        assert not HandResult.objects.exists()
        assert not SliceToDo.objects.exists()
        assert isinstance(record(director, club, KEY, version, [move]), Recorded)
    assert Stream.objects.get().version == 11
    assert results() == [(1, -3, -3 * STAKE), (2, 3, 3 * STAKE)]
    assert set(Row.objects.values_list("actor", flat=True)) == {f"user:{director.pk}"}


def test_what_is_written_for_a_hand(club: Club, played: Stream) -> None:
    hand = Hand.objects.get()
    assert (hand.pk, hand.key, hand.number, hand.stake, hand.button, hand.seats) == (
        played.pk,
        "T1-1",
        7,
        STAKE,
        2,
        2,
    )
    assert (hand.completeness, hand.complete, hand.voided, hand.locked) == ("full", True, False, False)
    assert hand.played_at.isoformat() == "2026-11-30T01:00:00+00:00"
    result = HandResult.objects.get()
    assert (result.hand_id, result.version, result.position, result.differences) == (played.pk, 11, 11, None)
    anna, bo = SeatResult.objects.order_by("seat")
    assert (anna.player.name, bo.player.name) == ("anna", "bo")
    assert (anna.place, anna.seats, bo.place) == (1, 2, 2)
    assert (anna.royalties_top, anna.royalties_middle, anna.royalties_bottom) == (1, 0, 6)
    assert (bo.royalties_top, bo.royalties_middle, bo.royalties_bottom) == (3, 2, 4)
    assert (anna.rows_won, anna.rows_tied, anna.rows_lost) == (1, 0, 2)
    assert (bo.rows_won, bo.rows_tied, bo.rows_lost) == (2, 0, 1)
    assert [anna.scoops_legal, anna.scooped_legal, anna.scoops_foul, anna.scooped_foul] == [0, 0, 0, 0]
    assert (anna.foul, anna.dead, anna.fantasyland, anna.next_fantasyland) == (False, False, 0, 0)
    assert anna.strength_bottom > bo.strength_bottom
    assert bo.strength_top > anna.strength_top
    # 01:00 UTC is eight in the evening of the day before in New York, whose day began at six.
    assert anna.day == date(2026, 11, 29)
    assert anna.rules_id == PRESETS["pineapple"].digest
    pair = PairResult.objects.get()
    assert (pair.a, pair.b, pair.row_top, pair.row_middle, pair.row_bottom) == (1, 2, -1, -1, 1)
    assert (pair.bonus, pair.royalties, pair.moon, pair.points, pair.chips) == (0, -2, 0, -3, -3 * STAKE)


def test_a_completed_hand_leaves_one_to_do_row_for_each_player(club: Club, director: User) -> None:
    """At the first position of the commit that completes it: statistics are complete up to the one before."""
    record(director, club, KEY, 0, [started(club), *moves()[:7]])
    record(director, club, KEY, 8, moves()[7:])
    rows = SliceToDo.objects.values_list("club_id", "player__name", "day", "position")
    assert sorted(rows) == [
        (club.pk, "anna", date(2026, 11, 29), 9),
        (club.pk, "bo", date(2026, 11, 29), 9),
    ]


def test_statistics_are_woken_after_the_commit_of_a_result(
    club: Club, director: User, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        record(director, club, KEY, 0, [started(club)])
    assert callbacks == []
    with django_capture_on_commit_callbacks() as callbacks:
        record(director, club, KEY, 1, moves())
    assert len(callbacks) == 1


def test_a_dead_seat_is_scooped_as_a_foul(club: Club, director: User) -> None:
    """Bo leaves after three streets: three rows and the scoop bonus, 6, and Anna's royalties, 7."""
    rest = [move for move in moves() if not (move.seat == 2 and move.cards in BO[3:])]
    dead = Event(0, kinds.SEAT_DIED, 2)
    record(director, club, KEY, 0, [started(club), *rest, dead])
    assert results() == [(1, 13, 13 * STAKE), (2, -13, -13 * STAKE)]
    anna, bo = SeatResult.objects.order_by("seat")
    assert (anna.scoops_foul, anna.scoops_legal, bo.scooped_foul, bo.scooped_legal) == (1, 0, 1, 0)
    assert (bo.foul, bo.dead, bo.royalties_bottom) == (True, True, 0)


def test_a_scoop_over_a_legal_hand(club: Club, director: User) -> None:
    """Eights, trips and kings full beat sevens, a pair and a flush: 6, and royalties 3+2+6 against 2+0+4."""
    anna = ("8c8s/9s9d/Kc", "2c/9h/", "/3s/Kd", "/2h/Ks", "//TcTd")
    bo = ("7c7d/8d8h/Ah", "2s/9c/", "/3d/Kh", "/4c/Jh", "//7h6h")
    lines = [placed(seat, cards) for turn in zip(anna, bo, strict=True) for seat, cards in enumerate(turn, 1)]
    record(director, club, KEY, 0, [started(club), *lines])
    assert results() == [(1, 11, 11 * STAKE), (2, -11, -11 * STAKE)]
    scoops = SeatResult.objects.order_by("seat").values_list(
        "scoops_legal", "scooped_legal", "scoops_foul", "scooped_foul", "rows_won", "rows_lost"
    )
    assert list(scoops) == [(1, 0, 0, 0, 3, 0), (0, 1, 0, 0, 0, 3)]


# --- Corrections -----------------------------------------------------------------------------------------


def test_a_replacement_rescores_the_hand(club: Club, director: User, played: Stream) -> None:
    """Bo's last card was the queen of spades: no flush, so his bottom is below his trips, a foul."""
    fix = Event(0, kinds.CARDS_REPLACED, 2, "//7hQs|Qd", {"version": 11})
    outcome = record(director, club, KEY, 11, [fix], {0: "misread"})
    assert isinstance(outcome, Recorded)
    # Anna gets 6 and her royalties, 7.
    assert results() == [(1, 13, 13 * STAKE), (2, -13, -13 * STAKE)]
    assert HandResult.objects.get().version == 12
    assert SliceToDo.objects.count() == 2


def test_undo_takes_the_result_away_and_redo_brings_it_back(
    club: Club, director: User, played: Stream
) -> None:
    undo = Event(0, kinds.EVENT_RETRACTED, data={"version": 11})
    assert isinstance(record(director, club, KEY, 11, [undo]), Recorded)
    assert (results(), PairResult.objects.count(), HandResult.objects.count()) == ([], 0, 0)
    assert not Hand.objects.get().complete
    assert SliceToDo.objects.filter(position=12).count() == 2, "the slices lose a hand"
    redo = Event(0, kinds.EVENT_RETRACTED, data={"version": 12})
    assert isinstance(record(director, club, KEY, 12, [redo]), Recorded)
    assert results() == [(1, -3, -3 * STAKE), (2, 3, 3 * STAKE)]
    assert Hand.objects.get().complete


def test_a_void_hand_has_no_result_until_it_is_taken_back(club: Club, director: User, played: Stream) -> None:
    record(director, club, KEY, 11, [Event(0, kinds.HAND_VOIDED)])
    assert (results(), Hand.objects.get().voided) == ([], True)
    record(director, club, KEY, 12, [Event(0, kinds.EVENT_RETRACTED, data={"version": 12})])
    assert (len(results()), Hand.objects.get().voided) == (2, False)


def test_rulings_stand_beside_the_score(club: Club, director: User, played: Stream) -> None:
    given = [{"seat": 1, "points": -2, "chips": -5}, {"seat": 2, "points": 2, "chips": 5}]
    record(director, club, KEY, 11, [Event(0, kinds.POINTS_RULED, data={"rulings": given})])
    house = {"rulings": [{"seat": 2, "points": -1}], "house": True}
    record(director, club, KEY, 12, [Event(0, kinds.POINTS_RULED, data=house)])
    ruled = SeatResult.objects.order_by("seat").values_list("points", "ruled_points", "ruled_chips")
    assert list(ruled) == [(-3, -2, -5), (3, 1, 5)]


def test_a_correction_that_would_break_the_hand_names_the_obstacle(
    club: Club, director: User, played: Stream
) -> None:
    before = everything()
    fix = Event(0, kinds.CARDS_REPLACED, 1, "9c6h/6c6d/Kc", {"version": 2})
    outcome = record(director, club, KEY, 11, [fix])
    assert isinstance(outcome, Problem)
    # 9c is Bo's second move, the fourth of the hand.
    assert (outcome.code, outcome.path) == ("would-break", "actions[3].cards")
    assert outcome.found["code"] == "card-twice"
    assert "9c" in outcome.message
    assert everything() == before


# --- Refusals store nothing ------------------------------------------------------------------------------


REFUSED = {
    "a card twice": ([placed(2, "8h6s/9s9d/Ah")], "card-twice"),
    "too few cards": ([placed(2, "8h/9s9d/Ah")], "wrong-card-count"),
    "an unknown seat": ([placed(3, "8h8d/9s9d/Ah")], "seat-unknown"),
    "a row too long": ([placed(2, "8h8d9s9d/Ah/")], "row-full"),
    "no card": ([placed(2, "8h8d/9s9d/Zz")], "card-unknown"),
    "a good move before a bad one": ([placed(2, BO[0]), placed(2, BO[0])], "wrong-card-count"),
    "an unknown kind": ([Event(0, "hand-blessed")], "unknown-kind"),
    "a second start": ([Event(0, kinds.HAND_STARTED, data={})], "hand-started-twice"),
    "nothing to retract": ([Event(0, kinds.EVENT_RETRACTED, data={"version": 9})], "version-unknown"),
    "rulings that make points": (
        [Event(0, kinds.POINTS_RULED, data={"rulings": [{"seat": 1, "points": 1}]})],
        "rulings-not-zero",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_rules_refuse_is_not_stored(club: Club, director: User, case: str) -> None:
    events, code = REFUSED[case]
    record(director, club, KEY, 0, [started(club), moves()[0]])
    before = everything()
    outcome = record(director, club, KEY, 2, events)
    assert isinstance(outcome, Problem), outcome
    assert outcome.code == code
    assert everything() == before


def test_a_refused_first_batch_leaves_no_stream(club: Club, director: User) -> None:
    outcome = record(director, club, KEY, 0, [started(club), placed(1, "6s6s/6c6d/Kc")])
    assert isinstance(outcome, Problem)
    assert not Stream.objects.exists()


def test_a_hand_needs_known_rules_and_aliases(club: Club, director: User) -> None:
    start = started(club)
    assert start.data is not None
    unknown = start._replace(data={**start.data, "rules": "0" * 64})
    outcome = record(director, club, KEY, 0, [unknown])
    assert isinstance(outcome, Problem)
    assert outcome.code == "unknown-rules"
    Alias.objects.filter(name="bo").delete()
    outcome = record(director, club, KEY, 0, [start])
    assert isinstance(outcome, Problem)
    assert (outcome.code, outcome.path) == ("bad-event", "seats[1].alias")


def test_one_player_under_two_names_does_not_sit_at_two_seats(club: Club, director: User) -> None:
    start = started(club)
    Alias.objects.filter(name="bo").update(player=Player.objects.get(name="anna"))
    outcome = record(director, club, KEY, 0, [start])
    assert isinstance(outcome, Problem)
    assert outcome.code == "player-twice"


def test_stale_repeated_and_conflicting_batches(club: Club, director: User) -> None:
    first, second = (move._replace(client_id=client_id_of(str(i))) for i, move in enumerate(moves()[:2]))
    record(director, club, KEY, 0, [started(club), first])
    before = everything()
    assert isinstance(record(director, club, KEY, 1, [moves()[1]]), Stale)
    again = record(director, club, KEY, 1, [first])
    assert isinstance(again, Recorded)
    assert again.appended.repeated
    assert isinstance(record(director, club, KEY, 2, [first._replace(seat=2)]), ClientIdConflict)
    assert everything() == before
    # The answer to the first move was lost; the phone sends both.
    both = record(director, club, KEY, 1, [first, second])
    assert isinstance(both, Recorded)
    assert (both.appended.first_position, both.appended.position, both.appended.version) == (2, 3, 3)


# --- Who may ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER, None])
def test_who_may_not_log(club: Club, role: Role | None) -> None:
    start = started(club)
    viewer = member(club, role) if role else AnonymousUser()
    assert record(viewer, club, KEY, 0, [start]) == NotAllowed("log")
    assert not Stream.objects.exists()


def test_a_role_in_another_club_does_not_help(club: Club) -> None:
    other = Club.objects.create(slug="away", name="Away")
    assert record(member(other, Role.OWNER), club, KEY, 0, [started(club)]) == NotAllowed("log")


def test_what_a_scorer_may(club: Club, director: User) -> None:
    scorer = member(club, Role.SCORER)
    assert isinstance(record(scorer, club, KEY, 0, [started(club), *moves()[:3]]), Recorded)
    undo = Event(0, kinds.EVENT_RETRACTED, data={"version": 4})
    assert isinstance(record(scorer, club, KEY, 4, [undo, moves()[2]]), Recorded)
    assert record(scorer, club, KEY, 6, [Event(0, kinds.HAND_VOIDED)]) == NotAllowed("correct")
    assert record(scorer, club, KEY, 6, [Event(0, kinds.HAND_LOCKED)]) == NotAllowed("lock")
    assert isinstance(record(director, club, KEY, 6, [Event(0, kinds.HAND_LOCKED)]), Recorded)
    assert record(scorer, club, KEY, 7, [moves()[3]]) == NotAllowed("correct")
    assert isinstance(record(director, club, KEY, 7, [moves()[3]]), Recorded)


def test_a_scorer_does_not_undo_a_director(club: Club, director: User, played: Stream) -> None:
    scorer = member(club, Role.SCORER)
    void = Event(0, kinds.HAND_VOIDED)
    undo = Event(0, kinds.EVENT_RETRACTED, data={"version": 12})
    redo = Event(0, kinds.EVENT_RETRACTED, data={"version": 13})
    record(director, club, KEY, 11, [void])
    assert record(scorer, club, KEY, 12, [undo]) == NotAllowed("correct")
    assert isinstance(record(director, club, KEY, 12, [undo]), Recorded)
    assert record(scorer, club, KEY, 13, [redo]) == NotAllowed("correct")
    assert Stream.objects.get().version == 13


# --- Free texts ------------------------------------------------------------------------------------------


def test_a_text_lies_beside_the_log_and_is_sent_again_safely(
    club: Club, director: User, played: Stream
) -> None:
    event = Event(0, kinds.NOTE_ADDED, client_id=client_id_of("note"))
    void = Event(0, kinds.HAND_VOIDED, client_id=client_id_of("void"))
    texts = {0: "Bo was late", 1: "misdeal"}
    first = record(director, club, KEY, 11, [event, void], texts)
    assert isinstance(first, Recorded)
    stored = dict(Row.objects.filter(version__gt=11).values_list("version", "data"))
    note, reason = FreeText.objects.order_by("version")
    assert (note.version, note.text, reason.version, reason.text) == (12, "Bo was late", 13, "misdeal")
    assert stored == {
        12: {"text": sha256((note.salt + "Bo was late").encode()).hexdigest()},
        13: {"reason": sha256((reason.salt + "misdeal").encode()).hexdigest()},
    }
    again = record(director, club, KEY, 11, [event, void], texts)
    assert isinstance(again, Recorded)
    assert again.appended.repeated
    more = Event(0, kinds.NOTE_ADDED, client_id=client_id_of("more"))
    assert isinstance(
        record(director, club, KEY, 11, [event, void, more], {**texts, 2: "and left"}), Recorded
    )
    other = record(director, club, KEY, 11, [event], {0: "other words"})
    assert isinstance(other, ClientIdConflict)
    assert list(FreeText.objects.order_by("version").values_list("version", "text")) == [
        (12, "Bo was late"),
        (13, "misdeal"),
        (14, "and left"),
    ]


# --- At the same time ------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_tables_and_two_phones_at_once(club: Club, director: User) -> None:
    """Each of four hands is logged by two phones with the same client ids: every hand ends scored once."""
    starts = [started(club, played_at=1_796_000_400_000_000 + i) for i in range(4)]

    def work(phone: int) -> None:
        number = phone % 4
        key = KEY._replace(key=f"H{number}")
        batch = [starts[number], *moves()]
        named = [event._replace(client_id=client_id_of(f"{number}-{i}")) for i, event in enumerate(batch)]
        for version, event in enumerate(named):
            outcome = record(director, club, key, version, [event])
            assert isinstance(outcome, Recorded), outcome

    at_once(work, 8)
    assert list(Stream.objects.values_list("version", flat=True)) == [11] * 4
    assert HandResult.objects.count() == 4
    assert (SeatResult.objects.count(), PairResult.objects.count()) == (8, 4)
    assert list(Row.objects.order_by("position").values_list("position", flat=True)) == list(range(1, 45))


def test_a_live_append_needs_few_queries(club: Club, director: User, django_assert_max_num_queries) -> None:
    record(director, club, KEY, 0, [started(club), *moves()[:4]])
    with django_assert_max_num_queries(14):
        record(director, club, KEY, 5, [moves()[4]._replace(client_id=client_id_of("x"))])
