"""Which club day an instant belongs to."""

from datetime import UTC, date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from ofc_hub.clubs.models import Club

MICROSECOND = 1_000_000
HOUR = 3600
DAY = 86_400
EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
# Offsets of time zones change on quarters of an hour, so within one they are looked up once.
QUARTER = 900


class ClubCalendar:
    """The days of one club, fast enough for bulk loads: offsets are looked up once for each quarter hour."""

    def __init__(self, time_zone: str, day_start: int) -> None:
        self._zone = ZoneInfo(time_zone)
        self._day_start = day_start * HOUR
        self._days: dict[int, date] = {}

    def day_of(self, instant: int) -> date:
        """The day of `instant` (microseconds since the epoch)."""
        quarter = instant // (MICROSECOND * QUARTER)
        day = self._days.get(quarter)
        if day is None:
            day = self._days[quarter] = self._look_up(quarter * QUARTER)
        return day

    def _look_up(self, seconds: int) -> date:
        offset = datetime.fromtimestamp(seconds, UTC).astimezone(self._zone).utcoffset()
        assert offset is not None
        local = seconds + int(offset.total_seconds()) - self._day_start
        return date.fromordinal(EPOCH_ORDINAL + local // DAY)


@lru_cache(maxsize=64)
def _calendar(time_zone: str, day_start: int) -> ClubCalendar:
    return ClubCalendar(time_zone, day_start)


def calendar_of(club: Club) -> ClubCalendar:
    return _calendar(club.time_zone, club.day_start)


def instant_of(moment: datetime) -> int:
    """Microseconds since the epoch of an aware datetime, without floating point."""
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * DAY + since.seconds) * MICROSECOND + since.microseconds


def moment_of(instant: int) -> datetime:
    """The UTC datetime of microseconds since the epoch."""
    seconds, microseconds = divmod(instant, MICROSECOND)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=microseconds)
