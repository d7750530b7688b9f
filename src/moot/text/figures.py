"""Figures for readers. Achieved values are rounded down and thresholds printed in full, so a value never appears to
meet a threshold it missed."""

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

_ANY_FLOAT = Context(prec=400)
"""Room for all digits of the largest float, and some more."""


def reached(value: float | Fraction, digits: int = 2) -> str:
    """A value to compare with a threshold, with this many digits, never rounded up."""
    return _down(_decimal(value), digits)


def reached_percent(share: float | Fraction, digits: int = 0) -> str:
    """A share to compare with a threshold, as a percentage."""
    return _down(100 * _decimal(share), digits)


def bound(value: float) -> str:
    """A threshold with all its digits."""
    return f"{Decimal(str(value)).normalize():f}"


def bound_percent(share: float) -> str:
    """A threshold of a share, as a percentage."""
    return f"{(100 * Decimal(str(share))).normalize():f}"


def figure(value: float) -> str:
    """A number with up to 12 digits that count, written out from a millionth to a thousand million million."""
    text = f"{value:.12g}"
    return f"{Decimal(text):f}" if "e" in text and 1e-6 <= abs(value) < 1e15 else text


def dollars(cost: float | None) -> str:
    """A price: to the cent from one dollar, with the significant digits below that."""
    if cost is None:
        return "unknown"
    if cost == 0:
        return "$0"
    if cost < 0.000001:
        return "under $0.000001"
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= 0.001 else f"${cost:.6f}"


def level(scores: Mapping[str, int | None]) -> bool:
    """Whether all scores are equal; false if one is missing."""
    return None not in scores.values() and len(set(scores.values())) == 1


def _decimal(value: float | Fraction) -> Decimal:
    """The decimal as written. A fraction gets 28 digits, rounded down."""
    if isinstance(value, Fraction):
        return Context(prec=28, rounding=ROUND_FLOOR).divide(Decimal(value.numerator), Decimal(value.denominator))
    return Decimal(str(value))


def _down(value: Decimal, digits: int) -> str:
    return f"{value.quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR, _ANY_FLOAT):f}"
