"""What clusters say of a mean if nearly all are alike: a model of how clusters differ, which few of them show.

The chances of a cluster are drawn from a beta distribution, for two methods from one of Dirichlet. Its mean is wanted.
How alike the cases of a cluster are, their intra-class correlation, may be anything from 0 to 1: it has the prior
Beta(½, ½) and is integrated out. So a few clusters that go the other way as wholes make a wide interval, and as many
that do so now and then a narrow one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from moot.plugins.extras import require

FEWEST = 6
"""With fewer clusters that differ no exact test can fall below 0.05, since 2 × ½⁵ is more, and intervals are too
narrow."""
NEAR_THE_END = 0.1
"""Rates nearer than this to 0 or 1 may be so because the few clusters that differ are not among these."""
ONE_TAIL, TWO_TAILS = 0.05, 0.025
POINTS = {1: 200, 2: 40}
"""The points of an axis of the grid, by how many means there are."""
CORRELATIONS = 15


def is_near_the_end(share: float) -> bool:
    return min(share, 1 - share) < NEAR_THE_END


def tail_of(different: int, number: int, *, near_the_end: bool, most: int) -> float | None:
    """What an end of the interval leaves out if the model is needed; None if enough clusters differ to do without.

    With fewer than FEWEST that differ, nothing can show that they do not differ by chance. So the interval can be wrong
    in one direction only, and its ends are bounds of 95 % each.
    """
    if different < FEWEST:
        return ONE_TAIL
    return TWO_TAILS if near_the_end and different < min(number / 2, most) else None


@dataclass(frozen=True)
class Posterior:
    """The values that a mean may have, in order, and how probable it is that it is no more than each."""

    values: Any
    chances: Any

    def at(self, chance: float) -> float:
        import numpy as np

        return float(np.interp(chance, self.chances, self.values))

    def above(self, value: float) -> float:
        import numpy as np

        return 1 - float(np.interp(value, self.values, self.chances))


def posterior(counts: Sequence[tuple[int, ...]], shape: float) -> Posterior:
    """What the counts of each cluster, of one rare kind or of two and of all others, say of the mean of the first kind,
    or of the difference of the two means. Their prior has this power, less 1: below 1 it prefers small ones."""
    require("studies")
    import numpy as np
    from scipy.special import betaincinv, gammaln, logsumexp

    different = sum(any(count[:-1]) for count in counts)
    # A mean is less than the chance that a cluster differs at all, which is at most this.
    most = float(betaincinv(different + 1, max(len(counts) - different, 1e-9), 1 - 1e-6))
    kinds = len(counts[0]) - 1
    steps = (np.arange(POINTS[kinds]) + 0.5) / POINTS[kinds]
    means = np.stack(np.meshgrid(*[most * steps**2] * kinds, indexing="ij"), axis=-1).reshape(-1, kinds)
    weights = np.prod(np.stack(np.meshgrid(*[steps] * kinds, indexing="ij"), axis=-1).reshape(-1, kinds), axis=1)
    within = means.sum(axis=1) < 1
    means, weights = means[within], weights[within] * np.prod(means[within] ** (shape - 1), axis=1)

    alike = 1 / (1 + np.exp(-np.linspace(-6, 6, CORRELATIONS)))
    size = 1 / alike - 1
    alphas = np.concatenate([means, 1 - means.sum(axis=1, keepdims=True)], axis=1)[:, None, :] * size[:, None]
    likelihood = np.log(alike * (1 - alike)) / 2 + np.zeros((len(means), 1))
    start = gammaln(alphas)
    for one, times in sorted(Counter(counts).items()):
        some = [kind for kind, count in enumerate(one) if count]
        grown = sum(gammaln(alphas[..., kind] + one[kind]) - start[..., kind] for kind in some)
        likelihood = likelihood + times * (grown - gammaln(size + sum(one)) + gammaln(size))
    whole = logsumexp(likelihood, axis=1)
    weights = weights * np.exp(whole - whole.max())

    values = means[:, 0] - (means[:, 1] if kinds == 2 else 0)
    values, places = np.unique(np.round(values, 12), return_inverse=True)
    weights = np.bincount(places, weights)
    chances = np.cumsum(weights)
    return Posterior(values, (chances - weights / 2) / chances[-1])
