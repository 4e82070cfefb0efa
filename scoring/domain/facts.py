"""The facts of a hand that must fit each other before anything is played (rulebook sections 1 and 7)."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Protocol

from scoring.domain.errors import Problem
from scoring.domain.hand import settlement_order
from scoring.domain.rulesets import RuleSet

PairStakes = Sequence[tuple[int, int, int]]


class SeatFacts(Protocol):
    """What is checked of a seat, be it in a file or in an event."""

    @property
    def seat(self) -> int:
        """Its number."""

    @property
    def fantasyland(self) -> int:
        """Its Fantasyland cards, 0 for a normal seat."""


def find_fact_problem(
    rules: RuleSet,
    button: int,
    seats: Sequence[SeatFacts],
    players: Sequence[Hashable],
    pair_stakes: PairStakes = (),
) -> Problem | None:
    """The first fact that does not fit; `players` says who sits at each of `seats`, in the same order."""
    numbers = [seat.seat for seat in seats]
    return (
        _seats_problem(rules, numbers)
        or _button_problem(button, numbers)
        or _players_problem(rules, button, numbers, players)
        or _fantasyland_problem(rules, seats)
        or (_pairs_problem(pair_stakes, dict(zip(numbers, players, strict=True))) if pair_stakes else None)
    )


def _seats_problem(rules: RuleSet, numbers: list[int]) -> Problem | None:
    if len(set(numbers)) != len(numbers):
        place = next(i for i, number in enumerate(numbers) if number in numbers[:i])
        message = f"Seat {numbers[place]} is given twice."
        return Problem("seat-twice", f"seats[{place}].seat", message, numbers[place], "another seat")
    fewest, most = rules.deal.min_seats, rules.deal.max_seats
    if not fewest <= len(numbers) <= most:
        allowed = str(most) if fewest == most else f"{fewest} to {most}"
        message = f"The deal {rules.deal.code} is for {allowed} seats, not {len(numbers)}."
        return Problem("seat-count", "seats", message, len(numbers), allowed)
    return None


def _button_problem(button: int, numbers: list[int]) -> Problem | None:
    if button in numbers:
        return None
    return Problem("button-empty", "button", f"Nobody sits at the button, seat {button}.", button, numbers)


def _players_problem(
    rules: RuleSet, button: int, numbers: list[int], players: Sequence[Hashable]
) -> Problem | None:
    if rules.deal.two_hands:
        return _two_hands_problem(button, numbers, players)
    if len(set(players)) == len(players):
        return None
    place = next(i for i, player in enumerate(players) if player in players[:i])
    first = numbers[players.index(players[place])]
    message = f"The player of seat {numbers[place]} already sits at seat {first}."
    return Problem("player-twice", f"seats[{place}].player", message, players[place], "another player")


def _two_hands_problem(button: int, numbers: list[int], players: Sequence[Hashable]) -> Problem | None:
    at = dict(zip(numbers, players, strict=True))
    other, first, second = (at[seat] for seat in settlement_order(sorted(numbers), button))
    if first == second != other:
        return None
    message = "The button must be the later of one player's two hands, with the other player before both."
    hands = {str(seat): at[seat] for seat in sorted(numbers)}
    return Problem("two-hands", "seats", message, hands, "two seats of one player and one of the other")


def _fantasyland_problem(rules: RuleSet, seats: Sequence[SeatFacts]) -> Problem | None:
    for place, seat in enumerate(seats):
        cards = seat.fantasyland
        if cards and not rules.deal.deals_fantasyland(cards):
            fewest, most = rules.deal.fantasyland_cards
            message = f"The deal {rules.deal.code} has no Fantasyland of {cards} cards."
            expected = [0, *range(fewest, most + 1)]
            return Problem("fantasyland-cards", f"seats[{place}].fantasyland", message, cards, expected)
    return None


def _pairs_problem(pair_stakes: PairStakes, player_at: dict[int, Hashable]) -> Problem | None:
    seen: Counter[frozenset[int]] = Counter()
    for place, (a, b, _) in enumerate(pair_stakes):
        path = f"pair_stakes[{place}].seats"
        for seat in (a, b):
            if seat not in player_at:
                message = f"Seat {seat} is not in this hand."
                return Problem("seat-unknown", path, message, seat, sorted(player_at))
        if a == b or player_at[a] == player_at[b]:
            return Problem("bad-pair", path, f"Seats {a} and {b} do not play each other.", [a, b])
        seen[frozenset((a, b))] += 1
        if seen[frozenset((a, b))] > 1:
            return Problem("pair-twice", path, f"Seats {a} and {b} have a stake already.", [a, b])
    return None
