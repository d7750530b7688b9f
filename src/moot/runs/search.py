"""Search over runs by words: one function for the gallery, the API and `moot list`."""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from moot.engine.staging.runs import Run
from moot.errors import MootError
from moot.record.stores.base import LOG
from moot.text import one_line

AROUND = 90
"""Characters of an excerpt on each side of a word."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place where words were found: the entry, and its text in parts, some of which are the words."""

    seq: int
    speaker: str
    parts: tuple[tuple[str, bool], ...]


def words_of(query: str) -> list[str]:
    return query.casefold().split()


def missing(words: Sequence[str], texts: Iterable[str | None]) -> list[str]:
    """The words that are in none of these texts."""
    folded = "\n".join(text for text in texts if text).casefold()
    return [word for word in words if word not in folded]


def has_words(run: Run, words: Sequence[str], texts: Iterable[str | None]) -> bool:
    """Whether each word is in one of these texts, or in what was said in the run, as readers see it."""
    left = missing(words, texts)
    if not left:
        return True
    with suppress(MootError, OSError):
        # Most logs are ruled out by their bytes, without being parsed. What is written otherwise than moot writes it,
        # with escapes, is parsed in any case.
        whole = b"\n".join(run.place.read_lines(LOG)).decode("utf-8", "replace")
        written = [json.dumps(word, ensure_ascii=False)[1:-1] for word in left]
        if "\\u" in whole or not missing(written, [whole]):
            return not missing(left, [entry.content for entry in run.readable()])
    return False


def excerpt(run: Run, words: Sequence[str]) -> Excerpt | None:
    """The entry of a run that has the most of these words, a public one if there is one, around the first of them; None
    if they are not in what was said."""
    best: tuple[tuple[int, bool], Excerpt] | None = None
    with suppress(MootError, OSError):
        for entry in run.readable():
            text = one_line(entry.content)
            folded = text.casefold()
            found = [word for word in words if word in folded]
            rank = len(found), entry.to == "all"
            if found and (best is None or rank > best[0]):
                best = rank, Excerpt(entry.seq, entry.speaker, _parts(text, found))
    return best[1] if best else None


def _parts(text: str, words: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """The text around the first of the words, cut at blanks, with all words in it marked."""
    # A letter may be folded to several: `ß` to `ss`.
    places = [place for place, letter in enumerate(text) for _ in letter.casefold()]
    folded = text.casefold()
    spans = sorted(
        (places[one.start()], places[one.end() - 1] + 1)
        for word in words
        for one in re.finditer(re.escape(word), folded)
    )
    start = max(text.rfind(" ", 0, max(0, spans[0][0] - AROUND)) + 1, 0) if spans[0][0] > AROUND else 0
    end = text.find(" ", spans[0][1] + AROUND)
    end = len(text) if end == -1 else end
    parts, at = [("… " if start else "", False)], start
    for begins, ends in spans:
        if begins >= at and ends <= end:
            parts += [(text[at:begins], False), (text[begins:ends], True)]
            at = ends
    return (*(part for part in parts if part[0]), (text[at:end] + (" …" if end < len(text) else ""), False))
