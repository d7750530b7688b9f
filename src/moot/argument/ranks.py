"""Ranking semantics: arguments from the most to the least acceptable, by the attacks on them. Supports are ignored.

| name       | compares                                                                                        |
|------------|-------------------------------------------------------------------------------------------------|
| discussion | step by step the number of attackers, negative, and of defenders (Amgoud and Ben-Naim 2013)     |
| burden     | step by step the burden: 1 and the sum of 1 / burden of each attacker before (the same)         |
| counting   | attackers and defenders of any length, damped by 0.9 for each step (Pu, Luo, Zhang, Luo 2015)   |

The first two compare sequences by the lexical order, smaller first, to the length of twice the number of arguments;
after as many steps as there are arguments the order of two of them is settled.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from moot.argument.graph import ArgumentError, Graph, plain

RANKINGS = ("burden", "counting", "discussion")
DAMPING = 0.9
# Values of counting semantics closer than this are one rank.
LEVEL = 1e-9
# Burdens are exact fractions, whose digits double with each step: these many steps, then floats.
_EXACT_STEPS = 6


def ranking(graph: Graph, semantics: str) -> list[list[str]]:
    """Ranks of equal arguments, the most acceptable first; within a rank in the order of the graph."""
    keys = _keys(graph, semantics)
    ranks: dict[tuple[float, ...], list[str]] = {}
    for name, key in zip(graph.names, keys, strict=True):
        ranks.setdefault(key, []).append(name)
    return [ranks[key] for key in sorted(ranks)]


def _keys(graph: Graph, semantics: str) -> list[tuple[float, ...]]:
    """For each argument what it is compared by: the smaller is the better."""
    if semantics == "counting":
        return [(round(-value / LEVEL),) for value in _counting(graph).tolist()]
    if semantics not in RANKINGS:
        raise ArgumentError(f"there is no ranking {semantics!r}; there are {', '.join(RANKINGS)}")
    steps: list[list[float]] = [*(_discussion(graph) if semantics == "discussion" else _burden(graph))]
    return [tuple(step[one] for step in steps) for one in range(len(graph))]


def _incoming(graph: Graph) -> list[list[int]]:
    attackers: list[list[int]] = [[] for _ in graph.names]
    for source, target in plain(graph.attack_pairs):
        attackers[target].append(source)
    return attackers


def _discussion(graph: Graph) -> Iterator[list[float]]:
    """For each length the number of paths to each argument: those of odd length attack and count against it."""
    attackers = _incoming(graph)
    paths = [1] * len(graph)
    for length in range(1, 2 * len(graph) + 1):
        paths = [sum(paths[source] for source in sources) for sources in attackers]
        yield [-number if length % 2 == 0 else number for number in paths]


def _burden(graph: Graph) -> Iterator[list[float]]:
    attackers = _incoming(graph)
    burdens: list[Fraction] | list[float] = [Fraction(1)] * len(graph)
    for step in range(2 * len(graph)):
        if step == _EXACT_STEPS:
            burdens = [float(one) for one in burdens]
        burdens = [1 + sum(1 / burdens[source] for source in sources) for sources in attackers]
        yield [round(float(one), 12) for one in burdens]


def _counting(graph: Graph) -> NDArray[np.float64]:
    """The fixpoint of v = 1 − α · M v, where M is the attack matrix over its largest row sum."""
    size = len(graph)
    if not len(graph.attack_pairs):
        return np.ones(size)
    incoming = np.bincount(graph.attacks[:, 1], minlength=size)
    most = int(incoming.max())
    values = np.ones(size)
    while True:
        pressed = np.bincount(graph.attacks[:, 1], weights=values[graph.attacks[:, 0]], minlength=size)
        following = 1 - DAMPING * pressed / most
        if np.abs(following - values).max() < LEVEL / 100:
            return following
        values = following
