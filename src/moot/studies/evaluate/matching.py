"""Compares answers. Only whole values are compared, never parts of a text, and nothing is evaluated.

An unclear value is None. It is counted separately, as neither right nor wrong.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from moot.studies.evaluate.texts import bare, normalised, notation, unbracketed, without_tex
from moot.studies.evaluate.units import Mismatch, in_unit_of_key

Match = Literal["choice", "number", "boolean", "exact"]
MATCHES: tuple[Match, ...] = get_args(Match)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST_ANSWER = 300
"""Characters. Anything longer is a text about an answer."""

_SIZE = r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '’\u202f]\d{3})+|\d+|(?=\.\d)"
_CURRENCY = r"(?:US\$|USD|EUR|GBP|[$€£¥])\s?"
_NUMBER = re.compile(
    rf"(?:(?P<sign>[+\-−])\s?|(?P<dash>–)(?=\S))?(?P<before>{_CURRENCY})?(?P<minus>[\-−])?"
    rf"(?P<whole>{_SIZE})(?P<decimals>\.\d+)?"
    r"(?:e(?P<power>[+\-]?\d{1,2})|\s?[x×*·]\s?10\^\{?(?P<raised>[+\-−]?\d{1,2})\}?)?"
    r"(?:\s(?P<above>\d+)(?=/))?(?:/(?P<below>\d+))?\s?(?P<after>\D[^\n]*)?",
    re.IGNORECASE,
)
_UNIT = re.compile(r"(?:[^\W\d_]|[%‰°$€£¥¢])(?:[^\W\d_]|[%‰°'/·.²³-]|\^[23])*(?: (?:[^\W\d_]|[-'.])+){0,3}")
_BRACKETED = re.compile(r"\((.*)\)|\[(.*)\]|<(.*)>")
_NEGATIVE = re.compile(r"(?:minus|negative)\s+(?=[\d.$€£¥])", re.IGNORECASE)
_POWER_OF_TEN = re.compile(r"^10\^(?=\{?[+\-−]?\d)")
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_CHANGING = """
a an and are at b because below between billions bn but by crore crores cubed divided dozen dozens e eighths
factorial fewer fifths fourths half halves hundreds hundredths i if instead is k lakh lakhs least less maybe
millions minus mio mn mod more most n negative ninths nor not of or over pi plus point quarter quarters root score
sevenths short since sixths squared tenths than third thirds though thousands thousandths times to trillions under
unless was were wrong x π
"""
_NO_UNITS = frozenset(_CHANGING.split())
"""Words after a number that change the number or make it a sentence."""
_ABOUT = re.compile(r"(?:about|approximately|approx\.?|roughly|around|exactly|[≈~=]|[a-zA-Z]\s?=)\s*", re.IGNORECASE)
_YES, _NO = r"yes|true|correct|y", r"no|false|incorrect|n"
_TRUTH = re.compile(rf"(?:({_YES})|({_NO}))(?:!|(\s*[,.;:–—-]+\s*|\s+)(.+))?", re.IGNORECASE | re.DOTALL)
_CLAIM = re.compile(
    r"(?:(?:that|this|it|the (?:claim|statement|answer)) is|(?:that|it)['’]s) (not )?(true|false|correct|incorrect)",
    re.IGNORECASE,
)
_CAUSE = re.compile(r"(?:because|since|as|for)\b", re.IGNORECASE)
_PRONOUN = r"(?:it|he|she|they|that|this|there|we|you|i)"
_SENTENCE = re.compile(rf"(?:because|since|as|for|the|{_PRONOUN})\b", re.IGNORECASE)
_WAVERING = re.compile(
    r"\b(?:or|but|maybe|perhaps|unless|however|except|although|though|sometimes|partly|partially|probably|possibly"
    r"|likely|mostly|usually|somewhat|depends|depending|provided|assuming|hardly"
    r"|only (?:if|when|for|in)|in (?:theory|part))\b|\?|(?:^|[,;.:–—-]\s*|\band\s+)(?:yes|no)\b|^(?:only|when|until)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\bif\b", re.IGNORECASE)
_DENYING = re.compile(
    r"\b(?:not|never|cannot|false|incorrect|wrong|untrue|impossible|fails?|nobody|none|neither|nothing)\b|n['’]t\b",
    re.IGNORECASE,
)
_AFFIRMING = re.compile(r"\b(?:true|correct|right)\b", re.IGNORECASE)
_BARE_YES = re.compile(
    rf"{_PRONOUN} (?:is|does|are|was|were|do|did|can|will|has|have|holds|works|exists|follows)", re.IGNORECASE
)
_LETTERED = re.compile(
    r"(?i:the\s)?(?i:(?:option|choice|answer|letter):?\s)?\s?[(\[{]?([A-Za-z])[)\]}]?!?(?:[.):,\s–—-]+(.+))?", re.DOTALL
)
_REASON = re.compile(r"\(?(?:because|since)\s", re.IGNORECASE)


def canonical(
    value: str, match: Match, choices: Sequence[str] = (), unit: str | None = None, asked: str | None = None
) -> str | None:
    """The value in canonical form, in which equal answers are equal texts; None if it is unclear. A number is converted
    to the key's `unit`. Words after a number have to be a unit, or words of the question that was `asked`; for a key,
    which has no question, any will do."""
    value = bare(value)
    if not value or len(value) > LONGEST_ANSWER:
        return None
    match match:
        case "choice":
            return _choice(value, choices)
        case "number":
            return _measured(value.strip("*_"), unit, asked)
        case "boolean":
            return _truth(value.strip("*_"))
        case "exact":
            return normalised(value) or None


def same(answer: str, truth: str, match: Match, tolerance: Fraction = Fraction(0)) -> bool:
    """Whether two canonical answers are equal. Numbers may differ by the tolerance, and of a series one may have
    brackets and the other not; (2,5] and [2,5) are not the same."""
    if match == "exact" and answer != truth:
        return unbracketed(answer) == truth or (not truth.startswith("[") and answer == unbracketed(truth))
    if match != "number" or not tolerance or " " in answer:
        return answer == truth
    return abs(Fraction(answer) - Fraction(truth)) <= tolerance


def _measured(value: str, unit: str | None, asked: str | None) -> str | None:
    found = quantity(value)
    if found is None:
        return None
    number, own = found
    converted = in_unit_of_key(number, own, unit, asked)
    if isinstance(converted, Mismatch):
        return f"{written(number)} {own}"  # a readable answer, but not the right one
    return None if converted is None else written(converted)


def quantity(value: str) -> tuple[Fraction, str | None] | None:
    """Parse a whole text as one number with its unit: digits, with thousands separated by commas or spaces, a decimal
    point, a power of ten or a fraction; a currency in front, up to four words of a unit after it. `million` and the
    like are understood."""
    value = value.replace("\N{NO-BREAK SPACE}", " ")
    if about := _ABOUT.match(value):
        value = value[about.end() :].strip()
    if bracketed := _BRACKETED.fullmatch(value):
        value = bracketed[bracketed.lastindex or 0].strip()
    value = without_tex(re.sub(r"\\(?:text|mathrm|mbox)\{\s*([^{}]*)\}", r" \1", value))
    value = _POWER_OF_TEN.sub("1×10^", _NEGATIVE.sub("-", value))
    found = _NUMBER.fullmatch(re.sub(r" +", " ", value))
    if (
        found is None
        or ((found["sign"] or found["dash"]) and found["minus"])
        or not (found["whole"] or found["decimals"])
    ):
        return None
    after, before = (found["after"] or "").strip(), (found["before"] or "").strip()
    words = after.casefold().split()
    scale = _SCALES.get(words[0]) if words else None
    if scale is not None:
        after = after.split(None, 1)[1] if len(words) > 1 else ""
    wordy = set(re.split(r"[\s/-]+", after.casefold()))
    if after and (after == "M" or wordy & _NO_UNITS or not _UNIT.fullmatch(after)):
        return None
    size = _size(found)
    if size is None:
        return None
    size *= scale or 1
    negative = found["sign"] in ("-", "−") or found["dash"] or found["minus"]
    return -size if negative else size, f"{before} {after}".strip() or None


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


def _truth(value: str) -> str | None:
    """Yes or no, alone or followed by a reason that does not contradict it."""
    value = value.strip("()[]{} ")
    if claim := _CLAIM.fullmatch(value):
        return "yes" if (claim[2].casefold() in ("true", "correct")) is not bool(claim[1]) else "no"
    found = _TRUTH.fullmatch(value)
    if found is None:
        return "no" if value.casefold() in ("not true", "not correct") else None
    yes, reason = found[1] is not None, (found[4] or "").strip(" .!")
    if len(found[1] or found[2]) == 1 and reason:
        return None
    if reason and not found[3].strip() and not _SENTENCE.match(reason):
        return None  # no word of its own: no doubt, no idea, true north
    if reason and (_WAVERING.search(reason) or (_CONDITION.search(reason) and not _CAUSE.match(reason))):
        return None
    denies = bool(_DENYING.search(reason))
    if reason and (denies if yes else _BARE_YES.fullmatch(reason) or (_AFFIRMING.search(reason) and not denies)):
        return None
    return "yes" if yes else "no"


def _choice(value: str, choices: Sequence[str]) -> str | None:
    """A letter, alone or followed by its option or a reason; or the complete text of exactly one option."""
    found = {LETTERS[place] for place in _options_like(value, choices)}
    if lettered := _LETTERED.fullmatch(value.strip("*_")):
        letter, text = lettered[1].upper(), lettered[2]
        place = LETTERS.index(letter)
        if place < len(choices) and (
            text is None or place in _options_like(text, choices) or (lettered[1].isupper() and _REASON.match(text))
        ):
            found.add(letter)
    return found.pop() if len(found) == 1 else None


def _options_like(text: str, choices: Sequence[str]) -> set[int]:
    """The options with this text: in the same case if there are any, for Aa may be one and AA another."""
    for form in (notation, normalised):
        if found := {place for place, choice in enumerate(choices) if form(choice) == form(text)}:
            return found
    return set()
