"""Team selection: which agents of a pool take part, why, and the weight of their votes. Pure functions."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean

from moot.memory.ratings import START, Interval

UNCERTAINTY_BONUS = 150.0
"""Rating points for an agent without games; the bonus shrinks with the square root of the games."""
CALIBRATION_WORTH = 400.0
"""Rating points per point of Brier score below that of a coin."""
COIN = 0.25
"""The Brier score of constant 50 % confidence."""
MOST_OF_ONE_FAMILY = 2
HEAVIEST = Decimal(1000)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent of a pool. `brier` is None before ten votes, `fit` before the first game."""

    name: str
    family: str
    elo: float = START
    games: int = 0
    brier: float | None = None
    brier_error: float | None = None
    fit: Interval | None = None

    @property
    def worth(self) -> float:
        calibration = 0.0 if self.brier is None else CALIBRATION_WORTH * (COIN - self.brier)
        return self.elo + calibration + UNCERTAINTY_BONUS / math.sqrt(1 + self.games)


@dataclass(frozen=True, slots=True)
class Choice:
    """An agent of the pool, whether it was chosen, and why."""

    candidate: Candidate
    taken: bool
    reason: str


def select(pool: Sequence[Candidate], size: int) -> list[Choice]:
    """The best `size` agents of the pool, at most two of one model family; returns everybody with the reason, best
    first."""
    families: Counter[str] = Counter()
    choices = []
    taken = 0
    for one in sorted(pool, key=lambda candidate: (-candidate.worth, candidate.name)):
        calibration = "not calibrated yet" if one.brier is None else f"Brier score {one.brier:.3f}"
        facts = f"worth {one.worth:.0f}: Elo {one.elo:.0f} after {one.games} games, {calibration}"
        if taken == size:
            choices.append(Choice(one, False, f"{facts}; the team is full"))
        elif families[one.family] == MOST_OF_ONE_FAMILY:
            choices.append(Choice(one, False, f"{facts}; {MOST_OF_ONE_FAMILY} of the family {one.family} are in"))
        else:
            taken += 1
            families[one.family] += 1
            choices.append(Choice(one, True, facts))
    return choices


def vote_weights(team: Sequence[Candidate]) -> dict[str, Decimal]:
    """The weight of each vote: the odds of the agent's Bradley–Terry strength, 10^(strength / 400), times its
    calibration relative to the team's mean, (1 − Brier) / (1 − mean Brier). Only the part outside the 95 % interval
    counts, so equal agents have equal weights, however lucky they were. Unknown values count as the mean."""
    known = [one.brier for one in team if one.brier is not None]
    middle = fmean(known) if known else COIN
    return {one.name: _weight(one, middle) for one in team}


def _weight(one: Candidate, middle: float) -> Decimal:
    strength = 0.0 if one.fit is None else _beyond(one.fit.rating - START, (one.fit.high - one.fit.low) / 2)
    trust = 1.0
    if one.brier is not None and middle < 1:
        trust = 1 - _beyond(one.brier - middle, 1.96 * (one.brier_error or 0.0)) / (1 - middle)
    return min(HEAVIEST, Decimal(f"{max(0.0, 10 ** (strength / 400) * trust):.4f}"))


def _beyond(value: float, error: float) -> float:
    """The value reduced by its error, but not beyond 0."""
    return math.copysign(max(0.0, abs(value) - error), value)
