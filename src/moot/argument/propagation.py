"""The grounded extension, by propagation in time linear in the number of attacks."""

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from moot.argument.graph import Graph, Pair, plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from moot.argument.graph import Pairs

    Labels = list[int] | NDArray[np.int8]
    _Numbers = NDArray[np.integer[Any]]

IN, UNDECIDED, OUT = 1, 0, -1
# Below this many arguments, plain Python is faster than a dozen array operations.
_FEW = 64


def grounded(graph: Graph) -> frozenset[str]:
    """The grounded extension: the smallest complete one, which every other complete one contains."""
    return accepted_names(graph, propagated(len(graph), graph.attack_pairs))


def accepted_names(graph: Graph, labels: "Labels") -> frozenset[str]:
    """The names of the arguments that are labelled IN."""
    inside = [mine == IN for mine in labels] if isinstance(labels, list) else plain(labels == IN)
    return frozenset(compress(graph.names, inside))


def labelled(labels: "Labels", label: int) -> list[int]:
    """The numbers of the arguments with this label."""
    if isinstance(labels, list):
        return [one for one, mine in enumerate(labels) if mine == label]
    return list(plain((labels == label).nonzero()[0]))


def propagated(size: int, attacks: "Sequence[Pair] | Pairs", accepted: Sequence[int] = ()) -> "Labels":
    """The labels that follow from accepting the unattacked arguments and an admissible set: the least complete
    labelling. Attacks in a list or a tuple lead to labels in a list, an array to an array."""
    if isinstance(attacks, Sequence):
        return _propagated_in_lists(size, attacks, accepted)
    return _propagated_in_arrays(size, attacks, accepted)


def _propagated_in_lists(size: int, attacks: Sequence[Pair], accepted: Sequence[int]) -> list[int]:
    targets: list[list[int]] = [[] for _ in range(size)]
    waiting = [0] * size
    for source, target in attacks:
        targets[source].append(target)
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


def _propagated_in_arrays(size: int, attacks: "Pairs", accepted: Sequence[int]) -> "NDArray[np.int8]":
    import numpy as np

    starts, targets = rows(size, attacks)
    labels = np.zeros(size, dtype=np.int8)
    waiting = np.bincount(attacks[:, 1], minlength=size)
    labels[waiting == 0] = IN
    labels[np.array(accepted, dtype=np.int64)] = IN
    fresh: _Numbers = np.flatnonzero(labels == IN)
    place = np.empty(size, dtype=np.intp)
    while fresh.size:
        if fresh.size < _FEW:
            fresh = _step_by_step(fresh.tolist(), starts, targets, labels, waiting)
        else:
            defeated = _gather_targets(fresh, starts, targets)
            defeated = _once(defeated[labels[defeated] == UNDECIDED], place)
            labels[defeated] = OUT
            hit = _gather_targets(defeated, starts, targets)
            if 16 * hit.size > size:
                waiting -= np.bincount(hit, minlength=size)
            else:  # counting over all arguments would not be linear for many small rounds
                np.subtract.at(waiting, hit, 1)
            fresh = _once(hit[(waiting[hit] == 0) & (labels[hit] == UNDECIDED)], place)
            labels[fresh] = IN
    return labels


def rows(size: int, attacks: "Pairs") -> "tuple[_Numbers, _Numbers]":
    """The attacks by attacker: `i` attacks `targets[starts[i]:starts[i + 1]]`."""
    import numpy as np

    starts = np.zeros(size + 1, dtype=np.intp)
    np.cumsum(np.bincount(attacks[:, 0], minlength=size), out=starts[1:])
    # Numbers of this width index arrays fastest.
    return starts, attacks[np.argsort(attacks[:, 0], kind="stable"), 1].astype(np.intp)


def _once(several: "_Numbers", place: "_Numbers") -> "_Numbers":
    """The distinct numbers, without sorting; `place` is scratch space."""
    import numpy as np

    order = np.arange(len(several))
    place[several] = order
    once: _Numbers = several[place[several] == order]
    return once


def _gather_targets(which: "_Numbers", starts: "_Numbers", targets: "_Numbers") -> "_Numbers":
    """All targets of some rows, row by row."""
    import numpy as np

    lengths = starts[which + 1] - starts[which]
    ends = np.cumsum(lengths)
    if not ends.size:
        return targets[:0]
    places = np.arange(ends[-1]) + np.repeat(starts[which] - (ends - lengths), lengths)
    gathered: _Numbers = targets[places]
    return gathered


def _step_by_step(
    fresh: list[int],
    starts: "_Numbers",
    targets: "_Numbers",
    labels: "NDArray[np.int8]",
    waiting: "_Numbers",
) -> "_Numbers":
    """The same as the rounds on arrays, repeated until nothing changes or there is enough work for arrays."""
    import numpy as np

    # Reading single elements from memory views is several times faster than from arrays.
    first, hit, label, left = starts.data, targets.data, labels.data, waiting.data
    while fresh and len(fresh) < _FEW:
        following = []
        for one in fresh:
            for defeated in hit[first[one] : first[one + 1]]:
                if label[defeated] != UNDECIDED:
                    continue
                label[defeated] = OUT
                for freed in hit[first[defeated] : first[defeated + 1]]:
                    left[freed] -= 1
                    if left[freed] == 0 and label[freed] == UNDECIDED:
                        label[freed] = IN
                        following.append(freed)
        fresh = following
    return np.array(fresh, dtype=np.intp)
