"""Cases that resemble each other: rates, differences and tests that count clusters instead of cases.

Debates on one topic, readings of one debate, and several tries at one question say less than as many independent ones.
Each case belongs to a cluster in one or more ways, such as its topic and its cast. Where no cluster has two cases, all
functions give what the plain ones give. Where there are fewer than FEWEST clusters, or a few clusters have most of the
cases, there is no interval and no p-value.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from moot.plugins.extras import require
from moot.stats.paired import sign_test
from moot.stats.rates import Rate, exact_of, t_quantile

FEWEST = 6
"""With fewer clusters that differ no exact test can fall below 0.05, since 2 × ½⁵ is more."""
Clusters = Sequence[Sequence[Hashable]]
"""For each way to cluster, the cluster of each case."""


def related(clusters: Clusters) -> list[Sequence[Hashable]]:
    """The ways in which some cluster has several cases."""
    return [way for way in clusters if len(set(way)) < len(way)]


def are_few(clusters: Clusters) -> bool:
    """Whether there are too few clusters for an interval or a test, or most cases lie in a few of them."""
    return any(len(set(way)) < FEWEST or number_of(way) < FEWEST - 1 for way in related(clusters))


def number_of(clusters: Sequence[Hashable]) -> float:
    """How many clusters of the same size say as much as these: the square of the sum of their sizes over the sum of
    the squares (Kish)."""
    return len(clusters) ** 2 / sum(size**2 for size in Counter(clusters).values())


def rate_of(values: Sequence[bool | None], clusters: Clusters) -> Rate:
    """How many of the known values are true. For clusters the interval is that of Clopper and Pearson for the number of
    independent cases that say as much (Korn and Graubard)."""
    kept = [place for place, value in enumerate(values) if value is not None]
    known, ways = [bool(values[place]) for place in kept], [[way[place] for place in kept] for way in clusters]
    n, count = len(known), sum(known)
    found = Rate(count=count, n=n, missing=len(values) - n, rate=count / n if n else None, low=None, high=None)
    tied = related(ways)
    found = found.model_copy(update={"clusters": min((len(set(way)) for way in tied), default=n)})
    if not n or are_few(ways):
        return found
    independent = n * independent_share(known, tied) if tied else float(n)
    low, high = exact_of(count / n * independent, independent)
    return found.model_copy(update={"low": low, "high": high})


def independent_share(values: Sequence[float], ways: Clusters) -> float:
    """How many independent values say as much of the mean as one of these (Korn and Graubard): the variance of
    independent ones over that of the clusters, less what Student's t takes for so few clusters. Where fewer than FEWEST
    clusters have another value than the usual one, nothing is seen of how far clusters differ, and each counts as one
    value."""
    n, mean = len(values), sum(values) / len(values)
    scores, usual = [(value - mean) / n for value in values], Counter(values).most_common(1)[0][0]
    differing = [len({one for one, value in zip(way, values, strict=True) if value != usual}) for way in ways]
    most = min((len(set(way)) / n for way, seen in zip(ways, differing, strict=True) if seen < FEWEST), default=1.0)
    variances = [_variance(scores, way) for way in ways]
    # Clusters of two kinds are combined after Cameron, Gelbach and Miller, and are never less than one kind alone.
    both = sum(variances) - (_variance(scores, list(zip(*ways, strict=True))) if len(ways) > 1 else 0.0)
    variance = max(both, *variances)
    if not variance:
        return most
    independent = sum(score**2 for score in scores) / variance
    degrees = min(number_of(way) for way in ways) - 1
    return min(most, float(independent * (t_quantile(n - 1) / t_quantile(degrees)) ** 2))


def lean_test(leans: Sequence[int], clusters: Clusters) -> float | None:
    """The probability of so uneven a sum if each case leans one way (1) or the other (-1) with equal chance and the
    clusters do so as wholes: the exact two-sided test of all signs of the clusters' sums.

    Of several ways to cluster, the one with the largest p counts. Without related cases this is the exact binomial, or
    McNemar's, test. None without cases, or with too few clusters.
    """
    if are_few(clusters):
        return None
    ways = related(clusters) or [range(len(leans))]
    found = [sign_flip_test([round(total) for total in _sums(leans, way).values()]) for way in ways]
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
    return min(1.0, float(chances[: total - least + 1].sum() + chances[total + least :].sum()))


def _sums(values: Sequence[float], clusters: Sequence[Hashable]) -> dict[Hashable, float]:
    """The sum of the values of each cluster."""
    sums: dict[Hashable, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0) + value
    return sums


def _variance(scores: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """The variance of a sum of scores whose clusters vary as wholes."""
    sums = _sums(scores, clusters)
    found = sum(one * one for one in sums.values()) * len(sums) / max(1, len(sums) - 1)
    return found if found > 1e-15 else 0.0
