"""Scores of many arguments at once: their supporters and attackers as arrays, and how a score follows from those."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from moot.argument.gradual_semantics import ACYCLIC, Array, Semantics

Numbers = NDArray[np.intp]
Marks = NDArray[np.bool_]


@dataclass(slots=True)
class Work:
    """The scores so far, `x`, and what is known of the components so far; `low` and `high` are for bounds.

    `pro` and `con` hold the weight of each supporter (column) and attacker on each argument (row).
    """

    semantics: Semantics
    base: Array
    pro: csr_array
    con: csr_array
    tolerance: float
    x: Array
    low: Array
    high: Array
    unsettled: Marks
    some_unsettled: bool = False
    residual: float = 0.0
    iterations: int = 0
    certificate: int = ACYCLIC
    stable: bool = True


@dataclass(frozen=True, slots=True)
class Runs:
    """What bears on some arguments: a run of sources and weights for each of those in `filled`, from `starts` on.

    `matrix`, over the `columns` only, is the same once more, for those that are computed many times.
    """

    sources: NDArray[np.int32]
    weights: Array
    filled: Numbers
    starts: Numbers
    columns: NDArray[np.int32] | None = None
    matrix: csr_array | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """Some arguments, with their supporters and attackers."""

    nodes: Numbers
    base: Array
    pro: Runs
    con: Runs


def runs(pointers: NDArray[np.int32], rows: Numbers) -> tuple[Numbers, Numbers]:
    """The places of these rows' entries in a sparse matrix, one row after another, and how many each has."""
    starts = pointers[rows].astype(np.intp)
    counts = pointers[rows + 1] - starts
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - counts), counts) + np.arange(total), counts


def rows_of(work: Work, nodes: Numbers, *, often: bool = False) -> Rows:
    """`often`: they will be computed many times, which is worth preparing for."""
    pro, con = _runs_of(work.pro, nodes), _runs_of(work.con, nodes)
    if often:
        pro, con = (_with_matrix(one, len(nodes), work.semantics.product) for one in (pro, con))
    return Rows(nodes, work.base[nodes], pro, con)


def _runs_of(matrix: csr_array, nodes: Numbers) -> Runs:
    places, counts = runs(matrix.indptr, nodes)
    starts = np.cumsum(counts) - counts
    filled = np.flatnonzero(counts)
    return Runs(matrix.indices[places], matrix.data[places], filled, starts[filled])


def _with_matrix(one: Runs, size: int, product: bool) -> Runs:
    columns, places = np.unique(one.sources, return_inverse=True)
    pointers = np.zeros(size + 1, dtype=np.int32)
    pointers[one.filled + 1] = np.diff(one.starts, append=len(one.sources))
    weights = np.ones(len(places)) if product else one.weights
    matrix = csr_array(
        (weights, places.astype(np.int32), np.cumsum(pointers, dtype=np.int32)), shape=(size, len(columns))
    )
    return replace(one, columns=columns, matrix=matrix)


def values(work: Work, rows: Rows, raising: Array, lowering: Array) -> Array:
    """The scores of these arguments, supporters' scores taken from `raising` and attackers' from `lowering`."""
    size = len(rows.nodes)
    aggregate = _left_over if work.semantics.product else _summed
    pro, con = aggregate(rows.pro, raising, size), aggregate(rows.con, lowering, size)
    return work.semantics.many(rows.base, con - pro if work.semantics.product else pro - con)


def _left_over(one: Runs, x: Array, size: int) -> Array:
    """Π(1 − x), over each run."""
    if one.matrix is not None:
        with np.errstate(divide="ignore"):  # the logarithm of 0 is −∞, and that is right
            logarithms: Array = one.matrix @ np.log1p(-x[one.columns])
        return np.exp(logarithms)
    left = np.ones(size)
    if len(one.filled):
        left[one.filled] = np.multiply.reduceat(1.0 - x[one.sources], one.starts)
    return left


def _summed(one: Runs, x: Array, size: int) -> Array:
    """The weighted sum, over each run."""
    if one.matrix is not None:
        summed: Array = one.matrix @ x[one.columns]
        return summed
    total = np.zeros(size)
    if len(one.filled):
        total[one.filled] = np.add.reduceat(one.weights * x[one.sources], one.starts)
    return total


def hanging(work: Work, rows: Rows) -> Marks:
    """Which of these arguments some unsettled argument bears on directly."""
    found = np.zeros(len(rows.nodes), dtype=np.bool_)
    for one in (rows.pro, rows.con):
        if len(one.filled):
            found[one.filled] |= np.logical_or.reduceat(work.unsettled[one.sources], one.starts)
    return found


def start_bounds(work: Work, rows: Rows) -> None:
    """Bounds for these arguments that hold whatever their scores: 0 and 1, while those that bear on them are known."""
    for one in (rows.pro, rows.con):
        work.low[one.sources] = work.high[one.sources] = work.x[one.sources]
    work.low[rows.nodes], work.high[rows.nodes] = 0.0, 1.0


def narrow_bounds(work: Work, rows: Rows) -> None:
    work.low[rows.nodes] = values(work, rows, work.low, work.high)
    work.high[rows.nodes] = values(work, rows, work.high, work.low)


def take_bounds(work: Work, nodes: Numbers) -> None:
    """Scores for those whose bounds met; no number for the others."""
    low, high = work.low[nodes], work.high[nodes]
    work.x[nodes] = np.where(high - low <= work.tolerance, (low + high) / 2, math.nan)
