"""Agreement between judges who rated the same things: Krippendorff's alpha, from the `krippendorff` library."""

from collections.abc import Hashable, Mapping, Sequence
from math import isnan
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

Level = Literal["nominal", "ordinal", "interval", "ratio"]
RESAMPLES = 1_000


class Agreement(BaseModel):
    """1 is perfect agreement, 0 is chance level, below 0 is systematic disagreement. `units` are the things rated by at
    least two judges. `low` and `high` are the 95 % percentile interval from resampling the units. Everything is null if
    alpha is undefined: nothing was rated twice, or all ratings are equal."""

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
    """Agreement on `ratings`: for each thing rated, the rating of each judge by name; None means no rating.

    Nominal ratings can be any distinct values; the other levels take numbers.
    """
    for place, unit in enumerate(ratings):
        for judge, value in unit.items():
            if isinstance(value, float) and isnan(value):
                raise ValueError(f"ratings[{place}][{judge!r}] is NaN; no rating is None")
    rated = [{judge: value for judge, value in unit.items() if value is not None} for unit in ratings]
    pairable = [unit for unit in rated if len(unit) >= 2]
    values: list[Hashable] = sorted({value for unit in pairable for value in unit.values()}, key=_order)
    judges = {judge for unit in pairable for judge in unit}
    agreement = Agreement(
        alpha=None,
        low=None,
        high=None,
        units=len(pairable),
        judges=len(judges),
        ratings=sum(map(len, pairable)),
        level=level,
    )
    if len(values) < 2:
        return agreement
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
    return agreement.model_copy(update={"alpha": alpha, "low": low, "high": high})


def _alpha(counts: Any, domain: Sequence[Any], level: Level) -> float:
    import krippendorff

    return float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def _interval(
    counts: Any, domain: Sequence[Any], level: Level, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    """Percentiles over samples of the units. Samples in which all ratings are equal are left out, since alpha is
    undefined."""
    import numpy as np

    generator = np.random.default_rng(seed)
    alphas = []
    for _ in range(resamples):
        sample = counts[generator.integers(0, len(counts), len(counts))]
        if (sample.sum(axis=0) > 0).sum() > 1:
            alphas.append(_alpha(sample, domain, level))
    if not alphas:
        return None, None
    low, high = np.quantile(alphas, [0.025, 0.975])
    return float(low), float(high)


def _order(value: Any) -> tuple[str, Any]:
    """A sort key for ratings of any kind: numbers by size, the rest by their text."""
    return ("", value) if isinstance(value, int | float) else (type(value).__name__, str(value))
