"""Tests on pairs, and the correction for multiple tests."""

from collections.abc import Sequence
from fractions import Fraction


def sign_test(one: int, other: int) -> float | None:
    """The probability of a split at least this uneven if both outcomes are equally likely (exact binomial test,
    two-sided; McNemar's, of pairs where exactly one of two has a property). None without cases."""
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
