"""The grounded extension, by propagation in time linear in the number of attacks."""

from collections.abc import Sequence
from itertools import compress

from moot.argument.graph import Graph

IN, UNDECIDED, OUT = 1, 0, -1


def grounded(graph: Graph) -> frozenset[str]:
    """The grounded extension: the smallest complete one, which every other complete one contains."""
    return accepted_names(graph, propagated(graph))


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
