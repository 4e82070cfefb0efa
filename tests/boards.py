"""Boards for tests: codes to arrays, and random boards that are legal and rich often enough to matter."""

from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from scoring.domain.batch import BatchScore, score_boards
from scoring.domain.cards import CARD_OF, EMPTY
from scoring.domain.rulesets import RuleSet, resolve
from tests import twin

Board = list[list[str]]
SIZES = (3, 5, 5)


def codes(text: str) -> list[str]:
    """ "As2c" -> ["As", "2c"]."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def board(text: str) -> Board:
    """ "top/middle/bottom" -> rows of codes; spaces do not matter."""
    return [codes(row.replace(" ", "")) for row in text.split("/")]


def slots(rows: Board) -> list[int]:
    """The 13 slots of a board; a row that lacks cards is filled up with empty slots."""
    filled = [
        [CARD_OF[code] for code in row] + [EMPTY] * (size - len(row))
        for row, size in zip(rows, SIZES, strict=True)
    ]
    return [card for row in filled for card in row]


def as_array(cards: Sequence[str]) -> npt.NDArray[np.uint8]:
    """uint8[n] of codes."""
    return np.array([CARD_OF[code] for code in cards], dtype=np.uint8)


def rules_of(spec: object) -> RuleSet:
    """The rule set of a spec that must be right."""
    rules = resolve(spec)
    assert isinstance(rules, RuleSet), rules
    return rules


def score(
    spec: object, *boards: str, dead: Sequence[int] = (), fantasyland: dict[int, int] | None = None
) -> BatchScore:
    """One hand, its boards in settlement order; `dead` and `fantasyland` name places in that order."""
    now = [(fantasyland or {}).get(place, 0) for place in range(len(boards))]
    return score_boards(
        rules_of(spec),
        np.array([[slots(board(text)) for text in boards]], dtype=np.uint8),
        np.array([[place in dead for place in range(len(boards))]]),
        np.array([now], dtype=np.uint8),
    )


# --- Random boards ----------------------------------------------------------------------------------------


def random_boards(random: Random, rules: twin.Rules, seats: int) -> list[Board]:
    """Full boards from one pack: themes make pairs, straights and flushes common, most boards are legal."""
    pack = twin.DECK * rules.decks + [f"X{joker + 1}" for joker in range(rules.jokers)]
    random.shuffle(pack)
    return [_board(random, pack, rules) for _ in range(seats)]


def _board(random: Random, pack: list[str], rules: twin.Rules) -> Board:
    """Take 13 cards from the pack, those of a theme first, and try arrangements until one is legal."""
    theme = set(random.sample(twin.RANKS, random.randint(2, 6))) | set(
        random.sample("cdhs", random.randint(0, 1))
    )
    if rules.jokers and random.random() < 0.3:
        theme.add("X")
    if rules.low and random.random() < 0.7:
        theme |= set("234578")
    pack.sort(key=lambda card: not theme & set(card))
    cards = [pack.pop(0) for _ in range(13)]
    random.shuffle(pack)
    for _ in range(25):
        rows = _arranged(random, cards, rules)
        if twin.score_seat(rows, 0, rules).foul is False:
            break
    return rows


def _arranged(random: Random, cards: list[str], rules: twin.Rules) -> Board:
    """Sorted by rank now and then, so that what belongs together stays together."""
    cards = random.sample(cards, 13)
    if rules.low and random.random() < 0.8:
        low = sorted(set(twin.RANKS) & {card[0] for card in cards}, key=twin.RANKS.index)[:5]
        middle = [next(card for card in cards if card[0] == rank) for rank in low]
        middle += [card for card in cards if card not in middle][: 5 - len(middle)]
        rest = [card for card in cards if card not in middle]
        return [rest[:3], middle, rest[3:]] if len(rest) == 8 else [cards[:3], cards[3:8], cards[8:]]
    if random.random() < 0.6:
        key = random.choice(
            [lambda card: card[0], lambda card: card[1], lambda card: twin.RANKS.find(card[0])]
        )
        cards.sort(key=key, reverse=random.random() < 0.5)
        turn = random.randrange(13)
        cards = cards[turn:] + cards[:turn]
    return [cards[:3], cards[3:8], cards[8:]]
