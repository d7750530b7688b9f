"""Sentences: where one ends in running text. By signs alone, so abbreviations are known only by their looks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?:\s?\[\d[\d,;\s–-]*\])*(?=\s|$)"  # a citation after the full stop belongs before it
    r"|[。！？]+[」』”’）]*(?:\s?\[\d[\d,;\s–-]*\])*"
    r"|\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)]\s))"
)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|(?:\w\.)+\w|e\.g|i\.e|cf|vs|etc|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|pp|approx|Fig|Eq|Inc|Ltd|Jr|Sr|ca|vol)\.$"
)
_BLANK = re.compile(r"\n[^\S\n]*\n\s*")
_ITEM = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands in its text. `paragraph` counts from 0."""

    text: str
    start: int
    end: int
    paragraph: int


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order; signs that begin the items of a list are no part of them."""
    found: list[Sentence] = []
    for start, end in _stretches(text):
        piece = text[start:end]
        mark = _ITEM.match(piece)
        first = start + (mark.end() if mark else len(piece) - len(piece.lstrip()))
        kept = text[first:end].rstrip()
        if kept:
            before = len(_BLANK.findall(text[:first].lstrip()))
            found.append(Sentence(kept, first, first + len(kept), before))
    return found


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for sign in _END.finditer(text):
        following = text[sign.end() :].lstrip()[:1]
        ends_line = sign.group()[0] == "\n"
        if not ends_line and (following.islower() or _ITEM.fullmatch(f"{text[start : sign.end()]} ")):
            continue
        if sign.group() == "." and following and _ABBREVIATED.search(text[start : sign.end()]):
            continue
        yield start, sign.end()
        start = sign.end()
    yield start, len(text)
