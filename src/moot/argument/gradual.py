"""Gradual semantics: how acceptable each argument is, as a number from 0 to 1, in a weighted bipolar graph.

    scores(graph, "dfquad")["a"]

Without cycles the scores are exact, in one pass. With cycles they are a fixpoint, found component by component. The
answer says how it was found, what has been proved about it, and which arguments did not settle: these have bounds but
no score.
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
ignores base scores and supports. `weighted_hcat`: base / (1 + Σ attackers); ignores supports. `dfquad`: DF-QuAD.
`energy` (or `qe`): quadratic energy. `euler`: Euler-based. `mlp`: MLP-based. The default base score is 0.5, and 1 for
`hcat` and `weighted_hcat`.
"""
State = Literal["above", "below", "level", "untouched", "unsettled"]

TOLERANCE = 1e-12
# Sums of floats are not more precise than this, so an iteration would never reach it.
FINEST = 1e-15
MIDDLE = 0.5
# Where a score is a fixpoint, it is 0.5 up to the rounding of its iteration.
LEVEL = 1e-9
# Up to this many arguments and relations, the solver in plain Python is faster.
SMALL = 1_000


@dataclass(frozen=True, eq=False)
class Scores:
    """The score of each argument, `scores["a"]`; None if the iteration did not settle.

    `residual` is the largest change in one more step. `certificate` is the weakest proof among the components: no cycle
    (`acyclic`); its steps shrink (`contraction`); bounds from below and above met, or must meet, or its weights allow
    only one fixpoint (`monotone`); no proof, only observation if `converged` (`none`). `unique`: it is proved that no
    other fixpoint exists. `stable`: after a small push the iteration returns to these scores; false, for example, if
    two equal camps balance each other. `iterations`: the most for any component, 0 without cycles.
    """

    semantics: str
    graph: Graph
    array: Array
    """The scores by number; NaN if not settled."""
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
        """The arguments without a score: in a component that does not settle, or depending on one."""
        return tuple(self.graph.names[i] for i in np.flatnonzero(np.isnan(self.array)))

    def bounds(self, name: str) -> tuple[float, float]:
        """The interval that contains every fixpoint, for an argument that did not settle; otherwise its score,
        twice."""
        number = self.graph.number(name)
        return float(self.low[number]), float(self.high[number])

    def state(self, name: str) -> State:
        """Above or below 0.5, or `untouched`: at its base score, without arguments for or against it.

        `level` is 0.5 with arguments for or against it: it does not survive, but is not beaten.
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
    """Score every argument. The iteration stops when one more step changes no score by more than `tolerance`."""
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
    if len(graph) + len(graph.attack_pairs) + len(graph.support_pairs) > SMALL:
        # Loads scipy, which a debate does not need.
        from moot.argument.gradual_large import solve_large

        if (found := solve_large(graph, semantics, base, tolerance)) is not None:
            return found
    return solve_small(graph, semantics, base, tolerance)


def _base(graph: Graph, semantics: Semantics) -> Array:
    if graph.weights is None or not semantics.weighted:
        return np.full(len(graph), semantics.default)
    return np.where(np.isnan(graph.weights), semantics.default, graph.weights)
