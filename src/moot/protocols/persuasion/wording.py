"""Whether two texts are the same proposition, and the id that a text means."""

import re
import unicodedata

_NOT = re.compile(r"\b(ca|wo|sha)?n[’']t\b|(?<=[a-z])n[’']t\b|\bcannot\b")
_WHOLE = {"ca": "can not", "wo": "will not", "sha": "shall not"}
_ID = re.compile(r"(?:(?:the|see|as|in|by|from|argument|claim|premise|reason|point|proposition|fact) )*([ak]\d+)")
_MEANT = frozenset("#%&@/‰")
"""Punctuation that tells words apart, as in “C#” and “5 %”."""


def normal_form(text: str) -> str:
    """A text for comparison: without differences in case, white space, punctuation, quotation marks and brackets, and
    with “shouldn't” as “should not”."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    spelt = _NOT.sub(
        lambda found: f" {_WHOLE.get(found[1] or '', 'can not' if found[0] == 'cannot' else 'not')}", folded
    )
    return " ".join("".join(char if _counts(char) else " " for char in spelt).split())


def _counts(char: str) -> bool:
    kind = unicodedata.category(char)
    return char in _MEANT or not (kind[0] in "PZC" or kind == "Sk")


def named_id(text: str) -> str | None:
    """The id in a text that is only an id, as in “[A4].” or “argument A4”."""
    found = _ID.fullmatch(normal_form(text))
    return found[1].upper() if found else None


def without_ids(form: str, ids: frozenset[str]) -> str:
    """A normal form without the ids in it, unless it is nothing else."""
    return " ".join(word for word in form.split() if word.upper() not in ids) or form
