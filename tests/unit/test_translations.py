"""The catalogues are complete, in step with the sources and compiled; words written by hand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import ngettext, override

from analytics.details import EVERY
from analytics.filters import FIRST_STREETS
from ofc_hub.web.faces import face_of
from ofc_hub.web.figures_text import amount_text, number_text, signed_text
from ofc_hub.web.words import problems, statistics
from ofc_hub.web.words.refusals import problem_text
from ofc_hub.web.words.rows import row_words
from scoring.domain.cards import CARD_OF
from scoring.domain.errors import CODES, Problem
from scoring.domain.ladder import LADDER, Category
from scoring.domain.strength import row_name
from tests.catalogues import compiled, places, read, source_of

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "ofc_hub/web/templates"
TRANSLATED = ("es", "fr", "da", "id")
languages = pytest.mark.parametrize("language", TRANSLATED)
ACE, KING, QUEEN, TEN, SIX = 12, 11, 10, 8, 4


def test_the_languages_are_those_that_have_a_catalogue() -> None:
    assert [code for code, _ in settings.LANGUAGES] == ["en", *TRANSLATED]


@languages
def test_every_message_is_translated(language: str) -> None:
    messages = read(source_of(language))
    header = messages.pop(("", "")).forms[0]
    number = int(header.split("nplurals=")[1][0])
    for key, message in messages.items():
        assert "fuzzy" not in message.flags, key
        assert len(message.forms) == (number if "msgid_plural" in message.parts else 1), key
        assert all(form.strip() for form in message.forms), key


@languages
def test_translations_fill_in_what_the_message_does(language: str) -> None:
    for key, message in read(source_of(language)).items():
        given = places(message.parts["msgid"])
        assert given == places(message.parts.get("msgid_plural", message.parts["msgid"])), key
        assert all(places(form) == given for form in message.forms), key


@languages
def test_the_compiled_catalogue_says_what_its_source_says(language: str) -> None:
    expected: dict[str | tuple[str, int], str] = {}
    for (context, msgid), message in read(source_of(language)).items():
        key = f"{context}\x04{msgid}" if context else msgid
        if "msgid_plural" in message.parts:
            expected |= {(key, form): text for form, text in enumerate(message.forms)}
        else:
            expected[key] = message.forms[0]
    # When the sources were looked through is left out of what is compiled.
    expected[""] = re.sub(r"POT-Creation-Date:.*\n", "", str(expected[""]))
    assert compiled(language) == expected


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gettext is not installed")
def test_every_marked_text_of_the_sources_is_in_every_catalogue(tmp_path: Path) -> None:
    for package in ("ofc_hub", "scoring", "analytics"):
        shutil.copytree(
            ROOT / package,
            tmp_path / package,
            ignore=lambda folder, names: [n for n in names if Path(n).suffix not in ("", ".py", ".html")],
        )
    (tmp_path / "locale").mkdir()
    command = [sys.executable, "-m", "django", "makemessages", "--locale=es", "--extension=py,html"]
    # Without settings it looks at nothing but these folders.
    environment = {"PATH": os.environ["PATH"]}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=120)
    marked = set(read(tmp_path / "locale/es/LC_MESSAGES/django.po"))
    for language in TRANSLATED:
        assert set(read(source_of(language))) == marked, language


def _unmarked(template: str) -> set[str]:
    """The words of a template that no translator would ever see."""
    text = re.sub(r"{% (blocktranslate).*?{% endblocktranslate %}", "", template, flags=re.DOTALL)
    text = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}|<!doctype html>", "", text)
    read_aloud = re.findall(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"', text)
    text = re.sub(r"<(pre|svg)\b.*?</\1>|<[^>]*>|&\w+;", " ", text, flags=re.DOTALL)
    return set(re.findall(r"[^\W\d_]{2,}", " ".join([text, *read_aloud])))


@pytest.mark.parametrize("file", sorted(TEMPLATES.rglob("*.html")), ids=lambda file: file.name)
def test_templates_hold_no_text_that_is_not_marked(file: Path) -> None:
    # The name of the project, what a joker bears, and the players' short word for Fantasyland.
    assert _unmarked(file.read_text()) <= {"ofc", "hub", "Joker", "FL"}


def test_what_the_domain_and_the_statistics_say_is_listed_for_translators() -> None:
    assert set(problems.SENTENCES) == set(CODES.values())
    assert set(statistics.NAMES) == {statistic.name for statistic in EVERY.values()}
    assert set(statistics.DEFINITIONS) == {statistic.definition for statistic in EVERY.values()}
    assert set(statistics.FIRST_STREETS) == {name.replace("-", " ") for name in FIRST_STREETS}
    assert set(statistics.UNITS) == {statistic.unit for statistic in EVERY.values()}


def test_rows_are_in_english_as_the_domain_names_them() -> None:
    for strength in range(len(LADDER) + 1):
        assert row_words(strength) == row_name(strength)


@pytest.mark.parametrize(
    ("language", "category", "ranks", "words"),
    [
        ("es", Category.PAIR, (ACE,), "par de ases"),
        ("fr", Category.PAIR, (ACE,), "paire d’as"),
        ("da", Category.PAIR, (ACE,), "par i esser"),
        ("id", Category.PAIR, (ACE,), "pair as"),
        ("es", Category.STRAIGHT, (ACE,), "escalera al as"),
        ("fr", Category.STRAIGHT, (QUEEN,), "quinte à la dame"),
        ("da", Category.FULL_HOUSE, (TEN, SIX), "fuldt hus, tiere over seksere"),
        ("fr", Category.FULL_HOUSE, (TEN, ACE), "full, dix par les as"),
        ("es", Category.QUADS, (KING,), "póquer de reyes"),
        ("fr", Category.STRAIGHT_FLUSH, (ACE,), "quinte flush royale"),
        ("es", Category.STRAIGHT_FLUSH, (ACE,), "escalera real"),
    ],
)
def test_rows_in_words(language: str, category: Category, ranks: tuple[int, ...], words: str) -> None:
    found = next(
        strength
        for strength, (kind, held) in enumerate(LADDER, 1)
        if kind == category and held[: len(ranks)] == ranks
    )
    with override(language):
        assert row_words(found) == words


def test_cards_in_words() -> None:
    names = {}
    for language in ("en", *TRANSLATED):
        with override(language):
            names[language] = face_of(CARD_OF["Ks"]).name
    assert names == {
        "en": "king of spades",
        "es": "rey de picas",
        "fr": "roi de pique",
        "da": "spar konge",
        "id": "king sekop",
    }


def test_numbers_have_the_decimal_sign_of_the_language() -> None:
    texts = {}
    for language in ("en", *TRANSLATED):
        with override(language):
            texts[language] = (number_text(1234.5, 1), signed_text(-2), amount_text(12_500))
    assert texts["en"] == ("1\u202f234.5", "−2", "1.25")
    assert {texts[language] for language in TRANSLATED} == {("1\u202f234,5", "−2", "1,25")}


def test_numbers_that_a_browser_draws_by_are_the_same_in_every_language() -> None:
    bar = {"zero": 64.6, "low": 70.9, "mean": 93.5, "high": 116.0}
    with override("da"):
        drawn = render_to_string("web/parts/interval.html", {"bar": bar, "label": "1,5 til 2,5"})
    assert 'x1="70.9" x2="116.0"' in drawn
    assert 'aria-label="1,5 til 2,5"' in drawn


def test_plurals_follow_the_language() -> None:
    texts = {}
    for language in TRANSLATED:
        with override(language):
            texts[language] = [
                ngettext("%(count)s hand", "%(count)s hands", count) % {"count": count} for count in (0, 1, 2)
            ]
    assert texts == {
        "es": ["0 manos", "1 mano", "2 manos"],
        "fr": ["0 main", "1 main", "2 mains"],
        "da": ["0 spil", "1 spil", "2 spil"],
        "id": ["0 tangan", "1 tangan", "2 tangan"],
    }


def test_refusals_are_told_by_their_code() -> None:
    problem = Problem("seat-twice", "seats[1]", "Seat 1 is named twice.")
    assert problem_text(problem) == "Seat 1 is named twice."
    with override("da"):
        assert problem_text(problem) == "En plads er nævnt to gange."
