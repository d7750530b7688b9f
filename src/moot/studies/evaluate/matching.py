"""Reading an answer and comparing it: whole values only, never a part of a text, and nothing is evaluated.

What cannot be read beyond doubt is None: neither right nor wrong, and counted as such.
"""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

Match = Literal["choice", "number", "boolean", "exact"]
MATCHES: tuple[Match, ...] = get_args(Match)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST_MARKED = 2000
"""Characters of a value with all marks around it. Each is taken off by itself."""
LONGEST_ANSWER = 300
"""Characters. Whatever is longer is no answer but a text about one."""

_AT_LINE_START = re.compile(r"^[\s>*_#`-]*(?:final\s+)?answer[\s*_`]*[:：](.*)$", re.IGNORECASE)
_WITHIN_LINE = re.compile(r"(?<![\w])ANSWER[*_`]*[:：](.*)$")
_NUMBER = re.compile(
    r"(?P<sign>[+\-−])?[$€£¥]?(?P<minus>[\-−])?"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?P<decimals>\.\d+)?(?:e(?P<power>[+\-]?\d{1,2}))?"
    r"(?:/(?P<below>\d+))?\s?(?P<unit>(?:[^\W\d_]|[%‰°$€£¥])(?:[^\W\d_]|[%‰°'/·]|\^[23]|[23]\b)*)?",
    re.IGNORECASE,
)
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NO_UNITS = {"dozen", "dozens", "score", "k", "mn", "mio", "bn", "b", "or", "and", "to", "not", "x", "hundreds"}
_NO_UNITS |= {"thousands", "millions", "billions", "trillions", "squared", "cubed", "factorial", "π", "pi", "e", "i"}
_NO_UNITS |= {"half", "halves", "third", "thirds", "quarter", "quarters", "fourths", "fifths", "sixths", "sevenths"}
_NO_UNITS |= {"eighths", "ninths", "tenths", "hundredths", "thousandths", "lakh", "lakhs", "crore", "crores"}
"""Words after a number that make it another one, as a capital M does."""
_YES, _NO = {"yes", "true"}, {"no", "false"}


def stated(text: str) -> str | None:
    """What stands behind the last `ANSWER:` of a text: at the start of a line in any case, within one in capitals."""
    found = None
    for line in text.splitlines():
        if says := _AT_LINE_START.match(line) or _WITHIN_LINE.search(line):
            found = says[1]
    return None if found is None else bare(found) or None


def bare(value: str) -> str:
    """A value without the marks around it: emphasis, quotes, code, boxes of TeX, a full stop at its end."""
    value = _plain(value)
    while len(value) <= LONGEST_MARKED:
        before = value
        value = value.strip().strip("*_`\"'“”‘’«»$").strip()
        if boxed := re.fullmatch(r"\\(?:boxed|text|mathrm|mathbf)\{(.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]", value):
            value = boxed[boxed.lastindex or 0]
        if value.endswith((".", ";", ",")) and not value.endswith("..."):
            value = value[:-1]
        if value == before:
            break
    return value


def canonical(value: str, match: Match, choices: Sequence[str] = ()) -> str | None:
    """The value in the one form in which equal answers are equal texts; None when it is not beyond doubt."""
    value = bare(value)
    if not value or len(value) > LONGEST_ANSWER:
        return None
    match match:
        case "choice":
            return _choice(value, choices)
        case "number":
            number = number_in(value)
            return None if number is None else written(number)
        case "boolean":
            word = value.casefold().rstrip("!")
            return "yes" if word in _YES else "no" if word in _NO else None
        case "exact":
            return normalised(value) or None


def same(answer: str, truth: str, match: Match, tolerance: Fraction = Fraction(0)) -> bool:
    """Whether two canonical answers are equal; numbers may differ by the tolerance."""
    if match != "number" or not tolerance:
        return answer == truth
    return abs(Fraction(answer) - Fraction(truth)) <= tolerance


def number_in(value: str) -> Fraction | None:
    """A whole text as one number: digits, with thousands in commas, a decimal point, a power of ten or a fraction.

    A currency before it and one word of a unit after it do not count, a percent sign being a unit; `million` does.
    """
    found = _NUMBER.fullmatch(value.replace("\N{NO-BREAK SPACE}", " "))
    if found is None or (found["sign"] and found["minus"]) or not (found["whole"] or found["decimals"]):
        return None
    unit = (found["unit"] or "").casefold()
    if unit in _NO_UNITS or found["unit"] == "M" or (found["below"] and int(found["below"]) == 0):
        return None
    digits = f"{(found['whole'] or '0').replace(',', '')}{found['decimals'] or ''}e{found['power'] or 0}"
    size = Fraction(Decimal(digits)) * _SCALES.get(unit, 1)
    if found["below"]:
        size /= int(found["below"])
    return -size if found["sign"] in ("-", "−") or found["minus"] else size


def written(number: Fraction) -> str:
    """A number as people write it: in decimals where these end, else as a fraction in lowest terms."""
    below, fives = number.denominator, 0
    while below % 2 == 0:
        below //= 2
    while below % 5 == 0:
        below, fives = below // 5, fives + 1
    if below != 1 or number.denominator == 1:
        return str(number)
    places = max(fives, number.denominator.bit_length())
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:].rstrip('0')}"


def normalised(value: str) -> str:
    """Text without what makes no difference: case, width, spaces, and punctuation at its ends."""
    words = " ".join(_plain(value).casefold().split())
    return words.strip(" .,;:!?\"'“”‘’()[]")


def _plain(value: str) -> str:
    """Text in ordinary letters and digits. A power stays one: 10² is 10^2, and not 102."""
    return unicodedata.normalize("NFKC", _RAISED.sub(r"^\g<0>", value)).strip()


def _choice(value: str, choices: Sequence[str]) -> str | None:
    """A letter, alone or with its option behind it; or the whole text of exactly one option."""
    found = set()
    texts = [normalised(choice) for choice in choices]
    found |= {LETTERS[place] for place, text in enumerate(texts) if text == normalised(value)}
    if lettered := re.fullmatch(r"\(?([A-Za-z])\)?!?(?:[.):,\s-]+(.+))?", value, re.DOTALL):
        letter, text = lettered[1].upper(), lettered[2]
        place = LETTERS.index(letter)
        if place < len(choices) and (text is None or normalised(text) == texts[place]):
            found.add(letter)
    return found.pop() if len(found) == 1 else None
