"""JSON as it is written: nothing twice, nothing too deep, nothing that is not JSON."""

import json
import math
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import msgspec

from scoring.domain.errors import Problem, joined

#: How deeply lists and objects may lie in each other.
DEEPEST: Final = 32
_SHOWN: Final = 60


class _Twice(dict[str, Any]):
    """An object that was written with one key twice."""

    key = ""


def strict_decode(text: bytes) -> Any:
    """The value of a JSON text in UTF-8, or a Problem. Other readers keep the last of two equal keys."""
    try:
        value = json.loads(
            text.decode(), object_pairs_hook=_object, parse_constant=_not_json, parse_float=_finite
        )
        msgspec.json.encode(value)
    except RecursionError:
        return _too_deep()
    except UnicodeEncodeError:
        return Problem("bad-text", "", "A text holds half a character (a lone surrogate).")
    except UnicodeDecodeError as error:
        return Problem("not-utf8", "", f"Byte {error.start + 1} of the text is not UTF-8.", None, "UTF-8")
    except json.JSONDecodeError as error:
        message = f"The text is not JSON: {error.msg} at character {error.pos + 1}."
        return Problem("broken-json", "", message, error.doc[error.pos : error.pos + _SHOWN] or None)
    except ValueError as error:
        return Problem("out-of-range", "", f"A number is out of range: {error}.")
    return _first_problem(value) or value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    keys = [key for key, _ in pairs]
    twice = _Twice(value)
    twice.key = next(key for place, key in enumerate(keys) if key in keys[:place])
    return twice


def _not_json(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"{name} is no JSON value", name, 0)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:_SHOWN]} is too large")
    return number


def _too_deep() -> Problem:
    message = f"Lists and objects lie more than {DEEPEST} deep in each other."
    return Problem("nested-too-deep", "", message, None, DEEPEST)


def _first_problem(value: Any) -> Problem | None:
    """The first key that is there twice, unless the value is too deep to look through."""
    level: list[tuple[str, Any]] = [("", value)]
    twice: Problem | None = None
    for _ in range(DEEPEST + 1):
        for path, item in level:
            if twice is None and isinstance(item, _Twice):
                place = joined(path, item.key)
                twice = Problem("key-twice", place, f"The key {item.key!r} is there twice.", item.key)
        level = [child for path, item in level for child in _children(path, item)]
        if not level:
            return twice
    return _too_deep()


def _children(path: str, item: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(item, dict):
        for key, value in item.items():
            if isinstance(value, dict | list):
                yield joined(path, key), value
    elif isinstance(item, list):
        for place, value in enumerate(item):
            if isinstance(value, dict | list):
                yield f"{path}[{place}]", value


def shown(value: Any) -> Any:
    """A value as it stands in a Problem: short, and never a whole document."""
    if isinstance(value, str):
        return value[:_SHOWN]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return f"{value:.3e}" if abs(value) < 10**300 else "a very large integer"
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return value
