"""Agreement between judges who rated the same things: Krippendorff's alpha, by the library of his name."""

from collections.abc import Hashable, Mapping, Sequence
from math import isnan
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

Level = Literal["nominal", "ordinal", "interval", "ratio"]
RESAMPLES = 1_000


class Agreement(BaseModel):
    """1 is perfect agreement, 0 what chance gives, below 0 is disagreement on purpose. `units` are the things that two
    judges or more have rated. `low` and `high` come from drawing the units again with replacement (percentiles, 95 %).
    All is null where alpha is not defined: nothing was rated twice, or there is only one rating among all."""

    model_config = ConfigDict(frozen=True)

    alpha: float | None
    low: float | None
    high: float | None
    units: int
    judges: int
    ratings: int
    level: Level


def krippendorff_alpha(
    ratings: Sequence[Mapping[str, Any]], level: Level = "nominal", *, resamples: int = RESAMPLES, seed: int = 0
) -> Agreement:
    """Agreement on `ratings`: for each thing rated, the rating of each judge by name; None is no rating.

    Nominal ratings may be anything that can be told apart; the other levels take numbers.
    """
    for place, unit in enumerate(ratings):
        for judge, value in unit.items():
            if isinstance(value, float) and isnan(value):
                raise ValueError(f"ratings[{place}][{judge!r}] is NaN; no rating is None")
    given = [{judge: value for judge, value in unit.items() if value is not None} for unit in ratings]
    pairable = [unit for unit in given if len(unit) >= 2]
    values: list[Hashable] = sorted({value for unit in pairable for value in unit.values()}, key=_order)
    judges = {judge for unit in pairable for judge in unit}
    found = Agreement(
        alpha=None,
        low=None,
        high=None,
        units=len(pairable),
        judges=len(judges),
        ratings=sum(map(len, pairable)),
        level=level,
    )
    if len(values) < 2:
        return found
    require("studies")
    import numpy as np

    places = {value: place for place, value in enumerate(values)}
    counts = np.zeros((len(pairable), len(values)))
    for row, unit in enumerate(pairable):
        for value in unit.values():
            counts[row, places[value]] += 1
    domain = values if level != "nominal" else list(range(len(values)))
    alpha = _alpha(counts, domain, level)
    low, high = _interval(counts, domain, level, resamples, seed) if len(pairable) > 1 else (None, None)
    return found.model_copy(update={"alpha": alpha, "low": low, "high": high})


def _alpha(counts: Any, domain: Sequence[Any], level: Level) -> float:
    import krippendorff

    return float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def _interval(
    counts: Any, domain: Sequence[Any], level: Level, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    """Percentiles over samples of the units. In one where all ratings are the same alpha is not defined: left out."""
    import numpy as np

    generator = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        sample = counts[generator.integers(0, len(counts), len(counts))]
        if (sample.sum(axis=0) > 0).sum() > 1:
            found.append(_alpha(sample, domain, level))
    if not found:
        return None, None
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def _order(value: Any) -> tuple[str, Any]:
    """An order for ratings of any kind: numbers by size, the rest by how they are written."""
    return ("", value) if isinstance(value, int | float) else (type(value).__name__, str(value))
