"""When and where a circle plays: Thursdays and Sundays at two tables, each evening a tournament.

What is played on a date at a table depends on the seed, the circle and the date alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from scoring.domain.amounts import UNIT
from scoring.domain.rulesets import PRESETS, RuleSet
from scoring.simulator.chance import key_of
from scoring.simulator.people import Person, among, circle

#: Where the circles play. Evenings go on past midnight.
TIME_ZONE: Final = "Europe/Copenhagen"
#: No evening is later.
LAST_DAY: Final = date(2026, 11, 26)
#: Hands of one circle beyond which another one is begun: about four years of evenings.
HANDS_OF_A_CIRCLE: Final = 24_000

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_THURSDAY, _SUNDAY = 3, 6
_BEGIN: Final = {_THURSDAY: time(19, 30), _SUNDAY: time(17, 0)}
_NAMES: Final = {_THURSDAY: "Thursday", _SUNDAY: "Sunday"}
#: What is played in turn, week by week: by weekday and table.
_RULES: Final = {
    (_THURSDAY, 0): ("progressive",),
    (_THURSDAY, 1): ("pineapple", "set-progressive", "pineapple", "classic"),
    (_SUNDAY, 0): ("round-progressive", "set-progressive"),
    (_SUNDAY, 1): ("pineapple", "progressive", "classic", "round-progressive"),
}
#: Points are worth as much, in chips.
_STAKES: Final = {
    (_THURSDAY, 0): (UNIT, 2 * UNIT),
    (_THURSDAY, 1): (UNIT // 4, UNIT // 2),
    (_SUNDAY, 0): (5 * UNIT, 2 * UNIT),
    (_SUNDAY, 1): (UNIT, UNIT // 2, 2 * UNIT),
}


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening at one table."""

    key: int  # all chance of the evening comes from it
    code: str  # "2026-06-04-T1": the date and the table
    weekday: str
    table: str
    rules: RuleSet
    stake: int  # units a point
    begins: int  # microseconds since 1970 UTC
    people: tuple[Person, ...]  # who comes, in the order in which they take a seat
    hands: int  # after so many the set is played to its end, and that is all


def evenings(seed: int, number: int, hands: int) -> Iterator[Evening]:
    """The evenings of a circle, in order of time, that hold at least so many hands and end by LAST_DAY."""
    day, days = LAST_DAY, []
    while hands > 0:
        if day.weekday() in _BEGIN:
            days.append(day)
            hands -= sum(evening.hands for evening in _of_day(seed, number, day))
        day -= timedelta(days=1)
    for day in reversed(days):
        yield from _of_day(seed, number, day)


def _of_day(seed: int, number: int, day: date) -> list[Evening]:
    """The two tables of a day. Five to eight come; those who find no seat wait for the end of a set."""
    key = key_of("evening", seed, number, day)
    came = among(circle(number), 5 + key % 4, key)
    split = (len(came) + 1) // 2
    return [
        _evening(seed, number, day, place, people)
        for place, people in enumerate((came[:split], came[split:]))
    ]


def _evening(seed: int, number: int, day: date, place: int, people: list[Person]) -> Evening:
    weekday, week = day.weekday(), day.toordinal() // 7
    table = f"T{2 * number + place + 1}"
    key = key_of("table", seed, day, table)
    rules, stakes = _RULES[weekday, place], _STAKES[weekday, place]
    begins = datetime.combine(day, _BEGIN[weekday], ZoneInfo(TIME_ZONE)) + timedelta(seconds=key % 900)
    return Evening(
        key=key,
        code=f"{day}-{table}",
        weekday=_NAMES[weekday],
        table=table,
        rules=PRESETS[rules[week % len(rules)]],
        stake=stakes[week % len(stakes)],
        begins=(begins - _EPOCH) // timedelta(microseconds=1),
        people=tuple(people),
        hands=22 + key // 900 % 12,
    )
