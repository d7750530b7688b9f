"""The text for a bar of a chart."""

from fractions import Fraction

from moot.present.blocks import Bar, BarChart
from moot.text.figures import bound_percent, reached_percent

BLANK = 1e-9
"""A remainder this small is a rounding error of the shares."""


def blank_share(bar: Bar) -> Fraction | int:
    """The share of the bar that no label covers."""
    # Exact, from the written decimals: 0.04 and 0.66 leave 0.3, not slightly less.
    rest = 1 - sum(Fraction(str(share)) for share in bar.shares.values())
    return rest if rest > BLANK else 0


def bar_in_words(bar: Bar, chart: BarChart) -> str:
    """The share of each label, the blank share, and the mark that the bar must reach."""
    shares = [*bar.shares.items(), *([(chart.blank, blank_share(bar))] if chart.blank else [])]
    text = ", ".join(f"{label} {reached_percent(share)}%" for label, share in shares if share) or "none"
    return text if bar.marked is None else f"{text}; needs {bound_percent(bar.marked)}%"
