"""Finds the answer at the end of a text, and puts answers into one notation: without markup, with TeX as plain
characters, with one kind of dash and quote."""

import re
import unicodedata

from moot.api._questions import boxed

LONGEST_MARKED = 2000
"""Characters of a value with its markup. Marks are removed one at a time."""

_ANSWER = re.compile(
    r"^[\s>*_#`-]*(?:final\s+)?answer[\s*_`]*[:：=](.*)$|(?<!\w)(?-i:ANSWER)[*_`]*[:：](.*)$|<answer>(.*?)</answer>"
    r"|^\s*#{4}\s*([-+−]?[\d$€£.].*|\(?[A-Z]\)?)$|^[\s>*_#-]*(?:final\s+)?answer[\s*_#]*()$",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf)\{(.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]")
_QUOTED = re.compile(r"[\"“”„«»]\s*([^\"“”„«»]*)[\"“”„«»]|['‘’]([^'‘’]*)['‘’]")
_MARKED = re.compile(r"(\*{1,3}|_(?!_)|__(?![a-z]+__))(?![\s*_])(.*[^\s*_])\1")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_MIXED = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_NAMED = (
    "pi=π infty=∞ cdot=· times=× pm=± le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ cup=∪ cap=∩ circ=° degree=° theta=θ "
    "alpha=α beta=β"
)
_SIGNS = {"left": "", "right": "", "quad": " "} | dict(pair.split("=") for pair in _NAMED.split())
_SIGN = re.compile(rf"\\({'|'.join(sorted(_SIGNS, key=len, reverse=True))})(?![A-Za-z])\s?")
_WORDS = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\{([^{}]*)\}")
_FRACTION = re.compile(r"(?<!\\)(\d?)\\[dt]?frac(?:\{([^{}]*)\}\{([^{}]*)\}|(\d)(\d))")
_ROOT = re.compile(r"(?:\\sqrt|\bsqrt)(?:\{([^{}]*)\}|\(([^()]*)\)|(\d))")
_POWER = re.compile(r"\^\{([^{}\s]*)\}")
_ONE_TERM = re.compile(r"-?[\w.√∞]*")
_ONE_KIND = str.maketrans({**dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("‘’ʼ′", "'"), **dict.fromkeys("“”„″", '"')})
_PAIR = re.compile(r"\(([^(),;]*)\)|\[([^\[\],;]*)\]|[「『]([^「」『』]*)[」』]")
_SET = re.compile(r"\(([^()]*)\)|\{([^{}]*)\}")
_BESIDE_SIGNS = re.compile(r"\s*([^\w\s])\s*")
_FACTORIAL = re.compile(r"(?:(?<!\w)(?:\d+|[^\W\d_])|\))!$")


def bare(value: str) -> str:
    """A value without markup: emphasis, quotes, code, TeX boxes, a final full stop. What is in a box, in quotes or code
    is kept as it is, so that `*p` remains a pointer."""
    value, code = plain(value), False
    while len(value) <= LONGEST_MARKED:
        before = value
        value = value.strip()
        if len(value) > 2 and value[0] == value[-1] == "`":
            value, code = value.strip("`").strip(), True
        if wrapped := _WRAPPED.fullmatch(value) or _QUOTED.fullmatch(value) or (not code and _MARKED.fullmatch(value)):
            value = wrapped[wrapped.lastindex or 0]
        if not code:  # half a pair, whose other half is before the word ANSWER
            value = value.removeprefix("**").removesuffix("**").strip()
        if len(value) > 2 and value[0] == value[-1] == "$":
            value = value[1:-1]
        if value.endswith((".", ";", ",")) and not value.endswith("..."):
            value = value[:-1]
        value = value.replace("\\$", "$").replace("\\%", "%").replace("\\,", "")
        if value == before:
            break
    return value


def plain(value: str) -> str:
    """Text in ordinary letters and digits. Powers and fractions are kept: 10² becomes 10^2, and 2½ becomes 2 1/2."""
    spaced = _MIXED.sub(" ", _RAISED.sub(r"^\g<0>", value))
    return unicodedata.normalize("NFKC", spaced).replace("\N{FRACTION SLASH}", "/").strip()


def without_tex(value: str) -> str:
    r"""TeX as plain characters, as far as it is a matter of notation: `3\frac{1}{2}` is 3 1/2, `90^\circ` is 90°."""
    if "\\" not in value and "{" not in value and "sqrt" not in value:
        return value
    value = value.replace("\\!", "").replace("{,}", ",").replace("\\;", " ").replace("\\:", " ").replace("\\ ", " ")
    value = re.sub(r"\^\{?\\(?:circ|degree)\}?", "°", value)
    value = _SIGN.sub(lambda found: _SIGNS[found[1]], value)
    value = _POWER.sub(lambda found: f"^{_term(found[1])}", _WORDS.sub(r"\1", value))
    for _ in range(3):  # a fraction of a fraction
        value = _FRACTION.sub(_divided, _ROOT.sub(lambda found: f"√{_term(found[found.lastindex or 0])}", value))
    return value.replace("\\{", "{").replace("\\}", "}").strip()


def _divided(found: re.Match[str]) -> str:
    above, below = (found[2], found[3]) if found[4] is None else (found[4], found[5])
    return f"{found[1]}{' ' if found[1] else ''}{_term(above)}/{_term(below)}"


def _term(value: str) -> str:
    return value.strip() if _ONE_TERM.fullmatch(value.strip()) else f"({value.strip()})"


def notation(value: str) -> str:
    """Text in one notation, with its case: width, spaces, dashes, quotes, TeX, and punctuation at its ends.
    Brackets are kept around several things: (2,5) and [2,5] are different intervals."""
    words = " ".join(without_tex(plain(value)).translate(_ONE_KIND).split())
    words = words.lstrip(" ,;:!?。、").rstrip(" .,;:?。、")
    if pair := _PAIR.fullmatch(words):
        words = pair[pair.lastindex or 0].strip(" ,;:?")
    return words if _FACTORIAL.search(words) else words.rstrip(" .,;:!?。、")


def normalised(value: str) -> str:
    """Text without irrelevant differences: notation and case."""
    return notation(value).casefold()


def tight(value: str) -> str:
    """Text without spaces beside signs."""
    return _BESIDE_SIGNS.sub(r"\1", value)


def unbracketed(value: str) -> str:
    """A series without its brackets. Those of an interval stay: [2,5] is no series."""
    found = _SET.fullmatch(value)
    return found[found.lastindex or 0] if found else value


def stated(text: str) -> str | None:
    """The answer on the last line: after `ANSWER:`, `####`, in a tag or a TeX box; or the whole last line if the one
    before it is a mark alone. None if anything comes after the mark, which may take the answer back."""
    lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
    if not lines:
        return None
    value = _answer(lines[-1])
    if value is None and len(lines) > 1 and _answer(lines[-2]) == "":
        value = bare(lines[-1])
    return value or None


def _answer(line: str) -> str | None:
    """What a line says after its last mark; None if it has none."""
    if found := list(_ANSWER.finditer(line)):
        return bare(found[-1][found[-1].lastindex or 0])
    return boxed(line)
