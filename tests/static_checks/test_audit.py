"""The judgement of the dependency audit: silence of a service is never taken for safety."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parent.parent.parent / ".ci" / "audit.py"
SAFE = {"name": "six", "version": "1.17.0", "vulns": []}
UNKNOWN = {"name": "rich", "skip_reason": "Dependency not found"}
FLAWED = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _report(*packages: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {"pypi": {"dependencies": list(packages)}}


@pytest.mark.parametrize(
    ("reports", "required", "status", "warned"),
    [
        (_report(SAFE), False, 0, False),
        (_report(SAFE, FLAWED), False, 1, False),
        (_report(SAFE, UNKNOWN), False, 0, True),
        (_report(SAFE, UNKNOWN), True, 1, True),
        (_report(UNKNOWN, FLAWED), False, 1, True),
        ({}, False, 0, True),
        ({}, True, 1, True),
    ],
)
def test_verdict(audit: ModuleType, reports: Any, required: bool, status: int, warned: bool) -> None:
    got, lines = audit.verdict(reports, required)
    assert got == status
    assert any("WARNING" in line for line in lines) == warned


def test_what_one_service_missed_another_may_know(audit: ModuleType) -> None:
    reports = {"pypi": {"dependencies": [UNKNOWN]}, "osv": {"dependencies": [{**UNKNOWN, "vulns": []}]}}
    status, lines = audit.verdict(reports, required=True)
    assert (status, len(lines)) == (0, 1)
