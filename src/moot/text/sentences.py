"""Finds the ends of sentences in running text. Only characters are considered, so abbreviations are known only by their
form."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

# Each branch begins at the first of its characters and takes all of them at once, so that none is scanned twice. A
# citation after the full stop belongs to the sentence.
_END = re.compile(
    r"(?<![.!?…؟۔।॥։])[.!?…؟۔।॥։]++[\"'”’»)\]]*+(?:\s?\[\d[\d,;\s–-]*+\])*(?=\s|$)"
    r"|[。！？．｡፧።។။]++[」』”’）]*+(?:\s?\[\d[\d,;\s–-]*+\])*"
    r"|\n[^\S\n]*+\n|\n(?=[^\S\n]*+(?:[-*•#]|\d{1,9}[.)]\s))"
)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|(?:\w\.)+\w|e\.g|i\.e|cf|vs|etc|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|pp|approx|Fig|Eq|Inc|Ltd|Jr|Sr|ca|vol)\.$"
)
_BLANK = re.compile(r"\n[^\S\n]*+\n\s*+")
_NEXT = re.compile(r"\s*+(.?)")
_LONGEST_MARK = 40
"""Characters. List markers and abbreviations are shorter."""
_ITEM = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its position in the text. `paragraph` counts from 0."""

    text: str
    start: int
    end: int
    paragraph: int


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order, without list markers."""
    found: list[Sentence] = []
    blanks = [blank.start() for blank in _BLANK.finditer(text, len(text) - len(text.lstrip()))]
    for start, end in _stretches(text):
        piece = text[start:end]
        mark = _ITEM.match(piece)
        first = start + (mark.end() if mark else len(piece) - len(piece.lstrip()))
        kept = text[first:end].rstrip()
        if kept:
            found.append(Sentence(kept, first, first + len(kept), bisect_left(blanks, first)))
    return found


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for sign in _END.finditer(text):
        ends_line = sign.group()[0] == "\n"
        next_sign = None if ends_line else _NEXT.match(text, sign.end())
        following = next_sign[1] if next_sign else ""
        beginning = text[start : min(sign.end(), start + _LONGEST_MARK)]
        if not ends_line and (following.islower() or _ITEM.fullmatch(f"{beginning} ")):
            continue
        last = text[max(start, sign.end() - _LONGEST_MARK) : sign.end()]
        if sign.group() == "." and following and _ABBREVIATED.search(last):
            continue
        yield start, sign.end()
        start = sign.end()
    yield start, len(text)
