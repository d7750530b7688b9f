"""Figures for readers. What was reached is rounded down and a bound is told whole, so that no figure reads as if it had
met a bound that it missed."""

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from moot.present import Bar, BarChart

BLANK = 1e-9
"""A rest of a bar that is no more than the shares' own lack of precision."""


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


def blank_share(bar: Bar) -> Fraction | int:
    """What the labels of a bar leave of it."""
    # Summed as they are written: 0.04 and 0.66 leave 0.3, and not a little less.
    rest = 1 - sum(Fraction(str(share)) for share in bar.shares.values())
    return rest if rest > BLANK else 0


def bar_in_words(bar: Bar, chart: BarChart) -> str:
    """What the labels of a bar have, what is left blank, and what the bar has to reach."""
    shares = [*bar.shares.items(), *([(chart.blank, blank_share(bar))] if chart.blank else [])]
    told = ", ".join(f"{label} {reached_percent(share)}%" for label, share in shares if share) or "none"
    return told if bar.marked is None else f"{told}; needs {bound_percent(bar.marked)}%"


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
