"""Hands played to their end: what each seat is dealt and where it places it, many hands at once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import DECK, SLOTS
from scoring.domain.notation import Placement
from scoring.domain.rulesets import RuleSet
from scoring.simulator.chance import keyed, shuffled
from scoring.simulator.fantasyland import set_hand
from scoring.simulator.kinds import Cards
from scoring.simulator.people import Person
from scoring.simulator.placing import Minds, Rows, choose
from scoring.simulator.worth import worth_of_levels

_DEALING: Final = 1
_PLACING: Final = 2


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand to be played: `seats` are the person and the Fantasyland cards (0 = none) of each seat."""

    key: int
    rules: RuleSet
    seats: tuple[tuple[Person, int], ...]


Moves = list[Placement]  # of one seat, street by street


def play(deals: Sequence[Deal]) -> list[list[Moves]]:
    """The moves of each seat of each hand. No seat looks at another: all play a street at once."""
    moves: list[list[Moves]] = [[[] for _ in deal.seats] for deal in deals]
    groups: defaultdict[RuleSet, list[tuple[int, int]]] = defaultdict(list)
    decks = shuffled(keyed(_keys([deal.key for deal in deals]), _DEALING), DECK)
    for hand, deal in enumerate(deals):
        for place, (person, fantasyland) in enumerate(deal.seats):
            if fantasyland:
                cards = _dealt_to(decks[hand], deal, place)[:fantasyland]
                moves[hand][place].append(_set(deal, place, person, cards))
            else:
                groups[deal.rules].append((hand, place))
    for rules, seats in groups.items():
        cards = np.stack([_dealt_to(decks[hand], deals[hand], place) for hand, place in seats])
        for (hand, place), made in zip(seats, _place(rules, deals, seats, cards), strict=True):
            moves[hand][place] = made
    return moves


def _keys(keys: Sequence[int]) -> npt.NDArray[np.uint64]:
    return np.array(keys, dtype=np.uint64)


def _dealt_to(deck: Cards, deal: Deal, place: int) -> Cards:
    """All cards that a seat may be dealt; a shuffled deck is dealt as well in blocks as in turn."""
    block = max(deal.rules.deal.fantasyland_cards[1], sum(dealt for dealt, _ in deal.rules.deal.streets))
    return deck[place * block : (place + 1) * block]


def _set(deal: Deal, place: int, person: Person, cards: Cards) -> Placement:
    key = keyed(_keys([deal.key]), _PLACING, place)[0]
    laid = tuple(set_hand(deal.rules, cards, person.error, key).tolist())
    return Placement(laid[:3], laid[3:8], laid[8:SLOTS], laid[SLOTS:])


def _place(
    rules: RuleSet, deals: Sequence[Deal], seats: Sequence[tuple[int, int]], cards: Cards
) -> list[Moves]:
    """The moves of seats that play normal hands by one rule set, `cards` uint8[seat, cards dealt to it]."""
    keys = keyed(
        _keys([deals[hand].key for hand, _ in seats]), _PLACING, np.array([place for _, place in seats])
    )
    people = [deals[hand].seats[place][0] for hand, place in seats]
    minds = Minds(
        np.stack([worth_of_levels(rules, person.daring) for person in people]),
        np.array([person.error for person in people], dtype=np.float32),
    )
    moves: list[Moves] = [[] for _ in seats]
    rows, begin = Rows.empty(len(seats)), 0
    for street, (dealt, _) in enumerate(rules.deal.streets):
        given = cards[:, begin : begin + dealt]
        begin += dealt
        places, rows = choose(rules, street, rows, given, minds, keyed(keys, street))
        for made, taken, where in zip(moves, given.tolist(), places.tolist(), strict=True):
            made.append(_placement(taken, where))
    return moves


def _placement(cards: list[int], places: list[int]) -> Placement:
    parts: tuple[list[int], ...] = ([], [], [], [])
    for card, place in zip(cards, places, strict=True):
        parts[place].append(card)
    return Placement(*map(tuple, parts))
