"""Sequential looks: tests at several moments that keep their error together, after Haybittle and Peto."""

from collections.abc import Sequence

LEVEL = 0.05
LOOK = 0.001
"""The significance level of each look but the last. The last look has the rest, so that all looks together keep
LEVEL."""
MOST_LOOKS = 20
"""With so many, the last look has 0.031 left."""


def levels(looks: Sequence[int]) -> list[float]:
    """The significance level of each look; they add up to LEVEL."""
    return [*[LOOK] * (len(looks) - 1), LEVEL - LOOK * (len(looks) - 1)]
