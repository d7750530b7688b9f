"""Units of measurement, for answers whose unit differs from that of the key: 50 cents are half a dollar."""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

_TABLE: dict[str, dict[str, str]] = {
    "dollar": {"1": "$ dollar dollars usd us$ bucks", "1/100": "cent cents ¢"},
    "euro": {"1": "€ euro euros eur", "1/100": "cent cents"},
    "pound sterling": {"1": "£ gbp pound pounds", "1/100": "penny pence"},
    "yen": {"1": "¥ yen jpy"},
    "length": {
        "1": "m meter meters metre metres",
        "1000": "km kilometer kilometers kilometre kilometres",
        "1/10": "dm decimeter decimeters decimetre decimetres",
        "1/100": "cm centimeter centimeters centimetre centimetres",
        "1/1000": "mm millimeter millimeters millimetre millimetres",
        "1/1000000": "µm μm micrometer micrometers micrometre micrometres",
        "1/1000000000": "nm nanometer nanometers nanometre nanometres",
        "1609344/1000": "mile miles mi",
        "1852": "nautical~mile nautical~miles",
        "3048/10000": "foot feet ft",
        "254/10000": "inch inches in",
        "9144/10000": "yard yards yd",
    },
    "area": {
        "1": "m^2 square~meter square~meters square~metre square~metres sq~m",
        "1/10000": "cm^2 square~centimeters square~centimetres square~centimeter square~centimetre sq~cm",
        "1000000": "km^2 square~kilometers square~kilometres square~kilometer square~kilometre sq~km",
        "9290304/100000000": "ft^2 square~feet square~foot sq~ft",
        "10000": "ha hectare hectares",
        "40468564224/10000000": "acre acres",
    },
    "volume": {
        "1": "l liter liters litre litres",
        "1/10": "dl deciliter deciliters decilitre decilitres",
        "1/100": "cl centiliter centiliters centilitre centilitres",
        "1/1000": "ml milliliter milliliters millilitre millilitres cm^3",
        "1000": "m^3 cubic~meters cubic~metres cubic~meter cubic~metre",
    },
    "mass": {
        "1": "kg kilogram kilograms kilo kilos",
        "1/1000": "g gram grams",
        "1/1000000": "mg milligram milligrams",
        "1000": "t ton tons tonne tonnes",
        "45359237/100000000": "lb lbs pound pounds",
        "45359237/1600000000": "oz ounce ounces",
    },
    "time": {
        "1": "s sec secs second seconds",
        "1/1000": "ms millisecond milliseconds",
        "60": "min mins minute minutes",
        "3600": "h hr hrs hour hours",
        "86400": "day days",
        "604800": "week weeks",
    },
    "calendar": {"1": "month months", "12": "year years yr yrs", "120": "decade decades", "1200": "century centuries"},
    "speed": {
        "1": "km/h kph kmh kilometers~per~hour kilometres~per~hour",
        "36/10": "m/s meters~per~second metres~per~second",
        "3600": "km/s kilometers~per~second kilometres~per~second",
        "1609344/1000000": "mph miles~per~hour",
    },
    "percent": {"1": "% percent per~cent percentage~points"},
    "temperature": {"1": "°c degrees~celsius celsius ° degree degrees"},
    "fahrenheit": {"1": "°f degrees~fahrenheit fahrenheit ° degree degrees"},
    "angle": {"1": "° degree degrees"},
}
_FAMILIES = {"dollar": "money", "euro": "money", "pound sterling": "money", "yen": "money", "fahrenheit": "temperature"}
Meaning = tuple[str, Fraction]
"""What a unit measures, and its size."""
_KNOWN: dict[str, set[Meaning]] = {}
for _kind, _sizes in _TABLE.items():
    for _size, _names in _sizes.items():
        for _name in _names.split():
            _KNOWN.setdefault(_name.replace("~", " "), set()).add((_kind, Fraction(_size)))
_FILLERS = {"in", "total", "altogether", "all", "overall", "per", "each", "every", "the", "left", "remaining", "only"}
"""Words around a unit that change nothing."""
_NOT_ALWAYS_UNITS = {"in", "m", "s", "h", "l", "t", "g", "min", "sec", "second", "mi"}
"""Names of units that are also words or signs; in a question they count as units after a number only."""
_WORD = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?(?:\^\d)?|[$€£¥¢%°]")
_AFTER_NUMBER = re.compile(r"\d\s?([^\W\d_]+(?:\^\d)?)")
_MONTHS = "january february march april may june july august september october november december"
_NAME = re.compile(rf"\b(?:[A-Z][a-z]{{2,}}|(?i:{_MONTHS.replace(' ', '|')})\b)")


def is_unit(words: str | None) -> bool:
    """Whether the words after a number may be its unit. Others are part of a name or a date, such as 10 Downing Street
    or 14 July."""
    return not words or _leading(words)[0] is not None or not _NAME.search(words)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A number that measures something else than the key."""


def in_unit_of_key(
    number: Fraction, own: str | None, wanted: str | None, asked: str | None
) -> Fraction | Mismatch | None:
    """A number with the words after it, `own`, in the unit of the key. None if it is unclear what the words mean: if a
    unit is not in the table and not that of the key, or if words are neither a unit nor in the question that was
    `asked`. Without a unit it is unchanged; a key that is read itself has no question."""
    if own is None or (asked is None and wanted is None):
        return number
    (unit, rest), words = _leading(own), _words(asked or "")
    known = {*_plain(wanted).split()}
    if asked is not None and not all(word in known or _is_allowed(word, unit, words, asked) for word in rest):
        return None
    here = _KNOWN.get(unit or "", set())
    if wanted is None:
        return number if not here or _is_asked_for(here, words, asked or "") else None
    there = _KNOWN.get(_leading(wanted)[0] or "", set())
    if here and there:
        return _converted(number, here, there)
    same = not here and not there and _share_head(own, wanted)
    return number if same or asked is None else None


def _converted(number: Fraction, here: set[Meaning], there: set[Meaning]) -> Fraction | Mismatch | None:
    both = sorted((one[1] / other[1]) for one in here for other in there if one[0] == other[0])
    if both:
        return number * both[0] if len(set(both)) == 1 else None
    kinds = {kind for kind, _ in here | there}
    return None if kinds == {"time", "calendar"} else Mismatch()  # months and years are not all of the same length


def _leading(words: str) -> tuple[str | None, list[str]]:
    """The unit of the table that words begin with, and the other words."""
    parts = _plain(words).split()
    for size in (3, 2, 1):
        if " ".join(parts[:size]) in _KNOWN and not (parts[0] == "in" and len(parts) > 1):
            return " ".join(parts[:size]), parts[size:]
    return None, parts


def _is_allowed(word: str, unit: str | None, words: list[str], asked: str) -> bool:
    if word in _FILLERS or (unit and _KNOWN.get(word, set()) & _KNOWN[unit]):
        return True
    # Some languages do not separate words.
    return any(_are_alike(word, one) for one in words) or (not word.isascii() and word in _plain(asked))


def _is_asked_for(meanings: set[Meaning], words: list[str], asked: str) -> bool:
    """Whether a question without a unit in its key is answered in this unit: if it mentions it, or no other of its
    kind. A percent sign changes the number, so it has to be mentioned."""
    names = [one for one in words if one not in _NOT_ALWAYS_UNITS]
    names += [" ".join(pair) for pair in pairwise(words)] + _AFTER_NUMBER.findall(_plain(asked))
    mentioned = {meaning for name in names for meaning in _KNOWN.get(name, ())}
    if mentioned & meanings:
        return True
    own, other = ({_FAMILIES.get(kind, kind) for kind, _ in several} for several in (meanings, mentioned))
    return "percent" not in own and not own & other


def _share_head(own: str, wanted: str) -> bool:
    """Whether two units that are not in the table are the same: whether the last word of one is in the other."""
    one, other = _words(own), _words(wanted)
    return bool(one and other) and (
        any(_are_alike(other[-1], word) for word in one) or any(_are_alike(one[-1], word) for word in other)
    )


def _are_alike(one: str, other: str) -> bool:
    """Whether two words are the same apart from a plural ending."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 3 and long.startswith(short) and len(long) - len(short) <= 2)


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))


def _plain(unit: str | None) -> str:
    return " ".join((unit or "").casefold().replace("²", "^2").replace("³", "^3").split())
