"""Numbers as pages write them: a sign on every gain and loss, thin spaces for thousands.

The decimal sign is that of the reader's language; a thin space is read as thousands in every one of them.
"""

from django.utils.formats import get_format

from scoring.domain.amounts import format_amount

THIN_SPACE = "\u202f"
MINUS = "\u2212"
NOTHING = "–"


def _grouped(digits: str) -> str:
    whole, point, fraction = digits.partition(".")
    return f"{int(whole):,}".replace(",", THIN_SPACE) + (decimal_sign() if point else "") + fraction


def decimal_sign() -> str:
    return str(get_format("DECIMAL_SEPARATOR"))


def number_text(value: float | int | None, decimals: int = 0) -> str:
    """A number without a plus sign, with a true minus: `−1 234.5`."""
    if value is None:
        return NOTHING
    text = _grouped(f"{abs(value):.{decimals}f}")
    return MINUS + text if value < 0 and any(digit in "123456789" for digit in text) else text


def signed_text(value: float | int | None, decimals: int = 0) -> str:
    """A gain or a loss, always with its sign; zero has none."""
    text = number_text(value, decimals)
    positive = value is not None and value > 0 and any(digit in "123456789" for digit in text)
    return f"+{text}" if positive else text


def amount_text(units: int | None, signed: bool = False) -> str:
    """An amount of 1/10,000 units as chips, with as many decimals as it has."""
    if units is None:
        return NOTHING
    text = _grouped(format_amount(abs(units)))
    return (MINUS if units < 0 else "+" if signed and units > 0 else "") + text


def tone_of(value: float | int | None) -> str:
    """The class that colours a gain or a loss; the sign says the same without colour."""
    if not value:
        return ""
    return "gain" if value > 0 else "loss"
