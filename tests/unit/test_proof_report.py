"""The report of `make prove` from what pytest writes."""

from datetime import UTC, datetime

import pytest

from tests import proof_report
from tests.proof_report import outcomes_of, report

JUNIT = """<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="tests.guarantees.test_01_versions" name="test_writers_of_one_stream" time="2.5">
<properties><property name="WRITERS" value="16"/></properties></testcase>
<testcase classname="tests.guarantees.test_01_versions" name="test_cells[a]" time="0.1"/>
<testcase classname="tests.guarantees.test_01_versions" name="test_cells[b]" time="0.2">
<failure message="assert 1 == 2&#10;more">trace</failure></testcase>
<testcase classname="tests.guarantees.test_00_seeded_bugs" name="test_noticed" time="0.0">
<skipped message="one writer | at a time"/></testcase>
</testsuite></testsuites>"""


def test_every_outcome_stands_under_its_promise_with_its_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_report, "_server", lambda url: "PostgreSQL 15.1")
    outcomes = list(outcomes_of("SQLite", JUNIT))
    assert [outcome.result for outcome in outcomes] == ["passed", "passed", "FAILED", "skipped"]
    text = "\n".join(report(outcomes, datetime(2026, 11, 29, 20, 5, tzinfo=UTC), "", ["-k", "x"]))
    assert '2026-11-29 20:05 UTC, `make prove ARGS="-k x"`' in text
    assert "| SQLite | 2 | 1 | 1 | 0.0 |" in text
    assert text.index("## Promises broken on purpose") < text.index("## 1. Versions of a stream")
    assert "`test_01_versions.py` at WRITERS 16" in text
    assert "| writers of one stream | passed, 2.5 s | not run |" in text
    assert "| cells | 1 passed, 1 FAILED, 0.3 s — assert 1 == 2 | not run |" in text
    assert "| noticed | skipped — one writer \\| at a time | not run |" in text
