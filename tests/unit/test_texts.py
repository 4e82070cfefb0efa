"""Which names can be told from others by looking at them, by the standard's tables of characters."""

import json

import pytest

from scoring.domain.document import HandDocument
from scoring.domain.errors import Problem
from scoring.domain.interchange import read_hand

REFUSED = {
    "a right-to-left override, which turns amounts beside it round": "\u202eBo",
    "an isolate that is never closed": "Bo\u2067",
    "a line separator": "Bo\u2028Anna",
    "a control sequence of terminals": "\u009b31mBo",
    "a zero-width space alone": "\u200b",
    "spaces of several kinds": "\u00a0\u3000",
    "a byte-order mark alone": "\ufeff",
}
TAKEN = {
    "accents, composed": "Jos\u00e9",
    "accents, combining": "Jose\u0301",
    "Hebrew": "\u05d0\u05d1\u05d9",
    "Persian with a non-joiner": "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "a family of joined pictures": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "two hundred pictures": "\U0001f600" * 200,
}


def read(name: str, *, escaped: bool) -> HandDocument | Problem:
    hand = {
        "format": "ofc-hand/1",
        "source": "home",
        "hand": "1",
        "rules": "classic",
        "played_at": "2026-11-29T19:15:00Z",
        "button": 1,
        "seats": [{"seat": 1, "player": name}, {"seat": 2, "player": "Cy"}],
        "claimed": {"1": {"points": 5}, "2": {"points": -5}},
    }
    return read_hand(json.dumps(hand, ensure_ascii=escaped).encode())


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED.keys())
def test_a_name_that_hides_or_disguises_is_refused(name: str, escaped: bool) -> None:
    found = read(name, escaped=escaped)
    assert isinstance(found, Problem)
    assert (found.code, found.path) == ("bad-text", "seats[0].player")


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("name", TAKEN.values(), ids=TAKEN.keys())
def test_a_name_of_any_script_is_kept_as_it_is_written(name: str, escaped: bool) -> None:
    found = read(name, escaped=escaped)
    assert isinstance(found, HandDocument)
    assert found.seats[0].player == name
