"""Units of measurement, for answers whose unit differs from that of the key: 50 cents are half a dollar."""

import re
from fractions import Fraction

_TABLE: dict[str, dict[str, str]] = {
    "dollar": {"1": "$ dollar dollars usd us$ bucks", "1/100": "cent cents ¢"},
    "euro": {"1": "€ euro euros eur"},
    "pound sterling": {"1": "£ gbp", "1/100": "penny pence"},
    "yen": {"1": "¥ yen jpy"},
    "length": {
        "1": "m meter meters metre metres",
        "1000": "km kilometer kilometers kilometre kilometres",
        "1/100": "cm centimeter centimeters centimetre centimetres",
        "1/1000": "mm millimeter millimeters millimetre millimetres",
        "1609344/1000": "mile miles mi",
        "3048/10000": "foot feet ft",
        "254/10000": "inch inches in",
        "9144/10000": "yard yards yd",
    },
    "area": {
        "1": "m^2 square~meter square~meters square~metre square~metres sq~m",
        "1/10000": "cm^2 square~centimeters square~centimetres square~centimeter square~centimetre sq~cm",
        "1000000": "km^2 square~kilometers square~kilometres square~kilometer square~kilometre sq~km",
        "9290304/100000000": "ft^2 square~feet square~foot sq~ft",
    },
    "volume": {
        "1": "l liter liters litre litres",
        "1/1000": "ml milliliter milliliters millilitre millilitres",
        "1000": "m^3 cubic~meters cubic~metres cubic~meter cubic~metre",
    },
    "mass": {
        "1": "kg kilogram kilograms kilo kilos",
        "1/1000": "g gram grams",
        "1/1000000": "mg milligram milligrams",
        "1000": "t ton tons tonne tonnes",
    },
    "time": {
        "1": "s sec secs second seconds",
        "60": "min mins minute minutes",
        "3600": "h hr hrs hour hours",
        "86400": "day days",
        "604800": "week weeks",
    },
    "speed": {
        "1": "km/h kph kmh kilometers~per~hour kilometres~per~hour",
        "36/10": "m/s meters~per~second metres~per~second",
        "1609344/1000000": "mph miles~per~hour",
    },
    "percent": {"1": "% percent per~cent percentage~points"},
    "temperature": {"1": "°c degrees~celsius celsius"},
    "fahrenheit": {"1": "°f degrees~fahrenheit fahrenheit"},
    "angle": {"1": "° degree degrees"},
}
_KNOWN = {
    name.replace("~", " "): (kind, Fraction(size))
    for kind, sizes in _TABLE.items()
    for size, names in sizes.items()
    for name in names.split()
}
_MONTHS = "january february march april may june july august september october november december"
_NAME = re.compile(rf"\b(?:[A-Z][a-z]{{2,}}|(?i:{_MONTHS.replace(' ', '|')})\b)")


def is_unit(words: str | None) -> bool:
    """Whether the words after a number may be its unit. Others are part of a name or a date, such as 10 Downing Street
    or 14 July."""
    return not words or _plain(words) in _KNOWN or not _NAME.search(words)


def convert(number: Fraction, unit: str | None, wanted: str | None) -> Fraction | None:
    """Convert a number to another unit. It is unchanged if either unit is missing or not in the table; None if they
    measure different things."""
    here, there = _KNOWN.get(_plain(unit)), _KNOWN.get(_plain(wanted))
    if here is None or there is None or _plain(unit) == _plain(wanted):
        return number
    return number * here[1] / there[1] if here[0] == there[0] else None


def _plain(unit: str | None) -> str:
    return " ".join((unit or "").casefold().replace("²", "^2").replace("³", "^3").split())
