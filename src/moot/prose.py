"""Words that go with figures and lists, in sentences for people."""

from collections.abc import Sequence


def plural(count: int, one: str, several: str = "") -> str:
    """A count and the noun that goes with it: `1 call`, `3 calls`."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def listed(names: Sequence[str], most: int = 0) -> str:
    """Names in a sentence: `Ada, Bo and Kim`. Those beyond `most` are counted."""
    if most and len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def sentence(text: str) -> str:
    """The text with a capital at its start and a full stop at its end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
