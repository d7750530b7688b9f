"""Marks of speakers: a name in one or two letters, and of several names none that two of them share."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import count

_WORD = re.compile(r"[^\W_]+")


def initials(name: str) -> str:
    """A name in short: the first letters of its first and its last word, or the first two of a single one; a number at
    its end is whole. Scripts without capitals have one letter, since two of theirs are a word or join."""
    words: list[str] = _WORD.findall(name)
    if not words:
        return "?"
    first, last = words[0][0], words[-1]
    if _is_uncased(first):
        return first
    if len(words) == 1:
        return f"{first.upper()}{last[1:2]}"
    return f"{first.upper()}{last if last.isdecimal() else last[0].upper()}"


def initials_of(names: Iterable[str]) -> dict[str, str]:
    """The marks of those who are seen together. Names with the same initials have a number instead of the second
    letter."""
    short = {name: initials(name) for name in names}
    times, taken = Counter(short.values()), set(short.values())
    for name, mark in short.items():
        if times[mark] > 1:
            short[name] = next(one for number in count(1) if (one := f"{mark[0]}{number}") not in taken)
            taken.add(short[name])
    return short


def _is_uncased(letter: str) -> bool:
    return letter.upper() == letter.lower() and not letter.isdecimal()
