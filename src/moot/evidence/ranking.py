"""Lexical ranking: texts are split into chunks, words normalised, and ranked with BM25. Deterministic, without I/O."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

CHUNK = 1200
"""The most characters of a chunk: a passage that can be read at a glance."""

_K1, _B = 1.5, 0.75
"""The usual weights of BM25: for the repetition of words, and for the length of texts."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_LONGEST_WORD = 64
"""Anything longer is data, not a word."""
_COMMON = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could did do does doing
    down each for from had has have having he her here hers him his how i if in into is it its itself just may me might
    more most must my no nor not of off on once only or other our out over own same she should so some such than that
    the their them then there these they this those through to too under until up upon us very was we were what when
    where which while who whom why will with would you your""".split()  # noqa: SIM905 (reads as a list of words)
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A verbatim section of a text. Lines are counted from 1, and `last_line` is included."""

    text: str
    start: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Hit:
    number: int
    score: float


class Index:
    """BM25, as in Lucene, over texts, which are numbered in the order given."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(words(text)) for text in texts]
        lengths = [one.total() for one in counts]
        mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
        damping = [_K1 * (1 - _B + _B * length / mean) for length in lengths]
        self._found_in: dict[str, list[tuple[int, float]]] = {}
        """For each word: the texts that contain it, and how much it adds to their scores."""
        for number, one in enumerate(counts):
            for word, count in one.items():
                self._found_in.setdefault(word, []).append((number, count / (count + damping[number])))
        self._size = len(counts)

    def best(self, query: str, k: int) -> list[Hit]:
        """The k best texts that share a word with the query, earlier ones first among ties."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words(query)):
            having = self._found_in.get(word, ())
            rarity = math.log(1 + (self._size - len(having) + 0.5) / (len(having) + 0.5))
            for number, weight in having:
                scores[number] = scores.get(number, 0.0) + rarity * weight
        ranked = nsmallest(k, ((-round(score, 4), number) for number, score in scores.items()))
        return [Hit(number, -negative) for negative, number in ranked if negative]


def words(text: str) -> list[str]:
    """The normalised words of a text: in lower case, without the most common words and without endings; names like
    `maxRetryCount` as a whole and in parts. Characters of scripts without spaces count one by one."""
    return [word for found in _WORD.findall(text) if len(found) <= _LONGEST_WORD for word in _forms(found)]


def overlap(claim: str, text: str) -> float | None:
    """The share of the claim's distinct words that the text contains; None if the claim has fewer than four, which is
    too few to compare."""
    wanted = set(words(claim))
    return len(wanted & set(words(text))) / len(wanted) if len(wanted) >= 4 else None


def chunks(text: str, most: int = CHUNK) -> list[Chunk]:
    """Split a text into chunks of at most `most` characters, at blank lines if possible, else at line ends, else
    anywhere."""
    found: list[Chunk] = []
    start = 0
    line = 1
    for end in _ends(text, most):
        piece = text[start:end]
        kept = piece.strip()
        if kept:
            lead = len(piece) - len(piece.lstrip())
            first = line + piece.count("\n", 0, lead)
            found.append(Chunk(kept, start + lead, first, first + kept.count("\n")))
        line += piece.count("\n")
        start = end
    return found


def relevant(text: str, query: str, k: int) -> list[Chunk]:
    """The k best chunks of a text for a query, in the order of the text: the part to show of a page that is too long.
    The first chunks if no word is shared."""
    pieces = chunks(text)
    if len(pieces) <= k:
        return pieces
    numbers = sorted(hit.number for hit in Index([piece.text for piece in pieces]).best(query, k))
    return [pieces[number] for number in numbers or range(k)]


def _ends(text: str, most: int) -> Iterator[int]:
    start = 0
    while len(text) - start > most:
        reach = start + most
        end = text.rfind("\n\n", start + most // 4, reach)
        if end < 0:
            end = text.rfind("\n", start + 1, reach)
        if end < 0:
            end = text.rfind(" ", start + 1, reach)
        start = reach if end < 0 else end + 1
        yield start
    yield len(text)


def _forms(word: str) -> Iterator[str]:
    if not word.isascii():
        yield word.casefold()
        return
    parts = _PARTS.findall(word) if _CAMEL.search(word) else ()
    for one in (word, *parts):
        lower = one.lower()
        if lower not in _COMMON and (len(lower) > 1 or lower.isdigit()):
            yield _stem(lower)


def _stem(word: str) -> str:
    """An English word without the most common endings: prices, priced and pricing are the same word to a search. This
    is crude, but the same for all texts."""
    if len(word) <= 3:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    rest = word.removesuffix("ing") if word.endswith("ing") else word.removesuffix("ed")
    if 3 <= len(rest) < len(word) and not word.endswith("eed") and set(rest) & set("aeiouy"):
        word = rest
        if word[-1] == word[-2] and word[-1] not in "lsz":  # planned, but called
            word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
