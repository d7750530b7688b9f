"""The rows and the text for a bar of a chart."""

from dataclasses import dataclass
from fractions import Fraction

from moot.present.blocks import Bar, BarChart
from moot.text.figures import bound_percent

MOST_DIGITS = 2
BLANK = 1e-9
"""A remainder this small is a rounding error of the shares."""


@dataclass(frozen=True, slots=True)
class BarRow:
    """The share of one label. `marked` is the share that it must reach, which only the leading label has. `colour` is
    empty for the part without a label."""

    label: str
    share: Fraction
    percent: str
    colour: str
    marked: float | None = None


def bar_rows(bar: Bar, chart: BarChart) -> list[BarRow]:
    """A row for each label with a share, and for the blank part if it has a meaning."""
    shares = {label: _exact(share) for label, share in bar.shares.items() if share}
    blank = 1 - sum(shares.values(), Fraction())
    whole = {**shares, **({"": blank} if blank > BLANK else {})}
    percents = _percents(whole, bar.marked)
    leading = max(shares, key=lambda label: shares[label], default=None)
    return [
        BarRow(
            label or chart.blank,
            share,
            percents[label],
            chart.colours[label] if label else "",
            bar.marked if label == leading else None,
        )
        for label, share in whole.items()
        if label or chart.blank
    ]


def bar_in_words(bar: Bar, chart: BarChart) -> str:
    """The share of each label, the blank share, and the mark that the bar must reach."""
    text = ", ".join(f"{row.label} {row.percent}%" for row in bar_rows(bar, chart)) or "none"
    return text if bar.marked is None else f"{text}; needs {bound_percent(bar.marked)}%"


def _percents(shares: dict[str, Fraction], marked: float | None) -> dict[str, str]:
    """Percentages with the sum of the shares: those that lose most by rounding down are rounded up. They are whole,
    unless one would then be rounded up to a mark that it does not reach."""
    mark = None if marked is None else _exact(marked)
    for digits in range(MOST_DIGITS + 1):
        units = _rounded(shares, 100 * 10**digits)
        wrong = [
            one for one, share in shares.items() if mark and share < mark <= Fraction(units[one], 100 * 10**digits)
        ]
        if not wrong:
            break
    for one in wrong:  # it misses the mark by next to nothing
        units[one] -= 1
    return {label: f"{number / 10**digits:.{digits}f}" for label, number in units.items()}


def _rounded(shares: dict[str, Fraction], whole: int) -> dict[str, int]:
    """The shares in units of which `whole` make 1."""
    units = {label: int(whole * share) for label, share in shares.items()}
    missing = round(whole * sum(shares.values())) - sum(units.values())
    for label in sorted(shares, key=lambda label: units[label] - whole * shares[label])[:missing]:
        units[label] += 1
    return units


def _exact(share: float | Fraction) -> Fraction:
    """The share as written: 0.04 and 0.66 leave 0.3, not slightly less."""
    return share if isinstance(share, Fraction) else Fraction(str(share))
