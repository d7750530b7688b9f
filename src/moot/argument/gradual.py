"""Gradual semantics: how acceptable each argument is, as a number from 0 to 1, in a weighted bipolar graph.

    scores(graph, "dfquad")["a"]

Without cycles the scores are exact, in one pass. Around cycles they are a fixpoint, found component by component, and
the answer says how it was found, what is proven about it, and which arguments did not settle at all: those have bounds
but no score.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from moot.argument.gradual_semantics import (
    CERTIFICATES,
    NONE,
    SEMANTICS,
    Array,
    Certificate,
    Semantics,
    Solution,
    semantics_named,
)
from moot.argument.graph import ArgumentError, Graph

__all__ = ["GRADUAL", "Certificate", "Scores", "State", "scores"]

GRADUAL = tuple(SEMANTICS)
"""The names of the semantics.

`moot`: base + 0.2·Σ supporters − 0.3·Σ rebutters − 0.4·Σ undercutters, clamped to 0..1. `hcat`: 1 / (1 + Σ attackers);
reads neither base scores nor supports. `weighted_hcat`: base / (1 + Σ attackers); reads no supports. `dfquad`: DF-QuAD.
`energy` (or `qe`): quadratic energy. `euler`: Euler-based. `mlp`: MLP-based. An argument without a base score has 0.5,
in `hcat` and `weighted_hcat` 1.
"""
State = Literal["above", "below", "level", "untouched", "unsettled"]

TOLERANCE = 1e-12
# Sums of floats are no finer than this, and an iteration would never get there.
FINEST = 1e-15
MIDDLE = 0.5
# Where a score is a fixpoint, it is 0.5 up to the rounding of its iteration.
LEVEL = 1e-9
# Up to so many arguments and relations plain Python is the faster of the two solvers.
SMALL = 1_000


@dataclass(frozen=True, eq=False)
class Scores:
    """The score of each argument, `scores["a"]`: None where the iteration did not settle.

    `residual` is the largest change one more step would make. `certificate` says what is proven of the component where
    least is: there is no cycle (`acyclic`); its steps shrink (`contraction`); bounds from below and above met, or must,
    or its weights allow but one fixpoint (`monotone`); it was seen to settle, if `converged`, and no more (`none`).
    `unique`: it is proven that no other fixpoint exists. `stable`: pushed a little, the iteration comes back to these
    scores and not to others, as it may where two equal camps hold each other in balance. `iterations`: the most any
    component took, 0 without cycles.
    """

    semantics: str
    graph: Graph
    array: Array
    """The scores by number; NaN where it did not settle."""
    low: Array
    high: Array
    converged: bool
    residual: float
    certificate: Certificate
    unique: bool
    stable: bool
    iterations: int

    def __getitem__(self, name: str) -> float | None:
        score = float(self.array[self.graph.number(name)])
        return None if np.isnan(score) else score

    def __repr__(self) -> str:
        settled = "converged" if self.converged else "not converged"
        return (
            f"<Scores of {len(self.graph)} arguments under {self.semantics}: {settled}, certificate {self.certificate}>"
        )

    @cached_property
    def by_name(self) -> Mapping[str, float | None]:
        pairs = zip(self.graph.names, self.array.tolist(), strict=True)
        return {name: None if math.isnan(score) else score for name, score in pairs}

    @cached_property
    def unsettled(self) -> tuple[str, ...]:
        """The arguments without a score: in a component that does not settle, or hanging on one."""
        return tuple(self.graph.names[i] for i in np.flatnonzero(np.isnan(self.array)))

    def bounds(self, name: str) -> tuple[float, float]:
        """What every fixpoint lies within, for an argument that did not settle; else its score, twice."""
        number = self.graph.number(name)
        return float(self.low[number]), float(self.high[number])

    def state(self, name: str) -> State:
        """Above or below 0.5, or `untouched`: at its base score, for nobody argued for or against it.

        `level` is 0.5 all the same after being argued about: it does not survive, and is not beaten either.
        """
        number = self.graph.number(name)
        if not self._touched[number]:
            return "untouched"
        score = self.array[number]
        if np.isnan(score):
            return "unsettled"
        if abs(score - MIDDLE) <= LEVEL:
            return "level"
        return "above" if score > MIDDLE else "below"

    @cached_property
    def _touched(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        touched = np.zeros(len(self.graph), dtype=np.bool_)
        touched[self.graph.attacks[:, 1]] = True
        if SEMANTICS[self.semantics].support:
            touched[self.graph.supports[:, 1]] = True
        return touched


def scores(graph: Graph, semantics: str = "moot", *, tolerance: float = TOLERANCE) -> Scores:
    """Score every argument. Iteration stops where one more step would change no score by more than `tolerance`."""
    chosen = semantics_named(semantics)
    if not FINEST <= tolerance < 1:
        raise ArgumentError(f"a tolerance is at least {FINEST:g} and less than 1, not {tolerance:g}")
    found = _solve(graph, chosen, tolerance)
    return Scores(
        semantics=chosen.name,
        graph=graph,
        array=found.values,
        low=found.low,
        high=found.high,
        converged=not bool(np.isnan(found.values).any()),
        residual=found.residual,
        certificate=CERTIFICATES[found.certificate],
        unique=found.certificate != NONE,
        stable=found.stable,
        iterations=found.iterations,
    )


def _solve(graph: Graph, semantics: Semantics, tolerance: float) -> Solution:
    from moot.argument.gradual_small import solve_small

    base = _base(graph, semantics)
    if len(graph) + len(graph.attacks) + len(graph.supports) > SMALL:
        # Loads scipy, which a debate does without.
        from moot.argument.gradual_large import solve_large

        if (found := solve_large(graph, semantics, base, tolerance)) is not None:
            return found
    return solve_small(graph, semantics, base, tolerance)


def _base(graph: Graph, semantics: Semantics) -> Array:
    if graph.weights is None or not semantics.weighted:
        return np.full(len(graph), semantics.default)
    return np.where(np.isnan(graph.weights), semantics.default, graph.weights)
