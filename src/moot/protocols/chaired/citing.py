"""The sentences of a statement: the sources that each cites, the addresses in it, and whether it is labelled a
conjecture. Based on form only, not on meaning."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.evidence import find_quote
from moot.evidence.addresses import normal
from moot.protocols.chaired.sentences import sentences
from moot.text.language import SENTENCE_ENDS

LABEL = "[CONJECTURE]"
_MARK = re.compile(r"\s?\[(\d{1,2}(?:\s*[,;–-]\s*\d{1,2})*)\]")
_DOCUMENT_MARK = re.compile(r"\[(D\d{1,3})\b[^\[\]\n]{0,80}\]")
_WIDE_MARK = re.compile(r"[［【](D\d{1,3}\b[^\[\]［］【】\n]{0,80}|\d{1,2}(?:\s*[,;，、；–-]\s*\d{1,2})*)[］】]")
"""A mark in the brackets of Chinese and Japanese."""
_WIDE_SIGNS = str.maketrans("，、；", ",,;")
_DOCUMENT = re.compile(r"D\d{1,3}")
_NOTHING = "\u200b"
"""Stands for a mark that is left out; it makes no difference where words are looked up."""
_ADDRESS = re.compile(
    r"https?://[^\s<>\"“”„«»]+|\bwww\.[^\s<>\"“”„«»]+|\b(?:doi:\s*)?10\.\d{4,9}/[^\s<>\"“”]+"
    r"|(?<![\w.-])(?:[\w-]++\.)+[^\W\d_]{2,}/[^\s<>\"“”„«»]+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of a statement, without its marks, and its place in it. `cites` are the numbers of its sources, from
    1."""

    text: str
    cites: tuple[int, ...]
    labelled: bool
    start: int
    end: int


def said_in(content: str, *, closely: bool = False) -> list[Said]:
    """The sentences of a statement. A paragraph that begins with the label is labelled to its end, a sentence that does
    so is labelled itself. `closely` is as in `sentences`."""
    found, labelled = [], set[int]()
    begun = set[int]()
    for one in sentences(content, closely=closely):
        begins = one.text.startswith(LABEL)
        if begins and one.paragraph not in begun:
            labelled.add(one.paragraph)
        begun.add(one.paragraph)
        text = _MARK.sub("", one.text).removeprefix(LABEL).strip()
        cites = tuple(dict.fromkeys(number for mark in _MARK.findall(one.text) for number in _numbers(mark)))
        found.append(Said(text, cites, begins or one.paragraph in labelled, one.start, one.end))
    return found


def place_of(words: str, content: str) -> tuple[int, int] | None:
    """Where these words stand in a statement, with the marks and the full stop after them; capitals and marks of
    sources make no difference."""
    hidden = _alike(_MARK.sub(lambda mark: _NOTHING * len(mark[0]), content))
    found = find_quote(_alike(without_marks(words)), hidden, least=1)
    if found is None:
        return None
    return found.start, found.end + len(hidden[found.end :]) - len(
        hidden[found.end :].lstrip(f"{_NOTHING}{SENTENCE_ENDS}")
    )


def said_around(words: str, content: str) -> list[Said]:
    """The sentences of a statement in which these words stand, and no more than they need."""
    place = place_of(words, content)
    return (
        [one for one in said_in(content, closely=True) if one.start < place[1] and one.end > place[0]] if place else []
    )


def named(words: str, content: str) -> list[str]:
    """The stretches of a statement, as they are written, that somebody names: the sentence of these words, the words
    themselves or, where they are not in one place, every sentence among them."""
    told = _alike(without_marks(words).strip())
    if whole := [one for one in said_in(content, closely=True) if _alike(one.text) == told]:
        return [content[whole[0].start : whole[0].end]]
    if place := place_of(words, content):
        return [content[place[0] : place[1]]]
    return [content[one.start : one.end] for one in said_in(content) if place_of(one.text, words)]


def without(stretch: str, content: str, instead: str) -> str:
    """A statement with other words instead of a stretch of it: where a sentence begins with it, so that no quotation is
    taken for it; else where it is first."""
    starts = [one.start for one in said_in(content, closely=True) if content.startswith(stretch, one.start)]
    at = starts[0] if starts else content.find(stretch)
    return content if at < 0 else content[:at] + instead + content[at + len(stretch) :]


def _alike(text: str) -> str:
    """A text in lower case, as long as before."""
    return "".join(small if len(small := sign.lower()) == 1 else sign for sign in text)


def without_marks(content: str) -> str:
    return _MARK.sub("", content)


def renumbered(content: str, numbers: Mapping[int, int]) -> str:
    """The words with other numbers in their marks, and without those that are not among them."""

    def mark(found: re.Match[str]) -> str:
        kept = [str(numbers[number]) for number in _numbers(found[1]) if number in numbers]
        return f"{found[0].partition('[')[0]}[{', '.join(kept)}]" if kept else ""

    return _MARK.sub(mark, content)


def is_document(url: str) -> bool:
    """Whether a source is a document of the debate, such as D2, and no page."""
    return _DOCUMENT.fullmatch(url) is not None


def numbered(content: str, urls: Sequence[str], documents: int) -> tuple[str, list[str]]:
    """A statement that cites documents as [D2], with the numbers of sources in place of these marks, and its sources
    with the documents among them. `documents`: so many there are; what is none of them stays as it is."""
    sources = list(urls)

    def number(mark: re.Match[str]) -> str:
        if not 1 <= int(mark[1][1:]) <= documents:
            return mark[0]
        if mark[1] not in sources:
            sources.append(mark[1])
        return f"[{sources.index(mark[1]) + 1}]"

    plain = _WIDE_MARK.sub(lambda mark: f"[{mark[1].translate(_WIDE_SIGNS)}]", content)
    return _DOCUMENT_MARK.sub(number, plain), sources


def unknown_documents(content: str) -> list[str]:
    """The documents that a numbered statement cites and that are none."""
    return _DOCUMENT_MARK.findall(content)


def addresses_in(text: str) -> list[str]:
    """The web addresses in a text, without the punctuation after them."""
    return [trimmed for one in _ADDRESS.findall(text) if (trimmed := _trimmed(one))]


def page_of(address: str) -> str:
    """An address for comparison: the same for a page with or without its scheme, `www.` and final slash."""
    address = re.sub(r"^doi:\s*", "https://doi.org/", address, flags=re.IGNORECASE)
    address = address if "://" in address else f"https://{'doi.org/' if address.startswith('10.') else ''}{address}"
    return re.sub(r"^[a-z]+://(?:www\.)?", "", normal(address))


def _trimmed(address: str) -> str:
    address = _MARK.sub("", address).rstrip(".,;:!?'’*_")
    while address.endswith((")", "]")) and address.count(address[-1]) > address.count(
        {")": "(", "]": "["}[address[-1]]
    ):
        address = address[:-1].rstrip(".,;:!?'’*_")
    return address


def _numbers(mark: str) -> list[int]:
    """The numbers of a mark such as 1, or 1, 3, or 2–4."""
    found: list[int] = []
    for part in "".join(mark.split()).replace(";", ",").split(","):
        first, _, last = part.replace("–", "-").partition("-")
        found += range(int(first), min(int(last or first), int(first) + 20) + 1)
    return found
