"""Whether two texts are the same proposition, and the id that a text means."""

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache

_ID = re.compile(r"[ak]\d+")
_MEANT = frozenset("#%&@/‰")
"""Punctuation that tells words apart, as in “C#” and “5 %”."""


@lru_cache(maxsize=8192)
def normal_form(text: str) -> str:
    """A text for comparison: without differences in case, white space, punctuation, quotation marks and brackets."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(char if _counts(char) else " " for char in folded).split())


def _counts(char: str) -> bool:
    kind = unicodedata.category(char)
    return char in _MEANT or not (kind[0] in "PZC" or kind == "Sk")


def named_id(text: str) -> str | None:
    """The id in a text that is only an id, as in “[A4].”."""
    form = normal_form(text)
    return form.upper() if _ID.fullmatch(form) else None


def without_ids(form: str, *ids: Container[str]) -> str:
    """A normal form without the ids in it, unless it is nothing else."""
    words = (word for word in form.split() if not any(word.upper() in known for known in ids))
    return " ".join(words) or form
