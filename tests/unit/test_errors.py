"""Problems as values, and the list of codes that other programs rely on."""

import re
from pathlib import Path

import pytest

from scoring.domain.errors import CODES, Problem, joined

ROOT = Path(__file__).resolve().parents[2]
MADE = re.compile(r'(?:Problem|_bad|_at|_conflict|_refusal)\(\s*(?:event, )?"([a-z]+(?:-[a-z]+)+)"')


@pytest.mark.parametrize(
    ("prefix", "path", "whole"),
    [
        ("", "stack", "stack"),
        ("seats[1]", "", "seats[1]"),
        ("seats[1]", "stack", "seats[1].stack"),
        ("extra", "[3].a", "extra[3].a"),
    ],
)
def test_paths_join_as_json_paths(prefix: str, path: str, whole: str) -> None:
    assert joined(prefix, path) == whole
    assert Problem("bad-amount", path, "No.").under(prefix).path == whole


def test_a_problem_is_written_with_everything_it_knows() -> None:
    problem = Problem("row-full", "actions[3].cards", "Too many.", 4, 3)
    assert problem.as_dict() == {
        "code": "row-full",
        "path": "actions[3].cards",
        "message": "Too many.",
        "found": 4,
        "expected": 3,
    }


def test_every_code_is_stable_text_with_a_meaning() -> None:
    for code, meaning in CODES.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
        assert meaning.endswith(".")
        assert "\n" not in meaning


def test_no_problem_is_made_with_a_code_that_is_not_listed() -> None:
    sources = [*(ROOT / "scoring").rglob("*.py"), *(ROOT / "ofc_hub").rglob("*.py")]
    made = {code for source in sources for code in MADE.findall(source.read_text())}
    assert {"card-twice", "bad-option", "version-gap"} <= made, "the search finds what it should"
    assert made <= CODES.keys()
