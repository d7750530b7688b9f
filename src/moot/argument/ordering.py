"""The combinatorial half of the layered layout: rows, their order, and the distances in them."""

import math
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

ROUNDS, FEWEST_ROUNDS = 14, 4
LINKS_IN_ALL = 150_000
"""The links examined over all rounds. A large map gets fewer rounds, since they would take long and gain little."""


def rank(nodes: list[int], edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """A row for every node, below all its targets, except for the fewest edges that would close a cycle.

    Rows are not much wider than the map is tall.
    """
    ahead, back = defaultdict(set), defaultdict(set)
    for source, target in edges:
        ahead[source].add(target)
        back[target].add(source)
    place = {node: number for number, node in enumerate(_sequence(nodes, ahead, back))}
    widest = max(5, math.ceil(1.2 * math.sqrt(len(nodes))))
    rows: dict[int, int] = {}
    crowd: dict[int, int] = defaultdict(int)
    for node in sorted(nodes, key=place.__getitem__):
        # The end of an edge that is earlier in the sequence is higher, in either direction.
        above = [rows[other] for other in ahead[node] | back[node] if other in rows]
        row = max(above, default=-1) + 1
        while crowd[row] >= widest:
            row += 1
        rows[node] = row
        crowd[row] += 1
    return rows


def _sequence(nodes: list[int], ahead: dict[int, set[int]], back: dict[int, set[int]]) -> list[int]:
    """An order of the nodes with few edges from an earlier to a later one (the greedy algorithm of Eades, Lin and
    Smyth)."""
    out = {node: set(ahead[node]) for node in nodes}
    into = {node: set(back[node]) for node in nodes}
    first: list[int] = []
    last: list[int] = []
    left = dict.fromkeys(nodes)

    def take(node: int) -> None:
        del left[node]
        for other in out[node]:
            into[other].discard(node)
        for other in into[node]:
            out[other].discard(node)

    while left:
        while sinks := [node for node in left if not out[node]]:
            for node in sinks:
                first.append(node)
                take(node)
        while sources := [node for node in left if not into[node]]:
            for node in sources:
                last.append(node)
                take(node)
        if left:
            # In a cycle, the arguments with the most attacks and supports are highest.
            node = max(left, key=lambda one: len(into[one]) - len(out[one]))
            first.append(node)
            take(node)
    return first + last[::-1]


def rounds(links: int) -> int:
    """The number of improvement rounds for a map with that many links; always even."""
    return max(FEWEST_ROUNDS, min(ROUNDS, LINKS_IN_ALL // max(links, 1) // 2 * 2))


def order_layers(layers: list[list[int]], links: Sequence[tuple[int, int]]) -> None:
    """Reorder every layer in place to reduce crossings: each vertex near the middle of its neighbours."""
    above, below = defaultdict(list), defaultdict(list)
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    best, fewest = [list(layer) for layer in layers], _crossings(layers, below)
    for sweep in range(rounds(len(links))):
        if not fewest:
            break
        down = sweep % 2 == 0
        rows = range(1, len(layers)) if down else range(len(layers) - 2, -1, -1)
        for row in rows:
            fixed = {vertex: number for number, vertex in enumerate(layers[row - 1 if down else row + 1])}
            near = above if down else below
            keys = {
                vertex: _middle([fixed[other] for other in near[vertex]], number, len(layers[row]), len(fixed))
                for number, vertex in enumerate(layers[row])
            }
            layers[row].sort(key=keys.__getitem__)
        if (found := _crossings(layers, below)) < fewest:
            best, fewest = [list(layer) for layer in layers], found
    layers[:] = best


def _middle(near: list[int], number: int, size: int, other_size: int) -> float:
    """The mean position of the neighbours; a vertex without neighbours keeps its relative position."""
    return sum(near) / len(near) if near else number * other_size / max(size, 1)


def _crossings(layers: list[list[int]], below: dict[int, list[int]]) -> int:
    total = 0
    for upper, lower in pairwise(layers):
        place = {vertex: number for number, vertex in enumerate(lower)}
        seen: list[int] = []
        for vertex in upper:
            ends = sorted(place[other] for other in below[vertex])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def separate(wanted: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The positions nearest to the wanted ones, by weighted squares, that keep the order and at least these gaps.

    Without the gaps this is isotonic regression, solved by pooling neighbours in the wrong order.
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    pools: list[tuple[float, float, int]] = []
    for want, weight, offset in zip(wanted, weights, offsets, strict=False):
        mean, mass, size = want - offset, weight, 1
        while pools and pools[-1][0] >= mean:
            other, other_mass, other_size = pools.pop()
            mean = (mean * mass + other * other_mass) / (mass + other_mass)
            mass, size = mass + other_mass, size + other_size
        pools.append((mean, mass, size))
    flat = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + offset for mean, offset in zip(flat, offsets, strict=True)]
