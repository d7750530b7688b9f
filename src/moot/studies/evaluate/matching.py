"""Compares answers without knowing a language: by identity after normalisation, as numbers, and by the letters and
texts of options. Only whole values are compared, never parts of a text, and nothing is evaluated.

An unclear value is None. It is counted separately, as neither right nor wrong.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from moot.studies.evaluate.texts import bare, normalised, notation, tight, unbracketed, without_tex

Match = Literal["choice", "number", "boolean", "exact"]
MATCHES: tuple[Match, ...] = get_args(Match)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST_ANSWER = 300
"""Characters. Anything longer is a text about an answer."""
TRUTHS = {
    **dict.fromkeys(("yes", "true", "correct", "y"), "yes"),
    **dict.fromkeys(("no", "false", "incorrect", "n"), "no"),
}
"""The words that are asked for, and those that datasets use for them."""

_SIZE = r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '’\u202f]\d{3})+|\d+|(?=\.\d)"
_NUMBER = re.compile(
    rf"(?:(?P<sign>[+\-−])\s?|(?P<dash>–)(?=\S))?(?P<before>[$€£¥]\s?)?(?P<minus>[\-−])?"
    rf"(?P<whole>{_SIZE})(?P<decimals>\.\d+)?"
    r"(?:e(?P<power>[+\-]?\d{1,2})|\s?[x×*·]\s?10\^\{?(?P<raised>[+\-−]?\d{1,2})\}?)?"
    r"(?:\s(?P<above>\d+)(?=/))?(?:/(?P<below>\d+))?\s?(?P<after>[^\W\d_](?:[^\d\n]|\^[23])*|[%‰°$€£¥][^\d\n]*)?",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((.*)\)|\[(.*)\]|<(.*)>")
_POWER_OF_TEN = re.compile(r"^10\^(?=\{?[+\-−]?\d)")
_EQUALS = re.compile(r"(?:[≈~=]|[a-zA-Z]\s?=)\s*")
_UNIT_IN_TEX = re.compile(r"\\(?:text|mathrm|mbox)\{\s*([^{}]*)\}")
_LETTERED = re.compile(r"[(\[{]?([A-Za-z])[)\]}]?!?(?:[.):,\s–—-]+(.+))?", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+|[%‰°$€£¥]")


def canonical(
    value: str, match: Match, choices: Sequence[str] = (), unit: str | None = None, asked: str | None = None
) -> str | None:
    """The value in canonical form, in which equal answers are equal texts; None if it is unclear. A number may be
    followed by its `unit`, as in the key, or without one by words of the question that was `asked`; for a key, which
    has no question, any will do."""
    value = bare(value)
    if not value or len(value) > LONGEST_ANSWER:
        return None
    match match:
        case "choice":
            return _choice(value, choices)
        case "number":
            return _measured(value.strip("*_"), unit, asked)
        case "boolean":
            return TRUTHS.get(value.strip("*_()[]{}! ").casefold())
        case "exact":
            return normalised(value) or None


def same(answer: str, truth: str, match: Match, tolerance: Fraction = Fraction(0)) -> bool:
    """Whether two canonical answers are equal. Numbers may differ by the tolerance, texts by spaces beside signs
    and by the brackets of a series."""
    if match == "exact":
        answer, truth = tight(answer), tight(truth)
        return truth in (answer, unbracketed(answer)) or answer == unbracketed(truth)
    if match != "number" or not tolerance:
        return answer == truth
    try:
        return abs(Fraction(answer) - Fraction(truth)) <= tolerance
    except ValueError:  # an answer in words
        return False


def _measured(value: str, unit: str | None, asked: str | None) -> str | None:
    found = quantity(value)
    if found is None:
        return None
    number, own = found
    return written(number) if own is None or asked is None or _is_allowed(own, unit, asked) else None


def _is_allowed(own: str, unit: str | None, asked: str) -> bool:
    """Whether words after a number are those of the key, or of the question if the key has none. Some languages do not
    separate words."""
    if unit is not None:
        return _plain(own) == _plain(unit)
    words = set(_WORD.findall(_plain(asked)))
    return all(word in words or (not word.isascii() and word in _plain(asked)) for word in _WORD.findall(_plain(own)))


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("²", "^2").replace("³", "^3").split())


def quantity(value: str) -> tuple[Fraction, str | None] | None:
    """Parse a whole text as one number and the words or the sign next to it: digits, with thousands separated by commas
    or spaces, a decimal point, a power of ten or a fraction."""
    value = value.replace("\N{NO-BREAK SPACE}", " ")
    if equals := _EQUALS.match(value):
        value = value[equals.end() :].strip()
    if bracketed := _BRACKETED.fullmatch(value):
        value = bracketed[bracketed.lastindex or 0].strip()
    value = _POWER_OF_TEN.sub("1×10^", without_tex(_UNIT_IN_TEX.sub(r" \1", value)))
    found = _NUMBER.fullmatch(re.sub(r" +", " ", value))
    if found is None or not (found["whole"] or found["decimals"]):
        return None
    if (found["sign"] or found["dash"]) and found["minus"]:
        return None
    size = _size(found)
    if size is None:
        return None
    negative = found["sign"] in ("-", "−") or found["dash"] or found["minus"]
    words = f"{(found['before'] or '').strip()} {(found['after'] or '').strip()}".strip()
    return -size if negative else size, words or None


def _size(found: re.Match[str]) -> Fraction | None:
    """The number without its sign; None if it is not a number, such as a division by zero."""
    whole = re.sub(r"[, '’\u202f]", "", found["whole"] or "0")
    power = (found["power"] or found["raised"] or "0").replace("−", "-")
    size = Fraction(Decimal(f"{whole}{found['decimals'] or ''}e{power}"))
    if found["below"]:
        if int(found["below"]) == 0:
            return None
        part = Fraction(int(found["above"]), int(found["below"])) if found["above"] else None
        size = size + part if part is not None else size / int(found["below"])
    return size


def written(number: Fraction) -> str:
    """Format a number: as a decimal if it terminates, else as a fraction in lowest terms."""
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


def _choice(value: str, choices: Sequence[str]) -> str | None:
    """A letter, alone or followed by its option; or the complete text of exactly one option."""
    found = {LETTERS[place] for place in _options_like(value, choices)}
    if lettered := _LETTERED.fullmatch(value.strip("*_")):
        letter, text = lettered[1].upper(), lettered[2]
        place = LETTERS.index(letter)
        if place < len(choices) and (text is None or place in _options_like(text, choices)):
            found.add(letter)
    return found.pop() if len(found) == 1 else None


def _options_like(text: str, choices: Sequence[str]) -> set[int]:
    """The options with this text: in the same case if there are any, for Aa may be one and AA another."""
    for form in (notation, normalised):
        if found := {place for place, choice in enumerate(choices) if tight(form(choice)) == tight(form(text))}:
            return found
    return set()
