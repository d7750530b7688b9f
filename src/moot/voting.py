"""Reading votes: what a reply in words names, and only when it is beyond doubt."""

import re
from collections.abc import Sequence


def named(text: str, names: Sequence[str]) -> str | None:
    """The one of the names that the text names; None when it names none or several.

    Names are matched whole ("Ann" is not in "Anna"), whatever the case; a name that contains another
    ("Ann Lee" and "Ann") is looked for first and does not count for the shorter one.
    """
    found = []
    rest = text.casefold()
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
        rest, count = re.subn(pattern, " ", rest)
        if count:
            found.append(name)
    return found[0] if len(found) == 1 else None
