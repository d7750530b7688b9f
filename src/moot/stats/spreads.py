"""How far numbers are apart, and a drawing of that in characters."""

from collections.abc import Mapping, Sequence
from statistics import quantiles

from pydantic import BaseModel, ConfigDict

DRAWN = 56
"""Characters of a drawing."""


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
            f"median {self.median:g}; the middle half from {self.lower:g} to {self.upper:g}, "
            f"all {self.count} from {self.least:g} to {self.most:g}"
        )


def spread_of(numbers: Sequence[float]) -> Spread | None:
    """The spread of at least two numbers; quartiles are interpolated between them."""
    if len(numbers) < 2:
        return None
    lower, median, upper = quantiles(numbers, n=4, method="inclusive")
    return Spread(least=min(numbers), lower=lower, median=median, upper=upper, most=max(numbers), count=len(numbers))


def draw_spreads(spreads: Mapping[str, Spread]) -> str:
    """A line for each, on a common scale: all of it as ─, the middle half as ━, the median as ●."""
    if not spreads:
        return ""
    least, most = min(one.least for one in spreads.values()), max(one.most for one in spreads.values())
    indent = max(map(len, spreads)) + 2

    def place(value: float) -> int:
        return round((value - least) / (most - least) * (DRAWN - 1)) if most > least else 0

    lines = []
    for name, one in spreads.items():
        strip = [" "] * DRAWN
        for start, end, sign in (
            (one.least, one.most, "─"),
            (one.lower, one.upper, "━"),
            (one.median, one.median, "●"),
        ):
            strip[place(start) : place(end) + 1] = sign * (place(end) - place(start) + 1)
        lines.append(f"{name:<{indent}}{''.join(strip)}".rstrip())
    scale = f"{least:g}".ljust(DRAWN - len(f"{most:g}")) + f"{most:g}"
    return "\n".join([*lines, " " * indent + scale])
