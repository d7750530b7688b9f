"""Citations: where texts name documents (`[D2]`), lookups (`[L1a]`) and entries (`[E12]`), and which quotations belong
to them."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from moot.text.language import CLOSING, SENTENCE_ENDS
from moot.text.quotations import QUOTED, quotations, says

_OPENED, _CLOSED = r"\[［【〔《", r"\]］】〕》"


@dataclass(frozen=True, slots=True)
class Marks:
    """The patterns of a mark in brackets, also in those of Chinese and Japanese, and of the numbers in it."""

    mark: re.Pattern[str]
    number: re.Pattern[str]

    @classmethod
    def of(cls, source: str) -> "Marks":
        inside = rf"{source}[^{_OPENED}{_CLOSED}\n]{{0,80}}"
        return cls(re.compile(rf"[{_OPENED}]\s?({inside})[{_CLOSED}]"), re.compile(rf"\b{source}"))


IN_DEBATES = Marks.of(r"(?:D\d{1,3}|L\d{1,3}[a-z]{0,2})\b")
IN_ANSWERS = Marks.of(r"(?:D\d{1,3}|E\d{1,6})\b")
"""The marks in answers to questions about a debate, which cite its entries."""
_WITH_SPACE = ".!?…"
_ALONE = "".join(sign for sign in SENTENCE_ENDS if sign not in _WITH_SPACE)
_SENTENCE_END = re.compile(
    rf"(?:[{_WITH_SPACE}][{re.escape(CLOSING)}]*(?:\s|$)|[{_ALONE}][{re.escape(CLOSING)}]*)(?!\s*$)"
)
"""In scripts without spaces, and in some others, a sentence ends with its mark alone."""
_ENDED = re.compile(rf"[{re.escape(SENTENCE_ENDS)}][{re.escape(CLOSING)}]{{0,3}}$")


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


def citations(
    texts: Iterable[str], kind: Marks = IN_DEBATES, of_others: Callable[[str], bool] = lambda _: False
) -> Iterator[Citation]:
    """Every place at which sources are cited, alone and with each of its quotations: those of the sentence before the
    mark; if there are none, those after it in the same sentence, as in `[D1] says “…”`; else the last before. What is
    quoted `of_others`, such as an opponent in the same sentence, belongs to no mark."""
    for text in texts:
        marks = list(kind.mark.finditer(text))
        numbers = [tuple(dict.fromkeys(kind.number.findall(mark[1]))) for mark in marks]
        ends = [0, *(mark.end() for mark in marks)]
        starts = [*(mark.start() for mark in marks), len(text)]
        taken: list[str] = []
        for place, own in enumerate(numbers):
            before, after = text[ends[place] : starts[place]], text[ends[place + 1] : starts[place + 1]]
            yield Citation(own)
            found = _quotations(before, after)
            ahead, behind, earlier = ([one for one in some if not of_others(one)] for some in found)
            ahead, earlier = ([one for one in some if one not in taken] for some in (ahead, earlier))
            goes_on = place + 1 < len(numbers) and not _ends_of_sentences(after)
            neighbours = numbers[place + 1] if goes_on else ()
            taken = [] if ahead else behind
            if ahead:
                neighbours = numbers[place - 1] if place and not _ends_of_sentences(before) else ()
            for quote in ahead or behind or earlier:
                yield Citation(own, quote, neighbours)


def _quotations(before: str, after: str) -> tuple[list[str], list[str], list[str]]:
    """The quotations of the sentence with a mark, before and after it, and the last one before them. A mark behind the
    full stop belongs to the sentence that has ended, unless the next one goes on from it, as in `It is so. [D1] says
    “…”`; where letters have no case, that is the one which quotes."""
    cut, follows = _ends_of_sentences(before), _ends_of_sentences(after)
    ahead, behind = (
        quotations(before[cut[-1] :] if cut else before),
        quotations(after[: follows[0]] if follows else after),
    )
    if _ENDED.search(before.rstrip()):
        begins = after.lstrip()[:1]
        ahead, behind = ([], behind) if begins.isalpha() and not begins.isupper() and behind else (ahead, [])
    return ahead, behind, quotations(before)[-1:]


def _ends_of_sentences(text: str) -> list[int]:
    """Where sentences end before the end of the text, but not within a quotation."""
    quoted = [one.span() for one in QUOTED.finditer(text)]
    ends = [one.span() for one in _SENTENCE_END.finditer(text)]
    return [end for start, end in ends if not any(first < start and end < last for first, last in quoted)]


def is_in(quote: str, text: str) -> bool:
    return quote in text or says(quote, text)
