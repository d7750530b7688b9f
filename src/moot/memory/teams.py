"""Team selection: who of a pool takes part, why, and how much each vote weighs. Pure functions."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean

from moot.memory.ratings import START

UNCERTAINTY_BONUS = 150.0
"""Rating points for somebody who never played; it shrinks with the square root of the games."""
CALIBRATION_WORTH = 400.0
"""Rating points for each point of Brier score below a coin's."""
COIN = 0.25
"""The Brier score of one who is always half sure."""
MOST_OF_ONE_FAMILY = 2
HEAVIEST = Decimal(1000)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of a pool. `brier` is None before ten votes."""

    name: str
    family: str
    elo: float = START
    games: int = 0
    brier: float | None = None

    @property
    def worth(self) -> float:
        calibration = 0.0 if self.brier is None else CALIBRATION_WORTH * (COIN - self.brier)
        return self.elo + calibration + UNCERTAINTY_BONUS / math.sqrt(1 + self.games)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the pool: taken or not, and the reason in words."""

    candidate: Candidate
    taken: bool
    reason: str


def select(pool: Sequence[Candidate], size: int) -> list[Choice]:
    """The most worthy `size` of the pool, at most two of one model family; everybody with the reason, best first."""
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
    """What each vote weighs: the odds of the agent's Elo against the team's mean, 10^((Elo − mean) / 400), times its
    calibration, (1 − Brier) / (1 − 0.25). One who is not calibrated yet counts as a coin, so that factor is 1."""
    middle = fmean(one.elo for one in team) if team else START
    return {one.name: _weight(one, middle) for one in team}


def _weight(one: Candidate, middle: float) -> Decimal:
    odds = 10 ** ((one.elo - middle) / 400)
    trust = (1 - (COIN if one.brier is None else one.brier)) / (1 - COIN)
    return min(HEAVIEST, Decimal(f"{odds * trust:.4f}"))
