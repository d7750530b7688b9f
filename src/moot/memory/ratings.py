"""Ratings: how agents have done against each other, and how far their confidence can be trusted. Pure functions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

START = 1500.0
K = 32.0
FEWEST_VOTES = 10
"""With fewer votes, calibration would be chance."""
_SCALE = 400 / math.log(10)
MOST_STEPS = 200
PRECISION = 1e-9
_PRIOR = 0.05
"""How strongly strengths are pulled to the mean, so that an agent that never lost has a finite one: this costs a few
points after dozens of games, and leaves a wide interval after one."""


@dataclass(frozen=True, slots=True)
class Game:
    """Two agents met; `score` is the first one's: 1 for a win, 0 for a loss, 0.5 for a draw."""

    one: str
    other: str
    score: float


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate on the scale of Elo ratings, and its 95 % confidence bounds."""

    rating: float
    low: float
    high: float


def games_of(ranking: Sequence[Sequence[str]]) -> list[Game]:
    """Every pair of proposers is a game, by the places that the judges gave them; equals draw."""
    places = {name: place for place, level in enumerate(ranking) for name in level}
    return [
        Game(one, other, (places[one] < places[other]) + (places[one] == places[other]) / 2)
        for one, other in combinations(places, 2)
    ]


def elo_changes(ratings: Mapping[str, float], games: Sequence[Game]) -> dict[str, float]:
    """The rating changes from one debate. Its games share K, because they come from a single scoring, and all start
    from the ratings before the debate, so their order does not matter."""
    changes: dict[str, float] = {}
    share = K / max(1, len(games))
    for game in games:
        ahead = ratings.get(game.one, START) - ratings.get(game.other, START)
        expected = 1 / (1 + 10 ** (-ahead / 400))
        change = share * (game.score - expected)
        changes[game.one] = changes.get(game.one, 0.0) + change
        changes[game.other] = changes.get(game.other, 0.0) - change
    return changes


def bradley_terry(games: Sequence[tuple[str, str, str, float]]) -> dict[str, Interval]:
    """The maximum-likelihood strengths for these games. Each game is a debate, its two agents and the first one's
    score; a draw is half a win for both. A normal prior pulls every strength towards the mean, equally from both sides.

    The games of one debate come from one scoring, so they are not independent. The interval uses the larger of two
    variances, both clustered by debate. The first follows from the model: with one score per agent, games that share
    an agent are correlated, and the wins among k equal agents vary (k + 1) / 3 times as much as in independent
    games. It is valid for few debates. The second is the observed variance between debates (the cluster-robust
    sandwich), which covers agents that vary more than others; it needs many debates.
    """
    import numpy as np

    names = sorted({name for _, one, other, _ in games for name in (one, other)})
    if not names:
        return {}
    place = {name: index for index, name in enumerate(names)}
    number = {debate: index for index, debate in enumerate(dict.fromkeys(game[0] for game in games))}
    debate, one, other = np.array([(number[of], place[one], place[other]) for of, one, other, _ in games]).T
    score = np.array([game[3] for game in games])

    def information(weights: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Fisher information of games with these weights, plus the prior."""
        met = np.zeros((len(names), len(names)))
        np.add.at(met, (one, other), weights)
        met += met.T
        return np.asarray(np.diag(met.sum(axis=1) + _PRIOR) - met)

    strengths = np.zeros(len(names))
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        chance = expected * (1 - expected)
        slope = -_PRIOR * strengths
        np.add.at(slope, one, score - expected)
        np.add.at(slope, other, expected - score)
        step = np.linalg.solve(information(chance), slope)
        strengths += np.clip(step, -1, 1)
        if float(np.abs(step).max()) < PRECISION:
            break
    # The games of a debate are all pairs of its agents, so their number gives the number of agents.
    agents = (1 + np.sqrt(1 + 8 * np.bincount(debate)[debate])) / 2
    surprises = np.zeros((len(number), len(names)))
    np.add.at(surprises, (debate, one), score - expected)
    np.add.at(surprises, (debate, other), expected - score)
    seen = surprises.T @ surprises * len(number) / max(1, len(number) - 1)
    # Strengths are relative, so their uncertainty is measured around the common mean.
    bread = (np.eye(len(names)) - 1 / len(names)) @ np.linalg.inv(information(chance))
    by_model, by_sight = (
        np.diag(bread @ spread @ bread.T) for spread in (information(chance * (agents + 1) / 3), seen)
    )
    spread = np.sqrt(np.maximum(by_model, by_sight))
    middle = float(np.mean(strengths))
    return {name: _interval(float(strengths[at]) - middle, float(spread[at])) for name, at in place.items()}


def _interval(strength: float, spread: float) -> Interval:
    low, high = strength - 1.96 * spread, strength + 1.96 * spread
    return Interval(START + _SCALE * strength, START + _SCALE * low, START + _SCALE * high)


def brier(votes: Sequence[tuple[float, float]]) -> float | None:
    """The mean squared distance between confidence and outcome: 0 is perfect, 0.25 is a coin; None for few votes."""
    if len(votes) < FEWEST_VOTES:
        return None
    return fmean((confidence - right) ** 2 for confidence, right in votes)


def brier_error(votes: Sequence[tuple[float, float]]) -> float | None:
    """The standard error of that mean."""
    if len(votes) < FEWEST_VOTES:
        return None
    return stdev((confidence - right) ** 2 for confidence, right in votes) / math.sqrt(len(votes))
