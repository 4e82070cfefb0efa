"""Audit the installed packages for known vulnerabilities, and say plainly how many could be looked up.

pip-audit ends with status 0 and "No known vulnerabilities found" also when its service knew no package,
so its JSON report is judged here. Status 1: a vulnerability; with AUDIT_REQUIRED=1 also a package not known.
"""

import json
import os
import subprocess
import sys
from typing import Any

SERVICES = ("pypi", "osv")


def main() -> int:
    reports = {service: report for service in SERVICES if (report := ask(service)) is not None}
    status, lines = verdict(reports, required=os.environ.get("AUDIT_REQUIRED") == "1")
    print("\n".join(lines))
    return status


def ask(service: str) -> dict[str, Any] | None:
    """The report of one service over the installed packages, or None when it does not answer."""
    command = [sys.executable, "-m", "pip_audit", "--format=json", "--progress-spinner=off", "--timeout=10"]
    try:
        result = subprocess.run(
            [*command, f"--vulnerability-service={service}"], capture_output=True, timeout=300
        )
        report: dict[str, Any] = json.loads(result.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    return report


def verdict(reports: dict[str, dict[str, Any]], required: bool) -> tuple[int, list[str]]:
    """Exit status and what to print: a vulnerability fails; what no service looked up is a warning."""
    packages = [package for report in reports.values() for package in report["dependencies"]]
    audited = {package["name"] for package in packages if "vulns" in package}
    missed = {package["name"] for package in packages} - audited
    found = sorted(
        f"VULNERABLE: {package['name']} {package['version']}: {flaw['id']}, "
        f"mended in {', '.join(flaw['fix_versions']) or 'no release yet'}"
        for package in packages
        for flaw in package.get("vulns", [])
    )
    findings = list(dict.fromkeys(found))
    lines = [*findings]
    if missed or not audited:
        lines += _warning(sorted(missed), reachable=sorted(reports))
    lines.append(
        f"dependency audit: {len(audited)} packages looked up, {len(missed)} not, {len(findings)} findings"
    )
    return int(bool(found) or (required and bool(missed or not audited))), lines


def _warning(missed: list[str], reachable: list[str]) -> list[str]:
    return [
        "*" * 80,
        "WARNING: THE DEPENDENCY AUDIT IS INCOMPLETE. No vulnerability service knew these packages",
        f"(services that answered: {', '.join(reachable) or 'none'}): {', '.join(missed) or 'all of them'}.",
        "Repeat it where the Python package index or osv.dev answers; AUDIT_REQUIRED=1 makes this a failure.",
        "*" * 80,
    ]


if __name__ == "__main__":
    sys.exit(main())
