"""Amounts: read exactly, refused with the right code, written in one form."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.amounts import LARGEST, format_amount, parse_amount
from scoring.domain.errors import Problem


@pytest.mark.parametrize(
    ("written", "units"),
    [
        ("1", 10_000),
        (1, 10_000),
        ("0", 0),
        ("0.0001", 1),
        ("12.5", 125_000),
        ("12.5000", 125_000),
        ("007", 70_000),
        ("10000000000", LARGEST),
    ],
)
def test_amounts_are_read_by_value(written: Any, units: int) -> None:
    assert parse_amount(written, "stake") == units


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (0.5, "bad-amount"),
        (True, "bad-amount"),
        (None, "bad-amount"),
        ([1], "bad-amount"),
        ("", "bad-amount"),
        ("1e3", "bad-amount"),
        ("NaN", "bad-amount"),
        ("1.", "bad-amount"),
        (".5", "bad-amount"),
        ("+1", "bad-amount"),
        (" 1", "bad-amount"),
        ("1,5", "bad-amount"),
        ("١", "bad-amount"),
        ("1.00001", "amount-precision"),
        ("-1", "amount-negative"),
        (-1, "amount-negative"),
        ("10000000000.0001", "amount-too-large"),
        (10**30, "amount-too-large"),
    ],
)
def test_other_amounts_are_refused(written: Any, code: str) -> None:
    problem = parse_amount(written, "seats[0].stack")
    assert isinstance(problem, Problem)
    assert (problem.code, problem.path) == (code, "seats[0].stack")


def test_a_signed_amount_may_be_negative() -> None:
    assert parse_amount("-12.5", "chips", signed=True) == -125_000
    assert parse_amount("-0", "chips", signed=True) == 0


@given(st.integers(-LARGEST, LARGEST))
def test_what_is_written_is_read_back(units: int) -> None:
    text = format_amount(units)
    assert parse_amount(text, "", signed=True) == units
    assert "." not in text or text[-1] not in "0."


def test_amounts_are_written_without_trailing_zeros() -> None:
    assert [format_amount(units) for units in (0, -125_000, 1, 2_000_000)] == ["0", "-12.5", "0.0001", "200"]
