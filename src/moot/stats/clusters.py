"""Cases that resemble each other: rates, differences and tests that count clusters instead of cases.

Debates on one topic, readings of one debate, and several tries at one question say less than as many independent ones.
Each case belongs to a cluster in one or more ways, such as its topic and its cast. Where no cluster has two cases, all
functions give what the plain ones give. Where there are fewer than FEWEST clusters, or a few clusters have most of the
cases, there is no interval and no p-value.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import sqrt
from typing import Any

from moot.plugins.extras import require
from moot.stats.mixtures import FEWEST, ONE_TAIL, TWO_TAILS, is_near_the_end, posterior, tail_of
from moot.stats.paired import sign_test
from moot.stats.rates import Z_95, Difference, Rate, rate, score_rate, wilson_of

FEWEST_DEGREES = 4.0
"""With fewer degrees of freedom the cases lie in so few of the clusters that intervals are too narrow."""
LOWER, UPPER = 0.35, 1.2
"""The powers of the priors of a rate that few clusters show, for the lower end and the upper one. Measured: with others
more intervals cover the truth in fewer than 93, or more than 97, of 100 studies."""
ONE_SIDED = 0.15
"""Rates further than this from 0 and 1 can be missed from both sides, however few the clusters. Measured: seven topics
at 75 % are."""
MOST_MODELLED = 30
"""With so many clusters that differ they show how far, better than any model of it."""
Clusters = Sequence[Sequence[Hashable]]
"""For each way to cluster, the cluster of each case."""


def related(clusters: Clusters) -> list[Sequence[Hashable]]:
    """The ways in which some cluster has several cases."""
    return [way for way in clusters if len(set(way)) < len(way)]


def are_few(clusters: Clusters) -> bool:
    """Whether there are too few clusters for an interval or a test, or most cases lie in a few of them."""
    return any(len(set(way)) < FEWEST or degrees_of(way) < FEWEST_DEGREES for way in related(clusters))


def degrees_of(clusters: Sequence[Hashable]) -> float:
    """The degrees of freedom of a variance over these clusters, after Bell and McCaffrey: one less than their number if
    they have the same size, and fewer the more their sizes differ. The smaller value counts of those for clusters that
    differ and for clusters that do not."""
    sizes = list(Counter(clusters).values())
    if len(sizes) < 2:
        return 0.0
    weights = [size / len(clusters) for size in sizes]
    return min(_degrees(weights, [1.0] * len(sizes)), _degrees(weights, [1 / size for size in sizes]))


def _degrees(weights: Sequence[float], variances: Sequence[float]) -> float:
    """Satterthwaite's degrees of freedom of the sum of squares that `_one_way` computes, for cluster means with these
    variances: the squared trace of its matrix over the trace of the square, which has a closed form."""
    squares = [weight**2 / (1 - weight) for weight in weights]
    total = sum(squares)
    parts = list(zip(weights, squares, variances, strict=True))
    ss, sw = sum(v * a * a for _, a, v in parts), sum(v * w * a for w, a, v in parts)
    ww = sum(v * w * w for w, _, v in parts)
    trace = sum(v * (a - 2 * a * w + total * w * w) for w, a, v in parts)
    own = sum(v * v * a * (a - 4 * a * w + 2 * total * w * w) for w, a, v in parts)
    return trace**2 / (own + 2 * ss * ww + total**2 * ww**2 + 2 * sw**2 - 4 * total * sw * ww)


def rate_of(values: Sequence[bool | None], clusters: Clusters) -> Rate:
    """How many of the known values are true, with an interval for other clusters like these. Where few of the clusters
    differ from the rest, these do not show how far others may, and the interval is that of a model of it. Otherwise it
    is that of their variance: a bound of 97.5 % at each end, and of 95 % where the end is so near to 0 or 1 that even
    clusters without any such case would not exclude it, since an interval hardly misses it from that side."""
    found = score_rate_of(values, clusters)
    known, ways = _known(values, clusters)
    if found.low is None or found.high is None or found.rate is None:
        return found
    if not (tied := related(ways)):
        return rate(found.count, found.n, found.missing).model_copy(update={"clusters": found.n})
    nearer, none = score_rate_of(values, clusters, ONE_TAIL), min(rate(0, found.clusters or 0).high or 0.0, ONE_SIDED)
    by_variance = (
        max(found.low, min(nearer.low or 0.0, none)),
        min(found.high, max(1.0 if nearer.high is None else nearer.high, 1 - none)),
    )
    ends = [_modelled(known, way) or by_variance for way in tied]
    return found.model_copy(update={"low": min(low for low, _ in ends), "high": max(high for _, high in ends)})


def _modelled(values: Sequence[bool], clusters: Sequence[Hashable]) -> tuple[float, float] | None:
    """The interval of a rate by the model of clusters that differ; None where they show enough without."""
    sizes, trues = Counter(clusters), _sums(values, clusters)
    counts = [(int(trues[cluster]), size - int(trues[cluster])) for cluster, size in sizes.items()]
    different = [sum(count[kind] > 0 for count in counts) for kind in (0, 1)]
    share = sum(values) / len(values)
    tail = tail_of(min(different), len(counts), near_the_end=is_near_the_end(share), most=MOST_MODELLED)
    if tail is None:
        return None
    if not any(all(count) for count in counts):
        # Nothing differs within a cluster: each says as much as one case.
        found = rate(different[0], len(counts))
        return min(share, found.low or 0.0), max(share, found.high or 0.0)
    ends, true, other = [], (different[0], share), (different[1], 1 - share)
    if true <= other:
        ends.append(_ends_of_rare(counts, share, tail))
    if other <= true:
        low, high = _ends_of_rare([(second, first) for first, second in counts], 1 - share, tail)
        ends.append((1 - high, 1 - low))
    return min(low for low, _ in ends), max(high for _, high in ends)


def _ends_of_rare(counts: Sequence[tuple[int, int]], share: float, tail: float) -> tuple[float, float]:
    """The interval of the share of the first kind. As with that of Clopper and Pearson, each end has the prior that is
    against it."""
    low = min(share, posterior(counts, LOWER).at(tail)) if share else 0.0
    return low, max(share, posterior(counts, UPPER).at(1 - tail), _highest_of_two_kinds(counts))


def _highest_of_two_kinds(counts: Sequence[tuple[int, int]]) -> float:
    """The highest mean if clusters are of two kinds, and cases are equally frequent in all of one kind and do not occur
    in the other: the highest share of the first kind, times that frequency. A beta distribution has no such kinds."""
    some = [count for count in counts if count[0]]
    if not some:
        return 0.0
    # The frequency, too, is by the prior that is against it.
    frequency = (sum(one for one, _ in some) + 1) / (sum(map(sum, some)) + 1)
    return (rate(len(some), len(counts)).high or 0.0) * frequency


def score_rate_of(values: Sequence[bool | None], clusters: Clusters, tail: float = TWO_TAILS) -> Rate:
    """The rate with the interval of Wilson, which leaves out this tail at each end, for the number of independent cases
    with the same variance, after Korn and Graubard: the variance is that of the clusters (linearised; two ways are
    combined after Cameron, Gelbach and Miller), and the number shrinks by the quantile of Student's t for so few
    clusters."""
    known, ways = _known(values, clusters)
    n, count = len(known), sum(known)
    missing = len(values) - n
    if not (tied := related(ways)):
        return score_rate(count, n, missing).model_copy(update={"clusters": n})
    number = min(len(set(way)) for way in tied)
    share = count / n
    found = Rate(count=count, n=n, missing=missing, rate=share, low=None, high=None, clusters=number)
    if are_few(ways):
        return found
    scores = [(value - share) / n for value in known]
    variance, degrees = _variance_of(scores, tied)
    # Without variance nothing is seen of how far clusters differ: each counts as one case.
    independent = share * (1 - share) / variance if variance else float(number)
    low, high = wilson_of(share, independent * (Z_95 / _t(degrees, tail)) ** 2)
    return found.model_copy(update={"low": low, "high": high})


def mean_of(values: Sequence[float], clusters: Sequence[Hashable]) -> Difference:
    """The mean of values with an interval for other clusters like these, by Student's t; null where they are few or
    all alike."""
    if not values:
        return Difference(value=None, low=None, high=None)
    mean = sum(values) / len(values)
    if are_few([clusters]) or not (variance := _one_way([(value - mean) / len(values) for value in values], clusters)):
        return Difference(value=mean, low=None, high=None)
    half = _t(degrees_of(clusters)) * sqrt(variance)
    return Difference(value=mean, low=mean - half, high=mean + half)


def p_of_mean(values: Sequence[float], clusters: Sequence[Hashable], least: float) -> float:
    """The one-sided test, by Student's t, that the mean of values over other clusters like these is at least so
    much."""
    require("studies")
    from scipy.stats import t

    mean = sum(values) / len(values)
    variance = _one_way([(value - mean) / len(values) for value in values], clusters)
    if not variance:
        return float(mean >= least)
    return float(t.cdf((mean - least) / sqrt(variance), degrees_of(clusters)))


def independent_share(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """How many independent values say as much of the mean as one of these, after Korn and Graubard: the variance of
    independent ones over that of the clusters, less what Student's t takes for so few clusters. Where all clusters are
    alike, nothing is seen of how far they differ, and each counts as one value."""
    n = len(values)
    mean = sum(values) / n
    variance = _one_way([(value - mean) / n for value in values], clusters)
    if not variance:
        return len(set(clusters)) / n
    independent = sum((value - mean) ** 2 for value in values) / n**2
    return independent / variance * (Z_95 / _t(degrees_of(clusters))) ** 2


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


def _known(values: Sequence[bool | None], clusters: Clusters) -> tuple[list[bool], list[list[Hashable]]]:
    kept = [place for place, value in enumerate(values) if value is not None]
    return [bool(values[place]) for place in kept], [[way[place] for place in kept] for way in clusters]


def _sums(values: Sequence[float], clusters: Sequence[Hashable]) -> dict[Hashable, float]:
    """The sum of the values of each cluster."""
    sums: dict[Hashable, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0) + value
    return sums


def _variance_of(scores: Sequence[float], ways: Clusters) -> tuple[float, float]:
    """The variance of a sum of scores whose clusters vary as wholes, in one or two ways, with its degrees of freedom
    after Satterthwaite. For two ways it is the sum of both, without that of the cells, which is in each of them; or, if
    that is more, their mean: then the cells may be all that varies."""
    parts = [(_one_way(scores, way), degrees_of(way)) for way in ways]
    total = sum(variance for variance, _ in parts)
    if len(ways) == 1 or not total:
        return total, min(degrees for _, degrees in parts)
    noise = sum(variance**2 / degrees for variance, degrees in parts)
    without_cells = total - _one_way(scores, list(zip(*ways, strict=True)))
    if without_cells > total / 2:
        return without_cells, without_cells**2 / noise
    return total / 2, total**2 / noise


def _one_way(scores: Sequence[float], clusters: Sequence[Any]) -> float:
    """The sum of the squares of the clusters' sums. Each is divided by what is left of it, on average, when the mean is
    subtracted, which is less for a larger cluster (Bell and McCaffrey)."""
    sizes = Counter(clusters)
    sums = _sums(scores, clusters)
    found = sum(one * one / (1 - sizes[cluster] / len(scores)) for cluster, one in sums.items() if len(sizes) > 1)
    return found if found > 1e-15 else 0.0


def _t(degrees: float, tail: float = TWO_TAILS) -> float:
    require("studies")
    from scipy.stats import t

    return float(t.ppf(1 - tail, degrees))
