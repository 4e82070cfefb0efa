"""Text stands out from what it stands on, 4.5 to 1 in light and dark (WCAG 2, level AA)."""

import re
from pathlib import Path

import pytest

import ofc_hub.web

STYLES = Path(ofc_hub.web.__file__).parent / "static" / "web"
TEXT = ("--ink", "--quiet", "--accent", "--gain", "--loss", "--warning")
GROUNDS = ("--paper", "--raised")
WASHES = (("--accent", "--accent-wash"), ("--loss", "--loss-wash"), ("--warning", "--warning-wash"))
SUITS = ("--spades", "--hearts", "--diamonds", "--clubs", "--joker")


def _tones(scheme: str) -> dict[str, str]:
    """The colours of a scheme: those of the dark one stand in blocks of their own and replace the light."""
    tones: dict[str, str] = {}
    for name in ("base.css", "cards.css"):
        light, dark = (STYLES / name).read_text().split("@media (prefers-color-scheme: dark)", 1)
        dark = dark[: dark.index("\n  }\n\n") if "\n  }\n\n" in dark else dark.index("@media")]
        for text in (light, dark) if scheme == "dark" else (light,):
            tones |= dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{6});", text))
    return tones


def _luminance(tone: str) -> float:
    parts = [int(tone[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(first: str, second: str) -> float:
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_the_most() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme: str) -> None:
    tones = _tones(scheme)
    pairs = [(text, ground) for text in TEXT for ground in GROUNDS] + list(WASHES)
    pairs += [(suit, "--face") for suit in SUITS] + [("--paper", "--accent")]
    weak = {pair: round(_contrast(tones[pair[0]], tones[pair[1]]), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}
