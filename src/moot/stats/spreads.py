"""How far numbers are apart, and drawings of that: a chart, and one in characters."""

from collections.abc import Mapping, Sequence
from statistics import quantiles

from pydantic import BaseModel, ConfigDict

from moot.present import Range, SpreadChart
from moot.text.figures import figure

DRAWN = 36
"""Characters of a drawing: as many as a phone has in a line."""
KEY = "├─┤ all  [═] middle half  ● median"


class Spread(BaseModel):
    """Numbers in order: the least, the lower quartile, the median, the upper quartile and the most."""

    model_config = ConfigDict(frozen=True)

    least: float
    lower: float
    median: float
    upper: float
    most: float
    count: int

    def __str__(self) -> str:
        return (
            f"median {figure(self.median)}; the middle half from {figure(self.lower)} to {figure(self.upper)}, "
            f"all {self.count} from {figure(self.least)} to {figure(self.most)}"
        )


def spread_of(numbers: Sequence[float]) -> Spread | None:
    """The spread of at least two numbers; quartiles are interpolated between them."""
    if len(numbers) < 2:
        return None
    lower, median, upper = quantiles(numbers, n=4, method="inclusive")
    return Spread(least=min(numbers), lower=lower, median=median, upper=upper, most=max(numbers), count=len(numbers))


def widths_of(rounds: Sequence[Mapping[str, float]]) -> tuple[float, float] | None:
    """How wide the middle half is in the first round and in the last, of those who gave a number in both: nobody's
    absence may look like agreement. None if there are not two such."""
    both = [name for name in rounds[0] if name in rounds[-1]] if len(rounds) > 1 else []
    first, last = (spread_of([rounds[place][name] for name in both]) for place in (0, -1))
    return (first.upper - first.lower, last.upper - last.lower) if first and last else None


def draw_spreads(spreads: Mapping[str, Spread]) -> str:
    """A line of figures and a bar for each, on a common scale, and what the signs mean."""
    if not spreads:
        return ""
    least, most = min(spread.least for spread in spreads.values()), max(spread.most for spread in spreads.values())

    def place(value: float) -> int:
        return round((value - least) / (most - least) * (DRAWN - 1)) if most > least else 0

    lines = []
    for name, one in spreads.items():
        bar = [" "] * DRAWN
        for start, end, (left, inner, right) in (
            (place(one.least), place(one.most), "├─┤"),
            (place(one.lower), place(one.upper), "[═]"),
            (place(one.median), place(one.median), "●●●"),
        ):
            bar[start : end + 1] = [left, *inner * (end - start - 1), right][: end - start + 1]
        half = f"{figure(one.lower)} to {figure(one.upper)}"
        lines += [f"{name}: median {figure(one.median)}, middle half {half}", "".join(bar).rstrip()]
    scale = figure(least).ljust(DRAWN - len(figure(most))) + figure(most) if most > least else figure(least)
    return "\n".join([*lines, scale, "", KEY])


def chart_spreads(numbers: Mapping[str, Sequence[float]], unit: str = "", seqs: Sequence[int] = ()) -> SpreadChart:
    """A chart with a row for each that has a spread. `seqs` are the last entries that they rest on, in order."""
    spreads = {name: spread for name, several in numbers.items() if (spread := spread_of(several)) is not None}
    entries = dict(zip(numbers, seqs, strict=False))
    ranges = [
        Range(name, *_five(spread), points=[*numbers[name]], seq=entries.get(name)) for name, spread in spreads.items()
    ]
    caption = "A line is from the least to the most, its thick part is the middle half, the large dot is the median."
    return SpreadChart(
        text=draw_spreads(spreads), title="How far they are apart", caption=caption, ranges=ranges, unit=unit
    )


def _five(spread: Spread) -> tuple[float, float, float, float, float]:
    return spread.least, spread.lower, spread.median, spread.upper, spread.most
