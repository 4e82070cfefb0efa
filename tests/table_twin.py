"""A second table, written from the rulebook alone and as plainly as can be: dicts that change in place."""

import copy
from typing import Any


class Twin:
    """Section 5, "From hand to hand", for chips paid hand by hand; stacks of None are not known."""

    def __init__(self, stacks: dict[int, int | None], button: int, capped: bool, rotates: bool) -> None:
        self.stacks, self.capped, self.rotates = dict(stacks), capped, rotates
        self.fantasyland: dict[int, int] = {}
        self.number, self.over = 1, True
        self.had: set[int] = set()
        self.before: dict[str, Any] | None = None
        self.held = button - 1  # as if the seat before it had just had it
        self.freezes = False

    def playing(self) -> list[int]:
        return sorted(
            seat for seat, stack in self.stacks.items() if not self.capped or stack is None or stack > 0
        )

    def button(self) -> int | None:
        playing = self.playing()
        frozen = self.freezes and any(seat in self.fantasyland for seat in playing)
        # Walk round the table, beginning at the held seat itself where the button is frozen.
        for distance in range(0 if frozen else 1, 100):
            seat = (self.held + distance) % 99
            if seat in playing:
                return seat
        return None

    def hand(self, chips: dict[int, int], fantasyland: dict[int, int]) -> None:
        self.before = {name: copy.deepcopy(value) for name, value in vars(self).items()}
        button = self.button()
        assert button is not None
        self.had.add(button)
        self.held, self.freezes, self.over = button, not self.rotates, False
        for seat, won in chips.items():
            stack = self.stacks[seat]
            if stack is not None:
                self.stacks[seat] = stack + won
        playing = self.playing()
        self.fantasyland = {seat: cards for seat, cards in fantasyland.items() if cards and seat in playing}
        everybody_had_it = all(seat in self.had for seat in playing)
        if len(playing) < 2 or (everybody_had_it and not self.fantasyland):
            self.number += 1
            self.had = set()
            self.over = True

    def void(self) -> None:
        assert self.before is not None
        before = self.before
        vars(self).clear()
        vars(self).update(before)

    def buy_in(self, seat: int, amount: int) -> None:
        stack = self.stacks[seat]
        if stack is not None:
            self.stacks[seat] = stack + amount

    def leave(self, seat: int) -> None:
        del self.stacks[seat]
        self.fantasyland.pop(seat, None)

    def join(self, seat: int, stack: int) -> None:
        self.stacks[seat] = stack

    def view(self) -> dict[str, Any]:
        return {
            "button": self.button(),
            "set": self.number,
            "playing": tuple(self.playing()),
            "fantasyland": self.fantasyland,
            "stacks": self.stacks,
            "between_sets": self.over,
        }
