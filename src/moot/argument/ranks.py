"""Ranking semantics: arguments from the most to the least acceptable, by the attacks on them. Supports are ignored.

| name       | compares                                                                                        |
|------------|-------------------------------------------------------------------------------------------------|
| discussion | step by step the number of attackers, negative, and of defenders (Amgoud and Ben-Naim 2013)     |
| burden     | step by step the burden: 1 and the sum of 1 / burden of each attacker before (the same)         |
| counting   | attackers and defenders of any length, damped by 0.9 for each step (Pu, Luo, Zhang, Luo 2015)   |

The first two compare sequences by the lexical order, smaller first, as far as they can differ. All ranks are exact:
arguments share one if they are equal, not if they are close. Where that takes too much time, an error says so.
"""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

from moot.argument.graph import ArgumentError, Graph, plain
from moot.argument.ranks_alike import Alike
from moot.argument.ranks_burden import PRECISIONS, Burdens, TooClose
from moot.argument.ranks_counting import counting_places

RANKINGS = ("burden", "counting", "discussion")
# Arguments and relations looked at, in all steps together; more would take minutes.
MOST_WORK = 30_000_000
_Step = Callable[[Sequence[int]], Sequence[int]]


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
        return _stepwise(attackers, _discussion(attackers), semantics)
    for precision in PRECISIONS:
        try:
            return _stepwise(attackers, Burdens(attackers, precision).step, semantics)
        except TooClose:
            continue
    raise ArgumentError(
        f"two burdens differ by less than 2 to the power of -{PRECISIONS[-1]} if at all, and are fractions too long to"
        " compare; no ranks are given, as they could be wrong"
    )


def _stepwise(attackers: Sequence[Sequence[int]], step: _Step, semantics: str) -> list[int]:
    """Compare step after step those that were equal until then, up to the step that no later one can change."""
    places, ranks = [0] * len(attackers), 1
    settling = _settling(attackers)
    # Numbers of paths add up, burdens do not.
    alike = Alike(attackers) if semantics == "discussion" else None
    work = len(attackers) + sum(map(len, attackers))
    for number in range(1, MOST_WORK // max(work, 1) + 2):
        places, before = _ordered(list(zip(places, step(places), strict=True))), ranks
        ranks = max(places, default=-1) + 1
        if ranks == len(places) or (ranks == before and _settled(places, attackers, settling, number, alike)):
            return places
        # Numbers of paths follow a linear recurrence of at most this order: equal so far, they stay so.
        if semantics == "discussion" and number >= len(attackers):
            return places
    raise ArgumentError(
        f"{semantics} is not done after {number:,} steps: arguments that are equal so far can still differ; no ranks"
        " are given, as they could be wrong"
    )


def _ordered(keys: Sequence[Any]) -> list[int]:
    """The place of each key among the distinct ones, the smallest first."""
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [place[key] for key in keys]


def _settled(
    places: Sequence[int],
    attackers: Sequence[Sequence[int]],
    settling: Sequence[float],
    number: int,
    alike: Alike | None,
) -> bool:
    """Whether arguments of one rank have as many attackers of each rank: then no later step can part them.

    Attackers that keep their value from now on do not count: those of equal arguments have equal sums already.
    """
    found: dict[int, tuple[int, list[int]]] = {}
    for one, (place, sources) in enumerate(zip(places, attackers, strict=True)):
        attacked_by = sorted(places[source] for source in sources if settling[source] >= number)
        first, by = found.setdefault(place, (one, attacked_by))
        if by != attacked_by and not (alike and alike.same_paths(first, one)):
            return False
    return True


def _settling(attackers: Sequence[Sequence[int]]) -> list[float]:
    """The step from which each argument keeps its value: the longest path to it, infinite behind a cycle."""
    targets: list[list[int]] = [[] for _ in attackers]
    for target, sources in enumerate(attackers):
        for source in sources:
            targets[source].append(target)
    open_attackers = [len(sources) for sources in attackers]
    settling = [inf if number else 0.0 for number in open_attackers]
    reached = [number for number, count in enumerate(open_attackers) if not count]
    for source in reached:
        for target in targets[source]:
            open_attackers[target] -= 1
            if not open_attackers[target]:
                settling[target] = settling[source] + 1
                reached.append(target)
    return settling


def _incoming(graph: Graph) -> list[list[int]]:
    attackers: list[list[int]] = [[] for _ in graph.names]
    for source, target in plain(graph.attack_pairs):
        attackers[target].append(source)
    return attackers


def _discussion(attackers: Sequence[Sequence[int]]) -> _Step:
    """For each length the number of paths to each argument: those of odd length attack and count against it."""
    steps = _path_numbers(attackers)
    return lambda _: next(steps)


def _path_numbers(attackers: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    paths, sign = [1] * len(attackers), 1
    while True:
        paths = [sum(paths[source] for source in sources) for sources in attackers]
        yield [sign * number for number in paths]
        sign = -sign
