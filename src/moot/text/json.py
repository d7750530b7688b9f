"""The one reader of JSON: whatever comes from outside is parsed here, and strictly.

No key stands twice in an object, every number is finite and short, no text has half a character (a lone surrogate), and
nothing is nested deeply enough to overflow the stack of whoever walks through it.
"""

import json
import math
from collections.abc import Sequence
from functools import partial
from typing import Any

LONGEST_NUMBER = 60
"""Digits. Longer numbers are rejected as hostile."""
MOST_BYTES = 1 << 28
DEEPEST = 100


def parse_json(data: bytes | str, *, halves: bool = False) -> Any:
    """The value that JSON says; ValueError if it is not strict JSON. The pieces of a stream may have `halves` of
    characters."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes")
    text = data if isinstance(data, str) else str(data, "utf-8")
    try:
        value = _STRICT.decode(text)
        _check_depth(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not halves and ("\\u" in text or isinstance(data, str)):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half a character is in it (a lone surrogate)") from None
    return value


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST):
        inner = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        if not inner:
            return
        level = [one for several in inner for one in several]
    raise ValueError("nested too deeply")


def _each_key_once(pairs: Sequence[tuple[str, Any]], *, alike: bool = False) -> dict[str, Any]:
    """The object of these pairs; a key may stand twice only if both are `alike` and that is allowed."""
    found = dict(pairs)
    if len(found) < len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            if key in first and not (alike and repr(first[key]) == repr(value)):
                raise ValueError(f"the key {key!r} stands twice")
            first[key] = value
    return found


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number in it is too large")
    return number


def _short(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("a number in it is too large")
    return int(digits)


_HOOKS: dict[str, Any] = {
    "object_pairs_hook": _each_key_once,
    "parse_constant": _refused,
    "parse_float": _finite,
    "parse_int": _short,
}
_STRICT = json.JSONDecoder(**_HOOKS)
_HOOKS["object_pairs_hook"] = partial(_each_key_once, alike=True)
DECODER = json.JSONDecoder(**_HOOKS)
"""For JSON in the middle of a reply, which may say the same twice."""
LENIENT = json.JSONDecoder(**_HOOKS, strict=False)
"""The same with line breaks in texts."""
