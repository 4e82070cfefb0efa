"""Random legal hands as `ofc-hand/1` objects, for tests and benchmarks."""

import random
from collections import Counter
from typing import Any

from scoring.domain.cards import CODES, RANKS
from scoring.domain.rulesets import PRESETS, RuleSet, resolve

ROW_SIZES = (3, 5, 5)
Spec = str | dict[str, Any]
Laid = tuple[list[str], list[str], list[str], list[str]]  # top, middle, bottom, discards


def random_hand(
    rng: random.Random,
    spec: Spec = "pineapple",
    *,
    fantasyland: bool = False,
    dead: bool = False,
    discards: bool = True,
    boards: bool = False,
    seats: int | None = None,
    hand: str = "1",
) -> dict[str, Any]:
    """A complete legal hand of a rule set: `actions`, or `boards` where only those are asked for.

    `fantasyland` puts at least one seat in Fantasyland, `dead` lets one seat die before its board is full.
    """
    rules = resolve(spec)
    assert isinstance(rules, RuleSet), rules
    count = seats or rng.randint(rules.deal.min_seats, rules.deal.max_seats)
    numbers = sorted(rng.sample(range(1, 10), count))
    button = numbers[-1] if rules.deal.two_hands else rng.choice(numbers)
    cards = _fantasyland_cards(rng, rules, numbers, fantasyland)
    plans = _plans(rng, rules, numbers, cards, discards)
    document: dict[str, Any] = {
        "format": "ofc-hand/1",
        "source": "random",
        "hand": hand,
        "rules": spec,
        "played_at": f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T19:{rng.randint(0, 59):02}:00Z",
        "number": rng.randint(1, 500),
        "table": f"T{rng.randint(1, 9)}",
        "stake": rng.choice(["1", "0.5", "25"]),
        "button": button,
        "seats": [_seat(rng, rules, n, _player(rules, n, numbers), cards[n]) for n in numbers],
    }
    gone = rng.choice(numbers) if dead else None
    if gone is not None:
        document["dead"] = [gone]
        plans[gone] = plans[gone][: rng.randrange(len(plans[gone]))]
    order = [seat for seat in numbers if seat > button] + [seat for seat in numbers if seat <= button]
    if boards:
        return document | {"boards": {str(seat): _final(plans[seat]) for seat in numbers if plans[seat]}}
    return document | {"actions": _actions(rng, order, plans, cards)}


def random_hands(seed: int, count: int, specs: list[Spec] | None = None) -> list[dict[str, Any]]:
    """Hands of every kind in turn, over the given rule sets or all presets."""
    rng = random.Random(seed)
    chosen: list[Spec] = specs or list(PRESETS)
    hands = []
    for number in range(count):
        hands.append(
            random_hand(
                rng,
                chosen[number % len(chosen)],
                fantasyland=rng.random() < 0.25,
                dead=rng.random() < 0.1,
                discards=rng.random() < 0.7,
                boards=rng.random() < 0.1,
                hand=str(number),
            )
        )
    return hands


def _fantasyland_cards(
    rng: random.Random, rules: RuleSet, numbers: list[int], wanted: bool
) -> dict[int, int]:
    fewest, most = rules.deal.fantasyland_cards
    cards = dict.fromkeys(numbers, 0)
    if wanted:
        for number in rng.sample(numbers, rng.randint(1, max(1, len(numbers) - 1))):
            cards[number] = rng.randint(fewest, most)
    return cards


def _player(rules: RuleSet, number: int, numbers: list[int]) -> str:
    if not rules.deal.two_hands:
        return f"player {number}"
    return "the other" if number == numbers[0] else "the button"


def _seat(rng: random.Random, rules: RuleSet, number: int, player: str, fantasyland: int) -> dict[str, Any]:
    seat: dict[str, Any] = {"seat": number, "player": player}
    if rules.cap != "none" and rng.random() < 0.8:
        seat["stack"] = rng.choice(["0", "3", "12.5", "100", "4000"])
    if fantasyland:
        seat["fantasyland"] = fantasyland
    return seat


def _plans(
    rng: random.Random, rules: RuleSet, numbers: list[int], cards: dict[int, int], seen: bool
) -> dict[int, list[Laid]]:
    """For each seat its moves: the cards to top, middle, bottom, and the discards."""
    jokers = [*CODES[52 : 52 + rules.jokers]]
    deck = [*CODES[:52], *jokers] * rules.deal.decks
    rng.shuffle(deck)
    plans = {}
    for number in numbers:
        streets = [(cards[number], 13)] if cards[number] else [*rules.deal.streets]
        dealt = [deck.pop() for _ in range(sum(street[0] for street in streets))]
        plans[number] = _plan(rng, streets, dealt, seen)
    return plans


def _plan(rng: random.Random, streets: list[tuple[int, int]], dealt: list[str], seen: bool) -> list[Laid]:
    placed, thrown = dealt[:13], dealt[13:]
    if rng.random() < 0.7:
        ranks = Counter(card[0] for card in placed)
        placed.sort(key=lambda card: (-ranks[card[0]], -RANKS.find(card[0])))
        rows = [2] * 5 + [1] * 5 + [0] * 3  # the strongest groups to the bottom: often legal
    else:
        rows = [0] * 3 + [1] * 5 + [2] * 5
    laid = list(zip(rows, placed, strict=True))
    rng.shuffle(laid)
    moves = []
    for given, taken in streets:
        move: Laid = ([], [], [], [])
        for row, card in (laid.pop() for _ in range(taken)):
            move[row].append(card)
        away = [thrown.pop() for _ in range(given - taken)]
        if seen or rng.random() < 0.5:
            move[3].extend(card if seen or rng.random() < 0.5 else "??" for card in away)
        moves.append(move)
    return moves


def _final(moves: list[Laid]) -> str:
    return "/".join("".join("".join(move[row]) for move in moves) for row in range(3))


def _actions(
    rng: random.Random,
    order: list[int],
    plans: dict[int, list[Laid]],
    fantasyland: dict[int, int],
) -> list[dict[str, Any]]:
    """Moves street by street; a seat in Fantasyland moves first or in its turn."""
    first = [seat for seat in order if fantasyland[seat] and rng.random() < 0.5]
    turns = [(seat, 0) for seat in first]
    for street in range(max((len(plan) for plan in plans.values()), default=0)):
        turns += [(seat, street) for seat in order if street or seat not in first]
    return [_action(rng, seat, plans[seat][street]) for seat, street in turns if street < len(plans[seat])]


def _action(rng: random.Random, seat: int, move: Laid) -> dict[str, Any]:
    rows = "/".join("".join(row) for row in move[:3])
    action: dict[str, Any] = {"seat": seat, "cards": f"{rows}|{''.join(move[3])}" if move[3] else rows}
    return action | ({"auto": True} if rng.random() < 0.03 else {})
