"""Rule sets: presets, options, refusals and written forms (rulebook sections 7 and 8)."""

import json
from typing import Any

import pytest

from scoring.domain.deals import DEALS
from scoring.domain.errors import CODES, Problem
from scoring.domain.rulesets import PRESETS, RuleSet, as_data, from_data, resolve, shorthand
from tests.boards import rules_of

TRIPS_QUADS = {"top": "trips", "middle": "none", "bottom": "quads"}
WITH_FULL_HOUSE = {**TRIPS_QUADS, "middle": "full-house"}
TO_TRIPS = {"QQ": 14, "KK": 15, "AA": 16, "trips": 17}
TO_ACES = {"QQ": 14, "KK": 15, "AA": 16}

# The table of rulebook section 8, written out: deal, entry, stay, cap, jokers.
TABLE: dict[str, tuple[str, dict[str, int], dict[str, Any], str, int]] = {
    "classic": ("classic", {"QQ": 13}, {**WITH_FULL_HOUSE, "cards": 13}, "none", 0),
    "pineapple": ("pineapple", {"QQ": 14}, {**TRIPS_QUADS, "cards": 14}, "none", 0),
    "progressive": ("pineapple", TO_TRIPS, {**TRIPS_QUADS, "cards": 14}, "starting", 0),
    "pokerbros": ("pineapple", {"QQ": 14}, {**TRIPS_QUADS, "cards": 14}, "starting", 0),
    "pokerbros-progressive": ("pineapple", TO_ACES, {**TRIPS_QUADS, "cards": 14}, "starting", 0),
    "pokerbros-ultimate": ("pineapple", TO_ACES, {**TRIPS_QUADS, "cards": "same"}, "starting", 0),
    "pokerbros-joker": ("pineapple", {"QQ": 14}, {**TRIPS_QUADS, "cards": 14}, "starting", 2),
    "pokerbros-progressive-joker": ("pineapple", TO_ACES, {**TRIPS_QUADS, "cards": 14}, "starting", 2),
    "pokerbros-ultimate-joker": ("pineapple", TO_TRIPS, {**TRIPS_QUADS, "cards": "same"}, "starting", 2),
    "round-progressive": ("pineapple", TO_TRIPS, {**TRIPS_QUADS, "cards": 14}, "starting", 0),
    "set-pineapple": ("pineapple", {"QQ": 14}, {**TRIPS_QUADS, "cards": 14}, "running", 0),
    "set-progressive": ("pineapple", TO_TRIPS, {**TRIPS_QUADS, "cards": 14}, "running", 0),
    "set-27": ("pineapple", {"KK": 14, "low": 14, "both": 15}, {**TRIPS_QUADS, "cards": 14}, "running", 0),
    "set-turbo": ("turbo", {"QQ": 13}, {**WITH_FULL_HOUSE, "cards": 13}, "running", 0),
    "two-deck": ("two-deck-classic", {"AA": 13}, {**WITH_FULL_HOUSE, "cards": 13}, "none", 0),
    "two-deck-pineapple": ("two-deck-pineapple", {"AA": 14}, {**TRIPS_QUADS, "cards": 14}, "none", 0),
    "heads-up-two-hands": ("heads-up-two-hands", {"QQ": 14}, {**WITH_FULL_HOUSE, "cards": 14}, "none", 0),
}


def refusal(spec: object) -> Problem:
    problem = resolve(spec)
    assert isinstance(problem, Problem), problem
    assert problem.code in CODES
    return problem


# --- Presets ----------------------------------------------------------------------------------------------


def test_the_presets_are_those_of_the_rulebook() -> None:
    assert sorted(PRESETS) == sorted(TABLE)


@pytest.mark.parametrize("code", TABLE)
def test_a_preset_is_its_line_of_the_table(code: str) -> None:
    deal, entry, stay, cap, jokers = TABLE[code]
    data = as_data(PRESETS[code])
    assert (data["deal"]["code"], data["entry"], data["stay"]) == (deal, entry, stay)
    assert (data["cap"], data["jokers"]) == (cap, jokers)
    assert (data["scoring"], data["moon"], data["order"], data["button"]) == ("1-6", 0, "equal", "frozen")
    assert data["settle"] == ("set" if code == "round-progressive" else "hand")
    assert data["five_of_a_kind"] is code.startswith("two-deck")
    assert data["low_middle"] is (code == "set-27")
    assert data["plays_in_sets"] is code.startswith(("set-", "round-"))


@pytest.mark.parametrize(
    ("code", "dealt", "decks", "seats", "fantasyland"),
    [
        ("classic", 13, 1, (2, 4), (13, 13)),
        ("pineapple", 17, 1, (2, 3), (14, 17)),
        ("turbo", 13, 1, (2, 4), (13, 13)),
        ("two-deck-classic", 13, 2, (2, 8), (13, 13)),
        ("two-deck-pineapple", 17, 2, (2, 6), (14, 14)),
        ("heads-up-two-hands", 17, 1, (3, 3), (14, 14)),
    ],
)
def test_deals(
    code: str, dealt: int, decks: int, seats: tuple[int, int], fantasyland: tuple[int, int]
) -> None:
    deal = DEALS[code]
    assert sum(placed for _, placed in deal.streets) == 13
    assert sum(cards for cards, _ in deal.streets) == dealt
    assert (deal.decks, (deal.min_seats, deal.max_seats)) == (decks, seats)
    assert deal.fantasyland_cards == fantasyland


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
def test_the_pack_is_enough_for_a_full_table(deal: Any) -> None:
    assert deal.max_seats * sum(cards for cards, _ in deal.streets) <= 52 * deal.decks


# --- Options ----------------------------------------------------------------------------------------------


def test_a_given_option_replaces_the_whole_value() -> None:
    rules = rules_of({"base": "progressive", "entry": {"AA": 14}, "stay": {"bottom": "quads", "cards": 15}})
    assert rules.entry == (("AA", 14),)
    assert (rules.stay.top, rules.stay.middle, rules.stay.bottom, rules.stay.cards) == (
        "none",
        "none",
        "quads",
        15,
    )
    assert rules.cap == "starting"


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "2-4", "moon": 20, "order": "strict", "button": "rotate"},
        {"cap": "running", "settle": "set"},
        {"entry": {"66": 14, "trips": 17, "KK": 15}},
        {"entry": {}},
        {"stay": {"top": "none", "middle": "full-house", "bottom": "quads", "cards": "same"}},
        {"jokers": 1, "five_of_a_kind": True},
    ],
)
def test_options_are_taken_and_written_back(options: dict[str, Any]) -> None:
    spec = {"base": "pineapple", **options}
    assert shorthand(rules_of(spec)) == spec


@pytest.mark.parametrize(
    ("base", "deal"),
    [
        ("classic", "two-deck-classic"),
        ("pineapple", "two-deck-pineapple"),
        ("set-turbo", "two-deck-turbo"),
    ],
)
def test_two_decks_change_the_deal_and_bring_five_of_a_kind(base: str, deal: str) -> None:
    rules = rules_of({"base": base, "decks": 2})
    assert (rules.deal.code, rules.deal.decks, rules.five_of_a_kind) == (deal, 2, True)
    assert shorthand(rules) == {"base": base, "decks": 2}


def test_one_deck_of_a_two_deck_game() -> None:
    assert rules_of({"base": "two-deck", "decks": 1}).deal.code == "classic"


# --- Refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["nosuch", "", "Classic"])
def test_an_unknown_code(spec: str) -> None:
    problem = refusal(spec)
    assert (problem.code, problem.path, problem.found) == ("unknown-rules", "rules", spec)


@pytest.mark.parametrize(
    "spec", [{}, {"base": "nosuch"}, {"base": None}, {"base": ["classic"]}, {"cap": "none"}]
)
def test_an_unknown_base(spec: dict[str, Any]) -> None:
    problem = refusal(spec)
    assert (problem.code, problem.path) == ("unknown-rules", "rules.base")


@pytest.mark.parametrize(
    "spec", [None, 7, True, ["classic"], b"classic", {"base": "classic", "moon": {1, 2}}]
)
def test_what_is_no_rule_set_at_all(spec: object) -> None:
    assert refusal(spec).path.startswith("rules")


@pytest.mark.parametrize(
    ("base", "option", "value", "path"),
    [
        ("classic", "scoring", "1-5", "rules.scoring"),
        ("classic", "moon", 10, "rules.moon"),
        ("classic", "moon", True, "rules.moon"),
        ("classic", "moon", 20.0, "rules.moon"),
        ("classic", "moon", "20", "rules.moon"),
        ("classic", "cap", None, "rules.cap"),
        ("classic", "cap", "Running", "rules.cap"),
        ("classic", "settle", "round", "rules.settle"),
        ("classic", "order", "equals", "rules.order"),
        ("classic", "button", True, "rules.button"),
        ("classic", "jokers", 3, "rules.jokers"),
        ("classic", "jokers", True, "rules.jokers"),
        ("classic", "jokers", -1, "rules.jokers"),
        ("classic", "five_of_a_kind", 1, "rules.five_of_a_kind"),
        ("classic", "decks", 3, "rules.decks"),
        ("classic", "decks", True, "rules.decks"),
        ("classic", "entry", "QQ", "rules.entry"),
        ("classic", "entry", {"55": 13}, "rules.entry.55"),
        ("classic", "entry", {"qq": 13}, "rules.entry.qq"),
        ("classic", "entry", {"QQ": 14}, "rules.entry.QQ"),
        ("pineapple", "entry", {"QQ": 13}, "rules.entry.QQ"),
        ("pineapple", "entry", {"QQ": 18}, "rules.entry.QQ"),
        ("pineapple", "entry", {"QQ": "14"}, "rules.entry.QQ"),
        ("pineapple", "entry", {"QQ": True}, "rules.entry.QQ"),
        ("pineapple", "entry", {"QQ": "same"}, "rules.entry.QQ"),
        ("pineapple", "entry", {"low": 14}, "rules.entry.low"),
        ("pineapple", "entry", {"QQ": 14, "both": 15}, "rules.entry.both"),
        ("two-deck-pineapple", "entry", {"AA": 15}, "rules.entry.AA"),
        ("classic", "stay", ["trips"], "rules.stay"),
        ("classic", "stay", {"top": "pair", "bottom": "quads", "cards": 13}, "rules.stay.top"),
        (
            "classic",
            "stay",
            {"top": "trips", "middle": "quads", "bottom": "quads", "cards": 13},
            "rules.stay.middle",
        ),
        ("classic", "stay", {"top": "trips", "bottom": "none", "cards": 13}, "rules.stay.bottom"),
        ("classic", "stay", {"top": "trips", "cards": 13}, "rules.stay.bottom"),
        ("classic", "stay", {"bottom": "quads"}, "rules.stay.cards"),
        ("classic", "stay", {"bottom": "quads", "cards": 14}, "rules.stay.cards"),
        ("pineapple", "stay", {"bottom": "quads", "cards": 13}, "rules.stay.cards"),
        ("pineapple", "stay", {"bottom": "quads", "cards": 0}, "rules.stay.cards"),
        ("pineapple", "stay", {"bottom": "quads", "cards": "as before"}, "rules.stay.cards"),
    ],
)
def test_a_value_that_the_option_does_not_have(base: str, option: str, value: object, path: str) -> None:
    problem = refusal({"base": base, option: value})
    assert (problem.code, problem.path) == ("bad-option", path)


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"base": "classic", "scorring": "1-4"}, "rules.scorring"),
        ({"base": "classic", "deal": "pineapple"}, "rules.deal"),
        ({"base": "classic", "low_middle": True}, "rules.low_middle"),
        ({"base": "classic", "stay": {"bottom": "quads", "cards": 13, "front": "trips"}}, "rules.stay.front"),
    ],
)
def test_an_unknown_option(spec: dict[str, Any], path: str) -> None:
    problem = refusal(spec)
    assert (problem.code, problem.path) == ("unknown-option", path)


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"base": "set-27", "jokers": 1}, "rules.jokers"),
        ({"base": "two-deck", "jokers": 2}, "rules.jokers"),
        ({"base": "classic", "jokers": 1, "decks": 2}, "rules.jokers"),
        ({"base": "pokerbros-joker", "decks": 2}, "rules.decks"),
        ({"base": "heads-up-two-hands", "cap": "running"}, "rules.cap"),
        ({"base": "heads-up-two-hands", "cap": "starting"}, "rules.cap"),
    ],
)
def test_options_that_do_not_go_together(spec: dict[str, Any], path: str) -> None:
    problem = refusal(spec)
    assert (problem.code, problem.path) == ("options-conflict", path)


def test_a_base_that_two_decks_have_no_cards_for_is_refused_at_the_option() -> None:
    problem = refusal({"base": "progressive", "decks": 2})
    assert (problem.code, problem.path, problem.expected) == ("bad-option", "rules.decks", [14, 14])


def test_the_caller_names_the_place() -> None:
    problem = resolve({"base": "classic", "cap": "no"}, path="seats[0].rules")
    assert isinstance(problem, Problem)
    assert problem.path == "seats[0].rules.cap"


# --- Written forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", TABLE)
def test_a_preset_survives_its_written_forms(code: str) -> None:
    rules = PRESETS[code]
    assert shorthand(rules) == code
    assert from_data(json.loads(json.dumps(as_data(rules)))) == rules
    assert resolve({"base": code}) is resolve(code) is rules


def test_equal_specs_give_one_object_and_one_digest() -> None:
    one = rules_of({"base": "pineapple", "moon": 20, "cap": "running"})
    other = rules_of({"cap": "running", "moon": 20, "base": "pineapple"})
    assert one is other
    assert rules_of({"base": "pineapple", "moon": 0}) is PRESETS["pineapple"]


def test_digests_tell_rule_sets_apart() -> None:
    assert len({rules.digest for rules in PRESETS.values()}) == len(PRESETS)


def test_digests_never_change() -> None:
    # Hands in the log name their rule set by these: a change here orphans every hand ever stored.
    assert PRESETS["classic"].digest == "b94fa29e1983a30dd9f6ba5ce73a8e82afec0c71db267a76926c804f82453dad"
    assert PRESETS["set-27"].digest == "0ddcd100a8f42eb4be61ad82f4d9b1f9421280d2cf1e6a687c80084fec620a5a"


@pytest.mark.parametrize(
    "change",
    [
        {"cap": "never"},
        {"deal": {"code": "pineapple"}},
        {"low_middle": 1},
        {"entry": {"QQ": 12}},
        {"surprise": 1},
    ],
)
def test_data_that_is_no_rule_set_is_a_problem(change: dict[str, Any]) -> None:
    problem = from_data({**as_data(PRESETS["pineapple"]), **change})
    assert isinstance(problem, Problem)
    assert problem.code == "bad-option"


def test_data_needs_no_preset() -> None:
    data = {**as_data(PRESETS["pineapple"]), "base": "a preset of another time"}
    rules = from_data(data)
    assert isinstance(rules, RuleSet)
    assert as_data(rules) == data
