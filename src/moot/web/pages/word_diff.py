"""Differences between two texts, word by word."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain
from typing import Literal

MOST_WORDS = 6_000
"""In either text, spaces counted. Longer ones would keep a server busy for seconds."""
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Literal["same", "del", "ins"]
    text: str


def word_diff(before: str, after: str) -> list[Piece] | None:
    """The later text in pieces, with removed words in place; None if the texts are too long to compare."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > MOST_WORDS:
        return None
    found = []
    for kind, a, b, c, d in SequenceMatcher(lambda word: word.isspace(), old, new).get_opcodes():
        if kind == "equal":
            found.append([Piece("same", "".join(new[c:d]))])
        else:
            gone, come = "".join(old[a:b]), "".join(new[c:d])
            found.append([Piece("del", gone)] * bool(gone) + [Piece("ins", come)] * bool(come))
    return list(chain.from_iterable(found))
