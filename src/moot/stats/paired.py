"""Tests on pairs, and the correction for multiple tests."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

RESAMPLES = 10_000


class Bootstrapped(BaseModel):
    """A mean of `n` cases with its 95 % bootstrap interval; null below two cases."""

    model_config = ConfigDict(frozen=True)

    value: float | None
    low: float | None
    high: float | None
    n: int


def sign_test(one: int, other: int) -> float | None:
    """The probability of a split at least this uneven if both outcomes are equally likely (exact binomial test,
    two-sided). None without cases."""
    n = one + other
    if min(one, other) < 0:
        raise ValueError("counts are not negative")
    if n == 0:
        return None
    tail = ways = 1
    for k in range(min(one, other)):
        # The number of ways to choose k + 1 of n, from the number for k.
        ways = ways * (n - k) // (k + 1)
        tail += ways
    # An integer fraction, since both terms exceed the range of a float.
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def mcnemar(only_first: int, only_second: int) -> float | None:
    """McNemar's exact test on pairs where exactly one of two has a property: how often only the first, how often only
    the second. Pairs that agree do not matter."""
    return sign_test(only_first, only_second)


def paired_bootstrap(differences: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> Bootstrapped:
    """The mean of paired differences with its 95 % percentile interval from resampling the pairs. The same seed gives
    the same interval."""
    n = len(differences)
    for place, value in enumerate(differences):
        if not isfinite(value):
            raise ValueError(f"differences[{place}] is {value}, and has no mean")
    if n < 2:
        return Bootstrapped(value=differences[0] if n else None, low=None, high=None, n=n)
    require("studies")
    import numpy as np

    values = np.asarray(differences, dtype=float)
    means = _resampled_means(values, resamples, seed)
    low, high = np.quantile(means, [0.025, 0.975])
    return Bootstrapped(value=float(values.mean()), low=float(low), high=float(high), n=n)


def _resampled_means(values: Any, resamples: int, seed: int) -> Any:
    """Means of samples drawn with replacement, in blocks to limit memory."""
    import numpy as np

    generator, n = np.random.default_rng(seed), len(values)
    block = max(1, 1_000_000 // n)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    return np.concatenate([values[generator.integers(0, n, (size, n))].mean(axis=1) for size in sizes])


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values of several tests after Holm's step-down method, which keeps the chance of any false alarm at the
    level of one test. A missing test stays None and is not counted."""
    for place, p in enumerate(p_values):
        if p is not None and not 0 <= p <= 1:
            raise ValueError(f"p_values[{place}] is {p}, and no probability; a test that could not be made is None")
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = highest
    return adjusted
