"""Search over runs by words: one function for the gallery, the API and `moot list`."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress

from moot.engine.runs import Run
from moot.errors import MootError
from moot.record.stores.base import LOG


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
