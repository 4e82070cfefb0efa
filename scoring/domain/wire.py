"""The shape of an `ofc-hand/1` line, decoded with types, and the diagnosis of what does not fit it."""

import re
from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from scoring.domain.errors import Problem, joined
from scoring.domain.strict_json import shown, strict_decode

FORMAT: Final = "ofc-hand/1"
#: The longest line that is read, in bytes.
LONGEST_LINE: Final = 1 << 20
#: The longest name or key, in characters.
LONGEST_TEXT: Final = 200

_LARGEST_INT: Final = 2**31 - 1
#: The most points that a claim or a ruling may hold.
LARGEST_POINTS: Final = 10**6
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
Seat = Annotated[int, Meta(ge=1, le=99)]
Count = Annotated[int, Meta(ge=0, le=_LARGEST_INT)]
Cards = Annotated[str, Meta(max_length=400)]
Time = Annotated[datetime, Meta(tz=True)]
Amount = int | str


class SeatLine(Struct, forbid_unknown_fields=True, gc=False):
    """One of `seats`."""

    seat: Seat
    player: Text
    player_id: UUID | UnsetType = UNSET
    stack: Amount | UnsetType = UNSET
    fantasyland: Annotated[int, Meta(ge=0, le=99)] | UnsetType = UNSET


class ActionLine(Struct, forbid_unknown_fields=True, gc=False):
    """One of `actions`."""

    seat: Seat
    cards: Cards
    auto: bool | UnsetType = UNSET
    at: Time | UnsetType = UNSET
    think_ms: Count | UnsetType = UNSET


class PairLine(Struct, forbid_unknown_fields=True, gc=False):
    """One of `pair_stakes`."""

    seats: tuple[Seat, Seat]
    stake: Amount


class ClaimLine(Struct, forbid_unknown_fields=True, gc=False):
    """What the source says one seat came to."""

    points: Annotated[int, Meta(ge=-LARGEST_POINTS, le=LARGEST_POINTS)] | UnsetType = UNSET
    chips: Amount | UnsetType | None = UNSET
    foul: bool | UnsetType = UNSET
    next_fantasyland: Annotated[int, Meta(ge=0, le=99)] | UnsetType = UNSET


class HandLine(Struct, forbid_unknown_fields=True, gc=False):
    """One hand. What may have any shape is kept as it is written and read on its own."""

    format: str
    source: Text
    hand: Text
    rules: Raw
    played_at: Time
    button: Seat
    seats: list[SeatLine]
    number: Count | UnsetType = UNSET
    tournament: Text | UnsetType = UNSET
    tournament_name: Text | UnsetType = UNSET
    table: Text | UnsetType = UNSET
    set: Count | UnsetType = UNSET
    stake: Amount | UnsetType = UNSET
    pair_stakes: list[PairLine] | UnsetType = UNSET
    actions: list[ActionLine] | UnsetType = UNSET
    boards: dict[str, Cards] | UnsetType = UNSET
    dead: list[Seat] | UnsetType = UNSET
    claimed: dict[str, ClaimLine] | UnsetType = UNSET
    extra: Raw | UnsetType = UNSET


_decode = msgspec.json.Decoder(HandLine).decode
_encode = msgspec.json.Encoder().encode
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_KEY_END: Final = b'":'


def decode_line(line: bytes) -> HandLine | Problem:
    """One line as its fields, or the first reason why it is not a hand of this format."""
    if len(line) > LONGEST_LINE:
        message = f"The line has {len(line)} bytes; a hand has at most {LONGEST_LINE}."
        return Problem("line-too-long", "", message, len(line), LONGEST_LINE)
    text = line.removeprefix(_BYTE_ORDER_MARK)
    try:
        if not text.isascii():
            text.decode()  # msgspec does not look into what it keeps as it is written
        hand = _decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        return _diagnose(text, error)
    if hand.format != FORMAT:
        return _other_format(hand.format)
    if _may_hold_a_key_twice(text, hand):
        value = strict_decode(text)
        if isinstance(value, Problem):
            return value
    return hand


def _may_hold_a_key_twice(text: bytes, hand: HandLine) -> bool:
    """Whether the text must be looked through; msgspec keeps the last of two equal keys.

    Written again, a hand has as many keys as the text unless one was there twice. That count is exact for
    texts without escapes and without space before a colon; any other text is looked through.
    """
    if b"\\" in text or b'" ' in text or b'"\n' in text or b'"\t' in text or b'"\r' in text:
        return True
    return text.count(_KEY_END) != _encode(hand).count(_KEY_END)


# --- Diagnosis ----------------------------------------------------------------------------------------------


def _diagnose(text: bytes, error: Exception) -> Problem:
    """Say what is wrong: broken text first, then another format, then what does not fit this one."""
    value = strict_decode(text)
    if isinstance(value, Problem):
        return value
    if not isinstance(error, msgspec.ValidationError):
        return Problem("broken-json", "", f"The text is not JSON: {error}.")
    if isinstance(value, dict) and isinstance(value.get("format"), str) and value["format"] != FORMAT:
        return _other_format(value["format"])
    return _misfit(str(error), value)


def _other_format(found: str) -> Problem:
    message = f"The format {found[:40]!r} is not one that is read here."
    return Problem("unknown-format", "format", message, shown(found), FORMAT)


_ERROR = re.compile(r"(?P<what>.*?)(?: - at `\$?(?:key in )?\.?(?P<path>.*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
#: Of which kind a misfit is, by what the decoder says of it: the first that is found in its words.
_KINDS = (
    ("RFC3339", "bad-date"),
    ("datetime", "bad-date"),
    ("UUID", "bad-uuid"),
    ("`int | str", "bad-amount"),
    ("`str` of length", "bad-text"),
    ("of length", "out-of-range"),
    (">=", "out-of-range"),
    ("<=", "out-of-range"),
    ("out of range", "out-of-range"),
)
_EXPECTED = {"bad-date": "RFC 3339 with an offset, such as 2026-11-29T19:15:00Z", "bad-uuid": "a UUID"}


def _misfit(error: str, value: Any) -> Problem:
    match = _ERROR.fullmatch(error)
    assert match is not None
    what, path = match["what"], match["path"] or ""
    if "[...]" in path:
        # The decoder does not say at which key of an object; the values are few and are tried in turn.
        return _misfit_at_key(path.partition("[...]")[0], value)
    field = _FIELD.fullmatch(what)
    if field is not None:
        return _field_problem(field[1] == "missing required", field[2], path)
    code = next((code for words, code in _KINDS if words in what), "wrong-type")
    expected = what.partition(", got ")[0].removeprefix("Expected ").replace("`", "")
    message = what.replace("`", "") + "."
    return Problem(code, path, message, shown(_value_at(value, path)), _EXPECTED.get(code, expected))


def _field_problem(missing: bool, key: str, path: str) -> Problem:
    place = joined(path, key[:60])
    if missing:
        return Problem("missing-key", place, f"The key {key!r} is missing.", None, key)
    message = f"The format has no key {key[:60]!r} here; other things belong in extra."
    return Problem("unknown-key", place, message, shown(key))


_VALUE_TYPES: Any = {"claimed": ClaimLine, "boards": Cards}


def _misfit_at_key(name: str, value: Any) -> Problem:
    for key, item in value[name].items():
        try:
            msgspec.convert(item, _VALUE_TYPES[name])
        except msgspec.ValidationError as error:
            return _misfit(str(error), item).under(f"{name}.{key}")
    raise AssertionError("every value fits")


def _value_at(value: Any, path: str) -> Any:
    for place, key in _STEP.findall(path):
        try:
            value = value[int(place) if place else key]
        except (LookupError, TypeError):
            return None
    return value
