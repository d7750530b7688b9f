"""Tests on pairs, and what to do about many tests at once."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

RESAMPLES = 10_000


class Bootstrapped(BaseModel):
    """A mean of `n` cases, with the interval of 95 % that resampling gives it: null below two cases."""

    model_config = ConfigDict(frozen=True)

    value: float | None
    low: float | None
    high: float | None
    n: int


def sign_test(one: int, other: int) -> float | None:
    """How likely a split so uneven or more so is, if both were as likely: the exact binomial test, two-sided. None
    where there is no case."""
    n = one + other
    if min(one, other) < 0:
        raise ValueError("counts are not negative")
    if n == 0:
        return None
    tail = ways = 1
    for k in range(min(one, other)):
        # The number of ways to choose k + 1 of n, from that for k.
        ways = ways * (n - k) // (k + 1)
        tail += ways
    # A fraction of whole numbers, since both grow beyond what a float holds.
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def mcnemar(only_first: int, only_second: int) -> float | None:
    """McNemar's exact test: of pairs in which exactly one of two has a property, how many are the first's and how many
    the second's. Pairs that agree say nothing about it and are not asked for."""
    return sign_test(only_first, only_second)


def paired_bootstrap(differences: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> Bootstrapped:
    """The mean of paired differences with its percentile interval of 95 %, the pairs being drawn again with
    replacement. The same seed gives the same interval."""
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
    """Means of samples drawn with replacement, a block at a time so that memory stays small."""
    import numpy as np

    generator, n = np.random.default_rng(seed), len(values)
    block = max(1, 1_000_000 // n)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    return np.concatenate([values[generator.integers(0, n, (size, n))].mean(axis=1) for size in sizes])


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values of several tests, adjusted so that the chance of any false alarm among them stays what it is for one
    (Holm's step-down method). A test that could not be made stays None and does not count."""
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
