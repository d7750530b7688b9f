"""The number of questions needed to show a difference: the power of McNemar's exact test, computed, not simulated."""

from collections.abc import Sequence
from functools import cache
from math import sqrt

from pydantic import BaseModel

from moot.plugins.extras import require

DISCORDANCES = (0.1, 0.2, 0.3, 0.4)
"""Assumed shares of questions on which exactly one of two methods is right, if nothing is known yet."""
MOST_QUESTIONS = 1_000_000
POWER = 0.8


class Needed(BaseModel):
    """The number of questions that show a difference with this power, if exactly one of the two methods is right on the
    share `discordance` of them."""

    discordance: float
    questions: int
    power: float


def questions_needed(
    difference: float, discordances: Sequence[float] = DISCORDANCES, *, level: float = 0.05
) -> list[Needed]:
    """The smallest sufficient numbers of questions. A difference cannot be larger than the discordance."""
    require("studies")
    found = []
    for share in (share for share in discordances if share >= difference):
        number = _approximate(difference, share, level)
        while (reached := power_of(number, difference, share, level)) < POWER and number < MOST_QUESTIONS:
            number += max(1, number // 200)
        found.append(Needed(discordance=share, questions=number, power=round(reached, 3)))
    return found


def power_of(questions: int, difference: float, discordance: float, level: float = 0.05) -> float:
    """The probability that McNemar's exact test shows the difference, summed over the number of discordant
    questions."""
    require("studies")
    from scipy.stats import binom

    better = (discordance + difference) / (2 * discordance)
    low, high = (int(binom.ppf(tail, questions, discordance)) for tail in (1e-7, 1 - 1e-7))
    total = 0.0
    for apart in range(low, high + 1):
        most = _rejected(apart, level)
        if most >= 0:
            shown = float(binom.cdf(most, apart, 1 - better))
            total += float(binom.pmf(apart, questions, discordance)) * shown
    return total


@cache
def _rejected(apart: int, level: float) -> int:
    """The largest number of questions that only the second got right at which the first is shown to be better; -1 if
    there is none."""
    from scipy.stats import binom

    most = int(binom.ppf(level / 2, apart, 0.5))
    while most >= 0 and 2 * float(binom.cdf(most, apart, 0.5)) >= level:
        most -= 1
    return most


def _approximate(difference: float, discordance: float, level: float) -> int:
    """Connor's formula, which is slightly too low for the exact test."""
    from scipy.stats import norm

    alpha, beta = norm.ppf(1 - level / 2), norm.ppf(POWER)
    spread = alpha * sqrt(discordance) + beta * sqrt(discordance - difference**2)
    return max(6, int((spread / difference) ** 2))
