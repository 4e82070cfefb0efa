"""Result rows against what an independent scorer says of the same hands, and their own sums."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from django.apps import apps
from django.db import connection

from ofc_hub.clubs.days import moment_of
from ofc_hub.hands import projection
from ofc_hub.hands.models import Event, Hand, Stream
from scoring.domain.amounts import format_amount
from scoring.domain.errors import Problem
from scoring.domain.hand import HandState, Ruling
from scoring.domain.interchange import read_hand
from scoring.domain.recording import play
from scoring.domain.scored import HandScore, score_hand
from scoring.models import HandResult, PairResult, SeatResult
from scoring.projector import (
    HAND_COLUMNS,
    PAIR_COLUMNS,
    SEAT_COLUMNS,
    NotZeroError,
    Place,
    ResultRows,
    result_rows,
)
from tests.golden.test_vectors import own_vectors


class Sitting(NamedTuple):
    alias_id: int
    player_id: int


def scored(hand: dict[str, Any]) -> tuple[HandState, HandScore]:
    document = read_hand(msgspec.json.encode(hand))
    assert not isinstance(document, Problem), document
    played = play(document)
    assert not isinstance(played, Problem), played
    score = score_hand(played[1])
    assert isinstance(score, HandScore), score
    return played[1], score


def rows_of(state: HandState, score: HandScore) -> ResultRows:
    """The rows of a hand whose seat n is alias 100 + n of player 200 + n."""
    moment = moment_of(state.start.played_at)
    people = {one.seat: Sitting(100 + one.seat, 200 + one.seat) for one in state.start.seats}
    return result_rows(Place(1, 9, moment, moment.date()), state, score, people)


def named(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in rows]


def chips(units: int | None) -> str | None:
    return None if units is None else format_amount(units)


@pytest.mark.parametrize("vector", own_vectors(), ids=lambda vector: vector["hand"]["hand"])
def test_rows_say_what_the_vector_says(vector: dict[str, Any]) -> None:
    hand, expected = vector["hand"], vector["expected"]
    rows = rows_of(*scored(hand))
    seats, pairs = named(SEAT_COLUMNS, rows.seats), named(PAIR_COLUMNS, rows.pairs)
    assert [
        {
            "seat": row["seat"],
            "foul": row["foul"],
            "royalties": {name: row[f"royalties_{name}"] for name in ("top", "middle", "bottom")},
            "points": row["points"],
            "chips": chips(row["chips"]),
            "next_fantasyland": row["next_fantasyland"],
        }
        for row in seats
    ] == expected["seats"]
    assert [
        {
            **{name: row[name] for name in ("a", "b", "bonus", "royalties", "moon", "points")},
            "rows": [row["row_top"], row["row_middle"], row["row_bottom"]],
            "chips": chips(row["chips"]),
        }
        for row in pairs
    ] == expected["pairs"]
    check_counts(hand, expected, seats)
    check_people(hand, seats, pairs)


def check_counts(hand: dict[str, Any], expected: dict[str, Any], seats: list[dict[str, Any]]) -> None:
    """Rows and scoops of each seat, counted over the expected pairs."""
    foul = {seat["seat"]: seat["foul"] for seat in expected["seats"]}
    for row in seats:
        faced = list(faced_by(row["seat"], expected["pairs"]))
        both_foul = [opponent for opponent, _ in faced if foul[opponent] and foul[row["seat"]]]
        compared = [(opponent, rows) for opponent, rows in faced if opponent not in both_foul]
        counts = [sum(rows.count(sign) for _, rows in compared) for sign in (1, 0, -1)]
        assert [row["rows_won"], row["rows_tied"], row["rows_lost"]] == counts
        assert row["scoops_legal"] == sum(rows == [1, 1, 1] and not foul[other] for other, rows in compared)
        assert row["scoops_foul"] == sum(rows == [1, 1, 1] and foul[other] for other, rows in compared)
        lost = sum(rows == [-1, -1, -1] for _, rows in compared)
        assert row["scooped_foul" if foul[row["seat"]] else "scooped_legal"] == lost
        assert row["scooped_legal" if foul[row["seat"]] else "scooped_foul"] == 0
        assert row["dead"] == (row["seat"] in hand.get("dead", []))


def faced_by(seat: int, pairs: list[dict[str, Any]]) -> Iterator[tuple[int, list[int]]]:
    for pair in pairs:
        if pair["a"] == seat:
            yield pair["b"], pair["rows"]
        elif pair["b"] == seat:
            yield pair["a"], [-sign for sign in pair["rows"]]


def check_people(hand: dict[str, Any], seats: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> None:
    numbers = sorted(seat["seat"] for seat in hand["seats"])
    left_first = sorted(numbers, key=lambda number: (number <= hand["button"], number))
    for row in seats:
        assert (row["alias_id"], row["player_id"]) == (100 + row["seat"], 200 + row["seat"])
        assert (left_first[row["place"] - 1], row["seats"]) == (row["seat"], len(numbers))
    assert all((row["player_a_id"], row["player_b_id"]) == (200 + row["a"], 200 + row["b"]) for row in pairs)


RESULT_ONLY = {
    "format": "ofc-hand/1",
    "source": "s",
    "hand": "r",
    "rules": "pineapple",
    "played_at": "2026-11-29T19:15:00Z",
    "button": 2,
    "seats": [{"seat": 1, "player": "a"}, {"seat": 2, "player": "b"}],
    "claimed": {"1": {"points": 4}, "2": {"points": -4}},
}


def test_a_result_alone_has_points_and_no_rows() -> None:
    rows = rows_of(*scored(RESULT_ONLY))
    one, two = named(SEAT_COLUMNS, rows.seats)
    assert (one["points"], two["points"], one["chips"]) == (4, -4, None)
    unknown = [
        name
        for name in SEAT_COLUMNS
        if name.startswith(("royalties", "rows", "scoop", "strength", "opening"))
    ]
    assert len(unknown) == 14
    assert {one[name] for name in unknown} == {None}
    assert one["completeness"] == "result"
    [pair] = named(PAIR_COLUMNS, rows.pairs)
    assert (pair["points"], pair["row_top"], pair["bonus"], pair["royalties"]) == (4, None, None, None)


def test_differences_are_kept_as_json() -> None:
    hand = own_vectors()[0]["hand"]
    points = own_vectors()[0]["expected"]["seats"][0]["points"]
    rows = rows_of(*scored({**hand, "claimed": {"1": {"points": points + 1}}}))
    differences = named(HAND_COLUMNS[:-1], [rows.hand])[0]["differences"]
    assert json.loads(json.dumps(differences)) == [
        {"seat": 1, "what": "points", "claimed": points + 1, "scored": points}
    ]


@pytest.mark.parametrize("what", ["points", "chips"])
def test_a_score_that_does_not_sum_to_zero_is_never_written(what: str) -> None:
    state, score = scored(own_vectors()[0]["hand"])
    first = score.seats[0]._replace(**{what: 1 + (getattr(score.seats[0], what) or 0)})
    with pytest.raises(NotZeroError, match=what):
        rows_of(state, score._replace(seats=(first, *score.seats[1:])))


def test_rulings_sum_to_zero_unless_they_go_to_the_house() -> None:
    state, score = scored(own_vectors()[0]["hand"])
    seat = state.start.seats[0].seat
    state.rulings.append(Ruling(2, seat, -3, 0, True))
    assert named(SEAT_COLUMNS, rows_of(state, score).seats)[0]["ruled_points"] == -3
    state.rulings.append(Ruling(3, seat, 1, 0, False))
    with pytest.raises(NotZeroError, match="ruled points"):
        rows_of(state, score)


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (HandResult, HAND_COLUMNS),
        (SeatResult, SEAT_COLUMNS),
        (PairResult, PAIR_COLUMNS),
        (Hand, projection.HAND_COLUMNS),
    ],
)
def test_the_columns_are_the_tables(model: type[Any], columns: tuple[str, ...]) -> None:
    assert sorted(columns) == sorted(field.attname for field in model._meta.concrete_fields)


# --- The tables ------------------------------------------------------------------------------------------


def foreign_keys(table: str) -> set[str]:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, table)
    return {one["columns"][0] for one in constraints.values() if one["foreign_key"]}


@pytest.mark.django_db
def test_foreign_keys_are_constraints_on_the_log_and_not_on_results() -> None:
    assert foreign_keys("hands_event") == {"stream_id"}
    assert foreign_keys("hands_stream") == {"club_id"}
    assert foreign_keys("hands_hand") == {"stream_id"}
    for model in apps.get_app_config("scoring").get_models():
        assert foreign_keys(model._meta.db_table) == set()


def test_amounts_and_positions_are_eight_bytes() -> None:
    wide = [(Event, "position"), (Hand, "stake"), (SeatResult, "chips"), (SeatResult, "stake")]
    wide += [(PairResult, "chips"), (SeatResult, "ruled_chips"), (HandResult, "position")]
    assert {model._meta.get_field(name).get_internal_type() for model, name in wide} == {"BigIntegerField"}
    assert Stream._meta.pk.get_internal_type() == "BigAutoField"
