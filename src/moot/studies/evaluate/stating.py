"""Finds the answer stated in a text: after the mark that models were asked for, or one of those in common use, at the
end of the text. Nothing else in it is searched."""

import re

from moot.api._questions import boxed
from moot.studies.evaluate.texts import bare

_MARKED = re.compile(
    r"^[\s>*_#`-]*(?:final\s+)?answer[\s*_`]*[:：=](.*)$|(?<!\w)(?-i:ANSWER)[*_`]*[:：](.*)$|<answer>(.*?)</answer>"
    r"|^\s*#{4}\s*([-+−]?[\d$€£.].*|\(?[A-Z]\)?)$|^[\s>*_#-]*(?:final\s+)?answer[\s*_#]*()$",
    re.IGNORECASE,
)


def stated(text: str) -> str | None:
    """The answer on the last line: after `ANSWER:`, `####`, in a tag or a TeX box; or the whole last line if the one
    before it is a mark alone. None if anything comes after the mark, which may take the answer back."""
    lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
    if not lines:
        return None
    value = _marked(lines[-1])
    if value is None and len(lines) > 1 and _marked(lines[-2]) == "":
        value = bare(lines[-1])
    return value or None


def _marked(line: str) -> str | None:
    """What a line says after its last mark; None if it has none."""
    if found := list(_MARKED.finditer(line)):
        return bare(found[-1][found[-1].lastindex or 0])
    return boxed(line)
