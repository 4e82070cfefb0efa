"""A table on paper: what its hands come to after any corrections, told by plain rules and a second scorer.

Nothing here is shared with the code under test: an event holds if no later event that holds takes it back;
boards are what the moves that hold add up to; points and chips come from tests/twin.py, the next hand's facts
from tests/table_twin.py.
"""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from scoring.domain.errors import Problem
from scoring.domain.interchange import play, read_hand, write_line
from tests import twin
from tests.table_twin import Twin

NAMES = {1: "anna", 2: "bo", 3: "cy"}
STAKE = 10_000
STREETS = (5, 4, 4)
FANTASYLAND = 13
CAPS = ("running", "starting", "none")
ROW_SIZES = (3, 5, 5)
#: A legal board whose queens lead to Fantasyland.
QUEENS = (["Qs", "Qh", "2c"], ["As", "Ah", "9d", "8c", "7s"], ["Ks", "Kh", "5s", "5h", "3d"])
UNFINISHED = ("board-incomplete", "nothing-recorded")

Rows = tuple[list[str], list[str], list[str]]


@dataclass
class Entry:
    """One event; the entry of version v stands at place v - 1."""

    kind: str
    seat: int | None = None
    rows: Rows | None = None
    target: int = 0
    rulings: tuple[tuple[int, int, int], ...] = ()  # seat, points, chips
    house: bool = False


@dataclass
class Result:
    """What a hand came to: None of it where it is void."""

    points: dict[int, int] = field(default_factory=dict)
    chips: dict[int, int] = field(default_factory=dict)
    ruled_points: dict[int, int] = field(default_factory=dict)
    ruled_chips: dict[int, int] = field(default_factory=dict)
    fantasyland: dict[int, int] = field(default_factory=dict)
    fouls: set[int] = field(default_factory=set)
    royalties: dict[int, list[int]] = field(default_factory=dict)
    void: bool = False

    def moved(self, seat: int) -> int:
        return self.chips.get(seat, 0) + self.ruled_chips.get(seat, 0)

    def told(self) -> tuple[Any, ...]:
        """What the table was told: a hand is corrected if this is another now."""
        seats = sorted(self.points)
        points = [self.points[seat] + self.ruled_points.get(seat, 0) for seat in seats]
        return (self.void, points, [(self.moved(seat), self.fantasyland[seat]) for seat in seats])


@dataclass
class PaperHand:
    """A hand as it was written down, event by event."""

    number: int
    cap: str
    button: int
    set: int
    stacks: dict[int, int]
    fantasyland: dict[int, int]
    plan: dict[int, list[Rows]]
    entries: list[Entry] = field(default_factory=lambda: [Entry("start")])
    first: Result | None = None

    # --- What holds ---------------------------------------------------------------------------------------

    def holding(self) -> list[bool]:
        holds = [True] * len(self.entries)
        for place in reversed(range(len(self.entries))):
            if self.entries[place].kind == "undo" and holds[place]:
                holds[self.entries[place].target - 1] = False
        return holds

    def held(self, *kinds: str) -> list[tuple[int, Entry]]:
        """(version, entry) of what holds, moves as they were last replaced."""
        holds = self.holding()
        entries = dict(enumerate(self.entries, start=1))
        for version, entry in list(entries.items()):
            if entry.kind == "replace" and holds[version - 1]:
                old = entries[entry.target]
                entries[entry.target] = replace(
                    old, rows=entry.rows, seat=old.seat if entry.seat is None else entry.seat
                )
        return [
            (version, entry)
            for version, entry in entries.items()
            if holds[version - 1] and entry.kind in kinds
        ]

    def board(self, seat: int) -> Rows:
        rows: Rows = ([], [], [])
        for _, move in self.held("move"):
            if move.seat == seat and move.rows is not None:
                for row, cards in zip(rows, move.rows, strict=True):
                    row.extend(cards)
        return rows

    @property
    def dead(self) -> set[int]:
        return {entry.seat for _, entry in self.held("dead") if entry.seat is not None}

    @property
    def is_void(self) -> bool:
        return bool(self.held("void"))

    @property
    def is_locked(self) -> bool:
        return bool(self.held("lock"))

    @property
    def is_complete(self) -> bool:
        return all(
            seat in self.dead or sum(map(len, self.board(seat))) == FANTASYLAND for seat in self.stacks
        )

    def order(self) -> list[int]:
        seats = sorted(self.stacks)
        return [seat for seat in seats if seat > self.button] + [
            seat for seat in seats if seat <= self.button
        ]

    # --- What is allowed -----------------------------------------------------------------------------------

    def takes(self, entry: Entry) -> bool:
        """Whether the hand is legal with one entry more."""
        if entry.kind in ("undo", "replace") and not self._may_correct(entry):
            return False
        if entry.kind == "rule" and not entry.house:
            points, chips = sum(one[1] for one in entry.rulings), sum(one[2] for one in entry.rulings)
            if points or chips:
                return False
        after = replace(self, entries=[*self.entries, entry])
        return after.problem() is None

    def _may_correct(self, entry: Entry) -> bool:
        if not 1 < entry.target <= len(self.entries) or not self.holding()[entry.target - 1]:
            return False
        if entry.kind == "replace":
            return self.entries[entry.target - 1].kind == "move"
        # An undo that comes back must find something to take back.
        before, after = self.holding(), replace(self, entries=[*self.entries, entry]).holding()
        return all(
            before[one.target - 1]
            for place, one in enumerate(self.entries)
            if one.kind == "undo" and after[place] and not before[place]
        )

    def problem(self) -> Problem | None:
        """What is wrong with the moves that hold, read as a file of their own."""
        document = read_hand(write_line(self.document()))
        if isinstance(document, Problem):
            return None if document.code in UNFINISHED else document
        played = play(document)
        return played if isinstance(played, Problem) and played.code not in UNFINISHED else None

    def document(self) -> dict[str, Any]:
        return {
            "format": "ofc-hand/1",
            "source": "paper",
            "hand": str(self.number),
            "rules": {"base": "set-turbo", "cap": self.cap},
            "played_at": "2026-11-29T20:00:00Z",
            "button": self.button,
            "seats": [
                {"seat": seat, "player": NAMES[seat], "fantasyland": self.fantasyland.get(seat, 0)}
                for seat in sorted(self.stacks)
            ],
            "actions": [
                {"seat": move.seat, "cards": text_of(move.rows)} for _, move in self.held("move") if move.rows
            ],
            "dead": sorted(self.dead),
        }

    # --- What it comes to ----------------------------------------------------------------------------------

    def result(self) -> Result | None:
        if self.is_void:
            return Result(void=True)
        if not self.is_complete:
            return None
        rules = replace(twin.PRESETS["set-turbo"], cap=self.cap)
        order = self.order()
        seats = {
            seat: twin.score_seat(
                None if seat in self.dead else [*self.board(seat)], self.fantasyland.get(seat, 0), rules
            )
            for seat in order
        }
        pairs = list(combinations(order, 2))
        points = [int(str(twin.score_pair(seats[a], seats[b], rules)["points"])) for a, b in pairs]
        paid = twin.settle(self.cap, [STAKE * one for one in points], [self.stacks[seat] for seat in order])
        result = Result(fantasyland={seat: one.next_fantasyland for seat, one in seats.items()})
        result.fouls = {seat for seat, one in seats.items() if one.foul}
        result.royalties = {seat: one.royalties for seat, one in seats.items()}
        result.points, result.chips = _sums(order, pairs, points), _sums(order, pairs, paid)
        for _, ruling in self.held("rule"):
            for seat, given, chips in ruling.rulings:
                result.ruled_points[seat] = result.ruled_points.get(seat, 0) + given
                result.ruled_chips[seat] = result.ruled_chips.get(seat, 0) + chips
        return result

    def take(self, entry: Entry) -> None:
        self.entries.append(entry)
        if self.first is None:
            result = self.result()
            self.first = None if result is None or result.void else result

    def settled_first(self) -> Result | None:
        """What it first came to, as far as it comes to anything now."""
        now = self.result()
        return None if now is None else self.first or now

    def transfers(self) -> dict[int, int]:
        """Seat 0 is the house."""
        first, now = self.settled_first(), self.result()
        if first is None or now is None:
            return {}
        due = {seat: now.moved(seat) - first.moved(seat) for seat in self.stacks}
        due[0] = -sum(due.values())
        return {seat: chips for seat, chips in due.items() if chips}

    @property
    def is_corrected(self) -> bool:
        first, now = self.settled_first(), self.result()
        return first is not None and now is not None and first.told() != now.told()


def _sums(order: list[int], pairs: list[tuple[int, int]], won: list[int]) -> dict[int, int]:
    sums = dict.fromkeys(order, 0)
    for (a, b), amount in zip(pairs, won, strict=True):
        sums[a] += amount
        sums[b] -= amount
    return sums


def text_of(rows: Rows | None) -> str:
    return "/".join("".join(row) for row in rows or ())


# --- Cards ------------------------------------------------------------------------------------------------


def planned(dice: random.Random, seats: list[int], fantasyland: dict[int, int]) -> dict[int, list[Rows]]:
    """The moves of each seat: cards that often make a legal board, and now and then queens on top."""
    deck = list(twin.DECK)
    dice.shuffle(deck)
    rigged = dice.choice([*seats, 0, 0])
    if rigged:
        deck = [card for card in deck if not any(card in row for row in QUEENS)]
    plan = {}
    for seat in seats:
        board = QUEENS if seat == rigged else _arranged([deck.pop() for _ in range(FANTASYLAND)])
        plan[seat] = _moves(dice, board, [FANTASYLAND] if fantasyland.get(seat) else [*STREETS])
    return plan


def _arranged(cards: list[str]) -> Rows:
    """The strongest groups to the bottom."""
    ranks = Counter(card[0] for card in cards)
    cards.sort(key=lambda card: (-ranks[card[0]], -twin.RANKS.index(card[0])))
    return cards[10:], cards[5:10], cards[:5]


def _moves(dice: random.Random, board: Rows, streets: list[int]) -> list[Rows]:
    laid = [(row, card) for row, cards in enumerate(board) for card in cards]
    dice.shuffle(laid)
    moves: list[Rows] = []
    for count in streets:
        rows: Rows = ([], [], [])
        for row, card in [laid.pop() for _ in range(count)]:
            rows[row].append(card)
        moves.append(rows)
    return moves


# --- The table ----------------------------------------------------------------------------------------------


@dataclass
class _Before:
    """The table before its next hand as one story has it, None where nobody can tell; who had the button."""

    table: Twin | None = None
    had: set[int] = field(default_factory=set)


Flag = tuple[int, str, int, int]  # seat (0: the table), what, recorded, follows


@dataclass
class Story:
    """A table's hands in their order: the flags of each, and the table before the next one, told twice."""

    flags: dict[int, set[Flag]] = field(default_factory=dict)
    first: _Before = field(default_factory=_Before)
    now: _Before = field(default_factory=_Before)


def story_of(hands: list[PaperHand]) -> Story:
    """`flags` by the hands' numbers: all facts that followed at first and do not now."""
    story = Story()
    before: PaperHand | None = None
    for hand in sorted(hands, key=lambda one: one.number):
        found = story.flags[hand.number] = _compare(hand, story.first.table, story.now.table)
        lacking = {
            seat: follows - was
            for seat, what, was, follows in found
            if what == "stack" and seat in hand.stacks
        }
        if before is None or before.set != hand.set:
            story.first.had, story.now.had = set(), set()
        _after(story.first, hand, hand.settled_first(), {})
        _after(story.now, hand, hand.result(), lacking)
        before = hand
    return story


def _after(view: _Before, hand: PaperHand, result: Result | None, lacking: dict[int, int]) -> None:
    """The table after the hand, from how the hand was held."""
    view.table = None
    table = Twin(dict(hand.stacks), hand.button, hand.cap != "none", rotates=False)
    table.number, table.had = hand.set, set(view.had)
    table.fantasyland = {seat: cards for seat, cards in hand.fantasyland.items() if cards}
    if result is None:
        return
    if not result.void:
        if table.playing() != sorted(hand.stacks):
            return  # a seat without chips was dealt in
        table.hand({seat: result.moved(seat) for seat in hand.stacks}, result.fantasyland)
        if table.capped and min(stack or 0 for stack in table.stacks.values()) < 0:
            return  # a ruling took more than was there
        view.had = view.had | {hand.button}
    for seat, chips in lacking.items():
        table.stacks[seat] = (table.stacks[seat] or 0) + chips
    playing = table.playing()
    table.fantasyland = {seat: cards for seat, cards in table.fantasyland.items() if seat in playing}
    view.table = table


def _compare(hand: PaperHand, first: Twin | None, now: Twin | None) -> set[Flag]:
    if first is None or now is None:
        return set()
    found: set[Flag] = set()
    if first.playing() == sorted(hand.stacks):
        if first.button() == hand.button != now.button():
            found.add((0, "button", hand.button, now.button() or 0))
        if first.number == hand.set != now.number:
            found.add((0, "set", hand.set, now.number))
    for seat in first.stacks:
        was, follows = first.stacks[seat] or 0, now.stacks[seat] or 0
        recorded = hand.stacks.get(seat, 0 if seat not in first.playing() else None)
        if recorded is not None and recorded == was != follows:
            found.add((seat, "stack", recorded, follows))
        cards, then = first.fantasyland.get(seat, 0), now.fantasyland.get(seat, 0)
        if seat in hand.stacks and hand.fantasyland.get(seat, 0) == cards != then:
            found.add((seat, "fantasyland", cards, then))
    return found
