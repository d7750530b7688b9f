"""Figures for readers. What was reached is rounded down and a bound is told whole, so that no figure reads as if it had
met a bound that it missed."""

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def reached(value: float | Fraction, digits: int = 2) -> str:
    """A figure that is held against a bound, to so many digits, never rounded up."""
    return _down(_decimal(value), digits)


def reached_percent(share: float | Fraction, digits: int = 0) -> str:
    """A share that is held against a bound, as a number of per cent."""
    return _down(100 * _decimal(share), digits)


def bound(value: float) -> str:
    """A bound, with all the digits it has."""
    return f"{Decimal(str(value)).normalize():f}"


def bound_percent(share: float) -> str:
    """A bound on a share, as a number of per cent."""
    return f"{(100 * Decimal(str(share))).normalize():f}"


def dollars(cost: float | None) -> str:
    """A price: to the cent from a dollar on, below it to as many digits as tell something."""
    if cost is None:
        return "unknown"
    if cost == 0:
        return "$0"
    if cost < 0.000001:
        return "under $0.000001"
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= 0.001 else f"${cost:.6f}"


def level(scores: Mapping[str, int | None]) -> bool:
    """Whether nobody has the higher score; not so where one is missing."""
    return None not in scores.values() and len(set(scores.values())) == 1


def _decimal(value: float | Fraction) -> Decimal:
    """As it is written; of a fraction without an end, 28 digits that are not rounded up either."""
    if isinstance(value, Fraction):
        return Context(prec=28, rounding=ROUND_FLOOR).divide(Decimal(value.numerator), Decimal(value.denominator))
    return Decimal(str(value))


def _down(value: Decimal, digits: int) -> str:
    return f"{value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_FLOOR):f}"
