"""The part of a graph that an argument depends on."""

from collections.abc import Iterable
from typing import Literal

from moot.argument.gradual import scores
from moot.argument.graph import Graph, Kind

Relation = Literal["rebuts", "undercuts", "supports"]
_VERBS: dict[Kind, Relation] = {"attack": "rebuts", "undercut": "undercuts", "support": "supports"}


def score_of(graph: Graph, argument: str, semantics: str) -> float | None:
    """Its score, by the part of the graph that it depends on: without some arguments that can be much less."""
    return scores(with_ancestry(graph, [argument]), semantics)[argument]


def incoming(graph: Graph) -> list[list[tuple[int, Relation]]]:
    towards: list[list[tuple[int, Relation]]] = [[] for _ in graph.names]
    for source, target, kind in graph.relations():
        towards[target].append((source, _VERBS[kind]))
    return towards


def relations_between(graph: Graph, source: str, target: str) -> tuple[Relation, ...]:
    pair = graph.number(source), graph.number(target)
    return tuple(_VERBS[kind] for one, other, kind in graph.relations() if (one, other) == pair)


def distances_to(graph: Graph, names: Iterable[str]) -> dict[str, int]:
    """These arguments and everything that affects them, with the distance in relations; nearest first."""
    towards = [[source for source, _ in sources] for sources in incoming(graph)]
    distances = {graph.number(name): 0 for name in names}
    reached = list(distances)
    for node in reached:
        for source in towards[node]:
            if source not in distances:
                distances[source] = distances[node] + 1
                reached.append(source)
    return {graph.names[node]: distances[node] for node in reached}


def with_ancestry(graph: Graph, names: Iterable[str]) -> Graph:
    """The part of the graph that the scores of these arguments depend on."""
    needed = distances_to(graph, names)
    return graph if len(needed) == len(graph) else graph.without(name for name in graph.names if name not in needed)
