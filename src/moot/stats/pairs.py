"""Two methods on the same cases: the difference of their shares, with its interval and tests."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from moot.stats.clusters import are_few, degrees_of, lean_test, mean_of, related
from moot.stats.paired import mcnemar
from moot.stats.rates import Z_95, Difference


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
    one; for related ones they are Student's t over the clusters, and the exact test of the signs of their sums."""
    leans = [int(one) - int(other) for one, other in zip(first, second, strict=True)]
    if not leans:
        return PairedShares(None, None, None, None, lambda _: None)
    if related([clusters]) and len(set(leans)) > 1:
        found = mean_of(leans, clusters)
        p = lean_test(leans, [clusters])
        return PairedShares(
            found.value, found.low, found.high, p, lambda margin: _t_below(found, margin, degrees_of(clusters))
        )
    if are_few([clusters]):
        return PairedShares(float(leans[0]), None, None, None, lambda _: None)
    if related([clusters]):
        leans = leans[:1] * len(set(clusters))  # where all cases are alike, each cluster counts as one
    only_first, only_second, n = leans.count(1), leans.count(-1), len(leans)
    low, high = tango(only_first, only_second, n)
    p = mcnemar(only_first, only_second)
    p = 1.0 if p is None else p
    return PairedShares(
        sum(leans) / n, low, high, p, lambda margin: _normal(_score(only_first, only_second, n, margin))
    )


def tango(only_first: int, only_second: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of a paired difference of shares (Tango 1998)."""
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


def _score(only_first: int, only_second: int, n: int, difference: float) -> float:
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


def _t_below(found: Difference, margin: float, degrees: float) -> float | None:
    if found.value is None or found.low is None:
        return None
    from scipy.stats import t

    error = (found.value - found.low) / float(t.ppf(0.975, degrees))
    return float(t.cdf((found.value - margin) / error, degrees))
