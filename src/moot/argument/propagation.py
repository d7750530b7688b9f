"""The grounded extension, by propagation in time linear in the number of attacks."""

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Literal

from moot.argument.graph import Graph

Label = Literal["in", "out", "undec"]
IN, UNDECIDED, OUT = 1, 0, -1


def grounded(graph: Graph) -> frozenset[str]:
    """The grounded extension: the smallest complete one, which every other complete one contains."""
    return accepted_names(graph, propagated(graph))


def labelling(graph: Graph, accepted: Iterable[str]) -> dict[str, Label]:
    """For every argument, whether it is in the set, attacked by it (out), or neither (undec)."""
    inside = {graph.number(name) for name in accepted}
    attacked = {target for source, target in graph.attacks if source in inside}
    return {
        name: "in" if one in inside else "out" if one in attacked else "undec" for one, name in enumerate(graph.names)
    }


def accepted_names(graph: Graph, labels: Sequence[int]) -> frozenset[str]:
    """The names of the arguments that are labelled IN."""
    return frozenset(compress(graph.names, (label == IN for label in labels)))


def labelled(labels: Sequence[int], label: int) -> list[int]:
    """The numbers of the arguments with this label."""
    return [one for one, mine in enumerate(labels) if mine == label]


def propagated(graph: Graph, accepted: Sequence[int] = ()) -> list[int]:
    """The labels that follow from accepting the unattacked arguments and an admissible set: the least complete
    labelling."""
    targets = graph.targets
    waiting = [0] * len(graph)
    for _, target in graph.attacks:
        waiting[target] += 1
    labels = [UNDECIDED if attackers else IN for attackers in waiting]
    for one in accepted:
        labels[one] = IN
    fresh = labelled(labels, IN)
    while fresh:
        for defeated in targets[fresh.pop()]:
            if labels[defeated] != UNDECIDED:
                continue
            labels[defeated] = OUT
            for freed in targets[defeated]:
                waiting[freed] -= 1
                if waiting[freed] == 0 and labels[freed] == UNDECIDED:
                    labels[freed] = IN
                    fresh.append(freed)
    return labels
