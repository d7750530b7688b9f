"""Two methods on the same cases: the difference of their shares, with its interval and tests."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from moot.stats.clusters import are_few, independent_share, lean_test, mean_of, p_of_mean, related
from moot.stats.mixtures import FEWEST, ONE_TAIL, TWO_TAILS, is_near_the_end, posterior, tail_of
from moot.stats.rates import Z_95

SHAPES = {ONE_TAIL: 0.4, TWO_TAILS: 0.8}
"""The power of the prior of how often only one of the methods is right, by what an end leaves out. Measured: with less
some intervals cover the truth in fewer than 93 of 100 studies, with more in more than 97."""
MOST_MODELLED = 12
"""With so many clusters in which the methods differ they show how far, better than any model of it."""


@dataclass(frozen=True, slots=True)
class PairedShares:
    """The share of the first minus that of the second, with its 95 % interval. `p` is the two-sided test that they are
    equal. Null where nothing can be said: without cases, or with too few clusters."""

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_below: Callable[[float], float | None]
    """For a margin: the one-sided test that the difference is at least so much. If small, it is surely less."""


def paired_shares(first: Sequence[bool], second: Sequence[bool], clusters: Sequence[Hashable]) -> PairedShares:
    """Compare two methods. For independent cases the interval is Tango's score interval and the test McNemar's exact
    one. For related ones the test is the exact one of the signs of the clusters' sums, and the interval that of
    Student's t for these sums; if a method is nearly always right or wrong, they are skewed, and it is Tango's for as
    many independent cases as have their variance. Where the methods differ in few of the clusters, these do not show
    how far they may in others, and the interval is that of a model of it."""
    leans = [int(one) - int(other) for one, other in zip(first, second, strict=True)]
    if not leans:
        return PairedShares(None, None, None, None, lambda _: None)
    value = sum(leans) / len(leans)
    if are_few([clusters]):
        return PairedShares(value, None, None, None, lambda _: None)
    p = lean_test(leans, [clusters])
    if not related([clusters]):
        return _by_score(leans, p, 1.0)
    near = any(is_near_the_end(sum(one) / len(leans)) for one in (first, second))
    kinds = _counts(leans, clusters)
    different = sum(any(kind[:2]) for kind in kinds)
    tail = tail_of(different, len(kinds), near_the_end=near, most=MOST_MODELLED)
    mean = mean_of(leans, clusters)
    if tail is None and (near or mean.low is None):
        return _by_score(leans, p, independent_share(leans, clusters))
    low, high = max(-1.0, value if mean.low is None else mean.low), min(1.0, value if mean.high is None else mean.high)
    if tail is None:
        return PairedShares(value, low, high, p, lambda margin: p_of_mean(leans, clusters, margin))
    found = posterior(kinds, SHAPES[tail])
    # Where clusters are of two kinds, which the model has not, their variance shows more of how far the methods differ.
    ends = [low if value < 0 else value, high if value > 0 else value, *[0.0] * (different < FEWEST)]

    def p_below(margin: float) -> float:
        return max(found.above(margin), p_of_mean(leans, clusters, margin) if value > 0 else 0.0)

    return PairedShares(value, min(found.at(tail), *ends), max(found.at(1 - tail), *ends), p, p_below)


def _by_score(leans: Sequence[int], p: float | None, weight: float) -> PairedShares:
    """With Tango's interval, for cases each of which says as much as this part of an independent one."""
    counts = leans.count(1) * weight, leans.count(-1) * weight, len(leans) * weight
    value = sum(leans) / len(leans)
    return PairedShares(value, *tango(*counts), p, lambda margin: _normal(_score(*counts, margin)))


def _counts(leans: Sequence[int], clusters: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """For each cluster, how often only the first is right, only the second, and both or neither."""
    found = Counter(zip(clusters, leans, strict=True))
    return [tuple(found[cluster, lean] for lean in (1, -1, 0)) for cluster in dict.fromkeys(clusters)]


def tango(only_first: float, only_second: float, n: float) -> tuple[float, float]:
    """The 95 % score interval of a paired difference of shares (Tango 1998). The numbers need not be whole."""
    value = (only_first - only_second) / n

    def bound(end: float, target: float) -> float:
        """Where the score is the target, between the value and this end; the score falls as the difference rises."""
        inner, outer = value, end
        for _ in range(60):
            middle = (inner + outer) / 2
            beyond = abs(_score(only_first, only_second, n, middle)) >= abs(target)
            inner, outer = (inner, middle) if beyond else (middle, outer)
        return (inner + outer) / 2

    return (-1.0 if value <= -1 else bound(-1.0, Z_95)), (1.0 if value >= 1 else bound(1.0, -Z_95))


def _score(only_first: float, only_second: float, n: float, difference: float) -> float:
    """How many standard errors the observed difference is from this one."""
    b = -only_first - only_second + (2 * n - only_first + only_second) * difference
    c = -only_second * difference * (1 - difference)
    share = (sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
    variance = n * (2 * share + difference * (1 - difference))
    distance = only_first - only_second - n * difference
    return distance / sqrt(variance) if variance > 1e-12 else 0.0 if abs(distance) < 1e-9 else distance * 1e6


def _normal(score: float) -> float:
    """The probability of a smaller value of the normal distribution."""
    return erfc(-score / sqrt(2)) / 2
