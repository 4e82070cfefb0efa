"""Rule sets as frozen data (rulebook section 8): presets, options, and their written forms.

A hand keeps the full resolved rule set that it was played under, named by `RuleSet.digest`; a later change
of a preset never changes an old result.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import msgspec

from scoring.domain.deals import DEALS, Deal, with_decks
from scoring.domain.errors import Problem
from scoring.domain.rule_options import CHOICES, LOW_STEPS, OPTIONS, SAME, TOP_STEPS, find_problem


@dataclass(frozen=True, slots=True)
class Stay:
    """What keeps a seat in Fantasyland: each row means that hand or better, any one of them is enough."""

    top: str  # "trips" or "none"
    middle: str  # "full-house" or "none"
    bottom: str  # "quads"
    cards: int  # cards in the next Fantasyland hand; 0 = as many again as in this one


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Everything that scoring a hand and going on to the next one depends on."""

    base: str
    deal: Deal
    scoring: str
    moon: int
    entry: tuple[tuple[str, int], ...]  # (step, cards)
    stay: Stay
    cap: str
    settle: str
    order: str
    button: str
    jokers: int
    five_of_a_kind: bool
    low_middle: bool  # the middle is a 2-7 low
    plays_in_sets: bool
    digest: str = field(init=False, compare=False, repr=False)  # SHA-256 (hex) of the canonical data

    def __post_init__(self) -> None:
        canonical = msgspec.json.encode(as_data(self), order="deterministic")
        object.__setattr__(self, "digest", hashlib.sha256(canonical).hexdigest())


# --- Written forms ----------------------------------------------------------------------------------------


def options_of(rules: RuleSet) -> dict[str, Any]:
    """The value of every option, in the form in which a file gives it."""
    options = {key: getattr(rules, key) for key in CHOICES if key != "decks"}
    stay = rules.stay
    rows = {"top": stay.top, "middle": stay.middle, "bottom": stay.bottom}
    return {
        **options,
        "decks": rules.deal.decks,
        "entry": dict(rules.entry),
        "stay": {**rows, "cards": stay.cards or SAME},
    }


def as_data(rules: RuleSet) -> dict[str, Any]:
    """The fully resolved rule set as JSON-able data that needs no preset to be read again."""
    return {
        "base": rules.base,
        "deal": {**msgspec.to_builtins(rules.deal), **_lists(rules.deal)},
        **options_of(rules),
        "low_middle": rules.low_middle,
        "plays_in_sets": rules.plays_in_sets,
    }


def _lists(deal: Deal) -> dict[str, Any]:
    # JSON has no tuples, and what is read back shall equal what was written.
    return {
        "streets": [list(street) for street in deal.streets],
        "fantasyland_cards": [*deal.fantasyland_cards],
    }


def from_data(data: Mapping[str, Any], path: str = "rules") -> RuleSet | Problem:
    """The rule set that `as_data` wrote."""
    expected = {"base", "deal", *OPTIONS, "low_middle", "plays_in_sets"}
    if set(data) != expected:
        message = "The data of a rule set has other keys."
        return Problem("bad-option", path, message, sorted(map(str, data)), sorted(expected))
    try:
        deal = msgspec.convert(data["deal"], Deal)
        base = msgspec.convert(data["base"], str)
        low_middle, in_sets = msgspec.convert([data["low_middle"], data["plays_in_sets"]], tuple[bool, bool])
    except msgspec.ValidationError as error:
        return Problem("bad-option", path, f"The data of a rule set cannot be read: {error}.")
    options = {key: data[key] for key in OPTIONS}
    return find_problem(options, {}, deal, low_middle, path) or _build(
        base, deal, options, low_middle, in_sets
    )


def shorthand(rules: RuleSet) -> str | dict[str, Any]:
    """The short form for files: the preset's code, or its `base` and the options that differ from it."""
    base = options_of(PRESETS[rules.base])
    own = options_of(rules)
    changed = {key: value for key, value in own.items() if value != base[key]}
    if rules.deal.decks == 2:
        changed.pop("five_of_a_kind", None)  # two decks bring it along
    return {"base": rules.base, **changed} if changed else rules.base


# --- Resolving --------------------------------------------------------------------------------------------


def resolve(spec: object, path: str = "rules") -> RuleSet | Problem:
    """The rule set of a code, or of a mapping with `base` and changed options; equal specs give one object.

    A given option replaces the base's whole value. Anything may be asked for: what makes no rule set is a
    problem.
    """
    if isinstance(spec, str):
        return PRESETS.get(spec) or _unknown(spec, path)
    if not isinstance(spec, Mapping):
        message = "A rule set is a code or an object with a base."
        return Problem("bad-option", path, message, spec, "a code or an object")
    try:
        canonical = msgspec.json.encode(spec, order="deterministic")
    except (TypeError, ValueError, RecursionError):
        return Problem("bad-option", path, "A rule set is plain data.", None, "an object with a base")
    return _resolve_object(canonical, path)


@lru_cache(maxsize=4096)
def _resolve_object(canonical: bytes, path: str) -> RuleSet | Problem:
    given: dict[str, Any] = msgspec.json.decode(canonical)
    base = given.pop("base", None)
    if not isinstance(base, str) or base not in PRESETS:
        return _unknown(base, f"{path}.base")
    for key in given:
        if key not in OPTIONS:
            message = "A rule set has no such option."
            return Problem("unknown-option", f"{path}.{key}", message, key, sorted(OPTIONS))
    preset = PRESETS[base]
    options = {**options_of(preset), **given}
    deal = with_decks(preset.deal, 2 if options["decks"] == 2 else 1)
    problem = find_problem(options, given, deal, preset.low_middle, path)
    if problem is not None:
        return problem
    rules = _build(base, deal, options, preset.low_middle, preset.plays_in_sets)
    return _INTERNED.setdefault(rules.digest, rules)


def _unknown(code: Any, path: str) -> Problem:
    return Problem("unknown-rules", path, "There is no such rule set.", code, sorted(PRESETS))


def _step_order(step: tuple[str, int]) -> int:
    return (TOP_STEPS + LOW_STEPS).index(step[0])


def _build(
    base: str, deal: Deal, options: Mapping[str, Any], low_middle: bool, plays_in_sets: bool
) -> RuleSet:
    plain = {key: options[key] for key in CHOICES if key not in ("decks", "five_of_a_kind")}
    stay = {"top": "none", "middle": "none", **options["stay"]}
    cards = 0 if stay["cards"] == SAME else stay["cards"]
    return RuleSet(
        base=base,
        deal=deal,
        entry=tuple(sorted(options["entry"].items(), key=_step_order)),
        stay=Stay(stay["top"], stay["middle"], stay["bottom"], cards),
        five_of_a_kind=options["five_of_a_kind"] or deal.decks == 2,
        low_middle=low_middle,
        plays_in_sets=plays_in_sets,
        **plain,
    )


# --- Presets ----------------------------------------------------------------------------------------------


def _stay(cards: int | str, middle: str = "none") -> dict[str, Any]:
    return {"top": "trips", "middle": middle, "bottom": "quads", "cards": cards}


_FULL_HOUSE_13 = _stay(13, middle="full-house")
_QUEENS = {"QQ": 14}
_TO_ACES = {"QQ": 14, "KK": 15, "AA": 16}
_TO_TRIPS = {**_TO_ACES, "trips": 17}
_LOW = {"KK": 14, "low": 14, "both": 15}

# code: (deal, entry, stay, cap, what else differs)
_TABLE: Final[Mapping[str, tuple[str, dict[str, int], dict[str, Any], str, dict[str, Any]]]] = {
    "classic": ("classic", {"QQ": 13}, _FULL_HOUSE_13, "none", {}),
    "pineapple": ("pineapple", _QUEENS, _stay(14), "none", {}),
    "progressive": ("pineapple", _TO_TRIPS, _stay(14), "starting", {}),
    "pokerbros": ("pineapple", _QUEENS, _stay(14), "starting", {}),
    "pokerbros-progressive": ("pineapple", _TO_ACES, _stay(14), "starting", {}),
    "pokerbros-ultimate": ("pineapple", _TO_ACES, _stay(SAME), "starting", {}),
    "pokerbros-joker": ("pineapple", _QUEENS, _stay(14), "starting", {"jokers": 2}),
    "pokerbros-progressive-joker": ("pineapple", _TO_ACES, _stay(14), "starting", {"jokers": 2}),
    "pokerbros-ultimate-joker": ("pineapple", _TO_TRIPS, _stay(SAME), "starting", {"jokers": 2}),
    "round-progressive": ("pineapple", _TO_TRIPS, _stay(14), "starting", {"settle": "set", "in_sets": True}),
    "set-pineapple": ("pineapple", _QUEENS, _stay(14), "running", {"in_sets": True}),
    "set-progressive": ("pineapple", _TO_TRIPS, _stay(14), "running", {"in_sets": True}),
    "set-27": ("pineapple", _LOW, _stay(14), "running", {"in_sets": True, "low_middle": True}),
    "set-turbo": ("turbo", {"QQ": 13}, _FULL_HOUSE_13, "running", {"in_sets": True}),
    "two-deck": ("two-deck-classic", {"AA": 13}, _FULL_HOUSE_13, "none", {}),
    "two-deck-pineapple": ("two-deck-pineapple", {"AA": 14}, _stay(14), "none", {}),
    "heads-up-two-hands": ("heads-up-two-hands", _QUEENS, _stay(14, middle="full-house"), "none", {}),
}


def _preset(code: str) -> RuleSet:
    deal_code, entry, stay, cap, other = _TABLE[code]
    deal = DEALS[deal_code]
    low_middle, in_sets = other.get("low_middle", False), other.get("in_sets", False)
    defaults = {key: choices[0] for key, choices in CHOICES.items()}
    changed = {key: value for key, value in other.items() if key in CHOICES}
    options = {**defaults, "entry": entry, "stay": stay, "cap": cap, "decks": deal.decks, **changed}
    return _build(code, deal, options, low_middle, in_sets)


PRESETS: Final[Mapping[str, RuleSet]] = MappingProxyType({code: _preset(code) for code in _TABLE})
_INTERNED: Final[dict[str, RuleSet]] = {rules.digest: rules for rules in PRESETS.values()}
