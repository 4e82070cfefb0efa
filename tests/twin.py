"""A second scorer, written from the rulebook alone: slow, plain and without a line of the code under test.

Cards are codes ("As", "X1"). A row is a list of codes, a board a list of three rows, top to bottom.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
CATEGORIES = ("high", "pair", "two pair", "trips", "straight", "flush", "full house", "quads", "sf", "five")
Key = tuple[int, ...]


@dataclass(frozen=True)
class Rules:
    """A rule set as the rulebook's section 8 prints it."""

    seats: tuple[int, ...] = (2, 3)
    entry: dict[str, int] = field(default_factory=lambda: {"QQ": 14})
    stay_rows: tuple[str, ...] = ("top", "bottom")
    stay_cards: int | str = 14
    cap: str = "none"
    scoring: str = "1-6"
    moon: int = 0
    strict: bool = False
    low: bool = False
    jokers: int = 0
    decks: int = 1
    five: bool = False
    fantasyland: tuple[int, int] = (14, 17)


_PINEAPPLE = Rules()
_PROGRESSIVE = Rules(entry={"QQ": 14, "KK": 15, "AA": 16, "trips": 17}, cap="starting")
_TO_ACES = replace(_PROGRESSIVE, entry={"QQ": 14, "KK": 15, "AA": 16})
_ULTIMATE = replace(_TO_ACES, stay_cards="same")
_CLASSIC = Rules((2, 3, 4), {"QQ": 13}, ("top", "middle", "bottom"), 13, fantasyland=(13, 13))

PRESETS = {
    "classic": _CLASSIC,
    "pineapple": _PINEAPPLE,
    "progressive": _PROGRESSIVE,
    "pokerbros": replace(_PINEAPPLE, cap="starting"),
    "pokerbros-progressive": _TO_ACES,
    "pokerbros-ultimate": _ULTIMATE,
    "pokerbros-joker": replace(_PINEAPPLE, cap="starting", jokers=2),
    "pokerbros-progressive-joker": replace(_TO_ACES, jokers=2),
    "pokerbros-ultimate-joker": replace(_PROGRESSIVE, stay_cards="same", jokers=2),
    "round-progressive": _PROGRESSIVE,
    "set-pineapple": replace(_PINEAPPLE, cap="running"),
    "set-progressive": replace(_PROGRESSIVE, cap="running"),
    "set-27": Rules(entry={"KK": 14, "low": 14, "both": 15}, cap="running", low=True),
    "set-turbo": replace(_CLASSIC, cap="running"),
    "two-deck": replace(_CLASSIC, seats=(2, 4, 8), entry={"AA": 13}, decks=2, five=True),
    "two-deck-pineapple": replace(
        _PINEAPPLE, seats=(2, 3, 6), entry={"AA": 14}, decks=2, five=True, fantasyland=(14, 14)
    ),
    "heads-up-two-hands": replace(
        _PINEAPPLE, seats=(3,), stay_rows=("top", "middle", "bottom"), fantasyland=(14, 14)
    ),
}


@dataclass
class Seat:
    """One seat scored alone."""

    foul: bool
    keys: list[Key]  # what the rows compare by; a low's key is turned round, so that more is better
    royalties: list[int]
    next_fantasyland: int
    moon: bool


# --- Rows -------------------------------------------------------------------------------------------------


def row_key(row: list[str]) -> Key:
    """(category, ranks that decide...) of three or five cards; a key beats a shorter one it begins with."""
    ranks = sorted((RANKS.index(card[0]) for card in row), reverse=True)
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    shape = sorted(counts.values(), reverse=True)
    if shape[0] == 5:
        return (CATEGORIES.index("five"), order[0])
    if len(row) == 5:
        high = _straight_high(ranks)
        flush = len({card[1] for card in row}) == 1
        if high is not None:
            return (CATEGORIES.index("sf" if flush else "straight"), high)
        if flush and shape[0] < 4 and shape[:2] != [3, 2]:
            return (CATEGORIES.index("flush"), *ranks)
    return (CATEGORIES.index(_kind(shape)), *order)


def _straight_high(ranks: list[int]) -> int | None:
    if ranks == [12, 3, 2, 1, 0]:
        return 3
    return ranks[0] if ranks == list(range(ranks[0], ranks[0] - 5, -1)) else None


def _kind(shape: list[int]) -> str:
    if shape[0] == 4:
        return "quads"
    if shape[0] == 3:
        return "full house" if shape[1:2] == [2] else "trips"
    if shape[0] == 2:
        return "two pair" if shape[1] == 2 else "pair"
    return "high"


def low_key(row: list[str]) -> Key | None:
    """What a 2-7 middle compares by, more is better; None if it does not qualify."""
    category, *ranks = row_key(row)
    if category != 0 or ranks[0] > RANKS.index("T"):
        return None
    return tuple(-rank for rank in ranks)


# --- Jokers -----------------------------------------------------------------------------------------------


def readings(row: list[str], repeats: bool) -> list[list[str]]:
    """Every row that this one may stand for."""
    natural = [card for card in row if card[0] != "X"]
    jokers = len(row) - len(natural)
    if jokers == 0:
        return [row]
    if repeats:
        chosen = combinations_with_replacement(DECK, jokers)
    else:
        chosen = combinations([card for card in DECK if card not in natural], jokers)
    return [natural + list(cards) for cards in chosen]


def read_board(board: list[list[str]], rules: Rules) -> list[Key] | None:
    """The keys of top, middle and bottom, each as strong as it may be; None if there is no legal reading."""
    keys: list[Key] = []
    for place, row in enumerate(reversed(board)):
        possible = [row_key(reading) for reading in readings(row, rules.five)]
        if keys:
            strict = rules.strict and place == 1
            possible = [key for key in possible if key < keys[-1] or (key == keys[-1] and not strict)]
        if not possible:
            return None
        keys.append(max(possible))
    return keys[::-1]


# --- One seat ---------------------------------------------------------------------------------------------

_ROW_ROYALTIES = {
    "middle": {"trips": 2, "straight": 4, "flush": 8, "full house": 12, "quads": 20, "sf": 30, "five": 30},
    "bottom": {"straight": 2, "flush": 4, "full house": 6, "quads": 10, "sf": 15, "five": 15},
}


def top_royalty(key: Key) -> int:
    kind, rank = CATEGORIES[key[0]], RANKS[key[1]]
    if kind == "trips":
        return dict(zip(RANKS, range(10, 23), strict=True))[rank]
    return {"6": 1, "7": 2, "8": 3, "9": 4, "T": 5, "J": 6, "Q": 7, "K": 8, "A": 9}.get(
        rank if kind == "pair" else "", 0
    )


def row_royalty(name: str, key: Key) -> int:
    if CATEGORIES[key[0]] == "sf" and key[1] == 12:
        return {"middle": 50, "bottom": 25}[name]
    return _ROW_ROYALTIES[name].get(CATEGORIES[key[0]], 0)


def low_royalty(low: Key) -> int:
    if low == (-5, -3, -2, -1, 0):
        return 8
    return {-7: 1, -6: 2, -5: 4}.get(low[0], 0)


def score_seat(board: list[list[str]] | None, fantasyland: int, rules: Rules) -> Seat:
    """A seat's own part of the score; a board of None is a dead seat."""
    keys = _legal_keys(board, rules) if board is not None else None
    if keys is None:
        return Seat(True, [], [0, 0, 0], 0, False)
    top, middle, bottom = keys
    royalties = [
        top_royalty(top),
        low_royalty(middle) if rules.low else row_royalty("middle", middle),
        row_royalty("bottom", bottom),
    ]
    cards = _stay(keys, fantasyland, rules) if fantasyland else _entry(keys, rules)
    moon = rules.moon == 20 and bottom[0] == 0 and bottom[1] <= RANKS.index("J")
    return Seat(False, keys, royalties, cards, moon)


def _legal_keys(board: list[list[str]], rules: Rules) -> list[Key] | None:
    if not rules.low:
        return read_board(board, rules)
    top, low, bottom = row_key(board[0]), low_key(board[1]), row_key(board[2])
    return None if low is None or bottom < top else [top, low, bottom]


def _entry(keys: list[Key], rules: Rules) -> int:
    top, middle, _ = keys
    best, place = 0, -1
    for step, cards in rules.entry.items():
        if step in ("low", "both"):
            continue
        if _meets(top, step) and _step_place(step) > place:
            best, place = cards, _step_place(step)
    low = rules.low and middle == (-5, -3, -2, -1, 0)
    if low and best and "both" in rules.entry:
        return rules.entry["both"]
    return max(best, rules.entry.get("low", 0)) if low else best


def _step_place(step: str) -> int:
    return 13 if step == "trips" else RANKS.index(step[0])


def _meets(top: Key, step: str) -> bool:
    kind = CATEGORIES[top[0]]
    return kind == "trips" or (kind == "pair" and step != "trips" and top[1] >= RANKS.index(step[0]))


def _stay(keys: list[Key], fantasyland: int, rules: Rules) -> int:
    stays = (
        ("top" in rules.stay_rows and CATEGORIES[keys[0][0]] == "trips")
        or ("middle" in rules.stay_rows and not rules.low and keys[1][0] >= CATEGORIES.index("full house"))
        or keys[2][0] >= CATEGORIES.index("quads")
    )
    if not stays:
        return 0
    return fantasyland if rules.stay_cards == "same" else int(rules.stay_cards)


# --- Pairs and chips --------------------------------------------------------------------------------------


def score_pair(a: Seat, b: Seat, rules: Rules) -> dict[str, object]:
    """rows, bonus, royalties, moon and points from a's side."""
    if a.foul and b.foul:
        rows = [0, 0, 0]
    elif a.foul or b.foul:
        rows = [-1 if a.foul else 1] * 3
    else:
        rows = [(x > y) - (x < y) for x, y in zip(a.keys, b.keys, strict=True)]
    bonus = _bonus(rows, rules.scoring)
    royalties = sum(a.royalties) - sum(b.royalties)
    moon = 20 * (a.moon - b.moon)
    points = sum(rows) + bonus + royalties + moon
    return {"rows": rows, "bonus": bonus, "royalties": royalties, "moon": moon, "points": points}


def _bonus(rows: list[int], scoring: str) -> int:
    for side in (1, -1):
        if scoring == "2-4" and rows.count(side) >= 2:
            return side
        if scoring != "2-4" and rows.count(side) == 3:
            return side * {"1-6": 3, "1-4": 1}[scoring]
    return 0


def settle(cap: str, owed: list[int], stacks: list[int | None]) -> list[int]:
    """What each pair pays, in settlement order; a stack of None is not known."""
    start = [10**18 if stack is None else stack for stack in stacks]
    won = [0] * len(start)
    paid = []
    for (a, b), amount in zip(combinations(range(len(start)), 2), owed, strict=True):
        winner, loser = (a, b) if amount > 0 else (b, a)
        limits = [abs(amount)]
        if cap == "running":
            limits += [start[winner] + won[winner], start[loser] + won[loser]]
        if cap == "starting":
            limits += [start[winner] - won[winner], start[loser] + won[loser]]
        payment = min(limits)
        won[winner] += payment
        won[loser] -= payment
        paid.append(payment if winner == a else -payment)
    return paid
