"""How fast calls followed each other."""

from collections.abc import Sequence

from moot.models.pacing import MINUTE


def most_in_a_minute(starts: Sequence[float]) -> int:
    """How many of these lie within one minute at most; a hair less, since sums of floats are not exact."""
    most, first = 0, 0
    for last, start in enumerate(starts):
        while start - starts[first] >= MINUTE - 1e-6:
            first += 1
        most = max(most, last - first + 1)
    return most
