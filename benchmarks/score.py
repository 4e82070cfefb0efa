"""How fast complete hands are scored: `python -m benchmarks.score [--hands N]`.

Three seats, one core, processor time, the best of five runs. Beside the whole score (rows, fouls,
royalties, Fantasyland, pairs) stand, in the same run, a bare numpy look-up of the nine rows and pokerkit,
which ranks the six rows of five cards and nothing else.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from pokerkit import StandardHighHand

from scoring.domain.batch import score_boards
from scoring.domain.cards import CODES, ROWS
from scoring.domain.rulesets import PRESETS
from scoring.domain.strength import row_strengths

SEATS = 3
JOKER_SHARE = 20  # the slow path is measured on one hand in twenty of the others
POKERKIT_HANDS = 500
TARGET = 2_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000)
    hands = parser.parse_args().hands
    boards = random_boards(hands, pack=52)
    bare = _rate(lambda: _bare(boards), hands)
    ours = _scored("progressive", boards)
    pokerkit = _rate(lambda: _pokerkit(boards[:POKERKIT_HANDS]), min(hands, POKERKIT_HANDS))
    print(f"{'':<42}{'hands/s':>12}{'ratio':>10}")
    _line("scored (progressive, 3 seats)", ours, ours)
    _line("bare look-up of the nine rows", bare, ours)
    _line("pokerkit, the six rows of five", pokerkit, ours)
    for code in ("set-27", "classic"):
        _line(f"scored ({code})", _scored(code, boards), ours)
    jokers = _scored("pokerbros-joker", random_boards(max(hands // JOKER_SHARE, 1), pack=54))
    _line("scored with two jokers (pokerbros-joker)", jokers, ours)
    print(f"\ntarget {TARGET:,} hands/s a core: {ours / TARGET:.1f} of it")


def random_boards(hands: int, pack: int) -> npt.NDArray[np.uint8]:
    """Boards uint8[hands, SEATS, 13] dealt from packs of 52 cards, or of 54 with jokers; most are fouls."""
    random = np.random.default_rng(20261129)
    packs = np.argsort(random.random((hands, pack), dtype=np.float32), axis=1)
    return packs[:, : SEATS * 13].astype(np.uint8).reshape(hands, SEATS, 13)


def _scored(code: str, boards: npt.NDArray[np.uint8]) -> float:
    hands = len(boards)
    dead = np.zeros((hands, SEATS), dtype=np.bool_)
    now = np.zeros((hands, SEATS), dtype=np.uint8)
    return _rate(lambda: score_boards(PRESETS[code], boards, dead, now), hands)


def _bare(boards: npt.NDArray[np.uint8]) -> None:
    for row in ROWS:
        row_strengths(boards[:, :, row])


def _pokerkit(boards: npt.NDArray[np.uint8]) -> None:
    for hand in boards:
        for board in hand:
            for row in ROWS[1:]:
                StandardHighHand("".join(CODES[card] for card in board[row])).entry  # noqa: B018


def _rate(work: Callable[[], object], hands: int) -> float:
    """Hands a second of processor time, which what else the machine does touches little; the best of five."""
    seconds = []
    work()  # the first run asks the system for memory
    for _ in range(5):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return hands / min(seconds)


def _line(what: str, rate: float, ours: float) -> None:
    print(f"{what:<42}{rate:>12,.0f}{ours / rate:>9.2f}x")


if __name__ == "__main__":
    main()
