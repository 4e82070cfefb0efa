"""The public page of the formats says what the code does."""

import json
import re
from pathlib import Path

from scoring.domain.errors import CODES
from scoring.domain.events import KINDS
from scoring.domain.interchange import HandDocument, play, read_hand
from scoring.domain.settlement import WHY
from scoring.domain.wire import ActionLine, ClaimLine, HandLine, PairLine, SeatLine

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text()


def test_every_code_is_listed_with_its_meaning_in_order() -> None:
    table = PAGE.partition("| code | meaning |")[2]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", table, re.MULTILINE)
    assert rows == list(CODES.items())


def test_every_key_kind_and_reason_is_named() -> None:
    fields = [
        name
        for line in (HandLine, SeatLine, ActionLine, PairLine, ClaimLine)
        for name in line.__struct_fields__
    ]
    for name in (*fields, *KINDS, *filter(None, WHY)):
        assert f"`{name}`" in PAGE, name


def test_the_example_is_a_good_hand() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    document = read_hand(json.dumps(json.loads(example[1])).encode())
    assert isinstance(document, HandDocument), document
    assert isinstance(play(document), tuple), play(document)
