"""Gradual semantics: how acceptable each argument is, as a number from 0 to 1, in a weighted bipolar graph.

    scores(graph, "dfquad")["a"]

Without cycles the scores are exact, in one pass. With cycles they are a fixpoint, found component by component. The
answer says how it was found, what has been proved about it, and which arguments did not settle: these have bounds but
no score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from moot.argument.graph import Graph
from moot.argument.semantics import SEMANTICS, semantics_named
from moot.argument.settling import Solution, solve

GRADUAL = tuple(SEMANTICS)
"""The names of the semantics.

`moot`: base + 0.2·Σ supporters − 0.3·Σ rebutters − 0.4·Σ undercutters, clamped to 0..1. `dfquad`: DF-QuAD. `energy`:
quadratic energy. `euler`: Euler-based. `mlp`: MLP-based. The default base score is 0.5.
"""
State = Literal["above", "below", "level", "untouched", "unsettled"]

MIDDLE = 0.5
# Where a score is a fixpoint, it is 0.5 up to the rounding of its iteration.
LEVEL = 1e-9


@dataclass(frozen=True, eq=False)
class Scores(Solution):
    """The score of each argument, `scores["a"]`; None if the iteration did not settle.

    `residual` is the largest change in one more step. `certificate` is the weakest proof among the components: no cycle
    (`acyclic`); its steps shrink (`contraction`); bounds from below and above met, or must meet, or its weights allow
    only one fixpoint (`monotone`); no proof, only observation if `converged` (`none`). `unique`: it is proved that no
    other fixpoint exists. `stable`: after a small push the iteration returns to these scores; false, for example, if
    two equal camps balance each other. `iterations`: the most for any component, 0 without cycles.
    """

    semantics: str
    graph: Graph

    @property
    def converged(self) -> bool:
        return None not in self.values

    @property
    def unique(self) -> bool:
        return self.certificate != "none"

    def __getitem__(self, name: str) -> float | None:
        return self.values[self.graph.number(name)]

    def __repr__(self) -> str:
        settled = "converged" if self.converged else "not converged"
        return (
            f"<Scores of {len(self.graph)} arguments under {self.semantics}: {settled}, certificate {self.certificate}>"
        )

    @cached_property
    def by_name(self) -> Mapping[str, float | None]:
        return dict(zip(self.graph.names, self.values, strict=True))

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The arguments without a score: in a component that does not settle, or depending on one."""
        return tuple(name for name, score in self.by_name.items() if score is None)

    def bounds(self, name: str) -> tuple[float, float]:
        """The interval that contains every fixpoint, for an argument that did not settle; otherwise its score,
        twice."""
        number = self.graph.number(name)
        return self.low[number], self.high[number]

    def state(self, name: str) -> State:
        """Above or below 0.5, or `untouched`: at its base score, without arguments for or against it.

        `level` is 0.5 with arguments for or against it: it does not survive, but is not beaten.
        """
        number = self.graph.number(name)
        if number not in self._touched:
            return "untouched"
        score = self.values[number]
        if score is None:
            return "unsettled"
        if abs(score - MIDDLE) <= LEVEL:
            return "level"
        return "above" if score > MIDDLE else "below"

    @cached_property
    def _touched(self) -> frozenset[int]:
        return frozenset(target for _, target in (*self.graph.attacks, *self.graph.supports))


def scores(graph: Graph, semantics: str = "moot") -> Scores:
    """Score every argument. The iteration stops when one more step changes no score by more than 1e-12."""
    chosen = semantics_named(semantics)
    return Scores(**vars(solve(graph, chosen)), semantics=chosen.name, graph=graph)
