"""The positions of the boxes and the routes of the lines of an argument map: a layered layout, from numbers to numbers.

Arguments are above the ones that attack or support them, as far as cycles allow. Boxes never overlap, and a line that
passes a row of boxes has a separate place in that row. The same input gives the same map.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from moot.argument.ordering import order_layers, rank, rounds, separate

Point = tuple[float, float]
GAP_X, GAP_LINE, GAP_PARTS = 26.0, 11.0, 44.0
GAP_Y, MOST_EXTRA_Y = 82.0, 60.0
"""Rows are further apart if lines between them go far to the side, so that the lines are not too flat."""
PORT_GAP, PORT_MARGIN = 17.0, 22.0
STUB, SPREAD = 20.0, 7.0
"""The minimal straight end of a line at a box, so that its head points at the box, and how far bends are spread, so
that lines in the same direction do not merge."""
LOOP = 26.0
"""The space next to a box with an edge to itself."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by their centres, and lines as straight segments and bends.

    A route is a list of points: a bend starts at each odd index, a straight vertical segment at each even one.
    """

    width: float
    height: float
    centres: list[Point]
    routes: list[list[Point]]


def arrange(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]], ratio: float = 1.6) -> Layout:
    """A position for every box and a route for every edge. An edge from a box to itself gets an empty route."""
    centres: list[Point] = [(0.0, 0.0)] * len(sizes)
    routes: list[list[Point]] = [[] for _ in edges]
    parts = []
    for nodes in _components(len(sizes), edges):
        chosen = [place for place, (a, b) in enumerate(edges) if a in nodes and a != b]
        parts.append(_Part.of(sorted(nodes), sizes, edges, chosen))
    spread = math.sqrt(ratio * sum((part.width + GAP_PARTS) * (part.height + GAP_PARTS) for part in parts))
    limit = max([spread, *(part.width for part in parts)])
    x = y = row = width = 0.0
    for part in sorted(parts, key=lambda one: (-one.height, -one.width)):
        if x and x + part.width > limit:
            x, y, row = 0.0, y + row + GAP_PARTS, 0.0
        for node, (cx, cy) in part.centres.items():
            centres[node] = (cx + x, cy + y)
        for place, points in part.routes.items():
            routes[place] = [(px + x, py + y) for px, py in points]
        width, row = max(width, x + part.width), max(row, part.height)
        x += part.width + GAP_PARTS
    return Layout(width, y + row, centres, routes)


def _components(size: int, edges: Iterable[tuple[int, int]]) -> list[set[int]]:
    """The connected components of the boxes, ordered by their first box."""
    neighbours = defaultdict(list)
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    components, seen = [], set[int]()
    for first in range(size):
        if first in seen:
            continue
        part, waiting = {first}, [first]
        while waiting:
            for other in neighbours[waiting.pop()]:
                if other not in part:
                    part.add(other)
                    waiting.append(other)
        seen |= part
        components.append(part)
    return components


@dataclass(slots=True)
class _Part:
    """One component, laid out from its corner (0, 0)."""

    width: float
    height: float
    centres: dict[int, Point]
    routes: dict[int, list[Point]]

    @classmethod
    def of(
        cls, nodes: list[int], sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]], chosen: list[int]
    ) -> "_Part":
        ranks = rank(nodes, [edges[place] for place in chosen])
        chains = _chains(ranks, edges, chosen)
        layers, links = _layers(nodes, ranks, chains)
        order_layers(layers, links)
        loops = {a for a, b in edges if a == b}
        room = {node: sizes[node][0] + (2 * LOOP if node in loops else 0.0) for node in nodes}
        x = _across(layers, links, room)
        _straighten(layers, chains, room, x)
        left = min(at - room.get(vertex, 0.0) / 2 for vertex, at in x.items())
        right = max(at + room.get(vertex, 0.0) / 2 for vertex, at in x.items())
        x = {vertex: at - left for vertex, at in x.items()}
        bands = _down(layers, links, x, {node: sizes[node][1] for node in nodes})
        ports = _ports(chains, x, {node: sizes[node][0] for node in nodes})
        shifts = _shifts(chains, x, ports)
        centres = {node: (x[node], sum(bands[ranks[node]]) / 2) for node in nodes}
        routes = {}
        for place, (upper, *passed, lower) in chains.items():
            points = [(ports[place, upper], centres[upper][1] + sizes[upper][1] / 2)]
            points.append((ports[place, upper], bands[ranks[upper]][1] + STUB + SPREAD))
            for row, vertex in enumerate(passed, ranks[upper] + 1):
                points += [(x[vertex], bands[row][0]), (x[vertex], bands[row][1])]
            points.append((ports[place, lower], bands[ranks[lower]][0] - STUB - SPREAD))
            points.append((ports[place, lower], centres[lower][1] - sizes[lower][1] / 2))
            points[1:3] = [(at, y + shifts[place]) for at, y in points[1:3]]
            routes[place] = points if edges[place][0] == upper else points[::-1]
        return cls(right - left, bands[-1][1], centres, routes)


def _chains(ranks: dict[int, int], edges: Sequence[tuple[int, int]], chosen: list[int]) -> dict[int, list[int]]:
    """For each edge its placeholders in the rows it passes, from top to bottom. They have negative numbers."""
    chains, fresh = {}, -1
    for place in chosen:
        a, b = edges[place]
        passed = abs(ranks[a] - ranks[b]) - 1
        chains[place] = list(range(fresh, fresh - passed, -1))
        fresh -= passed
        upper, lower = (a, b) if ranks[a] < ranks[b] else (b, a)
        chains[place] = [upper, *chains[place], lower]
    return chains


def _layers(
    nodes: list[int], ranks: dict[int, int], chains: dict[int, list[int]]
) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """The rows with boxes and placeholders, and the links from each row to the next."""
    layers: list[list[int]] = [[] for _ in range(max(ranks.values()) + 1)]
    for node in nodes:
        layers[ranks[node]].append(node)
    links = []
    for chain in chains.values():
        for step, vertex in enumerate(chain[1:-1], ranks[chain[0]] + 1):
            layers[step].append(vertex)
        links += list(pairwise(chain))
    return layers, links


def _across(layers: list[list[int]], links: list[tuple[int, int]], widths: dict[int, float]) -> dict[int, float]:
    """The x positions: near linked neighbours, as far as the order leaves room."""
    above, below = defaultdict(list), defaultdict(list)
    for upper, lower in links:
        # Straightening a line that passes several rows has priority.
        weight = 8.0 if upper < 0 and lower < 0 else 2.0 if upper < 0 or lower < 0 else 1.0
        above[lower].append((upper, weight))
        below[upper].append((lower, weight))
    x: dict[int, float] = {}
    gaps = []
    for layer in layers:
        gaps.append([_apart(one, other, widths) for one, other in pairwise(layer)])
        at = -sum(gaps[-1]) / 2
        for vertex, gap in zip(layer, [*gaps[-1], 0.0], strict=True):
            x[vertex] = at
            at += gap
    sweeps = 2 * rounds(len(links))
    for sweep in range(sweeps):
        down = sweep % 2 == 0
        rows = range(len(layers)) if down else range(len(layers) - 1, -1, -1)
        for row in rows:
            wanted, weights = [], []
            for vertex in layers[row]:
                near = above[vertex] + below[vertex] if sweep >= sweeps // 2 else (above if down else below)[vertex]
                total = sum(weight for _, weight in near)
                wanted.append(sum(x[other] * weight for other, weight in near) / total if near else x[vertex])
                weights.append(total if near else 0.01)
            x.update(zip(layers[row], separate(wanted, weights, gaps[row]), strict=True))
    return x


def _apart(one: int, other: int, widths: dict[int, float]) -> float:
    """The minimal distance between the centres of two neighbours in a row."""
    return sum(widths[vertex] / 2 + GAP_X / 2 if vertex in widths else GAP_LINE / 2 for vertex in (one, other))


def _straighten(
    layers: list[list[int]], chains: dict[int, list[int]], widths: dict[int, float], x: dict[int, float]
) -> None:
    """Make each line vertical across its rows if the neighbours in all of them leave room."""
    beside: dict[int, tuple[int | None, int | None]] = {}
    for layer in layers:
        for before, vertex, after in zip([None, *layer], layer, [*layer[1:], None], strict=False):
            beside[vertex] = (before, after)
    for _ in range(3):
        for chain in chains.values():
            if not (inner := chain[1:-1]):
                continue
            low, high = -math.inf, math.inf
            for vertex in inner:
                before, after = beside[vertex]
                if before is not None:
                    low = max(low, x[before] + _apart(before, vertex, widths))
                if after is not None:
                    high = min(high, x[after] - _apart(vertex, after, widths))
            if low <= high:
                middle = min(max(sum(x[vertex] for vertex in inner) / len(inner), low), high)
                x.update(dict.fromkeys(inner, middle))


def _down(
    layers: list[list[int]], links: list[tuple[int, int]], x: dict[int, float], heights: dict[int, float]
) -> list[tuple[float, float]]:
    """Top and bottom of each row."""
    row_of = {vertex: row for row, layer in enumerate(layers) for vertex in layer}
    farthest = [0.0] * len(layers)
    for upper, lower in links:
        row = row_of[upper]
        farthest[row] = max(farthest[row], abs(x[upper] - x[lower]))
    bands, y = [], 0.0
    for row, layer in enumerate(layers):
        tall = max((heights.get(vertex, 0.0) for vertex in layer), default=0.0)
        bands.append((y, y + tall))
        y += tall + GAP_Y + min(MOST_EXTRA_Y, 0.1 * farthest[row])
    return bands


def _ports(chains: dict[int, list[int]], x: dict[int, float], widths: dict[int, float]) -> dict[tuple[int, int], float]:
    """The point where each edge meets the border of each of its two boxes, so that lines and heads stay apart."""
    ends: dict[tuple[int, bool], list[tuple[float, int]]] = defaultdict(list)
    for place, chain in chains.items():
        ends[chain[0], True].append((x[chain[1]], place))
        ends[chain[-1], False].append((x[chain[-2]], place))
    ports = {}
    for (node, _), meeting in ends.items():
        step = min(PORT_GAP, (widths[node] - PORT_MARGIN) / max(len(meeting) - 1, 1))
        # Edges between the same two boxes keep their order at both ends; otherwise they would cross.
        for number, (_, place) in enumerate(sorted(meeting)):
            ports[place, node] = x[node] + (number - (len(meeting) - 1) / 2) * step
    return ports


def _shifts(chains: dict[int, list[int]], x: dict[int, float], ports: dict[tuple[int, int], float]) -> dict[int, float]:
    """How much lower each edge bends below its upper box: among edges to one side, the outermost bends highest."""
    groups: dict[tuple[int, bool], list[tuple[float, int]]] = defaultdict(list)
    for place, chain in chains.items():
        port, leftward = ports[place, chain[0]], x[chain[1]] < x[chain[0]]
        groups[chain[0], leftward].append((port if leftward else -port, place))
    shifts = {}
    for members in groups.values():
        for number, (_, place) in enumerate(sorted(members)):
            shifts[place] = SPREAD * (2 * number / (len(members) - 1) - 1) if len(members) > 1 else 0.0
    return shifts
