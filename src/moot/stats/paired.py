"""Tests on pairs, and the correction for multiple tests."""

from collections.abc import Sequence

from moot.plugins.extras import require


def sign_test(one: int, other: int) -> float | None:
    """The probability of a split at least this uneven if both outcomes are equally likely (exact binomial test,
    two-sided; McNemar's, of pairs where exactly one of two has a property). None without cases."""
    if min(one, other) < 0:
        raise ValueError("counts are not negative")
    if one + other == 0:
        return None
    require("studies")
    from scipy.stats import binomtest

    return float(binomtest(one, one + other).pvalue)


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
