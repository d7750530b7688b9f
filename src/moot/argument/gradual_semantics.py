"""The gradual semantics: how an argument's score follows from its base score and from the scores of those around it.

Each is an aggregation of the neighbours and an influence of that aggregate on the base score. All of them are monotone:
a stronger supporter never lowers a score, a stronger attacker never raises one. The solvers rest on that.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from moot.argument.graph import ArgumentError

Array = NDArray[np.float64]
# Beyond this exp() leaves the range of floats; what it is part of has long reached its limit.
FARTHEST = 700.0


@dataclass(frozen=True, slots=True)
class Semantics:
    """`one` and `many` are the same influence of (base score, aggregate), for a single argument and for arrays.

    The aggregate is the weighted sum of supporters less that of attackers or, for a `product`, what the attackers leave
    over, Π(1 − s), less what the supporters leave over. `slope` bounds how fast the influence can change with the
    aggregate, given base scores, one or an array. `settles`: on every graph plain iteration is proven to reach the only
    fixpoint.
    """

    name: str
    one: Callable[[float, float], float]
    many: Callable[[Array, Array], Array]
    slope: Callable[[Any], Any]
    support: float = 1.0
    rebuttal: float = 1.0
    undercut: float = 1.0
    product: bool = False
    default: float = 0.5
    weighted: bool = True
    settles: bool = False


def _clamped(base: float, total: float) -> float:
    return min(1.0, max(0.0, base + total))


def _clamped_many(base: Array, total: Array) -> Array:
    return np.clip(base + total, 0.0, 1.0)


def _shared_out(base: float, total: float) -> float:
    return base / (1.0 - total)


def _shared_out_many(base: Array, total: Array) -> Array:
    return base / (1.0 - total)


def _linear(base: float, balance: float) -> float:
    return base + (balance * base if balance < 0 else balance * (1.0 - base))


def _linear_many(base: Array, balance: Array) -> Array:
    return base + np.minimum(balance, 0.0) * base + np.maximum(balance, 0.0) * (1.0 - base)


def _energy(base: float, energy: float) -> float:
    square = energy * energy
    pull = square / (1.0 + square)
    return base - base * pull if energy < 0 else base + (1.0 - base) * pull


def _energy_many(base: Array, energy: Array) -> Array:
    square = energy * energy
    pull = square / (1.0 + square)
    return base + pull * np.where(energy < 0, -base, 1.0 - base)


def _euler(base: float, energy: float) -> float:
    return 1.0 - (1.0 - base * base) / (1.0 + base * math.exp(min(energy, FARTHEST)))


def _euler_many(base: Array, energy: Array) -> Array:
    return 1.0 - (1.0 - base * base) / (1.0 + base * np.exp(np.minimum(energy, FARTHEST)))


def _mlp(base: float, energy: float) -> float:
    # The logistic function of logit(base) + energy, without its infinities at base scores of 0 and 1.
    if energy < 0:
        grown = base * math.exp(max(energy, -FARTHEST))
        return grown / (grown + (1.0 - base))
    return base / (base + (1.0 - base) * math.exp(-min(energy, FARTHEST)))


def _mlp_many(base: Array, energy: Array) -> Array:
    shrunk = np.exp(-np.minimum(np.abs(energy), FARTHEST))
    pro = np.where(energy < 0, base * shrunk, base)
    con = np.where(energy < 0, 1.0 - base, (1.0 - base) * shrunk)
    found: Array = pro / (pro + con)
    return found


# A component whose steps are proven to shrink at least to this, each, is iterated without more ado; nearer to 1 that
# would take too long. From SLOWLY on, half steps are taken: they shrink as well, and do not swing.
SHRINKS, SLOWLY = 0.999, 0.9
SHRINK_ROUNDS = 8
NORM_ROUNDS = 20
# Bounds from below and above are given up when ten rounds do not take a fifth off the gap between them.
BOUND_ROUNDS, BOUND_PROGRESS = 10, 0.8
# Every so many steps it is seen whether steps shrink in one direction, up to this part of their shrinking; those still
# to come are then taken all at once.
STRETCH, STRAIGHT = 20, 0.1
# An iteration goes round in circles when over so many times 1/α steps, twice in a row, its best residual does not fall
# fast enough to become small in any time.
WINDOW, STRIKES = 20, 2
MOST_ITERATIONS = 100_000
# Scores that were merely seen to settle are pushed by up to so much, to see whether they settle again, and where.
PUSH, PUSH_TOLERANCE, PUSH_RETURNS = 1e-4, 1e-7, 1e-3

GOLDEN = 0.6180339887498949

# Larger components, or more of them at once, are not tried for a single fixpoint by their weights: it takes cubic time.
LARGEST_TRIED, MOST_TRIED = 500, 1_000
MARGIN = 1e-9

# The steepest of x²/(1 + x²), at 1/√3.
STEEPEST = 9 / (8 * math.sqrt(3))

SEMANTICS = {
    one.name: one
    for one in (
        Semantics(
            "moot", _clamped, _clamped_many, lambda base: 1.0 + 0.0 * base, support=0.2, rebuttal=0.3, undercut=0.4
        ),
        Semantics(
            "hcat",
            _shared_out,
            _shared_out_many,
            lambda base: base,
            support=0.0,
            default=1.0,
            weighted=False,
            settles=True,
        ),
        Semantics(
            "weighted_hcat", _shared_out, _shared_out_many, lambda base: base, support=0.0, default=1.0, settles=True
        ),
        Semantics("dfquad", _linear, _linear_many, lambda base: 0.5 + abs(base - 0.5), product=True),
        Semantics("energy", _energy, _energy_many, lambda base: STEEPEST * (0.5 + abs(base - 0.5))),
        Semantics("euler", _euler, _euler_many, lambda base: (1.0 - base * base) / 4.0),
        Semantics("mlp", _mlp, _mlp_many, lambda base: 0.25 + 0.0 * base),
    )
}
ALIASES = {"qe": "energy"}

Certificate = Literal["acyclic", "contraction", "monotone", "none"]
CERTIFICATES: tuple[Certificate, ...] = ("acyclic", "contraction", "monotone", "none")
ACYCLIC, CONTRACTION, MONOTONE, NONE = range(4)


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver found. `values` is NaN where nothing settled; there `low` and `high` enclose every fixpoint.

    `certificate` is the weakest of any component, as a place in CERTIFICATES.
    """

    values: Array
    low: Array
    high: Array
    residual: float
    iterations: int
    certificate: int
    stable: bool


def one_fixpoint(weights: Array, slopes: Array) -> bool:
    """Whether a component summed with these signed weights is proven to have a single fixpoint.

    Two fixpoints would differ by d with dᵀ(S⁻¹ − W)d ≤ 0, where no influence is steeper than S: impossible when the
    symmetric part of S⁻¹ − W is positive definite, as it is of arguments that all attack each other alike.
    """
    matrix = np.diag(1.0 / np.maximum(slopes, MARGIN)) - (weights + weights.T) / 2
    try:
        np.linalg.cholesky(matrix - MARGIN * np.eye(len(matrix)))
    except np.linalg.LinAlgError:
        return False
    return True


def pushes(places: NDArray[np.intp], scores: Array) -> Array:
    """A little more or less, inwards, and differently for each argument, so that it breaks every symmetry."""
    sizes = PUSH * (0.5 + places * GOLDEN % 1.0)
    return np.where(scores > 0.5, -sizes, sizes)


def semantics_named(name: str) -> Semantics:
    if (found := SEMANTICS.get(ALIASES.get(name, name))) is None:
        raise ArgumentError(f"there is no gradual semantics {name!r}; there are {', '.join(SEMANTICS)}")
    return found
