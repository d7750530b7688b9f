"""Ranking semantics: arguments from the most to the least acceptable, by the attacks on them. Supports are ignored.

| name       | compares                                                                                        |
|------------|-------------------------------------------------------------------------------------------------|
| discussion | step by step the number of attackers, negative, and of defenders (Amgoud and Ben-Naim 2013)     |
| burden     | step by step the burden: 1 and the sum of 1 / burden of each attacker before (the same)         |
| counting   | attackers and defenders of any length, damped by 0.9 for each step (Pu, Luo, Zhang, Luo 2015)   |

The first two compare sequences by the lexical order, smaller first, as far as they can differ. All ranks are exact:
arguments share one if they are equal, not if they are close. Where that takes too much time, an error says so.
"""

from moot.argument.graph import ArgumentError, Graph, plain
from moot.argument.ranks_burden import PRECISIONS, Burdens, TooClose
from moot.argument.ranks_counting import counting_places
from moot.argument.ranks_steps import Stepwise

RANKINGS = ("burden", "counting", "discussion")
# Arguments and relations looked at, in all steps together; more would take minutes.
MOST_WORK = 30_000_000


def ranking(graph: Graph, semantics: str) -> list[list[str]]:
    """Ranks of equal arguments, the most acceptable first; within a rank in the order of the graph."""
    places = _places(graph, semantics)
    ranks: list[list[str]] = [[] for _ in range(max(places, default=-1) + 1)]
    for name, place in zip(graph.names, places, strict=True):
        ranks[place].append(name)
    return ranks


def _places(graph: Graph, semantics: str) -> list[int]:
    """The rank of each argument, counted from 0."""
    if semantics not in RANKINGS:
        raise ArgumentError(f"there is no ranking {semantics!r}; there are {', '.join(RANKINGS)}")
    attackers = _incoming(graph)
    if semantics == "counting":
        return counting_places(graph.names, attackers)
    if semantics == "discussion":
        return Stepwise(attackers, PathNumbers(), MOST_WORK).places()
    for precision in PRECISIONS:
        try:
            return Stepwise(attackers, Burdens(precision), MOST_WORK).places()
        except TooClose:
            continue
    raise ArgumentError(
        f"two burdens differ by less than 2 to the power of -{PRECISIONS[-1]} if at all, and no proof was found that"
        " they are equal; no ranks are given, as they could be wrong"
    )


def _incoming(graph: Graph) -> list[list[int]]:
    attackers: list[list[int]] = [[] for _ in graph.names]
    for source, target in plain(graph.attack_pairs):
        attackers[target].append(source)
    return attackers


class PathNumbers:
    """For each length the number of paths to each argument: those of odd length attack and count against it."""

    name = "discussion"
    start = 1
    adds = True
    weight = 1

    def __init__(self) -> None:
        self._sign = -1

    def begin(self, number: int) -> None:
        self._sign = 1 if number % 2 else -1

    @staticmethod
    def value(sources: list[int], before: int) -> int:
        paths = sum(sources)
        return before if paths == before else paths

    def compared(self, one: int, other: int) -> int:
        return self._sign * ((one > other) - (one < other))
