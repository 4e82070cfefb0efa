"""Finding a person's names in texts."""

import re
import unicodedata
from collections.abc import Iterable

# Shorter names are words of many a language, unless written just so.
_SHORT = 3


class Names:
    """All names of one person. `in_text` finds one where it stands as a word, in large or small letters."""

    def __init__(self, names: Iterable[str]) -> None:
        self.written = frozenset(_plain(name) for name in names if name and name.strip())
        parts = [_pattern(name) for name in sorted(self.written)]
        self._pattern = re.compile("|".join(parts)) if parts else None

    def in_text(self, text: str) -> bool:
        return self._pattern is not None and self._pattern.search(_plain(text)) is not None


def _plain(text: str) -> str:
    """One spelling of letters with accents, which may be written as one character or as two."""
    return unicodedata.normalize("NFC", text)


def _pattern(name: str) -> str:
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    return word if len(name) < _SHORT else f"(?i:{word})"
