"""The README's table of settings names exactly what the settings read from the environment."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def _documented() -> set[str]:
    section = (ROOT / "README.md").read_text().split("## Settings")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([A-Z_]+)` \|", section, re.MULTILINE))


def _read() -> set[str]:
    text = (ROOT / "ofc_hub" / "settings.py").read_text()
    return set(re.findall(r"""(?:env\.\w+|_database)\(\s*"([A-Z_]+)\"""", text))


def test_every_setting_is_in_the_table_and_no_other() -> None:
    assert _documented() == _read()


def test_the_two_commands_come_first() -> None:
    text = (ROOT / "README.md").read_text()
    assert text.index("make run") < text.index("make test") < 200


def test_nothing_reads_the_environment_behind_the_settings() -> None:
    """Handing the whole environment on to a child is no reading."""
    reading = re.compile(r"os\.environ(\[|\.get\b|\.pop\b)|os\.getenv")
    folders = (ROOT / name for name in ("ofc_hub", "scoring", "analytics"))
    files = (file for folder in folders for file in folder.rglob("*.py"))
    assert [file for file in files if reading.search(file.read_text())] == []
