"""Reading votes: the name that a reply in words gives, if it is unambiguous."""

import re
from collections.abc import Sequence


def named(text: str, names: Sequence[str]) -> str | None:
    """The only name in the text; None without a name, with several, or if the text names a loser.

    Full names are matched, ignoring case ("Ann" is not in "Anna"). Longer names are matched first, so "Ann Lee" does
    not count as "Ann".
    """
    if re.search(r"\b(not|neither|nor|lost|loses|loser)\b|n['’]t\b", text, re.IGNORECASE):
        return None
    matches = []
    rest = text.casefold() if any(mark in name for name in names for mark in "*_`") else _without_emphasis(text)
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<![\w-]){re.escape(name.casefold())}(?![\w-])"
        rest, count = re.subn(pattern, " ", rest)
        if count:
            matches.append(name)
    return matches[0] if len(matches) == 1 else None


def declares(text: str, name: str) -> bool:
    """Whether the text says outright that somebody of this name has won."""
    if name.casefold() not in text.casefold():  # a quick check for the common case
        return False
    mark, end = r"[*_`]*", r"(?=\s*(?:$|[^\w\s]|(?:the|this) debate\b|by\b|over\b|against\b|because\b))"
    name = re.escape(name)
    forms = (
        rf"(?<![\w-]){name}{mark}\s+(?:wins|has won){end}",
        rf"(?<![\w-]){name}{mark}\s+is the winner\b",
        rf"\bwinner is:?\s+{mark}{name}(?![\w-])",
    )
    return any(re.search(form, text, re.IGNORECASE) for form in forms)


def _without_emphasis(text: str) -> str:
    return re.sub(r"[*_`]+", " ", text.casefold())
