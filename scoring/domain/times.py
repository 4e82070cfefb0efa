"""Times as integers: microseconds since 1970 UTC, in the years that a store and a file can hold."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def microseconds_of(moment: datetime) -> int:
    """Microseconds of a time with an offset."""
    return (moment - _EPOCH) // _MICROSECOND


#: The first microsecond that is a time here, and the first that is one no longer.
EARLIEST: Final = microseconds_of(datetime(1900, 1, 1, tzinfo=UTC))
LATEST: Final = microseconds_of(datetime(2200, 1, 1, tzinfo=UTC))


def is_time(microseconds: object) -> bool:
    """Whether a value is a number that lies in the years 1900 to 2199."""
    return isinstance(microseconds, int) and EARLIEST <= microseconds < LATEST


def format_time(microseconds: int) -> str:
    """RFC 3339 in UTC; fractions of a second only where there are any."""
    moment = _EPOCH + timedelta(microseconds=microseconds)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{moment.microsecond:06d}".rstrip("0") if moment.microsecond else "") + "Z"
