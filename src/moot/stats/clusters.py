"""Cases that resemble each other: rates, differences and tests that count clusters instead of cases.

Debates on one topic, readings of one debate, and several tries at one question say less than as many independent ones.
Each case belongs to a cluster in one or more ways, such as its topic and its cast. Where no cluster has two cases, all
functions give what the plain ones give. Where there are fewer than FEWEST clusters, there is no interval and no
p-value.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import sqrt
from typing import Any

from moot.plugins.extras import require
from moot.stats.paired import sign_test
from moot.stats.rates import Z_95, Difference, Rate, rate, share_minus_overall, wilson_of

FEWEST = 6
"""With fewer clusters no exact test can fall below 0.05, since 2 × ½⁵ is more, and intervals are too narrow."""
Clusters = Sequence[Sequence[Hashable]]
"""For each way to cluster, the cluster of each case."""


def related(clusters: Clusters) -> list[Sequence[Hashable]]:
    """The ways in which some cluster has several cases."""
    return [way for way in clusters if len(set(way)) < len(way)]


def are_few(clusters: Clusters) -> bool:
    """Whether there are too few clusters for an interval or a test."""
    return any(len(set(way)) < FEWEST for way in related(clusters))


def rate_of(values: Sequence[bool | None], clusters: Clusters) -> Rate:
    """How many of the known values are true, with an interval for other clusters like these.

    The interval is Wilson's for the number of independent cases with the same variance, after Korn and Graubard: the
    variance is that of the clusters (linearised; two ways are combined after Cameron, Gelbach and Miller), and the
    number shrinks by the quantile of Student's t for so few clusters.
    """
    known, ways = _known(values, clusters)
    n, count = len(known), sum(known)
    plain, missing = rate(count, n, len(values) - n), len(values) - n
    if not (tied := related(ways)):
        return plain.model_copy(update={"clusters": n})
    number = min(len(set(way)) for way in tied)
    found = Rate(count=count, n=n, missing=missing, rate=count / n, low=None, high=None, clusters=number)
    if are_few(ways):
        return found
    share = count / n
    variance = _variance([(value - share) / n for value in known], tied)
    # Where all cases are alike, nothing is seen of how far clusters differ: each counts as one case.
    independent = share * (1 - share) / variance if variance else float(number)
    low, high = wilson_of(share, independent * (Z_95 / _t(number - 1)) ** 2)
    return found.model_copy(update={"low": low, "high": high})


def bias_of(values: Sequence[bool | None], part: Sequence[bool], clusters: Clusters) -> Difference:
    """The share of true values in a part minus the overall share, with an interval for other clusters like these."""
    kept = [place for place, value in enumerate(values) if value is not None]
    known, own = [bool(values[place]) for place in kept], [part[place] for place in kept]
    ways = [[way[place] for place in kept] for way in clusters]
    inside = [value for value, mine in zip(known, own, strict=True) if mine]
    if not inside or len(inside) == len(known):
        return Difference(value=None, low=None, high=None)
    if not (tied := related(ways)):
        return share_minus_overall((sum(inside), len(inside)), (sum(known), len(known)))
    here, whole = sum(inside) / len(inside), sum(known) / len(known)
    found = Difference(value=here - whole, low=None, high=None)
    number = min(len(set(way)) for way in tied)
    scores = [
        mine * (value - here) / len(inside) - (value - whole) / len(known)
        for value, mine in zip(known, own, strict=True)
    ]
    variance = _variance(scores, tied)
    if are_few(ways) or not variance:
        return found
    half = _t(number - 1) * sqrt(variance)
    return Difference(value=here - whole, low=max(-1.0, here - whole - half), high=min(1.0, here - whole + half))


def mean_of(values: Sequence[float], clusters: Sequence[Hashable]) -> Difference:
    """The mean of values with an interval for other clusters like these, by Student's t; null where they are few or
    all alike."""
    if not values:
        return Difference(value=None, low=None, high=None)
    mean, number = sum(values) / len(values), len(set(clusters))
    if number < FEWEST or not (variance := _variance([(value - mean) / len(values) for value in values], [clusters])):
        return Difference(value=mean, low=None, high=None)
    half = _t(number - 1) * sqrt(variance)
    return Difference(value=mean, low=mean - half, high=mean + half)


def lean_test(leans: Sequence[int], clusters: Clusters) -> float | None:
    """The probability of so uneven a sum if each case leans one way (1) or the other (-1) with equal chance and the
    clusters do so as wholes: the exact two-sided test of all signs of the clusters' sums.

    Of several ways to cluster, the one with the largest p counts. Without related cases this is the exact binomial, or
    McNemar's, test. None without cases, or with too few clusters.
    """
    if are_few(clusters):
        return None
    ways = related(clusters) or [range(len(leans))]
    found = [sign_flip_test(_sums(leans, way)) for way in ways]
    return max((p for p in found if p is not None), default=None)


def sign_flip_test(sums: Sequence[int]) -> float | None:
    """The probability that the sum is at least this far from 0 if each sum were as likely to have the other sign."""
    sizes = [abs(one) for one in sums if one]
    if not sizes:
        return 1.0 if sums else None
    if set(sizes) == {1}:
        positive = sum(one > 0 for one in sums)
        return sign_test(positive, len(sizes) - positive)
    require("studies")
    import numpy as np

    total = sum(sizes)
    chances = np.zeros(2 * total + 1)
    chances[total] = 1.0
    for size in sizes:
        moved = np.zeros_like(chances)
        moved[size:] += chances[:-size] / 2
        moved[:-size] += chances[size:] / 2
        chances = moved
    least = abs(sum(sums))
    return min(1.0, float(chances[: total - least + 1].sum() + (chances[total + least :].sum() if least else 0.0)))


def _known(values: Sequence[bool | None], clusters: Clusters) -> tuple[list[bool], list[list[Hashable]]]:
    kept = [place for place, value in enumerate(values) if value is not None]
    return [bool(values[place]) for place in kept], [[way[place] for place in kept] for way in clusters]


def _sums(values: Sequence[int], clusters: Sequence[Hashable]) -> list[int]:
    sums: Counter[Hashable] = Counter()
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value
    return list(sums.values())


def _variance(scores: Sequence[float], ways: Clusters) -> float:
    """The variance of a sum of scores whose clusters vary as wholes, in one or two ways."""
    single = [_one_way(scores, way) for way in ways]
    if len(ways) == 1:
        return single[0]
    both = _one_way(scores, list(zip(*ways, strict=True)))
    return max(sum(single) - both, *single)


def _one_way(scores: Sequence[float], clusters: Sequence[Any]) -> float:
    sums: dict[Hashable, float] = {}
    for score, cluster in zip(scores, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + score
    found = sum(one * one for one in sums.values()) * len(sums) / max(1, len(sums) - 1)
    return found if found > 1e-15 else 0.0


def _t(degrees: int) -> float:
    require("studies")
    from scipy.stats import t

    return float(t.ppf(0.975, degrees))
