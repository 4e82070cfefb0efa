"""How the simulator's players place: the last street and Fantasyland against brute force."""

from itertools import combinations, product

import numpy as np
import pytest

from scoring.domain.batch import score_boards
from scoring.domain.cards import DECK, EMPTY, SLOTS
from scoring.domain.rulesets import PRESETS, RuleSet
from scoring.simulator.chance import key_of, keyed, shuffled
from scoring.simulator.fantasyland import set_hand
from scoring.simulator.kinds import ROW_SIZES
from scoring.simulator.people import THE_EIGHT, Person
from scoring.simulator.placing import DISCARDED, ways_to_place
from scoring.simulator.playing import Deal, play
from scoring.simulator.worth import worth_of_strengths

FAULTLESS = Person("faultless", 0.0, 1.0, 5.0)
FIRST = (0, 3, 8)  # the first slot of each row


def _legal(rules: RuleSet, board: list[int]) -> bool:
    boards = np.array([[board]], dtype=np.uint8)
    return not score_boards(rules, boards, np.zeros((1, 1), bool), np.zeros((1, 1), np.uint8)).foul[0, 0]


def _laid(rows: list[list[int]]) -> list[int]:
    return [
        card for row, size in zip(rows, ROW_SIZES, strict=True) for card in row + [EMPTY] * (size - len(row))
    ]


def test_ways_of_a_street() -> None:
    assert len(ways_to_place(3, 2).rows) == 3 * 9
    assert len(ways_to_place(1, 1).rows) == 3
    # Five cards into three rows, without the 10 + 1 ways to put four or five of them on top.
    assert len(ways_to_place(5, 5).rows) == 3**5 - 5 * 2 - 1
    assert {tuple(way) for way in ways_to_place(2, 1).rows.tolist()} == {
        way for row in range(3) for way in ((row, DISCARDED), (DISCARDED, row))
    }


@pytest.mark.parametrize("code", ["pineapple", "classic", "set-turbo"])
def test_nobody_without_error_fouls_who_need_not_on_the_last_street(code: str) -> None:
    rules = PRESETS[code]
    deals = [Deal(key_of("last street", hand), rules, ((FAULTLESS, 0),)) for hand in range(150)]
    fouls = avoidable = 0
    for moves in (hand[0] for hand in play(deals)):
        rows = [[card for move in moves[:-1] for card in move[row]] for row in range(3)]
        last = moves[-1]
        board = _laid([rows[row] + list(last[row]) for row in range(3)])
        if _legal(rules, board):
            continue
        fouls += 1
        avoidable += any(
            _legal(rules, _laid(other)) for other in _all_ends(rows, last.placed + last.discards, last)
        )
    assert avoidable == 0
    assert 0 < fouls < 40


def _all_ends(rows: list[list[int]], cards: tuple[int, ...], last: object) -> list[list[list[int]]]:
    """Every way to fill the rows with the last street."""
    free = [size - len(row) for row, size in zip(rows, ROW_SIZES, strict=True)]
    ends = []
    for way in product(range(4), repeat=len(cards)):
        if all(way.count(row) == free[row] for row in range(3)):
            ends.append(
                [rows[row] + [c for c, at in zip(cards, way, strict=True) if at == row] for row in range(3)]
            )
    return ends


def test_how_hands_are_grouped_changes_no_hand() -> None:
    people = ((THE_EIGHT[0], 0), (THE_EIGHT[7], 15), (THE_EIGHT[3], 0))
    deals = [Deal(key_of("grouped", hand), PRESETS["progressive"], people) for hand in range(70)]
    assert play(deals)[69:] == play(deals[69:])


def test_every_card_is_dealt_once_and_placed_or_thrown_away() -> None:
    people = ((FAULTLESS, 0), (FAULTLESS, 17), (FAULTLESS, 14))
    (hand,) = play([Deal(key_of("dealt"), PRESETS["progressive"], people)])
    cards = [[card for move in moves for part in move for card in part] for moves in hand]
    assert [len(seat) for seat in cards] == [17, 17, 14]
    assert len({card for seat in cards for card in seat}) == 48
    assert [len(move.placed) for move in hand[0]] == [5, 2, 2, 2, 2]


# --- Fantasyland ------------------------------------------------------------------------------------------


def test_fantasyland_is_nearly_worth_what_the_best_setting_is() -> None:
    """Against every setting of 13 cards, by what players hold rows to be worth."""
    rules = PRESETS["classic"]
    decks = _decks(6)[:, :13]
    lost = [
        _best(rules, deck) - _worth(rules, deck, set_hand(rules, deck, 0.0, np.uint64(1))) for deck in decks
    ]
    assert min(lost) > -1e-4
    assert np.mean(lost) < 0.5


@pytest.mark.parametrize(("cards", "royalties"), [(14, 10), (15, 13), (16, 16), (17, 19)])
def test_more_cards_in_fantasyland_earn_more(cards: int, royalties: int) -> None:
    rules = PRESETS["progressive"]
    hands = np.stack(
        [set_hand(rules, deck[:cards], 0.2, np.uint64(place)) for place, deck in enumerate(_decks(60))]
    )
    assert (np.sort(hands) == np.sort(_decks(60)[:, :cards])).all()
    shape = (len(hands), 1)
    score = score_boards(
        rules, hands[:, None, :SLOTS], np.zeros(shape, bool), np.full(shape, cards, np.uint8)
    )
    assert not score.foul.any()
    assert royalties < score.royalties.sum() / len(hands) < royalties + 6


def _decks(count: int) -> np.ndarray:
    return shuffled(keyed(np.array([key_of("fantasyland")], dtype=np.uint64), np.arange(count)), DECK)


def _worth(rules: RuleSet, dealt: np.ndarray, hand: np.ndarray) -> float:
    assert sorted(hand.tolist()) == sorted(dealt.tolist())
    worths = _worths(rules, hand[None, :SLOTS], len(dealt))
    assert np.isfinite(worths[0])
    return float(worths[0])


def _best(rules: RuleSet, dealt: np.ndarray) -> float:
    return max(float(_worths(rules, boards, len(dealt)).max()) for boards in _settings(dealt))


def _worths(rules: RuleSet, boards: np.ndarray, cards: int) -> np.ndarray:
    """Rows, and eight points for staying; a foul is worth nothing at all."""
    shape = (len(boards), 1)
    score = score_boards(rules, boards[:, None], np.zeros(shape, bool), np.full(shape, cards, np.uint8))
    rows = worth_of_strengths()[np.arange(3), score.strengths[:, 0]].sum(axis=1, dtype=np.float64)
    worth = rows + 8.0 * (score.next_fantasyland[:, 0] > 0)
    return np.where(score.foul[:, 0], -np.inf, worth)


def _settings(dealt: np.ndarray) -> list[np.ndarray]:
    """All settings, bottom by bottom; which cards are thrown away follows from the top."""
    every = []
    for bottom in combinations(range(len(dealt)), 5):
        rest = [place for place in range(len(dealt)) if place not in bottom]
        places = [
            [*top, *middle, *bottom]
            for middle in combinations(rest, 5)
            for top in combinations([place for place in rest if place not in middle], 3)
        ]
        every.append(dealt[np.array(places)])
    return every
