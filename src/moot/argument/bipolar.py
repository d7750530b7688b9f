"""Translates support into attacks: a bipolar graph becomes an abstract framework for Dung's semantics.

Support is transitive: a supporter of a supporter is a supporter, also in cycles. With `a ⇒ b` for such support and
`a → b` for an attack of the graph, these attacks follow:

| kind           | from             | follows | because |
|----------------|------------------|---------|---------|
| supported      | a ⇒ b, b → c     | a → c   | accepting a brings b, which attacks c |
| secondary      | a → b, b ⇒ c     | a → c   | c loses its support |
| mediated       | a ⇒ b, c → b     | c → a   | accepting a would bring b, which c attacks |
| super-mediated | a ⇒ b, c → b     | c → a   | the same, also if c's attack is a supported one |
| extended       | a ⇒ c, a → b     | c → b   | c depends on a, which attacks b |

A reading is a meaning of support, given by the kinds that follow from it:

| reading          | kinds                     | a ⇒ b means |
|------------------|---------------------------|-------------|
| DEFAULT          | supported, secondary      | a is a reason for b |
| SIMPLE_DEDUCTIVE | mediated                  | accepting a means accepting b |
| DEDUCTIVE        | supported, mediated       | the same, and a attacks everything that b attacks |
| CLOSED_DEDUCTIVE | supported, super-mediated | the same; a preferred set contains everything it supports |
| SIMPLE_NECESSITY | secondary                 | b cannot be accepted without a |
| NECESSITY        | secondary, extended       | the same, and b attacks everything that a attacks |
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from moot.argument.graph import ArgumentError, Graph

if TYPE_CHECKING:
    from moot.argument.graph import Pairs

AttackPairs = frozenset[tuple[str, str]]

READINGS: dict[str, tuple[str, ...]] = {
    "DEFAULT": ("supported", "secondary"),
    "SIMPLE_DEDUCTIVE": ("mediated",),
    "DEDUCTIVE": ("supported", "mediated"),
    "CLOSED_DEDUCTIVE": ("supported", "super-mediated"),
    "SIMPLE_NECESSITY": ("secondary",),
    "NECESSITY": ("secondary", "extended"),
}


def abstract(graph: Graph, reading: str = "DEFAULT") -> Graph:
    """The graph with its supports replaced by the attacks that follow from them, which are not undercuts."""
    if reading not in READINGS:
        raise ArgumentError(f"there is no reading {reading!r} of support; there are {', '.join(READINGS)}")
    relations = _Relations.of(graph)
    more = [_pairs(_KINDS[kind](relations)) for kind in READINGS[reading]]
    attacks = np.concatenate([graph.attacks, *more])
    undercuts = np.zeros(len(attacks), dtype=np.bool_)
    undercuts[: len(graph.attacks)] = graph.undercuts
    return Graph.numbered(graph.names, attacks, undercuts=undercuts, weights=graph.weights, texts=graph.texts)


def derived_attacks(graph: Graph, kind: str) -> AttackPairs:
    """All attacks of one kind that follow, including those already in the graph."""
    if kind not in _KINDS:
        raise ArgumentError(f"no attacks of the kind {kind!r} are known; there are {', '.join(_KINDS)}")
    pairs = _pairs(_KINDS[kind](_Relations.of(graph)))
    return frozenset((graph.names[one], graph.names[other]) for one, other in pairs.tolist())


@dataclass(frozen=True, slots=True)
class _Relations:
    """Attacks, and supports along chains, as sparse matrices of truth values."""

    attack: Any
    support: Any

    @classmethod
    def of(cls, graph: Graph) -> "_Relations":
        size = len(graph)
        support = _matrix(size, graph.supports)
        while True:
            longer = _either(support, support @ support)
            if longer.nnz == support.nnz:
                return cls(_matrix(size, graph.attacks), support)
            support = longer


_KINDS: dict[str, Callable[[_Relations], Any]] = {
    "supported": lambda given: given.support @ given.attack,
    "secondary": lambda given: given.attack @ given.support,
    "mediated": lambda given: given.attack @ given.support.T,
    "super-mediated": lambda given: _either(given.attack, given.support @ given.attack) @ given.support.T,
    "extended": lambda given: given.support.T @ given.attack,
}


def _matrix(size: int, pairs: "Pairs") -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(pairs), dtype=np.bool_), (pairs[:, 0], pairs[:, 1])), shape=(size, size))


def _either(one: Any, other: Any) -> Any:
    return (one + other).tocsr()


def _pairs(matrix: Any) -> NDArray[np.int64]:
    entries = matrix.tocoo()
    pairs: NDArray[np.int64] = np.stack([entries.coords[0], entries.coords[1]], axis=1)[entries.data]
    return pairs
