"""Finds the answer stated in a text: after the last answer mark, which models were asked for or commonly use. Nothing
else in the text is searched."""

import re

from moot.studies.evaluate.texts import bare

_AT_LINE_START = re.compile(
    r"^[\s>*_#`-]*(?:(?:the\s+)?(?:final|correct|right)\s+)?answer(?:\s+is)?[\s*_`]*[:：=](.*)$", re.IGNORECASE
)
_HEADING = re.compile(r"^[\s>*_#-]*(?:the\s+)?(?:(?:final|correct|right)\s+)?answer[\s*_#]*()$", re.IGNORECASE)
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE)
_WITHIN_LINE = re.compile(r"(?<![\w])ANSWER[*_`]*[:：](.*)$")
_HASHES = re.compile(r"^\s*#{4}\s*([-+−]?[\d$€£.].*|\(?[A-Z]\)?)$")
_SENTENCE = re.compile(
    r"(?:^|[.!?] )(?:(?:so|therefore|thus|hence),? )?"
    r"the (?:(?:final|correct|right) )?(?:answer|option|choice) is:? (.+)$",
    re.IGNORECASE,
)
_RETRACTION = re.compile(
    r"^\W*(?:(?:sorry|no),|(?:wait|actually|correction|oops|hmm|scratch that|on second thoughts?|i meant"
    r"|i made a mistake|that (?:is|was) (?:wrong|incorrect|not right))\b)",
    re.IGNORECASE,
)
_MARKS = (_TAGGED, _AT_LINE_START, _HEADING, _WITHIN_LINE, _HASHES)
_BOXED = re.compile(r"\\boxed\s*\{")


def stated(text: str) -> str | None:
    """The text after the last answer mark: `ANSWER:`, at the start of a line in any case, elsewhere in capitals;
    `####`; a heading of that name; a tag; a TeX box. If the rest of the line is empty, the next line counts. The last
    line counts, before any mark, if it says what the answer is. None if lines after the mark take the answer back."""
    lines = text.splitlines()
    found, after = None, lines
    for place, line in enumerate(lines):
        says = next(filter(None, (pattern.search(line) for pattern in _MARKS)), None)
        value = says[1] if says else _boxed(line)
        if value is not None:
            found, after = bare(value) or _next(lines, place), lines[place + 1 :]
    last = next((line for line in reversed(after) if line.strip()), "")
    if sentence := _SENTENCE.search(" ".join(last.strip("*_ ").split())):
        return bare(sentence[1]) or None
    return None if not found or any(_RETRACTION.match(line) for line in after) else found


def _next(lines: list[str], place: int) -> str:
    return bare(next((line for line in lines[place + 1 :] if line.strip()), ""))


def _boxed(line: str) -> str | None:
    """The content of the last TeX box in a line, including inner braces."""
    starts = list(_BOXED.finditer(line))
    if not starts:
        return None
    depth, start = 1, starts[-1].end()
    for place in range(start, len(line)):
        depth += {"{": 1, "}": -1}.get(line[place], 0)
        if depth == 0:
            return line[start:place]
    return None
