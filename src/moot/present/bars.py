"""The rows and the text for a bar of a chart."""

from dataclasses import dataclass
from fractions import Fraction

from moot.present.blocks import Bar, BarChart
from moot.text.figures import bound_percent

BLANK = 1e-9
"""A remainder this small is a rounding error of the shares."""


@dataclass(frozen=True, slots=True)
class BarRow:
    """The share of one label. `marked` is the share that it must reach, which only the leading label has. `colour` is
    empty for the part without a label."""

    label: str
    share: Fraction
    percent: int
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


def _percents(shares: dict[str, Fraction], marked: float | None) -> dict[str, int]:
    """Whole percentages with the sum of the shares: those that lose most by rounding down are rounded up. But none is
    rounded up to a mark that it does not reach."""
    percents = {label: int(100 * share) for label, share in shares.items()}
    mark = None if marked is None else 100 * _exact(marked)
    missing = round(100 * sum(shares.values())) - sum(percents.values())
    for label in sorted(shares, key=lambda label: percents[label] - 100 * shares[label]):
        reaches = mark is not None and 100 * shares[label] < mark <= percents[label] + 1
        if missing > 0 and not reaches:
            percents[label] += 1
            missing -= 1
    return percents


def _exact(share: float | Fraction) -> Fraction:
    """The share as written: 0.04 and 0.66 leave 0.3, not slightly less."""
    return share if isinstance(share, Fraction) else Fraction(str(share))
