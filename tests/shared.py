"""Where the handed texts and vectors lie, if they are beside the checkout."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def shared_file(name: str) -> Path:
    """The path of the handed file `name`; the calling test is skipped where it is missing."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"{name} is not beside this checkout")
    return path
