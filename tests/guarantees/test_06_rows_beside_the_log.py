"""Promise 6, beside the log: facts, results, heads, rule sets and texts that are not what the events say."""

import json
import uuid
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, models

from ofc_hub.clubs.models import Alias, Club
from ofc_hub.hands.models import FreeText, Hand, RuleSetRecord, Stream
from scoring.domain.events import GENESIS
from scoring.models import Flag, HandResult, PairResult, SeatResult, Transfer
from tests.guarantees.tampered import ABROAD, assert_named, die, events, played_club
from tests.operating import execute, undone, verified
from tests.played import KEY
from tests.prove import scale

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]

ROWS = scale(2, 40)


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return played_club(tmp_path)


TABLES: tuple[type[models.Model], ...] = (Stream, Hand, HandResult, SeatResult, PairResult)
TEXT = "changed"


def flipped(value: Any, field: Any) -> Any:
    """Another value that the column takes."""
    if field.choices:
        return next(choice for choice, _ in field.choices if choice != value)
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.JSONField):
        return json.dumps([TEXT])
    if isinstance(field, models.BinaryField):
        return bytes(32)
    if isinstance(field, (models.DateTimeField, models.DateField)):
        assert isinstance(value, (datetime, date))
        return value + timedelta(days=1)
    if isinstance(field, models.CharField):
        return TEXT
    if isinstance(field, models.ForeignKey):
        return Club.objects.get(slug="away").pk if field.related_model is Club else ABROAD
    return (value or 0) + 9


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_every_column_of_a_row_beside_the_log(club: Club, model: type[models.Model]) -> None:
    rows = list(model._default_manager.filter(club=club).order_by("pk"))
    for field in model._meta.concrete_fields:
        if not field.primary_key and field.name not in {"pk", "id"}:
            for row in die().sample(rows, min(ROWS, len(rows))):
                flip(row, field)


def flip(row: models.Model, field: Any) -> None:
    """One column of one row gets another value, which must be found and named."""
    stream = Stream.objects.get(pk=row.pk[0] if isinstance(row.pk, tuple) else row.pk)
    where = {one.column: getattr(row, one.attname) for one in row._meta.pk_fields}
    same = " AND ".join(f"{key} = %s" for key in where)
    value = flipped(getattr(row, field.attname), field)
    with undone():
        edit = f'UPDATE {row._meta.db_table} SET "{field.column}" = %s WHERE {same}'
        assert execute(edit, [value, *where.values()]) == 1
        found = verified()
    assert found.status == 1, (row, field.column, value)
    if not isinstance(row, Stream):
        assert_named(found, stream)
        named = {line["column"] for line in found.lines}
        assert field.column in named or {"seat", "a", "b", "club_id"} & {field.column}, found.lines
    else:
        assert {"stream-differs", "club-differs"} & found.codes, found.lines


@pytest.mark.parametrize("model", [Hand, HandResult, SeatResult, PairResult])
def test_a_row_beside_the_log_is_dropped_or_belongs_to_nothing(club: Club, model: type[models.Model]) -> None:
    table, key = model._meta.db_table, "stream_id" if model is Hand else "hand_id"
    row = model._default_manager.filter(club=club).order_by("pk").first()
    stream = Stream.objects.get(pk=getattr(row, key))
    with undone():
        execute(f"DELETE FROM {table} WHERE {key} = %s", [stream.pk])
        found = verified()
        assert_named(found, stream)
        assert any(code.endswith("-missing") for code in found.codes)
    with undone():
        execute(f"UPDATE {table} SET {key} = %s WHERE {key} = %s", [ABROAD, stream.pk])
        found = verified()
        assert_named(found, stream)
        assert any(code.endswith("-unexpected") for code in found.codes)


def test_what_a_correction_left(club: Club) -> None:
    """Points -3 became -14, and the difference is due: 22 chips. A flag on a hand that nothing flags."""
    transfers = Transfer.objects.order_by("seat").values_list("hand__key", "seat", "chips")
    assert list(transfers) == [("T1-3", 1, -220_000), ("T1-3", 2, 220_000)]
    corrected = Stream.objects.get(key="T1-3")
    for edit in (
        "UPDATE scoring_transfer SET chips = chips + 1 WHERE seat = 1",
        "UPDATE scoring_transfer SET seat = 5 WHERE seat = 1",
        "DELETE FROM scoring_transfer",
        "UPDATE scoring_correction SET version = 10",
        "DELETE FROM scoring_correction",
    ):
        with undone():
            assert execute(edit)
            found = verified()
        assert found.codes == {"correction-differs"}, edit
        assert_named(found, corrected, events().filter(stream=corrected).last().position)
    with undone():
        other = Stream.objects.get(key=KEY.key)
        Flag.objects.create(hand_id=other.pk, club=club, what="button", seat=0, recorded=1, follows=2)
        assert_named(verified(), other)
    with undone():
        Flag.objects.create(hand_id=ABROAD, club=club, what="button", seat=0, recorded=1, follows=2)
        assert verified().codes == {"correction-unexpected"}


def test_the_head_of_the_log(club: Club) -> None:
    for column, change in (("position", 1), ("position", -1), ("recorded_at", 1), ("recorded_at", -1)):
        with undone():
            edit = f"UPDATE hands_loghead SET {column} = {column} + %s WHERE club_id = %s"
            assert execute(edit, [change, club.pk]) == 1
            [line] = verified().lines
        assert (line["code"], line["club"], line["column"]) == ("head-differs", "home", column)
        assert line["found"] - line["expected"] == change
    with undone():
        execute("DELETE FROM hands_loghead")
        assert verified().codes == {"head-missing"}


def test_a_stream_without_events(club: Club) -> None:
    with undone():
        Stream.objects.create(club=club, source="here", key="nothing", digest=GENESIS)
        assert verified().codes == {"stream-empty", "hand-broken", "hand-missing"}


def test_a_rule_set(club: Club) -> None:
    record_of_rules = RuleSetRecord.objects.filter(code="pineapple").first()
    data = json.dumps({**record_of_rules.data, "moon": 25})
    for edit, value in (("data", data), ("code", "classic")):
        with undone():
            assert execute(f"UPDATE hands_rulesetrecord SET {edit} = %s WHERE code = 'pineapple'", [value])
            found = verified()
        [line] = found.of("rule-set-differs")
        assert line["expected"] == record_of_rules.pk
    with undone():
        execute("DELETE FROM hands_rulesetrecord WHERE code = 'pineapple'")
        assert {line["found"] for line in verified().of("hand-broken")} == {"unknown-rules"}


def test_a_free_text(club: Club) -> None:
    texts = list(FreeText.objects.order_by("pk"))
    assert [text.text for text in texts] == ['{"dealer":"Zoë"}', "Bo called the floor."]
    for text in texts:
        for column, value, code in (
            ("text", "Bo did nothing.", "text-differs"),
            ("salt", "00", "text-differs"),
            ("version", 1, "text-unknown"),
            ("stream_id", ABROAD, "text-unknown"),
        ):
            with undone():
                edit = f"UPDATE hands_freetext SET {column} = %s WHERE stream_id = %s"
                assert execute(edit, [value, text.stream_id]) == 1
                assert verified().codes == {code}
        with undone():
            # What was erased is blank or gone, and that is no tampering.
            execute("UPDATE hands_freetext SET text = '', salt = '' WHERE stream_id = %s", [text.stream_id])
            assert verified().status == 0


def test_an_alias_that_events_name(club: Club) -> None:
    with undone():
        alias = Alias.objects.filter(club=club).order_by("pk").first()
        Alias.objects.filter(pk=alias.pk).update(uuid=uuid.uuid4())
        found = verified()
        assert {line["found"] for line in found.of("hand-broken")} == {"bad-event"}
        assert str(alias.uuid) in found.of("hand-broken")[0]["expected"]


def test_unreadable_rows_hide_no_other(club: Club) -> None:
    """Only a file without types holds such: the other hands are verified all the same."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's columns have types")
    seat = SeatResult.objects.order_by("pk").first()
    other = SeatResult.objects.order_by("pk").last()
    with undone():
        execute("UPDATE scoring_seatresult SET points = 'many' WHERE hand_id = %s", [seat.hand_id])
        execute("UPDATE scoring_seatresult SET points = points + 1 WHERE hand_id = %s", [other.hand_id])
        found = verified()
    assert "unreadable" in found.codes
    assert "seat-result-differs" in found.codes
    with undone():
        execute("PRAGMA ignore_check_constraints = ON")
        execute("UPDATE hands_event SET cards = x'ff' WHERE stream_id = %s AND version = 3", [seat.hand_id])
        execute("UPDATE hands_event SET data = '{' WHERE stream_id = %s AND version = 1", [other.hand_id])
        execute("PRAGMA ignore_check_constraints = OFF")
        found = verified()
    broken = Stream.objects.filter(pk__in=[seat.hand_id, other.hand_id])
    named = {line["stream"] for line in found.of("hand-broken")}
    assert named == {f"{one.source}/{one.key}" for one in broken}
