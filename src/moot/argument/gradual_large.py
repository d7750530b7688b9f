"""Gradual scores of large graphs, with arrays, level by level: an argument comes after all that it depends on.

`gradual_small` does the same in plain Python, one component at a time. Very deep graphs are left to it.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from moot.argument.gradual_cycles import settle_cycles
from moot.argument.gradual_rows import (
    Marks,
    Numbers,
    Work,
    hanging,
    narrow_bounds,
    rows_of,
    runs,
    start_bounds,
    take_bounds,
    values,
)
from moot.argument.gradual_semantics import BOUND_ROUNDS, Array, Semantics, Solution
from moot.argument.graph import Graph

# More levels than this cost more as arrays than one argument at a time.
DEEPEST = 30_000


def solve_large(graph: Graph, semantics: Semantics, base: Array, tolerance: float) -> Solution | None:
    """None when the graph is so deep that plain Python is faster."""
    size = len(graph)
    supports = graph.supports if semantics.support else graph.supports[:0]
    edges = np.concatenate([graph.attacks, supports])
    level, label = _levels(edges, size), None
    if level is not None and (level < 0).any():
        count, label = connected_components(_matrix(edges, size), directed=True, connection="strong")
        between = label[edges]
        outer = _levels(between[between[:, 0] != between[:, 1]], count)
        level = None if outer is None else outer[label]
    if level is None:
        return None
    strengths = np.where(graph.undercuts, semantics.undercut, semantics.rebuttal)
    con = csr_array((strengths, (graph.attacks[:, 1], graph.attacks[:, 0])), shape=(size, size))
    pro = csr_array((np.full(len(supports), semantics.support), supports.T[::-1]), shape=(size, size))
    x, low, high = base.copy(), base.copy(), base.copy()
    work = Work(semantics, base, pro, con, tolerance, x, low, high, np.zeros(size, dtype=np.bool_))
    cyclic = _cyclic(edges, label, size)
    ordered = np.argsort(level, kind="stable")
    for nodes in np.split(ordered, np.cumsum(np.bincount(level))[:-1]):
        circling = cyclic[nodes]
        _once(work, nodes[~circling])
        if label is not None and circling.any():
            settle_cycles(work, nodes[circling], label)
    return _solution(work)


def _matrix(edges: NDArray[np.int32], size: int) -> csr_array:
    return csr_array((np.ones(len(edges), dtype=np.int8), (edges[:, 0], edges[:, 1])), shape=(size, size))


def _levels(edges: NDArray[np.int32], size: int) -> NDArray[np.int32] | None:
    """How many steps the longest way to each argument has; −1 on and behind cycles. None when there are too many."""
    onward = _matrix(edges, size)
    waiting = np.bincount(onward.indices, minlength=size)
    level, seen = np.full(size, -1, dtype=np.int32), np.empty(size, dtype=np.intp)
    frontier = np.flatnonzero(waiting == 0)
    for depth in range(DEEPEST):
        if not frontier.size:
            return level
        level[frontier] = depth
        targets = onward.indices[runs(onward.indptr, frontier)[0]]
        np.subtract.at(waiting, targets, 1)
        fresh = targets[waiting[targets] == 0]
        # An argument reached several times at once is kept where it was written last.
        places = np.arange(len(fresh))
        seen[fresh] = places
        frontier = fresh[seen[fresh] == places]
    return None


def _cyclic(edges: NDArray[np.int32], label: NDArray[np.int32] | None, size: int) -> Marks:
    """Which arguments lie on a cycle."""
    if label is None:
        return np.zeros(size, dtype=np.bool_)
    cyclic: Marks = np.bincount(label)[label] > 1
    cyclic[edges[edges[:, 0] == edges[:, 1], 0]] = True
    return cyclic


def _once(work: Work, nodes: Numbers) -> None:
    rows = rows_of(work, nodes)
    argued = np.zeros(len(nodes), dtype=np.bool_)
    argued[rows.pro.filled] = argued[rows.con.filled] = True
    work.x[nodes] = np.where(argued, values(work, rows, work.x, work.x), rows.base)
    if work.some_unsettled:
        work.unsettled[nodes] = hanging(work, rows)


def _solution(work: Work) -> Solution:
    low = high = work.x
    if work.some_unsettled:
        # What did not settle is enclosed; narrowing may stop at any time, the bounds hold all the same.
        nodes = np.flatnonzero(work.unsettled)
        rows = rows_of(work, nodes, often=True)
        start_bounds(work, rows)
        for _ in range(BOUND_ROUNDS * BOUND_ROUNDS):
            narrow_bounds(work, rows)
        low, high = work.x.copy(), work.x.copy()
        low[nodes], high[nodes] = work.low[nodes], work.high[nodes]
        take_bounds(work, nodes)
    return Solution(work.x, low, high, work.residual, work.iterations, work.certificate, work.stable)
