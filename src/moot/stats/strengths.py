"""How strong contestants are who met in pairs: the model of Bradley and Terry, with the jackknife over clusters.

The chance that one beats another is the logistic function of the difference of their strengths, whose mean is 0. A tie
is half a win for each. Strengths are those that maximise the likelihood with the penalty of Firth, which removes most
of the bias of small samples and is finite for somebody who never lost. For such a contestant the interval is open: the
data say how strong it is at least.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf, isinf
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require
from moot.stats.clusters import FEWEST
from moot.stats.rates import exact_of, t_quantile

MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two contestants met `games` times, on something that makes all meetings of one `cluster` resemble each other;
    the first took `points` of the games, where a tie is half a point."""

    cluster: Hashable
    first: str
    second: str
    points: float
    games: int


class Strength(BaseModel):
    """The strength of a contestant in logits, with its 95 % interval. `open` says which ends of it are open: who never
    lost a point could be stronger by any amount, and has no upper end. Without enough clusters there is no interval,
    and without a chain of meetings from everybody to everybody no strength."""

    model_config = ConfigDict(frozen=True)

    name: str
    points: float
    games: int
    value: float | None
    low: float | None
    high: float | None
    open: Literal["above", "below", "both"] | None = None


def strengths_of(names: Sequence[str], meetings: Sequence[Meeting]) -> list[Strength]:
    """The strengths of all contestants, in the order of `names`."""
    require("studies")
    points, games = _sums(names, meetings)
    values = fit(points[None], games[None])[0] if _connected(games[None])[0] else None
    halves = None if values is None else _halves(names, meetings, values)
    above, below = (one[0] for one in _unbounded(points[None]))
    return [
        Strength(
            name=name,
            points=float(points[place].sum()),
            games=int(games[place].sum()),
            value=None if values is None else float(values[place]),
            **(
                {"low": None, "high": None}
                if halves is None
                else _interval(
                    values,
                    float(halves[place]),
                    games[place],
                    _shares(name, meetings),
                    place,
                    (-inf if below[place] else inf, inf if above[place] else -inf),
                )
            ),
        )
        for place, name in enumerate(names)
    ]


def _interval(
    values: Any,
    half: float,
    games: Any,
    shares: Sequence[tuple[float, int]],
    place: int,
    beyond: tuple[float, float],
) -> dict[str, Any]:
    """The interval of one contestant. Where it lost, or won, points in fewer than FEWEST clusters, these do not show
    how rare that is, and the end is at least as far out as that of its share of the points, if each cluster counts as
    one game. Who was in fewer than FEWEST clusters has no ends, nor has one to whom nothing is `beyond`."""
    low, high = values[place] - half, values[place] + half
    lost, won = sum(one < games for one, games in shares), sum(one > 0 for one, _ in shares)
    if min(lost, won) < FEWEST or half < 1e-6:
        share = sum(points for points, _ in shares) / sum(games for _, games in shares)
        ends = exact_of(share * len(shares), len(shares))
        low, high = (
            outer(end, _as_strength(share, values, games, place))
            for outer, end, share in ((min, low, ends[0]), (max, high, ends[1]))
        )
    low, high = min(low, beyond[0]), max(high, beyond[1])
    if len(shares) < FEWEST:
        low, high = -inf, inf
    sides = [side for side, end in (("below", low), ("above", high)) if isinf(end)]
    return {
        "low": None if "below" in sides else float(low),
        "high": None if "above" in sides else float(high),
        "open": "both" if len(sides) > 1 else sides[0] if sides else None,
    }


def _shares(name: str, meetings: Sequence[Meeting]) -> list[tuple[float, int]]:
    """The points and games of a contestant in each cluster."""
    found: dict[Hashable, tuple[float, int]] = {}
    for meeting in meetings:
        if name in (meeting.first, meeting.second):
            points, games = found.get(meeting.cluster, (0.0, 0))
            own = meeting.points if name == meeting.first else meeting.games - meeting.points
            found[meeting.cluster] = points + own, games + meeting.games
    return list(found.values())


def _as_strength(share: float, values: Any, games: Any, place: int) -> float:
    """The strength with which this share of the points would be expected, with the mean of all strengths at 0."""
    import numpy as np

    if share in (0.0, 1.0):
        return inf if share else -inf
    low, high = -50.0, 50.0
    for _ in range(80):
        middle = (low + high) / 2
        expected = float((games / (1 + np.exp(values - middle))).sum() / games.sum())
        low, high = (middle, high) if expected < share else (low, middle)
    return float(middle - (middle - values[place]) / len(values))


def _sums(names: Sequence[str], meetings: Sequence[Meeting]) -> tuple[Any, Any]:
    """For all pairs, the points that the one took from the other, and their games."""
    import numpy as np

    places = {name: place for place, name in enumerate(names)}
    points, games = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for meeting in meetings:
        i, j = places[meeting.first], places[meeting.second]
        points[i, j] += meeting.points
        points[j, i] += meeting.games - meeting.points
        games[i, j] += meeting.games
        games[j, i] += meeting.games
    return points, games


def _reach(edges: Any) -> Any:
    """For each of several graphs, from where one comes where."""
    import numpy as np

    number = edges.shape[-1]
    reach = (edges | np.eye(number, dtype=bool)).astype(float)
    for _ in range(number.bit_length()):
        reach = np.minimum(reach @ reach, 1.0)
    return reach > 0


def _connected(games: Any) -> Any:
    """For each of several leagues, whether chains of meetings compare everybody with everybody."""
    return _reach(games > 0).all(axis=(1, 2))


def fit(points: Any, games: Any, *, penalised: bool = True) -> Any:
    """The strengths in each of several leagues, given as matrices of points and games. Without the penalty this is the
    maximum of the likelihood, which has no end for somebody who never lost or never won."""
    import numpy as np

    leagues, number, _ = points.shape
    values = np.zeros((leagues, number))
    taken = points.sum(axis=2)
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(values[:, None, :] - values[:, :, None]))
        weights = games * chances * (1 - chances)
        information = -weights
        information[:, range(number), range(number)] = weights.sum(axis=2)
        inverse = np.linalg.inv(information + 1 / number)  # all strengths may be shifted: their mean is held
        slope = taken - (games * chances).sum(axis=2)
        if penalised:
            own = np.diagonal(inverse, axis1=1, axis2=2)
            leverage = weights * (own[:, :, None] + own[:, None, :] - 2 * inverse)
            slope += (leverage * (0.5 - chances)).sum(axis=2)
        step = np.clip((inverse @ slope[:, :, None])[:, :, 0], -1, 1)
        values += step - step.mean(axis=1, keepdims=True)
        if np.abs(step).max() < 1e-9:
            break
    return values


def _halves(names: Sequence[str], meetings: Sequence[Meeting], values: Any) -> Any:
    """Half the width of each interval: the standard error of the jackknife, by leaving out each cluster in turn, times
    the quantile of Student's t. None with too few clusters. What is left without a chain of meetings between all of
    them says nothing against any strength."""
    import numpy as np

    clusters = list(dict.fromkeys(meeting.cluster for meeting in meetings))
    if (number := len(clusters)) < FEWEST:
        return None
    left = [_sums(names, [meeting for meeting in meetings if meeting.cluster != cluster]) for cluster in clusters]
    points, games = (np.array([part[which] for part in left]) for which in (0, 1))
    whole = _connected(games)
    found = np.tile(values, (number, 1))
    if whole.any():
        found[whole] = fit(points[whole], games[whole])
    squares = ((found - found.mean(axis=0)) ** 2).sum(axis=0)
    return t_quantile(number - 1) * np.sqrt((number - 1) / number * squares)


def _unbounded(points: Any) -> tuple[Any, Any]:
    """For each of several leagues: who could be stronger, and who could be weaker, by any amount. So it is for those
    who took all points, directly or through others, from the largest group within which everybody took some from
    everybody in that sense, or who lost all to it; without such a group, for those above or below anybody."""
    import numpy as np

    reach = _reach(points > 0)
    same = reach & reach.transpose(0, 2, 1)
    strictly = reach & ~same
    sizes = same.sum(axis=2)
    largest = sizes == sizes.max(axis=1, keepdims=True)
    single = largest.sum(axis=1) == sizes.max(axis=1)
    counted = np.where(single[:, None], largest, True)[:, None, :]
    return (strictly & counted).any(axis=2), (strictly.transpose(0, 2, 1) & counted).any(axis=2)
