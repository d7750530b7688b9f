"""Two methods on the same cases: the difference of their shares, with its interval and tests."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from moot.stats.clusters import are_few, independent_share, lean_test, related

Z_95 = 1.959963984540054
"""The quantile of the normal distribution for a 95 % interval."""


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
    """Compare two methods: Tango's score interval and McNemar's exact test. For related cases the interval is Tango's
    for the number of independent cases that say as much, and the test the exact one of the signs of the clusters'
    sums."""
    leans = [int(one) - int(other) for one, other in zip(first, second, strict=True)]
    if not leans:
        return PairedShares(None, None, None, None, lambda _: None)
    value = sum(leans) / len(leans)
    if are_few([clusters]):
        return PairedShares(value, None, None, None, lambda _: None)
    weight = independent_share(leans, tied) if (tied := related([clusters])) else 1.0
    counts = leans.count(1) * weight, leans.count(-1) * weight, len(leans) * weight
    p = lean_test(leans, [clusters])
    return PairedShares(value, *tango(*counts), p, lambda margin: _normal(_score(*counts, margin)))


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
