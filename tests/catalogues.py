"""Reads the catalogues of translations by a small reader of its own."""

import ast
import gettext
import re
from dataclasses import dataclass, field
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "locale"
LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d)\])?) (".*")$')
PLACE = re.compile(r"%\(\w+\)[0-9.]*[a-z]|%%|\{\w+\}")


@dataclass(slots=True)
class Message:
    """One entry; `parts` by keyword, `forms` the translations in the order of the plural."""

    flags: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    forms: list[str] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        return self.parts.get("msgctxt", ""), self.parts["msgid"]


def source_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(file: Path) -> dict[tuple[str, str], Message]:
    """The messages of a .po or .pot file; the header has the key ("", "")."""
    blocks = file.read_text(encoding="utf-8").split("\n\n")
    messages = [_message(block) for block in blocks if "msgid" in block]
    return {message.key: message for message in messages}


def _message(block: str) -> Message:
    message, keyword = Message(), ""
    for line in block.splitlines():
        if line.startswith("#"):
            message.flags += line if line.startswith("#,") else ""
        elif found := LINE.match(line):
            keyword = found[1]
            _add(message, keyword, ast.literal_eval(found[3]), new=True)
        elif line:
            _add(message, keyword, ast.literal_eval(line), new=False)
    return message


def _add(message: Message, keyword: str, text: str, new: bool) -> None:
    if not keyword.startswith("msgstr"):
        message.parts[keyword] = message.parts.get(keyword, "") + text
    elif new:
        message.forms.append(text)
    else:
        message.forms[-1] += text


def compiled(language: str) -> dict[str | tuple[str, int], str]:
    """What the compiled catalogue holds, as the standard library reads it; plural forms by (msgid, form)."""
    with source_of(language).with_suffix(".mo").open("rb") as file:
        return dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]


def places(text: str) -> list[str]:
    """What is filled in: `%(name)s`, `{name}` and the sign %."""
    return sorted(PLACE.findall(text))
