"""Pages in a real Chromium: the browser's console and its policy's complaints are watched in every test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

Open = Callable[..., Page]

_WATCH_POLICY = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI);
});
"""


@pytest.fixture(autouse=True)
def _n_plus_one_raises() -> None:
    """Each request has a watcher of its own in the middleware; a test makes many."""


@pytest.fixture
def open_page(browser: Browser, live_server: Any) -> Iterator[Open]:
    """Open a path of the live server, by default at 1280x800; at the end no console may have spoken."""
    contexts: list[BrowserContext] = []
    spoken: list[str] = []

    def open_path(path: str, width: int = 1280, height: int = 800, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        if options.get("java_script_enabled", True):
            page.add_init_script(_WATCH_POLICY)
        page.on("console", lambda message: spoken.append(message.text))
        page.on("pageerror", lambda error: spoken.append(str(error)))
        response = page.goto(live_server.url + path)
        assert response is not None
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
        return page

    yield open_path
    for context in contexts:
        context.close()
    assert spoken == []
