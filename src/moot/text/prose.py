"""Words for figures and lists in sentences."""

import traceback
from collections.abc import Sequence
from pathlib import Path

from moot.text.language import SENTENCE_ENDS, has_spaces

_ENDS = tuple(SENTENCE_ENDS.replace("…", ""))


def plural(count: int, one: str, several: str = "") -> str:
    """A count and its noun: `1 call`, `3 calls`."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def listed(names: Sequence[str], most: int = 0) -> str:
    """Names in a sentence: `Ada, Bo and Kim`. Names beyond `most` are only counted."""
    if most and len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def sentence(text: str) -> str:
    """The text with a capital at its start and a full stop at its end. A path or the name of a model stays as it is."""
    text = text.strip()
    first = text if "/" in text.partition(" ")[0] else text[:1].upper() + text[1:]
    full_stop = "." if has_spaces(text) else "。"
    return first + ("" if text.endswith(_ENDS) else full_stop)


def what_failed(error: Exception) -> str:
    """An error in a plug-in's code in one line: type, message, file and line number."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{place}".split())


def plain_words(text: str) -> str:
    """A decision without irrelevant differences: case, spaces, the full stop at its end. The mark of 5! is kept, and a
    text of marks only is left unchanged."""
    words = " ".join(text.casefold().split())
    kept = words.rstrip(" .;!")
    if words[len(kept) :].startswith("!") and (kept[-1:].isdigit() or kept.endswith(")")):
        kept += "!"
    return kept or words
