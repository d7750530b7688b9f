"""The positions of the boxes and the routes of the lines of an argument map: an outline, from numbers to numbers.

Each argument has a row of its own, further in and below what it is for or against. So everything about one issue is
together, the largest issue comes first, and the map of many arguments is long and not wide. A line goes straight up to
what the argument is about; what else it is related to is reached along the right side. No line crosses a box, and the
same input gives the same map.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Edge = tuple[int, int, str]
"""A source, a target, and a kind: lines of one kind that meet at a box share their way."""
STEP, GAP_Y, TRUNK = 44.0, 24.0, 11.0
LOOP = 26.0
"""The space next to a box with an edge to itself."""
LANE, MOST_LANES, PORT_GAP = 9.0, 40, 8.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by their centres, and lines by their corners."""

    width: float
    height: float
    centres: list[Point]
    routes: list[list[Point]]


def arrange(sizes: Sequence[tuple[float, float]], edges: Sequence[Edge]) -> Layout:
    """A position for every box and a route for every edge. An edge from a box to itself gets an empty route."""
    placed, rows = _outline(len(sizes), edges)
    centres: list[Point] = [(0.0, 0.0)] * len(sizes)
    top = 0.0
    for node, depth in rows:
        width, height = sizes[node]
        centres[node] = (depth * STEP + width / 2, top + height / 2)
        top += height + GAP_Y
    side = [x + width / 2 for (x, _), (width, _) in zip(centres, sizes, strict=True)]
    trunks = {kind: number * TRUNK for number, kind in enumerate(sorted({kind for *_, kind in edges}), start=1)}
    routes: list[list[Point]] = [[] for _ in edges]
    for node, place in placed.items():
        target = edges[place][1]
        trunk = side[target] - sizes[target][0] + trunks[edges[place][2]]
        bottom = centres[target][1] + sizes[target][1] / 2
        routes[place] = [(side[node] - sizes[node][0], centres[node][1]), (trunk, centres[node][1]), (trunk, bottom)]
    others = [place for place, (one, other, _) in enumerate(edges) if one != other and placed.get(one) != place]
    ports = _ports(others, edges, centres, sizes)
    right = max(side, default=0.0) + LOOP
    for place, lane in _lanes({place: sorted((ports[place, 0], ports[place, 1])) for place in others}).items():
        source, target, _ = edges[place]
        x, (start, end) = right + lane * LANE, (ports[place, 0], ports[place, 1])
        routes[place] = [(side[source], start), (x, start), (x, end), (side[target], end)]
    width = max((x for route in routes for x, _ in route), default=0.0)
    loops = any(one == other for one, other, _ in edges)
    return Layout(max(width, right if loops else right - LOOP), max(top - GAP_Y, 0.0), centres, routes)


def _outline(size: int, edges: Sequence[Edge]) -> tuple[dict[int, int], list[tuple[int, int]]]:
    """The edges by which boxes stand below others, by box; and the boxes from top to bottom, with their depths. On top
    is what is for or against nothing, or the first of a cycle."""
    toward: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, (source, target, _) in enumerate(edges):
        if source != target:
            toward[target].append((source, place))
    sources = {source for found in toward.values() for source, _ in found}
    placed: dict[int, int] = {}
    below: dict[int, list[int]] = defaultdict(list)
    trees, seen = list[list[int]](), set[int]()
    for root in sorted(range(size), key=sources.__contains__):
        if root in seen:
            continue
        tree = [root]
        seen.add(root)
        for node in tree:  # which grows
            for source, place in toward[node]:
                if source not in seen:
                    seen.add(source)
                    placed[source] = place
                    below[node].append(source)
                    tree.append(source)
        trees.append(tree)
    rows = []
    waiting = [(tree[0], 0) for tree in sorted(trees, key=lambda one: (len(one), -one[0]))]  # the last first
    while waiting:
        node, depth = waiting.pop()
        rows.append((node, depth))
        waiting += [(other, depth + 1) for other in reversed(below[node])]
    return placed, rows


def _ports(
    places: Sequence[int], edges: Sequence[Edge], centres: Sequence[Point], sizes: Sequence[tuple[float, float]]
) -> dict[tuple[int, int], float]:
    """The heights at which these edges leave their source (0) and meet their target (1), so that they stay apart."""
    meeting: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in places:
        for end in (0, 1):
            meeting[(edges[place][0], edges[place][1])[end]].append((place, end))
    ports = {}
    for node, ends in meeting.items():
        step = min(PORT_GAP, sizes[node][1] / (len(ends) + 1))
        for number, one in enumerate(ends):
            ports[one] = centres[node][1] + (number - (len(ends) - 1) / 2) * step
    return ports


def _lanes(spans: dict[int, list[float]]) -> dict[int, int]:
    """A lane for each span, so that spans in one lane do not overlap, as far as there are lanes."""
    ends: list[float] = []
    lanes = {}
    for place, (start, end) in sorted(spans.items(), key=lambda one: one[1]):
        lane = next((number for number, last in enumerate(ends) if last < start), len(ends))
        if lane == MOST_LANES:
            lane = place % MOST_LANES
        ends[lane : lane + 1] = [end]
        lanes[place] = lane
    return lanes
