"""How fast events become boards with every check: `python -m benchmarks.replay [--hands N]`.

Complete pineapple hands of three seats with all discards, one core, processor time, the best of five runs.
Beside the replay stand, in the same run, a plain fold with card bit masks (a card twice and a row over its
size, no turns, no streets, no error values), reading the same hands from their lines, and pokerkit playing
a three-seat hold'em hand of as many steps as it needs when everybody checks.
"""

import argparse
import json
import random
import time
import warnings
from collections.abc import Callable, Sequence

from pokerkit import Automation, NoLimitTexasHoldem

from scoring.domain.cards import CARD_OF
from scoring.domain.events import CARDS_PLACED, GENESIS, Event, chain_all
from scoring.domain.hand import HandState
from scoring.domain.interchange import HandDocument, play, read_hand
from scoring.domain.replay import replay
from scoring.domain.rulesets import PRESETS
from scoring.domain.scored import score_hands
from tests.hands import random_hand

RULES = PRESETS["pineapple"]
POKERKIT_HANDS = 300
TARGET = 10_000
ROW_SIZES = (3, 5, 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3000)
    lines = random_lines(parser.parse_args().hands)
    documents = [document for line in lines if isinstance(document := read_hand(line), HandDocument)]
    played = [result for document in documents if isinstance(result := play(document), tuple)]
    streams, states = [events for events, _ in played], [state for _, state in played]
    assert len(streams) == len(lines)
    ours = _rate(lambda: _replay(streams), len(streams))
    print(f"{'':<42}{'hands/s':>12}{'ratio':>10}")
    _line("replay with every check", ours, ours)
    _line("plain fold with card bit masks", _rate(lambda: _plain(streams), len(streams)), ours)
    warnings.simplefilter("ignore")  # pokerkit would rather deal from its own deck
    _line("pokerkit, hold'em checked down", _rate(_pokerkit, POKERKIT_HANDS), ours)
    _line("read a line as a document", _rate(lambda: _read(lines), len(lines)), ours)
    _line("score the states, 100 at a time", _rate(lambda: _score(states), len(states)), ours)
    _line("digests of all events", _rate(lambda: _digests(streams), len(streams)), ours)
    print(f"\ntarget {TARGET:,} hands/s a core: {ours / TARGET:.1f} of it")


def random_lines(count: int) -> list[bytes]:
    """Complete hands of three seats, as lines of a file."""
    rng = random.Random(20261129)
    hands = [random_hand(rng, "pineapple", seats=3, hand=str(number)) for number in range(count)]
    return [json.dumps(hand, separators=(",", ":")).encode() for hand in hands]


# One hand at a time, as a stream of them is read: keeping thousands would measure the garbage collector.
def _replay(streams: Sequence[list[Event]]) -> None:
    for events in streams:
        replay(events, RULES)


def _read(lines: Sequence[bytes]) -> None:
    for line in lines:
        read_hand(line)


def _score(states: Sequence[HandState]) -> None:
    for start in range(0, len(states), 100):
        score_hands(states[start : start + 100])


def _plain(streams: Sequence[list[Event]]) -> None:
    for events in streams:
        boards: dict[int | None, list[list[int]]] = {}
        seen = 0
        for event in events:
            if event.kind == CARDS_PLACED:
                seen = _place(boards.setdefault(event.seat, [[], [], [], []]), event.cards, seen)


def _place(board: list[list[int]], text: str, seen: int) -> int:
    rows, _, discards = text.partition("|")
    for place, row in enumerate((*rows.split("/"), discards)):
        for start in range(0, len(row), 2):
            card = CARD_OF[row[start : start + 2]]
            assert not seen >> card & 1
            seen |= 1 << card
            board[place].append(card)
        assert place == 3 or len(board[place]) <= ROW_SIZES[place]
    return seen


def _digests(streams: Sequence[list[Event]]) -> None:
    for number, events in enumerate(streams):
        chain_all(GENESIS, "hand", "benchmark", str(number), events)


_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def _pokerkit() -> None:
    for _ in range(POKERKIT_HANDS):
        state = NoLimitTexasHoldem.create_state(_AUTOMATIONS, True, 0, (1, 2), 2, 200, 3)
        for cards in ("AcAd", "KcKd", "QcQd"):
            state.deal_hole(cards)
        for board in ("2c5d9h", "Ts", "3s", ""):
            for _seat in range(3):
                state.check_or_call()
            if board:
                state.deal_board(board)


def _rate(work: Callable[[], object], hands: int) -> float:
    """Hands a second of processor time, which what else the machine does touches little; the best of five."""
    seconds = []
    for _ in range(5):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return hands / min(seconds)


def _line(name: str, rate: float, ours: float) -> None:
    print(f"{name:<42}{rate:>12,.0f}{rate / ours:>10.3f}")


if __name__ == "__main__":
    main()
