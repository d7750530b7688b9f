"""Finds the ends of sentences in running text. Only characters are considered, so abbreviations are known only by their
form, in no language better than in another."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from moot.text.quotations import Found

# Each branch begins at the first of its characters and takes all of them at once, so that none is scanned twice. A
# citation after the full stop belongs to the sentence.
_END = re.compile(
    r"(?<![.!?…؟۔।॥։])[.!?…؟۔।॥։]++[\"'”’»)\]]*+(?:\s?\[\d[\d,;\s–-]*+\])*(?=\s|$)"
    r"|[。！？．｡፧።។။]++[」』”’）]*+(?:\s?\[\d[\d,;\s–-]*+\])*"
    r"|\n[^\S\n]*+\n|\n(?=[^\S\n]*+(?:[-*•#]|\d{1,9}[.)]\s))"
)
_BLANK = re.compile(r"\n[^\S\n]*+\n\s*+")
_NEXT = re.compile(r"\s*+(.?)")
_LONGEST_MARK = 40
"""Characters. List markers and abbreviations are shorter."""
_ITEM = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence(Found):
    """A sentence and its position in the text. `paragraph` counts from 0."""

    paragraph: int


def sentences(text: str, *, closely: bool = False) -> list[Sentence]:
    """The sentences of a text, in order, without list markers. `closely`: they end after a short name, too, which looks
    like a title."""
    found: list[Sentence] = []
    blanks = [blank.start() for blank in _BLANK.finditer(text, len(text) - len(text.lstrip()))]
    for start, end in _stretches(text, closely=closely):
        piece = text[start:end]
        mark = _ITEM.match(piece)
        first = start + (mark.end() if mark else len(piece) - len(piece.lstrip()))
        kept = text[first:end].rstrip()
        if kept:
            found.append(Sentence(first, first + len(kept), kept, bisect_left(blanks, first)))
    return found


def _stretches(text: str, *, closely: bool) -> Iterator[tuple[int, int]]:
    start = 0
    for sign in _END.finditer(text):
        ends_line = sign.group()[0] == "\n"
        next_sign = None if ends_line else _NEXT.match(text, sign.end())
        following = next_sign[1] if next_sign else ""
        beginning = text[start : min(sign.end(), start + _LONGEST_MARK)]
        if not ends_line and (following.islower() or _ITEM.fullmatch(f"{beginning} ")):
            continue
        last = text[max(start, sign.start() - _LONGEST_MARK) : sign.start()].split()[-1:]
        if sign.group() == "." and following and last and _is_short(last[0], following, closely=closely):
            continue
        yield start, sign.end()
        start = sign.end()
    yield start, len(text)


def _is_short(word: str, following: str, *, closely: bool) -> bool:
    """Whether a word looks cut short: a letter or a day (z. B., 3. Mai), a few letters with a capital (Dr., Prof.), or
    a few before a number (ca. 5)."""
    parts = word.lstrip("([{“„«‘\"'").split(".")
    return all(
        (part.isalnum() and len(part) == 1)
        or (part.isdigit() and len(part) == len("31"))
        or (part.istitle() and len(part) <= len("Prof") and not closely)
        or (part.isalpha() and len(part) <= len("art") and following.isdigit())
        for part in parts
    )
