"""What a bar of a chart says, in words and figures."""

from fractions import Fraction

from moot.present.blocks import Bar, BarChart
from moot.text.figures import bound_percent, reached_percent

BLANK = 1e-9
"""A rest of a bar that is no more than the shares' own lack of precision."""


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
