"""What cannot be at a table: each check gives the first problem that it finds, or None."""

from collections.abc import Mapping, Sequence

from scoring.domain.deals import Deal
from scoring.domain.errors import Problem
from scoring.domain.rulesets import RuleSet
from scoring.domain.table_state import PairStakes, TableSeat


def seats_problem(deal: Deal, seats: Sequence[TableSeat]) -> Problem | None:
    """What is wrong with who sits where, if anything."""
    numbers = [seat.seat for seat in seats]
    players = {seat.player for seat in seats}
    for place, seat in enumerate(seats):
        path = f"seats[{place}].seat"
        if type(seat.seat) is not int or seat.seat < 1:
            return Problem("out-of-range", path, "Seats are numbered from 1.", seat.seat)
        if seat.seat in numbers[:place]:
            return Problem("seat-twice", path, "Two players cannot hold one seat.", seat.seat)
    if len(seats) > deal.max_seats or (deal.two_hands and len(seats) < deal.min_seats):
        message = "The deal is not for this number of seats."
        return Problem("seat-count", "seats", message, len(seats), deal.max_seats)
    if deal.two_hands and len(players) != len(seats) - 1:
        message = "In the two-hands game one of two players holds two of the three seats."
        return Problem("two-hands", "seats", message, len(players), len(seats) - 1)
    if not deal.two_hands and len(players) != len(seats):
        return Problem("player-twice", "seats", "A player holds one seat.", len(players), len(seats))
    return None


def stacks_problem(seats: Sequence[TableSeat]) -> Problem | None:
    """What is wrong with the stacks that players bring to a table, if anything."""
    for place, seat in enumerate(seats):
        problem = None if seat.stack is None else amount_problem(seat.stack, f"seats[{place}].stack")
        if problem is not None:
            return problem
    return None


def stakes_problem(stake: int, pair_stakes: PairStakes, seats: Sequence[TableSeat]) -> Problem | None:
    """What is wrong with the stakes, if anything."""
    problem = amount_problem(stake, "stake")
    if problem is not None:
        return problem
    occupied = {seat.seat for seat in seats}
    for place, (a, b, own) in enumerate(pair_stakes):
        path = f"pair_stakes[{place}]"
        problem = amount_problem(own, f"{path}.stake")
        if problem is not None:
            return problem
        if a == b or not {a, b} <= occupied:
            message = "A pair stake is between two different occupied seats."
            return Problem("bad-pair", f"{path}.seats", message, [a, b], sorted(occupied))
    return None


def amount_problem(amount: int, path: str, least: int = 0) -> Problem | None:
    """What is wrong with an amount of 1/10,000 chips, if anything."""
    if type(amount) is not int:
        return Problem("bad-amount", path, "Amounts are whole numbers of 1/10,000 chips.", repr(amount))
    if amount >= least:
        return None
    code = "amount-negative" if amount < 0 else "out-of-range"
    return Problem(code, path, f"The amount is at least {least}.", amount, least)


def button_problem(rules: RuleSet, button: int, seats: Sequence[TableSeat]) -> Problem | None:
    """What is wrong with where the button lies (`seats` ascending), if anything."""
    numbers = [seat.seat for seat in seats]
    if button not in numbers:
        return Problem("button-empty", "button", "The button is an occupied seat.", button, numbers)
    if not rules.deal.two_hands:
        return None
    place = numbers.index(button)
    if seats[place].player == seats[place - 1].player:
        return None
    message = "The button is the later of the two seats of one player."
    return Problem("two-hands", "button", message, button)


def fantasyland_problem(
    rules: RuleSet, cards: Mapping[int, int], seats: Sequence[TableSeat]
) -> Problem | None:
    """What is wrong with the Fantasyland (cards by seat) with which a table begins, if anything."""
    occupied = {seat.seat for seat in seats}
    for seat, count in cards.items():
        if seat not in occupied:
            return Problem("seat-unknown", f"fantasyland.{seat}", "Nobody holds that seat.", seat)
        if count and not rules.deal.deals_fantasyland(count):
            message = "This deal gives another number of cards in Fantasyland."
            return Problem(
                "fantasyland-cards", f"fantasyland.{seat}", message, count, list(rules.deal.fantasyland_cards)
            )
    return None
