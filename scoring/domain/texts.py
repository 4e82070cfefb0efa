"""Names and keys as people and terminals see them."""

import re
from typing import Final

from scoring.domain.errors import Problem

# Control characters, those of Unicode that break a line or turn the direction of whatever stands beside them
# ("pays Bo 12" would read 21), and halves of characters. Marks and joiners inside of words are none of these.
_NEVER_SEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def find_unseen(text: str, path: str) -> Problem | None:
    """What stands in a name or key that nobody can see and that alters how the rest is shown."""
    found = _NEVER_SEEN.search(text)
    if found is not None:
        code = f"U+{ord(found[0]):04X}"
        return Problem("bad-text", path, f"The text holds the control character {code}.", code, "plain text")
    if any(sign.isprintable() and not sign.isspace() for sign in text):
        return None
    return Problem("bad-text", path, "The text is blank.", text, "a text that can be seen")
