"""Reading votes: the name that a reply in words gives, if it is unambiguous."""

import re
from collections.abc import Sequence

from moot.text.names import folded

_ACCENT = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
"""A mark that makes another letter of the one before it."""


def named(text: str, names: Sequence[str]) -> str | None:
    """The only name in the text; None without a name, with several, or if the text names a loser.

    Names are matched whole ("Ann" is not in "Anna"), whatever the case and however they are encoded; a name that
    contains another ("Ann Lee" and "Ann") is looked for first and does not count for the shorter one.
    """
    found, rest = [], folded(text)
    if not any(mark in name for name in names for mark in "*_`"):
        rest = re.sub(r"[*_`]+", " ", rest)
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<![\w-]){re.escape(folded(name))}(?![\w-]|{_ACCENT})"
        rest, count = re.subn(pattern, " ", rest)
        if count:
            found.append(name)
    # A name may contain such a word, so names have been removed before.
    if re.search(r"\b(not|neither|nor|lost|loses|loser)\b|n['’]t\b", rest):
        return None
    return found[0] if len(found) == 1 else None
