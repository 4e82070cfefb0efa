"""The hour of the club's clock at which each hand began."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np

from analytics.played import Array, PlayedHands
from ofc_hub.clubs.models import Club

# Offsets of time zones change on quarters of an hour, so within one they are looked up once.
QUARTER = 900


def hours_of(club: Club, hands: PlayedHands) -> Array:
    """0 to 23 for each board."""
    quarters = hands["started"] // QUARTER
    different, of = np.unique(quarters, return_inverse=True)
    zone = ZoneInfo(club.time_zone)
    hours = [datetime.fromtimestamp(int(one) * QUARTER, UTC).astimezone(zone).hour for one in different]
    return np.array(hours, dtype=np.int64)[of] if hours else quarters
