"""Marks of speakers: a name in one or two letters, and of several names none that two of them share."""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

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
    """The marks of those who are seen together. Names with the same initials have the letter that tells them apart
    instead, or a number where none does."""
    known = list(dict.fromkeys(names))
    short = {name: initials(name) for name in known}
    marks: dict[str, str] = {}
    for mark in dict.fromkeys(short.values()):
        alike = [name for name in known if short[name] == mark]
        others = {one for name, one in short.items() if name not in alike} | set(marks.values())
        marks |= {alike[0]: mark} if len(alike) == 1 else _told_apart(alike, others)
    return {name: marks[name] for name in known}


def _told_apart(names: Sequence[str], taken: set[str]) -> dict[str, str]:
    """A mark for each of these names, which begin alike, and none that is taken: by the first place at which all of
    them differ."""
    bare = ["".join(_WORD.findall(name)) or "?" for name in names]
    lead = "" if _is_uncased(bare[0][0]) else bare[0][0].upper()
    for letters in [*zip_longest(*bare, fillvalue="")][1:]:
        marks = [lead + letter.lower() for letter in letters]
        if len({*marks}) == len(names) and all(marks) and not taken.intersection(marks):
            return dict(zip(names, marks, strict=True))
    numbers = (f"{lead}{number}" for number in range(1, len(names) + len(taken) + 1))
    return dict(zip(names, (one for one in numbers if one not in taken), strict=False))


def _is_uncased(letter: str) -> bool:
    return letter.upper() == letter.lower() and not letter.isdecimal()
