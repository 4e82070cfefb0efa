"""Amounts of chips: integers of 1/10,000, so that sums are exact on every database."""

import re
from functools import lru_cache

from scoring.domain.errors import Problem

#: One chip in units.
UNIT = 10_000
#: The largest amount that is read, in units; sums over thousands of hands still fit 64 bits.
LARGEST = 10**14
_DECIMALS = 4
_WRITTEN = re.compile(r"(-?)([0-9]{1,40})(?:\.([0-9]{1,40}))?")


def parse_amount(value: object, path: str, *, signed: bool = False) -> int | Problem:
    """Units of a decimal string or an integer of chips; `signed` amounts may be negative.

    Floats are refused: `0.1` read as binary is another amount than the one that was written.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        return Problem("bad-amount", path, _NOT_AN_AMOUNT, value, _EXPECTED)
    units = _units(value, signed)
    return units.under(path) if isinstance(units, Problem) else units


_NOT_AN_AMOUNT = "An amount is a decimal string or an integer."
_EXPECTED = 'a decimal string such as "12.5", or an integer'


@lru_cache(maxsize=4096)
def _units(value: int | str, signed: bool) -> int | Problem:
    units = value * UNIT if isinstance(value, int) else _of_text(value)
    if isinstance(units, Problem):
        return units
    if abs(units) > LARGEST:
        found = value if isinstance(value, str) else None
        return Problem("amount-too-large", "", "The amount is too large.", found, format_amount(LARGEST))
    if units < 0 and not signed:
        return Problem("amount-negative", "", "The amount is negative.", value, "0 or more")
    return units


def _of_text(text: str) -> int | Problem:
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return Problem("bad-amount", "", _NOT_AN_AMOUNT, text[:60], _EXPECTED)
    sign, whole, fraction = match.groups(default="")
    if len(fraction) > _DECIMALS:
        return Problem(
            "amount-precision", "", "An amount has at most 4 decimals.", text, "at most 4 decimals"
        )
    units = int(whole) * UNIT + int(fraction.ljust(_DECIMALS, "0"))
    return -units if sign else units


def format_amount(units: int) -> str:
    """The amount as written: `-12.5`, without trailing zeros."""
    whole, rest = divmod(abs(units), UNIT)
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}" + (f".{rest:04d}".rstrip("0") if rest else "")
