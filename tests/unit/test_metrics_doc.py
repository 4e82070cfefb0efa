"""The page about statistics says what the declarations say."""

from pathlib import Path

import pytest

from analytics.metrics import STATISTICS, Statistic

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda statistic: statistic.code)
def test_the_page_has_the_declaration(statistic: Statistic) -> None:
    kinds = ", ".join(statistic.kinds)
    interval = "t" if statistic.squares else "Wilson" if statistic.independent else ""
    line = f"| `{statistic.code}` | {statistic.definition} | {statistic.unit} | {kinds} | {statistic.needs} |"
    assert f"{line} {interval} |" in PAGE.read_text()


def test_the_page_has_no_statistic_that_is_not_declared() -> None:
    assert PAGE.read_text().count("\n| `") == len(STATISTICS)
