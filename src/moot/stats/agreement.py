"""Agreement between judges who rated the same things: Krippendorff's alpha, from the `krippendorff` library."""

from collections.abc import Hashable, Mapping, Sequence
from math import isnan, sqrt
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

Level = Literal["nominal", "ordinal", "interval", "ratio"]
RESAMPLES = 1_000
FEWEST_RESAMPLED = 30
"""Intervals from resampling fewer clusters than this are too narrow."""
FEWEST_RARE, FEWEST_SPLIT = 15, 5
"""The same, of clusters with a rating other than the most frequent one, on which agreement by chance depends, and of
clusters in which judges disagree: without any, all samples would be alike."""


class Agreement(BaseModel):
    """1 is perfect agreement, 0 is chance level, below 0 is systematic disagreement. `units` are the things rated by at
    least two judges. `low` and `high` are the 95 % percentile interval from resampling the units,
    or clusters of them. Everything is null if alpha is undefined: nothing was rated twice, or all ratings are equal."""

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
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Agreement on `ratings`: for each thing rated, the rating of each judge by name; None means no rating.

    Nominal ratings can be any distinct values; the other levels take numbers. `clusters` says which things are related:
    the interval is from resampling these as wholes, and there is none with fewer than FEWEST_RESAMPLED, or if fewer
    than FEWEST_RARE have a rating other than the most frequent one, or judges disagree in fewer than FEWEST_SPLIT.
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
    rare = {group for group, row in zip(groups, counts, strict=True) if row.sum() > row[usual]}
    split = {group for group, row in zip(groups, counts, strict=True) if (row > 0).sum() > 1}
    enough = len(set(groups)) >= FEWEST_RESAMPLED and len(rare) >= FEWEST_RARE and len(split) >= FEWEST_SPLIT
    low, high = _interval(counts, groups, domain, level, resamples, seed) if enough else (None, None)
    return agreement.model_copy(update={"alpha": alpha, "low": low, "high": high})


def _alpha(counts: Any, domain: Sequence[Any], level: Level) -> float:
    import krippendorff

    return float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def _interval(
    counts: Any, groups: Sequence[Hashable], domain: Sequence[Any], level: Level, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    """Percentiles over samples of the clusters. Samples in which all ratings are equal are left out, since alpha is
    undefined."""
    import numpy as np
    from scipy.stats import norm, t

    generator = np.random.default_rng(seed)
    members: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    wholes = [np.array(places) for places in members.values()]
    alphas = []
    for _ in range(resamples):
        drawn = generator.integers(0, len(wholes), len(wholes))
        sample = counts[np.concatenate([wholes[one] for one in drawn])]
        if (sample.sum(axis=0) > 0).sum() > 1:
            alphas.append(_alpha(sample, domain, level))
    if not alphas:
        return None, None
    # Percentiles of samples are too narrow by a factor that is known; they are taken further out (Hesterberg 2015).
    number = len(wholes)
    tail = float(norm.cdf(-sqrt(number / (number - 1)) * t.ppf(0.975, number - 1)))
    low, high = np.quantile(alphas, [tail, 1 - tail])
    # Where all samples are alike, nothing is known of how far others would differ.
    return (float(low), float(high)) if low < high else (None, None)


def _order(value: Any) -> tuple[str, Any]:
    """A sort key for ratings of any kind: numbers by size, the rest by their text."""
    return ("", value) if isinstance(value, int | float) else (type(value).__name__, str(value))
