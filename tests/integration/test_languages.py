"""The language of a page: the browser's, or the one its reader chose."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils.translation import override

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _the_language_of_other_tests_stays() -> Iterator[None]:
    """A request leaves its language to its thread, where the next request sets another."""
    with override("en"):
        yield


@pytest.mark.parametrize(
    ("accepted", "language", "heading"),
    [
        ("", "en", "Clubs"),
        ("da,en;q=0.5", "da", "Klubber"),
        ("de,fr-CA;q=0.8,en;q=0.5", "fr", "Clubs"),
        ("id-ID", "id", "Klub"),
        ("es-MX", "es", "Clubes"),
        ("sv", "en", "Clubs"),
    ],
)
def test_the_browser_chooses(client: Client, accepted: str, language: str, heading: str) -> None:
    response = client.get("/", headers={"accept-language": accepted})
    text = response.content.decode()
    assert f'<html lang="{language}">' in text
    assert f"<h1>{heading}</h1>" in text
    assert response["Content-Language"] == language
    assert "Accept-Language" in response["Vary"]


def test_a_choice_is_kept_in_a_cookie() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/login/?next=/").content.decode()
    token = re.search(r'class="languages".*?name="csrfmiddlewaretoken" value="(\w+)"', page, re.DOTALL)
    assert token is not None
    sent = {"csrfmiddlewaretoken": token[1], "next": "/login/?next=/", "language": "es"}
    response = client.post("/language/", sent)
    assert (response.status_code, response["Location"]) == (302, "/login/?next=/")
    assert client.cookies["django_language"]["max-age"] == 31_536_000
    chosen = client.get("/login/", headers={"accept-language": "fr"}).content.decode()
    assert '<html lang="es">' in chosen
    assert re.search(r'value="es" lang="es" aria-current="true">Español<', chosen)


def test_nobody_is_sent_away_by_the_choice(client: Client) -> None:
    response = client.post("/language/", {"next": "https://elsewhere.example/", "language": "da"})
    assert response["Location"] == "/"


def test_a_page_that_is_not_there_says_so_in_the_language(client: Client) -> None:
    response = client.get("/c/nothing/", headers={"accept-language": "da"})
    assert response.status_code == 404
    assert "Her er intet til dig" in response.content.decode()


def test_every_language_is_offered_in_its_own_words(client: Client) -> None:
    page = client.get("/", headers={"accept-language": "da"}).content.decode()
    offered = re.findall(r'name="language" value="(\w+)" lang="\1"[^>]*>([^<]+)<', page)
    assert offered == [
        ("en", "English"),
        ("es", "Español"),
        ("fr", "Français"),
        ("da", "Dansk"),
        ("id", "Bahasa Indonesia"),
    ]
