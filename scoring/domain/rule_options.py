"""What the options of a rule set may hold, and which of them go together (rulebook section 8)."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from scoring.domain.cards import RANKS
from scoring.domain.deals import Deal
from scoring.domain.errors import Problem

CHOICES: Final[Mapping[str, tuple[str | int | bool, ...]]] = MappingProxyType(
    {
        "scoring": ("1-6", "1-4", "2-4"),
        "moon": (0, 20),
        "cap": ("none", "running", "starting"),
        "settle": ("hand", "set"),
        "order": ("equal", "strict"),
        "button": ("frozen", "rotate"),
        "jokers": (0, 1, 2),
        "five_of_a_kind": (False, True),
        "decks": (1, 2),
    }
)
OPTIONS: Final = (*CHOICES, "entry", "stay")

TOP_STEPS: Final = (*(rank * 2 for rank in RANKS[4:]), "trips")  # "66" .. "AA", then trips, ascending
LOW_STEPS: Final = ("low", "both")

STAY_CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"top": ("none", "trips"), "middle": ("none", "full-house"), "bottom": ("quads",)}
)
SAME: Final = "same"  # a seat that stays gets as many cards again as it had


def find_problem(
    options: Mapping[str, Any], given: Mapping[str, Any], deal: Deal, low_middle: bool, path: str
) -> Problem | None:
    """The first thing wrong with a full set of option values.

    `given` are the options that were changed: what a base brings along can only be wrong because of them,
    so a problem is placed at one of them.
    """
    problems = (
        *_bad_choices(options, CHOICES, ""),
        *_bad_entry(options["entry"], deal, low_middle),
        *_bad_stay(options["stay"], deal),
        *_conflicts(options, given, deal, low_middle),
    )
    if not problems:
        return None
    first = problems[0]
    key = first.path.partition(".")[0]
    place = first.path if key in given or not given else next(iter(given))
    return Problem(first.code, f"{path}.{place}", first.message, first.found, first.expected)


def _is_one_of(value: Any, choices: tuple[Any, ...]) -> bool:
    # Types are compared too: true is not 1, and 1.0 is not a number of decks.
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _bad_choices(
    values: Mapping[str, Any], choices: Mapping[str, tuple[Any, ...]], prefix: str
) -> Iterator[Problem]:
    for key, allowed in choices.items():
        if not _is_one_of(values[key], allowed):
            yield _bad(prefix + key, f"The option {key} has no such value.", values[key], list(allowed))


def _bad(path: str, message: str, found: Any, expected: Any) -> Problem:
    return Problem("bad-option", path, message, found, expected)


def _bad_entry(entry: Any, deal: Deal, low_middle: bool) -> Iterator[Problem]:
    if not isinstance(entry, Mapping):
        yield _bad("entry", "The option entry is an object of steps with their cards.", entry, "an object")
        return
    steps = TOP_STEPS + (LOW_STEPS if low_middle else ())
    for step, cards in entry.items():
        if step not in steps:
            yield _bad(f"entry.{step}", "The rule set knows no such entry step.", step, list(steps))
        elif not _deals(deal, cards):
            yield _bad_cards(f"entry.{step}", cards, deal.fantasyland_cards)


def _bad_stay(stay: Any, deal: Deal) -> Iterator[Problem]:
    if not isinstance(stay, Mapping):
        yield _bad("stay", "The option stay is an object.", stay, "an object")
        return
    known = (*STAY_CHOICES, "cards")
    for key in stay:
        if key not in known:
            yield Problem(
                "unknown-option", f"stay.{key}", "The option stay has no such key.", key, list(known)
            )
    # A row that is not named is no way to stay; what has no "none" must be named.
    yield from _bad_choices({"top": "none", "middle": "none", "bottom": None, **stay}, STAY_CHOICES, "stay.")
    cards = stay.get("cards")
    if cards != SAME and not _deals(deal, cards):
        yield _bad_cards("stay.cards", cards, deal.fantasyland_cards)


def _deals(deal: Deal, cards: Any) -> bool:
    return type(cards) is int and deal.deals_fantasyland(cards)


def _bad_cards(path: str, cards: Any, allowed: tuple[int, int]) -> Problem:
    return _bad(path, "The deal gives no such number of cards in Fantasyland.", cards, list(allowed))


def _conflicts(
    options: Mapping[str, Any], given: Mapping[str, Any], deal: Deal, low_middle: bool
) -> Iterator[Problem]:
    jokers, decks, cap = options["jokers"], options["decks"], options["cap"]
    if low_middle and jokers != 0:
        yield _conflict("jokers", "There are no jokers in 2-7 games.", jokers, 0)
    if jokers != 0 and decks == 2:
        if "jokers" in given:
            yield _conflict("jokers", "Jokers and two decks do not go together.", jokers, 0)
        else:
            yield _conflict("decks", "Jokers and two decks do not go together.", decks, 1)
    if deal.two_hands and cap != "none":
        yield _conflict("cap", "There is no cap in the two-hands game.", cap, "none")


def _conflict(path: str, message: str, found: Any, expected: Any) -> Problem:
    return Problem("options-conflict", path, message, found, expected)
