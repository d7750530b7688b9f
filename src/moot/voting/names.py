"""Reading votes: what a reply in words names, and only when it is beyond doubt."""

import re
from collections.abc import Sequence


def named(text: str, names: Sequence[str]) -> str | None:
    """The one of the names that the text names; None when it names none or several, or says who did not win.

    Names are matched whole ("Ann" is not in "Anna"), whatever the case; a name that contains another
    ("Ann Lee" and "Ann") is looked for first and does not count for the shorter one.
    """
    if re.search(r"\b(not|neither|nor|lost|loses|loser)\b|n['’]t\b", text, re.IGNORECASE):
        return None
    found = []
    rest = text.casefold() if any(mark in name for name in names for mark in "*_`") else _without_emphasis(text)
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<![\w-]){re.escape(name.casefold())}(?![\w-])"
        rest, count = re.subn(pattern, " ", rest)
        if count:
            found.append(name)
    return found[0] if len(found) == 1 else None


def declares(text: str, name: str) -> bool:
    """Whether the text says outright that somebody of that name has won."""
    if name.casefold() not in text.casefold():  # soon found out, and mostly so
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
