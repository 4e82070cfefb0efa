"""Importing files of hands: what is stored, what is a duplicate, what is in conflict, who people are."""

import gzip
import io
import json
import sys
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from ofc_hub.clubs.models import Alias, Club, Player, Role, Tournament
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.models import Event, FreeText, Hand, RuleSetRecord, Stream
from ofc_hub.imports.workers import Workers
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import Event as DomainEvent
from scoring.models import HandResult, SeatResult, SliceToDo
from tests.imports import (
    assert_whole,
    copy_of,
    file_of,
    import_file,
    import_lines,
    line_of,
    many_hands,
    results,
    row_counts,
    sample_hands,
    start_import,
)
from tests.played import member

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]


def test_hands_are_stored_with_their_results(tmp_path: Path) -> None:
    hands = sample_hands()
    imported = import_lines(tmp_path, hands)
    assert (imported.status, imported.counts) == (0, (20, 0, 0, 0))
    assert imported.summary["differences"] == 0
    assert_whole()
    claimed = {
        (hand["hand"], int(seat)): (claim["points"], claim["foul"])
        for hand in hands
        for seat, claim in hand["claimed"].items()
    }
    rows = SeatResult.objects.values_list("key", "seat", "points", "foul")
    assert {(key, seat): (points, foul) for key, seat, points, foul in rows} == claimed


def test_every_player_and_day_is_left_to_do(tmp_path: Path) -> None:
    import_lines(tmp_path, sample_hands())
    to_do = set(SliceToDo.objects.values_list("player_id", "day"))
    assert to_do == set(SeatResult.objects.values_list("player_id", "day"))
    assert len(to_do) == SliceToDo.objects.count()


def test_the_same_file_twice_stores_nothing_new(tmp_path: Path) -> None:
    file = file_of(tmp_path, sample_hands())
    import_file(file)
    before = row_counts()
    again = import_file(file)
    assert (again.status, again.counts) == (0, (0, 20, 0, 0))
    assert row_counts() == before


def test_the_same_hand_twice_in_one_file(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    other = hand | {"stake": "2"}
    imported = import_lines(tmp_path, [hand, hand, other, hand])
    assert (imported.status, imported.counts) == (1, (1, 2, 1, 0))
    [refused] = imported.refused
    assert (refused["line"], refused["code"], refused["path"]) == (3, "field-differs", "stake")
    assert (refused["found"], refused["expected"]) == (20_000, 10_000)
    assert json.loads(refused["text"]) == other


def test_a_refused_hand_does_not_hide_the_same_key_later_in_the_file(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    imported = import_lines(tmp_path, [hand | {"actions": hand["actions"][:-1]}] * 3 + [hand])
    assert imported.counts == (1, 0, 0, 3)


def test_other_claims_and_extra_are_still_a_duplicate(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    import_lines(tmp_path, [hand])
    without = {key: value for key, value in hand.items() if key != "claimed"}
    again = [without, hand | {"extra": {"camera": 2}}, hand | {"claimed": {"1": {"points": 99}}}]
    assert import_lines(tmp_path, again).counts == (0, 3, 0, 0)


def test_the_same_hand_in_other_words_is_a_duplicate(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    import_lines(tmp_path, [hand])
    spelled = json.dumps(hand).replace("Ts", "10s").replace("Kh", "K♥").replace("Qd", "qd")
    other = json.loads(spelled) | {"stake": 1, "played_at": hand["played_at"].replace("Z", "+00:00")}
    assert import_lines(tmp_path, [other]).counts == (0, 1, 0, 0)


def test_a_conflict_names_every_field(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    import_lines(tmp_path, [hand])
    seats = [{**hand["seats"][0], "player": "Somebody"}, *hand["seats"][1:]]
    [refused] = import_lines(tmp_path, [hand | {"button": 2, "seats": seats, "table": "loft"}]).refused
    assert refused["code"] == "field-differs"
    assert set(refused["found"]) == set(refused["expected"]) >= {"button", "table"}
    assert (refused["found"]["table"], refused["expected"]["table"]) == ("loft", hand["table"])
    assert any(path.startswith("seats.") for path in refused["found"])
    assert not Player.objects.filter(name="Somebody").exists()


def test_differences_between_claim_and_score_are_listed(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    seat, claim = next(iter(hand["claimed"].items()))
    wrong = {**hand["claimed"], seat: {**claim, "points": claim["points"] + 3, "chips": "0.5"}}
    imported = import_lines(tmp_path, [hand | {"claimed": wrong}])
    assert (imported.status, imported.counts, imported.summary["differences"]) == (0, (1, 0, 0, 0), 1)
    [different] = imported.summary["different_hands"]
    points = {"seat": int(seat), "what": "points", "claimed": claim["points"] + 3, "scored": claim["points"]}
    assert points in different["differences"]
    assert {"chips"} == {one["what"] for one in different["differences"]} - {"points"}
    assert SeatResult.objects.get(seat=int(seat)).points == claim["points"]
    assert points in HandResult.objects.get().differences


def test_hands_of_which_less_is_known(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    boards = {key: value for key, value in hand.items() if key != "actions"} | {"hand": "boards"}
    rows: dict[str, list[str]] = {}
    for action in hand["actions"]:
        for i, cards in enumerate(action["cards"].partition("|")[0].split("/")):
            rows.setdefault(str(action["seat"]), ["", "", ""])[i] += cards
    boards["boards"] = {seat: "/".join(cards) for seat, cards in rows.items()}
    result = {key: value for key, value in hand.items() if key != "actions"} | {"hand": "result"}
    assert import_lines(tmp_path, [hand, boards, result]).counts == (3, 0, 0, 0)
    kinds_of = dict(Hand.objects.values_list("key", "completeness"))
    assert kinds_of == {hand["hand"]: "full", "boards": "boards", "result": "result"}
    points = {key: set() for key in kinds_of}
    for key, seat, won in SeatResult.objects.values_list("key", "seat", "points"):
        points[key].add((seat, won))
    assert points["boards"] == points["result"] == points[hand["hand"]]


def test_extra_is_kept_beside_the_log(tmp_path: Path) -> None:
    [hand] = sample_hands(1)
    import_lines(tmp_path, [hand | {"extra": {"camera": "east", "n": [1, 2]}}])
    text = FreeText.objects.get()
    assert json.loads(text.text) == {"camera": "east", "n": [1, 2]}
    event = Event.objects.get(kind=kinds.NOTE_ADDED)
    assert event.version == text.version
    assert "camera" not in json.dumps(event.data)


# --- Corrections ------------------------------------------------------------------------------------------


def corrected(hand: dict, director: object) -> dict:
    """The stored hand with the last two cards of its last move exchanged for an unused one."""
    club, key = Club.objects.get(slug="home"), StreamKey(hand["source"], hand["hand"])
    stream = Stream.objects.get(key=hand["hand"])
    last = len(hand["actions"]) + 1
    change = DomainEvent(0, kinds.EVENT_RETRACTED, data={"version": last + 1})
    assert Event.objects.get(stream=stream, version=last + 1).kind == kinds.RESULT_RECORDED
    seat = hand["actions"][-1]["seat"]
    used = json.dumps(hand["actions"])
    cards = hand["actions"][-1]["cards"]
    old = cards.strip("/").split("|")[0][:2].strip("/")
    new = next(rank + "h" for rank in "23456789TJQKA" if rank + "h" not in used)
    other = cards.replace(old, new, 1)
    replaced = DomainEvent(0, kinds.CARDS_REPLACED, seat, other, {"version": last})
    assert isinstance(record(director, club, key, stream.version, [change, replaced]), Recorded)
    actions = [*hand["actions"][:-1], {**hand["actions"][-1], "cards": other}]
    return hand | {"actions": actions}


@pytest.mark.django_db(transaction=True)
def test_a_corrected_hand_is_the_same_in_its_old_and_in_its_new_form(tmp_path: Path) -> None:
    hand = next(one for one in sample_hands(40) if len(one["actions"]) == 15)
    import_lines(tmp_path, [hand])
    now = corrected(hand, member(Club.objects.get(), Role.DIRECTOR))
    again = import_lines(tmp_path, [hand, now, now | {"table": "elsewhere"}])
    assert again.counts == (0, 2, 1, 0)
    assert again.refused[0]["path"] == "table"


# --- People -----------------------------------------------------------------------------------------------


def with_players(hand: dict, key: str, *players: str | tuple[str, str], source: str = "a") -> dict:
    """The hand under another key with these players; a pair is a name with its identity."""
    seats = []
    for seat, player in zip(hand["seats"], players, strict=True):
        name, identity = player if isinstance(player, tuple) else (player, None)
        given = {"player_id": identity} if identity else {}
        seats.append({"seat": seat["seat"], "player": name, **given})
    return hand | {"hand": key, "source": source, "seats": seats}


@pytest.fixture
def hand() -> dict:
    return sample_hands(1)[0]


def aliases() -> set[tuple[str, str, str]]:
    return set(Alias.objects.values_list("source", "name", "player__name"))


def test_one_name_in_two_sources_is_one_player(hand: dict, tmp_path: Path) -> None:
    other = with_players(hand, "2", "ann", "ben", "cat", source="b")
    import_lines(tmp_path, [with_players(hand, "1", "ann", "ben", "dan"), other])
    assert Player.objects.count() == 4
    assert Alias.objects.count() == 6
    assert {("a", "ann", "ann"), ("b", "ann", "ann")} <= aliases()


def test_a_known_identity_is_that_player_under_any_name(hand: dict, tmp_path: Path) -> None:
    import_lines(tmp_path, [with_players(hand, "1", "ann", "ben", "cat")])
    identity = str(Alias.objects.get(name="ann").uuid)
    import_lines(tmp_path, [with_players(hand, "2", ("Annabel", identity.upper()), "ben", "cat", source="b")])
    assert not Alias.objects.filter(name="Annabel").exists()
    assert SeatResult.objects.filter(player__name="ann").count() == 2


def test_an_unknown_identity_is_kept(hand: dict, tmp_path: Path) -> None:
    identity = str(uuid.uuid4())
    import_lines(tmp_path, [with_players(hand, "1", ("ann", identity), "ben", "cat")])
    assert str(Alias.objects.get(name="ann").uuid) == identity


def test_an_unknown_identity_under_a_known_name_is_that_name(hand: dict, tmp_path: Path) -> None:
    import_lines(tmp_path, [with_players(hand, "1", "ann", "ben", "cat")])
    again = with_players(hand, "1", ("ann", str(uuid.uuid4())), "ben", "cat")
    assert import_lines(tmp_path, [again]).counts == (0, 1, 0, 0)


def test_a_hand_by_names_and_the_same_by_identities_are_one(hand: dict, tmp_path: Path) -> None:
    one = with_players(hand, "1", "ann", "ben", "cat")
    import_lines(tmp_path, [one])
    ids = {alias.name: str(alias.uuid) for alias in Alias.objects.all()}
    known = with_players(hand, "1", *[(f"renamed {name}", ids[name]) for name in ("ann", "ben", "cat")])
    assert import_lines(tmp_path, [known]).counts == (0, 1, 0, 0)


def test_two_names_of_one_player_cannot_sit_at_one_table(hand: dict, tmp_path: Path) -> None:
    import_lines(tmp_path, [with_players(hand, "1", "ann", "anna", "cat")])
    Alias.objects.filter(name="anna").update(player=Player.objects.get(name="ann"))
    imported = import_lines(tmp_path, [with_players(hand, "2", "ann", "anna", "cat")])
    assert [one["code"] for one in imported.refused] == ["player-twice"]


def test_a_merged_alias_brings_its_hands_to_its_player(hand: dict, tmp_path: Path) -> None:
    import_lines(tmp_path, [with_players(hand, "1", "ann", "ben", "cat")])
    Alias.objects.filter(name="cat").update(player=Player.objects.get(name="ann"))
    import_lines(tmp_path, [with_players(hand, "2", "dan", "ben", "cat")])
    assert SeatResult.objects.get(key="2", alias__name="cat").player.name == "ann"


def test_refused_hands_leave_nobody_behind(hand: dict, tmp_path: Path) -> None:
    bad = with_players(hand, "1", "ann", "ben", "cat") | {"actions": hand["actions"][:-1]}
    assert import_lines(tmp_path, [bad]).counts == (0, 0, 0, 1)
    counts = row_counts()
    assert set(counts.values()) == {0}, counts
    assert not RuleSetRecord.objects.exists()


def test_tournaments_get_their_names(hand: dict, tmp_path: Path) -> None:
    first = hand | {"hand": "1", "tournament": "thu-48"}
    named = hand | {"hand": "2", "tournament": "thu-48", "tournament_name": "Thursday"}
    other = hand | {"hand": "3", "tournament": "fri-1", "tournament_name": "Friday"}
    import_lines(tmp_path, [first])
    import_lines(tmp_path, [named, other])
    assert dict(Tournament.objects.values_list("code", "name")) == {"thu-48": "Thursday", "fri-1": "Friday"}


# --- Files ------------------------------------------------------------------------------------------------


def test_packed_files_marks_blank_lines_and_other_line_ends(tmp_path: Path) -> None:
    lines = [line_of(hand) for hand in sample_hands(4)]
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(b"\n".join(lines[:2])))
    plain = tmp_path / "plain.ndjson"
    plain.write_bytes(b"\xef\xbb\xbf" + lines[2] + b"\r\n\r\n  \r\n" + lines[3])
    output = io.StringIO()
    call_command(
        "import_hands", str(packed), str(plain), club="home", json=True, report=tmp_path / "r", stdout=output
    )
    assert json.loads(output.getvalue())["stored"] == 4


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"\n".join(line_of(hand) for hand in sample_hands(3))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(text))))
    assert import_file("-", report=tmp_path / "r").counts == (3, 0, 0, 0)


def test_a_packed_file_that_breaks_off(tmp_path: Path) -> None:
    packed = gzip.compress(b"\n".join(line_of(hand) for hand in sample_hands(20)))
    file = tmp_path / "hands.gz"
    file.write_bytes(packed[: len(packed) // 2])
    imported = import_file(file)
    assert imported.status == 1
    assert [one["code"] for one in imported.refused[-1:]] == ["file-broken"]
    assert imported.summary["stored"] > 0


def test_a_missing_club_is_made_and_an_old_one_left_alone(tmp_path: Path) -> None:
    file = file_of(tmp_path, sample_hands(1))
    import_file(file, "new", public=True)
    assert Club.objects.get(slug="new").public
    Club.objects.create(slug="old", name="Old")
    import_file(file, "old", public=True)
    assert not Club.objects.get(slug="old").public


def test_what_cannot_be_imported_at_all_is_said_before_anything_is_stored(tmp_path: Path) -> None:
    file = file_of(tmp_path, sample_hands(1))
    for arguments in (
        [str(tmp_path / "missing")],
        [str(tmp_path)],
        [str(file), "--report", str(file)],
        [str(file), "--report", str(tmp_path / "no" / "such" / "folder")],
    ):
        with pytest.raises(CommandError):
            call_command("import_hands", *arguments, club="home")
    with pytest.raises(CommandError):
        call_command("import_hands", str(file), club="no slug!")
    assert not Club.objects.exists()


def test_the_summary_is_the_last_line(tmp_path: Path) -> None:
    output = io.StringIO()
    hands = sample_hands(2)
    hands[0]["claimed"][str(hands[0]["seats"][0]["seat"])]["points"] += 1
    file = file_of(tmp_path, [*hands, b"{"])
    with pytest.raises(SystemExit):
        call_command("import_hands", str(file), club="home", report=tmp_path / "report", stdout=output)
    first, *_, report, last = output.getvalue().splitlines()
    assert "points: claimed" in first
    assert str(tmp_path / "report") in report
    assert last.startswith("received 3 = stored 2 + duplicate 0 + conflict 0 + invalid 1; differences 1")


# --- Large files ------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_large_file_is_prepared_by_other_processes_with_the_same_outcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workers, "ready", True)  # or this process would do it all while they start
    hands = many_hands(1100)
    lines = [*hands[:500], b"junk", *hands[500:], hands[3], hands[4] | {"table": "loft"}]
    imported = import_lines(tmp_path, lines)
    assert (imported.status, imported.counts) == (1, (1100, 1, 1, 1))
    assert [one["line"] for one in imported.refused] == [501, 1103]
    assert_whole()
    large = copy_of()
    for start in range(0, 1100, 300):
        import_lines(tmp_path, hands[start : start + 300], "parts")
    assert results("parts") == large["seats"]


def test_an_import_inside_a_transaction_goes_with_it(tmp_path: Path) -> None:
    with transaction.atomic():
        import_lines(tmp_path, sample_hands(3))
        transaction.set_rollback(True)
    assert set(row_counts().values()) == {0}


@pytest.mark.django_db(transaction=True)
def test_the_command_as_a_process(tmp_path: Path) -> None:
    process = start_import(file_of(tmp_path, sample_hands(3)), tmp_path)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert json.loads(output.splitlines()[-1])["stored"] == 3
