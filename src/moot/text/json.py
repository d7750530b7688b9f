"""Strict parsing of untrusted JSON."""

import json
import math
from collections.abc import Sequence
from typing import Any

LONGEST_NUMBER = 60
"""Digits. Longer numbers are rejected as hostile."""


def parse_json(data: bytes | str) -> Any:
    """Parse JSON; ValueError if it is invalid, contains a number that is not finite or too large, or is nested too
    deeply."""
    try:
        return json.loads(data, parse_constant=_refused, parse_float=_finite, parse_int=_short)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def each_key_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, as `object_pairs_hook`; ValueError if it has a key twice, of which one would be dropped."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice")
        found[key] = value
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
