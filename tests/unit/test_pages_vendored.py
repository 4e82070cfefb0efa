"""The vendored drawing bundle is what it was, and the one that the figures are made for."""

import hashlib
from pathlib import Path

from plotly.offline import get_plotlyjs_version

import ofc_hub.web

WEB = Path(ofc_hub.web.__file__).parent
VENDOR = WEB / "static" / "vendor"


def test_every_vendored_file_has_its_checksum() -> None:
    lines = (VENDOR / "checksums.sha256").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = [path for path in VENDOR.rglob("*") if path.is_file() and path.name != "checksums.sha256"]
    found = {str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert found == listed


def test_the_bundle_is_the_version_that_plotly_speaks() -> None:
    head = (VENDOR / "plotly" / "plotly-basic.min.js").read_bytes()[:200].decode()
    assert f"plotly.js (basic - minified) v{get_plotlyjs_version()}" in head


def test_no_template_brings_code_style_or_another_host() -> None:
    """The policy would refuse them in the browser; this says where they are."""
    for path in (WEB / "templates").rglob("*.html"):
        text = path.read_text()
        assert "style=" not in text, path
        assert " onclick" not in text, path
        assert "<style" not in text, path
        assert "://" not in text, path
        assert all("src=" in part[:40] for part in text.split("<script")[1:]), path
