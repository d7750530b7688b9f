"""Ratings: how agents have done against each other, and how far their confidence can be trusted. Pure functions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

START = 1500.0
K = 32.0
FEWEST_VOTES = 10
"""A calibration from fewer votes would be chance."""
_SCALE = 400 / math.log(10)
_PRIOR = 0.05
"""How strongly a strength is drawn to the mean, so that one who never lost has a finite one: a few lost points after
dozens of games, and a wide interval after one."""


@dataclass(frozen=True, slots=True)
class Game:
    """Two agents met; `score` is the first one's: 1 for a win, 0 for a loss, 0.5 for a draw."""

    one: str
    other: str
    score: float


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate on the scale of Elo ratings, and the bounds within which it lies with 95 % confidence."""

    rating: float
    low: float
    high: float


def games_of(scores: Mapping[str, float]) -> list[Game]:
    """Every pair of proposers is a game, decided by the judge's scores."""
    return [
        Game(one, other, (scores[one] > scores[other]) + (scores[one] == scores[other]) / 2)
        for one, other in combinations(scores, 2)
    ]


def elo_changes(ratings: Mapping[str, float], games: Sequence[Game]) -> dict[str, float]:
    """What one debate adds to each rating. Its games all count from the ratings before it, in whatever order."""
    changes: dict[str, float] = {}
    for game in games:
        ahead = ratings.get(game.one, START) - ratings.get(game.other, START)
        expected = 1 / (1 + 10 ** (-ahead / 400))
        change = K * (game.score - expected)
        changes[game.one] = changes.get(game.one, 0.0) + change
        changes[game.other] = changes.get(game.other, 0.0) - change
    return changes


def bradley_terry(wins: Mapping[tuple[str, str], float]) -> dict[str, Interval]:
    """The strengths that make these games likeliest, given how often each has won against each; a draw is half a win
    for both. The interval comes from the curvature of the likelihood (Fisher information).
    """
    import choix
    import numpy as np

    names = sorted({name for pair in wins for name in pair})
    if not names:
        return {}
    place = {name: index for index, name in enumerate(names)}
    won = np.zeros((len(names), len(names)))
    for (one, other), count in wins.items():
        won[place[one], place[other]] += count
    strengths = choix.ilsr_pairwise_dense(won, alpha=_PRIOR, max_iter=1000)
    ahead = strengths[:, None] - strengths[None, :]
    weight = (won + won.T) / (2 + 2 * np.cosh(ahead))  # games of each pair, times p (1 - p)
    information = np.diag(weight.sum(axis=1) + _PRIOR) - weight
    # Strengths mean something only against each other, so their uncertainty is that around the common mean.
    centred = np.eye(len(names)) - 1 / len(names)
    spread = np.sqrt(np.diag(centred @ np.linalg.inv(information) @ centred))
    middle = float(np.mean(strengths))
    return {name: _interval(float(strengths[at]) - middle, float(spread[at])) for name, at in place.items()}


def _interval(strength: float, spread: float) -> Interval:
    low, high = strength - 1.96 * spread, strength + 1.96 * spread
    return Interval(START + _SCALE * strength, START + _SCALE * low, START + _SCALE * high)


def brier(votes: Sequence[tuple[float, bool]]) -> float | None:
    """The mean squared distance between confidence and outcome: 0 is perfect, 0.25 is a coin; None for few votes."""
    if len(votes) < FEWEST_VOTES:
        return None
    return sum((confidence - right) ** 2 for confidence, right in votes) / len(votes)
