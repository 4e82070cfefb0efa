"""The page about statistics says what the declarations say."""

from pathlib import Path

import pytest

from analytics.details import EVERY
from analytics.metrics import Form, Statistic

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


@pytest.mark.parametrize("statistic", EVERY.values(), ids=lambda statistic: statistic.code)
def test_the_page_has_the_declaration(statistic: Statistic) -> None:
    kinds = ", ".join(statistic.kinds)
    interval = "" if statistic.form is Form.COUNT else "Wilson" if statistic.independent else "clusters"
    line = f"| `{statistic.code}` | {statistic.definition} | {statistic.unit} | {kinds} | {statistic.needs} |"
    assert f"{line} {interval} |" in PAGE.read_text()


def test_the_page_has_no_statistic_that_is_not_declared() -> None:
    assert PAGE.read_text().count("\n| `") == len(EVERY)
