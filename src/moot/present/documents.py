"""A document that a debate was given: its numbered lines, with the words that entries quote."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

CONTEXT = 2
"""Lines shown before and after cited ones."""
SHORT_LINES, SHORT_TEXT = 5, 2_000
"""Lines and characters. A stretch without citations that has no more of them is not folded away."""
LONGEST_REST = 1_000
"""Characters between quotations that an excerpt shows of a line."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words that entries quote: the places of their first character and after their last."""

    start: int
    end: int
    entries: Sequence[int]


@dataclass(frozen=True, slots=True)
class Document:
    """A document, cited as `number`. The `entries` cite it without a quotation. `missing` are quotations that are not
    in it, with the entries that have them. If it is not `whole`, it is too long for a page: an excerpt is shown."""

    kind: ClassVar[str] = "document"
    number: str
    name: str
    about: str
    text: str
    words: Sequence[Words] = ()
    entries: Sequence[int] = ()
    missing: Sequence[tuple[str, int]] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line in pieces, each with whether it is quoted, and the entries whose quotations begin in it."""

    number: int
    pieces: list[tuple[str, bool]]
    entries: list[int]

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)

    @property
    def quoted(self) -> bool:
        return any(quoted for _, quoted in self.pieces)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive lines. `near`: they are cited or next to lines that are."""

    lines: list[NumberedLine]
    near: bool

    @property
    def short(self) -> bool:
        return len(self.lines) <= SHORT_LINES and sum(len(line.text) for line in self.lines) <= SHORT_TEXT

    @property
    def name(self) -> str:
        first, last = self.lines[0].number, self.lines[-1].number
        return f"Line {first:,}" if first == last else f"Lines {first:,} to {last:,}"


def stretches(document: Document, *, excerpt: bool) -> list[Stretch]:
    """The lines of a document, those near citations apart from the others. In an excerpt, long parts of lines that
    nobody quotes are shortened, and say by how much."""
    lines = list(_lines(document))
    cited = [line.number for line in lines if line.quoted]
    near = {number for one in cited for number in range(one - CONTEXT, one + CONTEXT + 1)}
    parts = groupby(lines, lambda line: line.number in near)
    return [Stretch([_shortened(line) if excerpt else line for line in several], close) for close, several in parts]


def _lines(document: Document) -> Iterator[NumberedLine]:
    words = sorted(document.words, key=lambda one: (one.start, one.end))
    spans, beginning, at = deque(_merged(words)), deque(words), 0
    for number, text in enumerate(document.text.split("\n"), 1):
        end, done, pieces = at + len(text), at, list[tuple[str, bool]]()
        while spans and spans[0][0] < end:
            start, stop = max(spans[0][0], at), min(spans[0][1], end)
            pieces += [(document.text[done:start], False), (document.text[start:stop], True)]
            done = stop
            if spans[0][1] > end:  # it goes on in the next line
                break
            spans.popleft()
        pieces.append((document.text[done:end], False))
        entries: list[int] = []
        while beginning and beginning[0].start <= end:
            entries += beginning.popleft().entries
        yield NumberedLine(number, [one for one in pieces if one[0]], sorted(set(entries)))
        at = end + 1


def _merged(words: Sequence[Words]) -> list[tuple[int, int]]:
    """The quoted parts of the text, of which no two overlap."""
    merged: list[tuple[int, int]] = []
    for one in words:
        if merged and one.start <= merged[-1][1]:
            start, end = merged.pop()
            merged.append((start, max(end, one.end)))
        else:
            merged.append((one.start, one.end))
    return merged


def _shortened(line: NumberedLine) -> NumberedLine:
    return NumberedLine(
        line.number, [(text if quoted else _ends(text), quoted) for text, quoted in line.pieces], line.entries
    )


def _ends(text: str) -> str:
    half = LONGEST_REST // 2
    left_out = len(text) - LONGEST_REST
    return text if left_out <= 0 else f"{text[:half]} [… {left_out:,} characters …] {text[-half:]}"
