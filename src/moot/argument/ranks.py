"""Ranking semantics: arguments from the most to the least acceptable, by the attacks on them. Supports are ignored.

| name       | compares                                                                                        |
|------------|-------------------------------------------------------------------------------------------------|
| discussion | step by step the number of attackers, negative, and of defenders (Amgoud and Ben-Naim 2013)     |
| burden     | step by step the burden: 1 and the sum of 1 / burden of each attacker before (the same)         |
| counting   | attackers and defenders of any length, damped by 0.9 for each step (Pu, Luo, Zhang, Luo 2015)   |

The first two compare sequences by the lexical order, smaller first, as far as they can differ.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

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
    places = _places(graph, semantics)
    ranks: list[list[str]] = [[] for _ in range(max(places, default=-1) + 1)]
    for name, place in zip(graph.names, places, strict=True):
        ranks[place].append(name)
    return ranks


def _places(graph: Graph, semantics: str) -> list[int]:
    """The rank of each argument, counted from 0."""
    if semantics == "counting":
        return _ordered([round(-value / LEVEL) for value in _counting(graph).tolist()])
    if semantics not in RANKINGS:
        raise ArgumentError(f"there is no ranking {semantics!r}; there are {', '.join(RANKINGS)}")
    attackers = _incoming(graph)
    places, ranks = [0] * len(graph), 1
    for step in _discussion(attackers) if semantics == "discussion" else _burden(attackers):
        places, before = _ordered(list(zip(places, step, strict=True))), ranks
        ranks = max(places) + 1
        if ranks == len(places) or (ranks == before and _settled(places, attackers)):
            break
    return places


def _ordered(keys: Sequence[Any]) -> list[int]:
    """The place of each key among the distinct ones, the smallest first."""
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [place[key] for key in keys]


def _settled(places: Sequence[int], attackers: Sequence[Sequence[int]]) -> bool:
    """Whether arguments of one rank have as many attackers of each rank: then no later step can part them."""
    found: dict[int, list[int]] = {}
    for one, sources in zip(places, attackers, strict=True):
        attacked_by = sorted(places[source] for source in sources)
        if found.setdefault(one, attacked_by) != attacked_by:
            return False
    return True


def _incoming(graph: Graph) -> list[list[int]]:
    attackers: list[list[int]] = [[] for _ in graph.names]
    for source, target in plain(graph.attack_pairs):
        attackers[target].append(source)
    return attackers


def _discussion(attackers: Sequence[Sequence[int]]) -> Iterator[Sequence[float]]:
    """For each length the number of paths to each argument: those of odd length attack and count against it."""
    paths = [1] * len(attackers)
    for length in range(1, 2 * len(attackers) + 1):
        paths = [sum(paths[source] for source in sources) for sources in attackers]
        yield [-number if length % 2 == 0 else number for number in paths]


def _burden(attackers: Sequence[Sequence[int]]) -> Iterator[Sequence[float]]:
    burdens: list[Fraction] | list[float] = [Fraction(1)] * len(attackers)
    for step in range(2 * len(attackers)):
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
