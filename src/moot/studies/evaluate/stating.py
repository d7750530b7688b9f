"""Finds the answer that a text states: behind the last mark of one, which is what models were asked for or are used
to. Nothing else of a text is searched."""

import re

from moot.studies.evaluate.matching import bare

_AT_LINE_START = re.compile(
    r"^[\s>*_#`-]*(?:(?:the\s+)?(?:final|correct|right)\s+)?answer(?:\s+is)?[\s*_`]*[:：=](.*)$", re.IGNORECASE
)
_WITHIN_LINE = re.compile(r"(?<![\w])ANSWER[*_`]*[:：](.*)$")
_HASHES = re.compile(r"^\s*#{4}\s*([-+−]?[\d$€£.].*|\(?[A-Z]\)?)$")
_SENTENCE = re.compile(
    r"(?:^|[.!?] )(?:(?:so|therefore|thus|hence),? )?the (?:(?:final|correct|right) )?answer is:? (.+)$", re.IGNORECASE
)
_BOXED = re.compile(r"\\boxed\s*\{")


def stated(text: str) -> str | None:
    """What stands behind the last mark of an answer: `ANSWER:` at the start of a line in any case, within one in
    capitals; `####`; a box of TeX. Where nothing stands behind it in its line, the next line counts. Without any mark
    the last line counts if it says what the answer is."""
    lines = text.splitlines()
    found = None
    for place, line in enumerate(lines):
        says = _AT_LINE_START.match(line) or _WITHIN_LINE.search(line) or _HASHES.match(line)
        value = says[1] if says else _boxed(line)
        if value is not None:
            found = bare(value) or _next(lines, place)
    if found is None and (last := next((line for line in reversed(lines) if line.strip()), None)):
        sentence = _SENTENCE.search(" ".join(last.strip("*_ ").split()))
        found = bare(sentence[1]) if sentence else None
    return found or None


def _next(lines: list[str], place: int) -> str:
    return bare(next((line for line in lines[place + 1 :] if line.strip()), ""))


def _boxed(line: str) -> str | None:
    """What is in the last box of TeX of a line, with its inner braces."""
    starts = list(_BOXED.finditer(line))
    if not starts:
        return None
    depth, start = 1, starts[-1].end()
    for place in range(start, len(line)):
        depth += {"{": 1, "}": -1}.get(line[place], 0)
        if depth == 0:
            return line[start:place]
    return None
