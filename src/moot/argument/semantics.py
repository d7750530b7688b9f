"""The gradual semantics: how an argument's score follows from its base score and from the scores of those around it.

Each is an aggregation of the neighbours and an influence of that aggregate on the base score. All of them are monotone:
a stronger supporter never lowers a score, a stronger attacker never raises one. The solver rests on that.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from moot.argument.graph import ArgumentError

# Beyond this exp() leaves the range of floats; what it is part of has long reached its limit.
FARTHEST = 700.0
# The steepest of x²/(1 + x²), at 1/√3.
STEEPEST = 9 / (8 * math.sqrt(3))


@dataclass(frozen=True, slots=True)
class Semantics:
    """`influence` is of a base score and an aggregate: the weighted sum of supporters less that of attackers or, for a
    `product`, what the attackers leave over, Π(1 − s), less what the supporters leave over. `slope` bounds how fast it
    can change with the aggregate, given the base score.
    """

    name: str
    influence: Callable[[float, float], float]
    slope: Callable[[float], float]
    support: float = 1.0
    rebuttal: float = 1.0
    undercut: float = 1.0
    product: bool = False


def _clamped(base: float, total: float) -> float:
    return min(1.0, max(0.0, base + total))


def _linear(base: float, balance: float) -> float:
    return base + (balance * base if balance < 0 else balance * (1.0 - base))


def _energy(base: float, energy: float) -> float:
    square = energy * energy
    pull = square / (1.0 + square)
    return base - base * pull if energy < 0 else base + (1.0 - base) * pull


def _euler(base: float, energy: float) -> float:
    return 1.0 - (1.0 - base * base) / (1.0 + base * math.exp(min(energy, FARTHEST)))


def _mlp(base: float, energy: float) -> float:
    # The logistic function of logit(base) + energy, without its infinities at base scores of 0 and 1.
    if energy < 0:
        grown = base * math.exp(max(energy, -FARTHEST))
        return grown / (grown + (1.0 - base))
    return base / (base + (1.0 - base) * math.exp(-min(energy, FARTHEST)))


SEMANTICS = {
    one.name: one
    for one in (
        Semantics("moot", _clamped, lambda _: 1.0, support=0.2, rebuttal=0.3, undercut=0.4),
        Semantics("dfquad", _linear, lambda base: 0.5 + abs(base - 0.5), product=True),
        Semantics("energy", _energy, lambda base: STEEPEST * (0.5 + abs(base - 0.5))),
        Semantics("euler", _euler, lambda base: (1.0 - base * base) / 4.0),
        Semantics("mlp", _mlp, lambda _: 0.25),
    )
}


def semantics_named(name: str) -> Semantics:
    if name not in SEMANTICS:
        raise ArgumentError(f"there is no gradual semantics {name!r}; there are {', '.join(SEMANTICS)}")
    return SEMANTICS[name]
