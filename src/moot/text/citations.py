"""Citations: where texts name documents (`[D2]`), lookups (`[L1a]`) and entries (`[E12]`), and which quotations belong
to them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from moot.text.quotations import quotations, says


@dataclass(frozen=True, slots=True)
class Marks:
    """The patterns of a mark in square brackets, in those of Chinese and Japanese too, and of the numbers in it."""

    mark: re.Pattern[str]
    number: re.Pattern[str]

    @classmethod
    def of(cls, source: str) -> "Marks":
        return cls(re.compile(rf"[\[［【]({source}[^\[\]［］【】\n]{{0,80}})[\]］】]"), re.compile(rf"\b{source}"))


IN_DEBATES = Marks.of(r"(?:D\d{1,3}|L\d{1,3}[a-z]{0,2})\b")
IN_ANSWERS = Marks.of(r"(?:D\d{1,3}|E\d{1,6})\b")
"""The marks in answers to questions about a debate, which cite its entries."""
_SENTENCE_END = re.compile(r"[.!?]\s")
_ENDED = re.compile(r"[.!?][\"'”’»)]{0,3}$")


@dataclass(frozen=True, slots=True)
class Citation:
    """Sources that are cited at one place, by number, and a quotation that they are cited for, or "". It may also be
    from the sources in `also`, which are cited on its other side in the same sentence."""

    numbers: tuple[str, ...]
    quote: str = ""
    also: tuple[str, ...] = ()

    @property
    def possible(self) -> tuple[str, ...]:
        return self.numbers + self.also


def citations(texts: Iterable[str], kind: Marks = IN_DEBATES) -> Iterator[Citation]:
    """Every place at which sources are cited, alone and with each of its quotations: those of the sentence before the
    mark; if there are none, those after it in the same sentence, as in `[D1] says “…”`; else the last before."""
    for text in texts:
        marks = list(kind.mark.finditer(text))
        numbers = [tuple(dict.fromkeys(kind.number.findall(mark[1]))) for mark in marks]
        ends = [0, *(mark.end() for mark in marks)]
        starts = [*(mark.start() for mark in marks), len(text)]
        taken: list[str] = []
        for place, own in enumerate(numbers):
            before, after = text[ends[place] : starts[place]], text[ends[place + 1] : starts[place + 1]]
            yield Citation(own)
            ahead, behind, earlier = _quotations(before, after)
            ahead, earlier = ([one for one in found if one not in taken] for found in (ahead, earlier))
            neighbours = numbers[place + 1] if place + 1 < len(numbers) and not _SENTENCE_END.search(after) else ()
            taken = [] if ahead else behind
            if ahead:
                neighbours = numbers[place - 1] if place and not _SENTENCE_END.search(before.rstrip()) else ()
            for quote in ahead or behind or earlier:
                yield Citation(own, quote, neighbours)


def _quotations(before: str, after: str) -> tuple[list[str], list[str], list[str]]:
    """The quotations of the sentence with a mark, before and after it, and the last one before them. A mark behind the
    full stop belongs to the sentence that has ended."""
    cut = [one.end() for one in _SENTENCE_END.finditer(before.rstrip())]
    ahead, behind = quotations(before[cut[-1] :] if cut else before), quotations(_SENTENCE_END.split(after, 1)[0])
    if _ENDED.search(before.rstrip()):
        begins = after.lstrip()[:1].islower()  # as in: It is so. [D1] says …
        ahead, behind = ([], behind) if begins else (ahead, [])
    return ahead, behind, quotations(before)[-1:]


def is_in(quote: str, text: str) -> bool:
    return quote in text or says(quote, text)
