"""Promise 12: corrections in any order leave what a computation from scratch gives.

Random commands of directors and scorers on several hands of a table: moves, undo, redo, replace, rule, void,
death, confirm, lock, hands that are put in between. After each of them results, transfers and flags are those
of a table on paper (tests/guarantees/corrected_table.py), and no other hand was settled again.
"""

import random
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from analytics.models import PlayerDay
from analytics.slices import recompute_some
from ofc_hub.clubs.models import Club, Membership, Role
from ofc_hub.hands.log import Stale, StreamKey
from ofc_hub.hands.models import Hand, Stream
from ofc_hub.live import hands as live
from ofc_hub.live.entry import Answer, Entry
from ofc_hub.live.record import NotAllowed, Recorded, record
from ofc_hub.live.start import start_hand
from ofc_hub.ops import rebuild
from scoring.aftermath import find_differences
from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.rulesets import RuleSet, resolve
from scoring.models import Correction, Flag, HandResult, PairResult, SeatResult, Transfer
from tests.guarantees.corrected_table import (
    CAPS,
    FANTASYLAND,
    NAMES,
    STAKE,
    PaperHand,
    planned,
    story_of,
    text_of,
)
from tests.guarantees.corrected_table import (
    Entry as Line,
)
from tests.prove import PROVING, scale
from tests.twin import DECK

RUNS = scale(25, 500)
STEPS = scale(8, 12)
SOURCE = "table"
#: 2026-11-29 20:00 UTC; a hand's number is its second.
EVENING = 1_795_982_400_000_000
DIRECTORS_ONLY = ("rule", "void", "lock")

#: What has to come up in a run, or it would prove little; the rarer things in a full one.
EXPECTED = (
    *("undo", "replace", "rule", "void", "dead", "not allowed", "would-break", "version-unknown"),
    *("transfer", "transfer to the house", "flag: button", "flag: fantasyland", "flag: stack"),
)
RARE = ("lock", "confirm", "note", "rulings-not-zero", "already-retracted", "flag: set")
dice = st.integers(0, 2**32 - 1).map(random.Random)


class CorrectedTable(RuleBasedStateMachine):
    """One table of three, on paper and in the store."""

    made = 0
    seen: Counter[str] = Counter()
    director: User
    scorer: User

    def __init__(self) -> None:
        super().__init__()
        CorrectedTable.made += 1
        self.club = Club.objects.create(slug=f"club-{CorrectedTable.made}", name="Club")
        for user, role in ((self.director, Role.DIRECTOR), (self.scorer, Role.SCORER)):
            Membership.objects.create(club=self.club, user=user, role=role)
        self.hands: list[PaperHand] = []
        self.favourite: PaperHand | None = None
        self.cap = "running"
        self.versions: dict[int, tuple[int, ...]] = {}

    @initialize(cap=st.sampled_from(CAPS), dice=dice)
    def first_hand(self, cap: str, dice: random.Random) -> None:
        self.cap = cap
        self._start(dice, 10, *self._anything(dice))

    # --- Hands begin and go on ------------------------------------------------------------------------------

    @rule(dice=dice, told=st.sampled_from(["first", "now", "now", "other"]), between=st.booleans())
    def next_hand(self, dice: random.Random, told: str, between: bool) -> None:
        """From what followed at first, from what follows now, or from other chips altogether."""
        before = dice.choice(self.hands) if between else max(self.hands, key=lambda hand: hand.number)
        number = before.number + dice.choice([1, 2, 3, 4] if between else [10])
        if len(self.hands) == 8 or any(hand.number == number for hand in self.hands):
            return
        story = story_of([hand for hand in self.hands if hand.number < number])
        table = (story.first if told == "first" else story.now).table
        if told == "other" or table is None or len(table.playing()) < 2:
            self._start(dice, number, *self._anything(dice))
            return
        stacks = {seat: max(table.stacks[seat] or 0, 0) for seat in table.playing()}
        self._start(dice, number, table.button() or 1, table.number, stacks, dict(table.fantasyland))

    def _anything(self, dice: random.Random) -> tuple[int, int, dict[int, int], dict[int, int]]:
        seats = sorted(dice.sample(list(NAMES), dice.choice([2, 3, 3])))
        stacks = {seat: dice.choice([3, 12, 40, 500]) * STAKE for seat in seats}
        fantasyland = {dice.choice(seats): FANTASYLAND} if dice.random() < 0.2 else {}
        return dice.choice(seats), dice.randint(1, 2), stacks, fantasyland

    def _start(
        self,
        dice: random.Random,
        number: int,
        button: int,
        set_: int,
        stacks: dict[int, int],
        fantasyland: dict[int, int],
    ) -> None:
        plan = planned(dice, sorted(stacks), fantasyland)
        hand = PaperHand(number, self.cap, button, set_, stacks, fantasyland, plan)
        answer = start_hand(self._entry(hand, self.scorer, 0), self._facts(hand))
        assert isinstance(answer, Recorded), answer
        self.hands.append(hand)
        self._check(hand)
        if dice.random() < 0.9:
            self._play(hand, len(NAMES) * 3)
            self._check(hand)

    def _facts(self, hand: PaperHand) -> HandStart:
        seats = tuple(
            SeatStart(seat, "", NAMES[seat], stack, hand.fantasyland.get(seat, 0))
            for seat, stack in sorted(hand.stacks.items())
        )
        rules = resolve({"base": "set-turbo", "cap": self.cap})
        assert isinstance(rules, RuleSet)
        second = EVENING + hand.number * 1_000_000
        facts = ("", "", rules, second, hand.number, None, None, "T1", hand.set, STAKE, hand.button)
        return HandStart(*facts, seats, ())

    def _play(self, hand: PaperHand, count: int) -> None:
        """The next moves of the plan, recorded as one batch."""
        moves = [line for _, line in zip(range(count), _upcoming(hand), strict=False)]
        events = [Event(0, kinds.CARDS_PLACED, line.seat, text_of(line.rows)) for line in moves]
        if not events or not all(_takes(hand, moves)):
            return
        key = StreamKey(SOURCE, _key(hand))
        answer = record(self.director, self.club, key, len(hand.entries), events)
        assert isinstance(answer, Recorded), answer
        for line in moves:
            hand.take(line)

    @rule(dice=dice, count=st.integers(1, 9))
    def play_on(self, dice: random.Random, count: int) -> None:
        hand = dice.choice(self.hands)
        if hand.is_locked or not any(_upcoming(hand)):
            return
        self._play(hand, count)
        self._check(hand)

    # --- Corrections ------------------------------------------------------------------------------------

    @rule(dice=dice, by_scorer=st.booleans(), back=st.integers(-1, 12))
    def undo(self, dice: random.Random, by_scorer: bool, back: int) -> None:
        """Mostly of something recent; also of an undo, a void, a lock, or of nothing that there is."""
        hand = self._pick(dice)
        version = len(hand.entries) - back
        line = Line("undo", target=version)
        self._do(hand, by_scorer, line, lambda entry: live.undo(entry, version, "wrong"))

    @precondition(lambda self: any(_undone(hand) for hand in self.hands))
    @rule(dice=dice, by_scorer=st.booleans())
    def redo(self, dice: random.Random, by_scorer: bool) -> None:
        hand = dice.choice([hand for hand in self.hands if _undone(hand)])
        version = dice.choice(_undone(hand))
        line = Line("undo", target=version)
        self._do(hand, by_scorer, line, lambda entry: live.redo(entry, version))

    @rule(dice=dice, by_scorer=st.booleans(), how=st.sampled_from(["rows", "card", "seat"]))
    def replace(self, dice: random.Random, by_scorer: bool, how: str) -> None:
        """Cards in other rows, another card, or another player's move."""
        hand = self._pick(dice)
        moves = [number for number, line in enumerate(hand.entries, start=1) if line.kind == "move"]
        if not moves:
            return
        version = dice.choice(moves)
        rows, seat = _changed(dice, hand, version, how)
        line = Line("replace", seat, rows, version)
        text = text_of(rows)
        self._do(hand, by_scorer, line, lambda entry: live.replace(entry, version, text, seat, "misread"))

    @rule(dice=dice, by_scorer=st.booleans(), house=st.booleans(), fair=st.booleans())
    def rule_points(self, dice: random.Random, by_scorer: bool, house: bool, fair: bool) -> None:
        hand = self._pick(dice)
        a, b = dice.sample(sorted(hand.stacks), 2)
        points, chips = dice.randint(-3, 3), dice.randint(-2, 2) * STAKE
        rulings = [(a, points, chips)] if house or not fair else [(a, points, chips), (b, -points, -chips)]
        line = Line("rule", rulings=tuple(rulings), house=house)
        given = [live.SeatRuling(*one) for one in rulings]
        self._do(hand, by_scorer, line, lambda entry: live.rule(entry, given, "he spoke", house=house))

    @rule(
        dice=dice, by_scorer=st.booleans(), what=st.sampled_from(["void", "void", "lock", "confirm", "note"])
    )
    def mark(self, dice: random.Random, by_scorer: bool, what: str) -> None:
        hand = self._pick(dice)
        acts = {"void": live.void, "lock": live.lock, "confirm": live.confirm}
        if what == "note":
            self._do(hand, by_scorer, Line("note"), lambda entry: live.add_note(entry, "well played"))
        else:
            self._do(hand, by_scorer, Line(what), acts[what])

    @rule(dice=dice, by_scorer=st.booleans())
    def die(self, dice: random.Random, by_scorer: bool) -> None:
        hand = self._pick(dice)
        seat = dice.choice([*hand.stacks, 9])
        self._do(hand, by_scorer, Line("dead", seat), lambda entry: live.declare_dead(entry, seat))

    @rule(dice=dice)
    def several(self, dice: random.Random) -> None:
        """Many commands in a row, so that long stories come up."""
        self.favourite = dice.choice(self.hands)
        for _ in range(6):
            by_scorer = dice.random() < 0.2
            command = dice.choice(
                ["undo", "undo", "redo", "replace", "replace", "rule", "mark", "die", "next"]
            )
            if command == "undo":
                self.undo(dice, by_scorer, dice.randint(-1, 6))
            elif command == "redo" and any(_undone(hand) for hand in self.hands):
                self.redo(dice, by_scorer)
            elif command == "replace":
                self.replace(dice, by_scorer, dice.choice(["rows", "card", "seat"]))
            elif command == "rule":
                self.rule_points(dice, by_scorer, dice.random() < 0.3, dice.random() < 0.7)
            elif command == "mark":
                self.mark(dice, by_scorer, dice.choice(["void", "void", "void", "lock", "confirm", "note"]))
            elif command == "die":
                self.die(dice, by_scorer)
            elif command == "next":
                self.next_hand(dice, dice.choice(["first", "now", "other"]), dice.random() < 0.3)

    @rule(dice=dice)
    def write_on_an_old_page(self, dice: random.Random) -> None:
        """A stale version stores nothing."""
        hand = self._pick(dice)
        entry = self._entry(hand, self.director, max(len(hand.entries) - 1, 1))
        if len(hand.entries) > 1:
            assert isinstance(live.void(entry), Stale)
        self._check(hand)

    def _pick(self, dice: random.Random) -> PaperHand:
        """One hand again and again, since corrections of corrections are what is hard."""
        if self.favourite is None or dice.random() < 0.4:
            self.favourite = dice.choice(self.hands)
        return self.favourite

    # --- What must come of it ---------------------------------------------------------------------------

    def _entry(self, hand: PaperHand, user: User, version: int) -> Entry:
        return Entry(user, self.club, StreamKey(SOURCE, _key(hand)), version)

    def _do(self, hand: PaperHand, by_scorer: bool, line: Line, act: Any) -> None:
        """Try it as director or scorer; what the paper refuses is refused, and the other way round."""
        user = self.scorer if by_scorer else self.director
        answer: Answer = act(self._entry(hand, user, len(hand.entries)))
        if by_scorer and _is_for_directors(hand, line):
            assert isinstance(answer, NotAllowed), (line, answer)
            self.seen["not allowed"] += 1
        elif (line.kind == "dead" and line.seat not in hand.stacks) or not hand.takes(line):
            assert isinstance(answer, Problem), (line, answer)
            self.seen[answer.code] += 1
        else:
            assert isinstance(answer, Recorded), (line, answer)
            hand.take(line)
            self.seen[line.kind] += 1
        self._check(hand)

    def _check(self, hand: PaperHand) -> None:
        self._check_hand(hand)
        self._check_table()
        self._check_others(hand)

    def _check_hand(self, hand: PaperHand) -> None:
        stored = Hand.objects.get(club=self.club, key=_key(hand))
        assert Stream.objects.get(pk=stored.pk).version == len(hand.entries)
        result = hand.result()
        assert (stored.complete, stored.voided, stored.locked) == (
            hand.is_complete,
            hand.is_void,
            hand.is_locked,
        )
        rows = {row.seat: row for row in SeatResult.objects.filter(hand_id=stored.pk)}
        if result is None or result.void:
            assert not rows
        else:
            assert {seat: _figures(row) for seat, row in rows.items()} == _figures_on_paper(result)
            assert sum(row.points for row in rows.values()) == sum(row.chips for row in rows.values()) == 0
        assert HandResult.objects.filter(pk=stored.pk).exists() == bool(rows)
        assert PairResult.objects.filter(hand_id=stored.pk).count() == len(rows) * (len(rows) - 1) // 2
        transfers = dict(Transfer.objects.filter(hand_id=stored.pk).values_list("seat", "chips"))
        assert transfers == hand.transfers()
        assert sum(transfers.values()) == 0
        self.seen["transfer"] += bool(transfers)
        self.seen["transfer to the house"] += 0 in transfers
        assert Correction.objects.filter(pk=stored.pk).exists() == hand.is_corrected

    def _check_table(self) -> None:
        flags: dict[int, set[Any]] = {hand.number: set() for hand in self.hands}
        numbers = dict(Hand.objects.filter(club=self.club).values_list("pk", "number"))
        rows = Flag.objects.filter(club=self.club)
        for hand_id, *flag in rows.values_list("hand_id", "seat", "what", "recorded", "follows"):
            flags[numbers[hand_id]].add(tuple(flag))
            self.seen[f"flag: {flag[1]}"] += 1
        assert flags == story_of(self.hands).flags

    def _check_others(self, hand: PaperHand) -> None:
        """A correction settles its own hand and no other."""
        results = HandResult.objects.filter(club=self.club).exclude(hand__key=_key(hand))
        now = {pk: rest for pk, *rest in results.values_list("pk", "version", "position")}
        before = {pk: rest for pk, rest in self.versions.items() if pk in now}
        assert before == {pk: tuple(rest) for pk, rest in now.items() if pk in before}
        everything = HandResult.objects.filter(club=self.club).values_list("pk", "version", "position")
        self.versions = {pk: tuple(rest) for pk, *rest in everything}

    def teardown(self) -> None:
        if self.hands:
            self._check_from_scratch()
            self._check_statistics()

    def _check_from_scratch(self) -> None:
        for hand in self.hands:
            self._check_hand(hand)
        assert list(rebuild.check([self.club], rebuild.Tally())) == []
        assert list(find_differences(self.club)) == []

    def _check_statistics(self) -> None:
        while recompute_some(self.club.pk):
            pass
        expected: Counter[tuple[str, str]] = Counter()
        for hand in self.hands:
            result = hand.result()
            for seat in result.points if result else ():
                name = NAMES[seat]
                expected[name, "hands"] += 1
                expected[name, "points"] += result.points[seat]
                expected[name, "ruled"] += result.ruled_points.get(seat, 0)
                expected[name, "fouls"] += seat in result.fouls
                expected[name, "royalties"] += sum(result.royalties[seat])
                expected[name, "next"] += result.fantasyland[seat] > 0
        found: Counter[tuple[str, str]] = Counter()
        for row in PlayerDay.objects.filter(club=self.club).select_related("player"):
            name, sums = row.player.name, row.sums
            found[name, "hands"] += sums.hands
            found[name, "points"] += sums.points
            found[name, "ruled"] += sums.ruled_points
            found[name, "fouls"] += sums.fouls
            found[name, "royalties"] += sums.royalties
            found[name, "next"] += sums.next_fantasyland
        assert +found == +expected
        assert {key: value for key, value in found.items() if value} == {
            key: value for key, value in expected.items() if value
        }


# --- On paper -----------------------------------------------------------------------------------------------


def _key(hand: PaperHand) -> str:
    return f"h{hand.number:04}"


def _upcoming(hand: PaperHand) -> Any:
    """The moves to come, street by street: each seat goes on in its plan after as many moves as it has."""
    made = Counter(line.seat for _, line in hand.held("move"))
    for street in range(3):
        for seat in hand.order():
            if made[seat] <= street < len(hand.plan[seat]):
                yield Line("move", seat, hand.plan[seat][street])


def _takes(hand: PaperHand, moves: list[Line]) -> Any:
    """Whether the hand takes one move after the other."""
    trial = PaperHand(**{**vars(hand), "entries": [*hand.entries]})
    for line in moves:
        yield trial.takes(line)
        trial.entries.append(line)


def _undone(hand: PaperHand) -> list[int]:
    return [version for version, _ in hand.held("undo")]


def _is_for_directors(hand: PaperHand, line: Line) -> bool:
    kind, entry = line.kind, line
    while entry.kind == "undo" and 0 < entry.target <= len(hand.entries):
        entry = hand.entries[entry.target - 1]
        kind = entry.kind
    return hand.is_locked or kind in DIRECTORS_ONLY


def _changed(dice: random.Random, hand: PaperHand, version: int, how: str) -> tuple[Any, int | None]:
    """Other rows, one other card, or the same for another seat."""
    old = dict(hand.held("move")).get(version, hand.entries[version - 1])
    rows = tuple([*row] for row in old.rows or ([], [], []))
    if how == "seat":
        return rows, dice.choice(list(hand.stacks))
    filled = [place for place, row in enumerate(rows) if row]
    if how == "card":
        row = rows[dice.choice(filled)]
        row[dice.randrange(len(row))] = dice.choice(DECK)
    elif len(filled) > 1:
        a, b = (rows[place] for place in dice.sample(filled, 2))
        i, j = dice.randrange(len(a)), dice.randrange(len(b))
        a[i], b[j] = b[j], a[i]
    return rows, None


def _figures(row: SeatResult) -> tuple[Any, ...]:
    royalties = [row.royalties_top, row.royalties_middle, row.royalties_bottom]
    ruled = (row.ruled_points, row.ruled_chips)
    return (row.points, row.chips, ruled, row.next_fantasyland, row.foul, royalties)


def _figures_on_paper(result: Any) -> dict[int, tuple[Any, ...]]:
    return {
        seat: (
            result.points[seat],
            result.chips[seat],
            (result.ruled_points.get(seat, 0), result.ruled_chips.get(seat, 0)),
            result.fantasyland[seat],
            seat in result.fouls,
            result.royalties[seat],
        )
        for seat in result.points
    }


@pytest.mark.django_db
@pytest.mark.n_plus_one_allowed  # each command looks again at what the last one wrote
def test_corrections_in_any_order_leave_what_a_computation_from_scratch_gives() -> None:
    CorrectedTable.director = User.objects.create_user("director")
    CorrectedTable.scorer = User.objects.create_user("scorer")
    run_state_machine_as_test(
        CorrectedTable,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=not PROVING,
            phases=[Phase.generate],  # a shorter failure is not worth minutes of a run; its seed is printed
            suppress_health_check=list(HealthCheck),
        ),
    )
    expected = EXPECTED + RARE if PROVING else EXPECTED
    assert not [what for what in expected if not CorrectedTable.seen[what]], CorrectedTable.seen
