"""Agreement between judges who rated the same things: Krippendorff's alpha, from the `krippendorff` library."""

from collections.abc import Hashable, Mapping, Sequence
from math import exp, isnan, log, sqrt
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require
from moot.stats.clusters import FEWEST, number_of
from moot.stats.rates import t_quantile

Level = Literal["nominal", "ordinal", "interval", "ratio"]


class Agreement(BaseModel):
    """1 is perfect agreement, 0 is chance level, below 0 is systematic disagreement. `units` are the things rated by at
    least two judges. `low` and `high` are the 95 % interval of the jackknife over the units, or clusters of them.
    Everything is null if alpha is undefined: nothing was rated twice, or all ratings are equal."""

    model_config = ConfigDict(frozen=True)

    alpha: float | None
    low: float | None
    high: float | None
    units: int
    judges: int
    ratings: int
    level: Level


def krippendorff_alpha(
    ratings: Sequence[Mapping[str, Any]],
    level: Level = "nominal",
    *,
    clusters: Sequence[Hashable] | None = None,
) -> Agreement:
    """Agreement on `ratings`: for each thing rated, the rating of each judge by name; None means no rating.

    Nominal ratings can be any distinct values; the other levels take numbers. `clusters` says which things are related:
    the interval is from leaving out each of these in turn, on the scale of the logarithm of disagreement over that by
    chance. There is none unless judges disagree in FEWEST clusters, and agree in as many on another rating than the
    most frequent one, on which agreement by chance depends.
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
    kept = [place for place, unit in enumerate(rated) if len(unit) >= 2]
    groups = [clusters[place] for place in kept] if clusters is not None else list(range(len(kept)))
    usual = counts.sum(axis=0).argmax()
    rare = {
        group
        for group, row in zip(groups, counts, strict=True)
        if not row[usual] and (level != "nominal" or (row > 0).sum() == 1)
    }
    split = {group for group, row in zip(groups, counts, strict=True) if (row > 0).sum() > 1}
    if min(len(rare), len(split)) < FEWEST or number_of(groups) < FEWEST - 1:
        return agreement.model_copy(update={"alpha": alpha})
    wholes = [np.array([group != left for group in groups]) for left in dict.fromkeys(groups)]
    logs = [log(1 - _alpha(counts[kept_in], domain, level)) for kept_in in wholes]
    error = (len(logs) - 1) / sqrt(len(logs)) * float(np.std(logs, ddof=1))
    apart = exp(t_quantile(number_of(groups) - 1) * error)
    return agreement.model_copy(
        update={"alpha": alpha, "low": 1 - (1 - alpha) * apart, "high": 1 - (1 - alpha) / apart}
    )


def _alpha(counts: Any, domain: Sequence[Any], level: Level) -> float:
    import krippendorff

    return float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def _order(value: Any) -> tuple[str, Any]:
    """A sort key for ratings of any kind: numbers by size, the rest by their text."""
    return ("", value) if isinstance(value, int | float) else (type(value).__name__, str(value))
