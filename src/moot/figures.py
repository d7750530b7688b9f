"""Figures for readers. What was reached is rounded down and a bound is told whole, so that no figure reads as if it had
met a bound that it missed."""

from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction


def reached(value: float | Fraction, digits: int = 2) -> str:
    """A figure that is held against a bound, to so many digits, never rounded up."""
    return f"{_down(value, digits):.{digits}f}"


def reached_percent(share: float | Fraction, digits: int = 0) -> str:
    """A share that is held against a bound, as a number of per cent."""
    return f"{_down(100 * _exact(share), digits):f}"


def bound(value: float) -> str:
    """A bound, with all the digits it has."""
    return f"{Decimal(str(value)).normalize():f}"


def bound_percent(share: float) -> str:
    """A bound on a share, as a number of per cent."""
    return f"{(100 * Decimal(str(share))).normalize():f}"


def _exact(value: float | Fraction) -> Decimal:
    if isinstance(value, Fraction):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return Decimal(str(value))


def _down(value: float | Fraction | Decimal, digits: int) -> Decimal:
    exact = value if isinstance(value, Decimal) else _exact(value)
    return exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_FLOOR)
