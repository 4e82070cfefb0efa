"""Cards and their codes."""

from scoring.domain import cards


def test_codes_follow_rank_then_suit() -> None:
    assert cards.CODES[:5] == ("2c", "2d", "2h", "2s", "3c")
    assert cards.CODES[48:] == ("Ac", "Ad", "Ah", "As", "X1", "X2")
    assert len(set(cards.CODES)) == 54


def test_every_code_finds_its_card() -> None:
    assert cards.CARD_OF["Td"] == 8 * 4 + 1
    assert cards.CARD_OF["X1"] == cards.JOKER_1
    assert cards.CARD_OF["X2"] == cards.JOKER_2
    assert all(cards.CODES[card] == code for code, card in cards.CARD_OF.items())


def test_rows_share_thirteen_slots() -> None:
    slots = list(range(cards.SLOTS))
    assert [len(slots[row]) for row in cards.ROWS] == [3, 5, 5]
    assert [slot for row in cards.ROWS for slot in slots[row]] == slots
