"""`manage.py score` as its users meet it: a process with lines in and lines out, and no database."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hands import random_hands
from tests.shared import shared_file

ROOT = Path(__file__).resolve().parents[2]
NO_DATABASE = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}


def score(*arguments: str, lines: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
    """Exit status, the lines written and what was said on standard error."""
    done = subprocess.run(
        [sys.executable, "manage.py", "score", *arguments],
        input=lines,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **NO_DATABASE},
        timeout=120,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def test_every_line_has_its_result_in_order(tmp_path: Path) -> None:
    # More than one batch; batches are grouped by rule set inside, which must not be seen outside.
    hands = random_hands(11, 700)
    file = tmp_path / "hands.ndjson.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(hand) + "\n" for hand in hands).encode()))
    status, results, said = score(str(file))
    assert (status, said) == (0, "")
    assert [result["hand"] for result in results] == [hand["hand"] for hand in hands]
    for result in results:
        assert result["format"] == "ofc-result/1"
        assert sum(seat["points"] for seat in result["seats"]) == 0


def test_a_refused_line_says_why_and_the_rest_goes_on() -> None:
    first, second = random_hands(12, 2, ["classic"])
    bad = {**first, "stake": "-1"}
    lines = [json.dumps(first), "", "nonsense", json.dumps(bad), "   ", json.dumps(second)]
    status, results, said = score(lines="\n".join(lines).encode())
    assert (status, said) == (1, "")
    assert [result.get("hand") for result in results] == ["0", None, None, "1"]
    assert [result.get("line") for result in results] == [None, 3, 4, None]
    assert results[1]["error"]["code"] == "broken-json"
    assert results[2]["error"] == {
        "code": "amount-negative",
        "path": "stake",
        "message": "The amount is negative.",
        "found": "-1",
        "expected": "0 or more",
    }


def test_nothing_in_is_nothing_out() -> None:
    assert score(lines=b"\n\n") == (0, [], "")


def test_binary_junk_and_long_lines_are_lines_that_are_refused() -> None:
    hand = json.dumps(random_hands(14, 1)[0]).encode()
    junk = bytes(byte for byte in range(256) if byte not in b"\r\n")
    status, results, _ = score("-", lines=b"\n".join([junk, b"x" * (10 << 20), hand]))
    assert status == 1
    assert [result.get("error", {}).get("code") for result in results] == ["not-utf8", "line-too-long", None]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    status, results, said = score(str(tmp_path / "nothing"))
    assert (status, results) == (1, [])
    assert "nothing" in said


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "hands.ndjson"
    file.write_text("".join(json.dumps(hand) + "\n" for hand in random_hands(16, 1500, ["pineapple"])))
    command = f"{sys.executable} manage.py score {file} | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, cwd=ROOT, env={**os.environ, **NO_DATABASE}, check=False
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.parametrize("name", ["vectors.ndjson"])
def test_the_handed_vectors_through_the_command(name: str, tmp_path: Path) -> None:
    cases = [json.loads(line) for line in shared_file(name).read_text().splitlines()]
    file = tmp_path / "hands.ndjson"
    file.write_text("".join(json.dumps(case["hand"]) + "\n" for case in cases))
    status, results, _ = score(str(file))
    assert status == 0
    for case, result in zip(cases, results, strict=True):
        for group in ("seats", "pairs"):
            for expected, scored in zip(case["expected"][group], result[group], strict=True):
                assert {key: scored[key] for key in expected} == expected, case["hand"]["hand"]
