"""Gradual scores around cycles, with arrays: all cyclic components of one level at once, each by its own measure."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from moot.argument.gradual_rows import (
    Marks,
    Numbers,
    Work,
    hanging,
    narrow_bounds,
    rows_of,
    start_bounds,
    take_bounds,
    values,
)
from moot.argument.gradual_semantics import (
    BOUND_PROGRESS,
    BOUND_ROUNDS,
    CONTRACTION,
    LARGEST_TRIED,
    MONOTONE,
    MOST_ITERATIONS,
    MOST_TRIED,
    NONE,
    NORM_ROUNDS,
    PUSH_RETURNS,
    PUSH_TOLERANCE,
    SHRINK_ROUNDS,
    SHRINKS,
    SLOWLY,
    STRAIGHT,
    STRETCH,
    STRIKES,
    WINDOW,
    Array,
    one_fixpoint,
    pushes,
)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Cyclic components side by side: their arguments, and where each component starts among them."""

    nodes: Numbers
    starts: Numbers

    def sizes(self) -> Numbers:
        return np.diff(self.starts, append=len(self.nodes))

    def only(self, kept: Marks) -> "Blocks":
        sizes = self.sizes()
        return Blocks(self.nodes[np.repeat(kept, sizes)], np.cumsum(sizes[kept]) - sizes[kept])


def settle_cycles(work: Work, nodes: Numbers, label: NDArray[np.int32]) -> None:
    """Find scores for the cyclic components of these arguments; `label` is the number of each one's component."""
    nodes = nodes[np.argsort(label[nodes], kind="stable")]
    blocks = Blocks(nodes, np.flatnonzero(np.diff(label[nodes], prepend=-1)))
    if work.some_unsettled:
        lost = np.logical_or.reduceat(hanging(work, rows_of(work, nodes)), blocks.starts)
        work.unsettled[blocks.only(lost).nodes] = True
        blocks = blocks.only(~lost)
    if not len(blocks.starts):
        return
    inner = _inner(work, blocks)
    rates = _rates(blocks, inner)
    shrinking = rates < SHRINKS
    sure = np.ones_like(shrinking) if work.semantics.settles else shrinking
    if sure.any():
        chosen, alphas = blocks.only(sure), np.where(shrinking & (rates >= SLOWLY), 0.5, 1.0)[sure]
        residuals, steps = _iterate(work, chosen, alphas, work.tolerance, endless=True)
        certificate = CONTRACTION if shrinking[sure].all() else MONOTONE
        _record(work, chosen, residuals, residuals > work.tolerance, steps, certificate)
    if not sure.all():
        closed = sure.copy()
        closed[~sure] = _enclose(work, blocks.only(~sure))
        if not closed.all():
            norms = _norms(blocks, inner)[~closed]
            _damped(work, blocks.only(~closed), 1.0 / (1.0 + np.maximum(1.0, norms)))


def _record(work: Work, blocks: Blocks, residuals: Array, failed: Marks, iterations: int, certificate: int) -> None:
    work.unsettled[blocks.only(failed).nodes] = True
    work.some_unsettled = work.some_unsettled or bool(failed.any())
    work.certificate = max(work.certificate, certificate)
    work.iterations = max(work.iterations, iterations)
    work.residual = max(work.residual, float(residuals.max()))


def _inner(work: Work, blocks: Blocks) -> csr_array:
    """How strongly, at most, the arguments of the components bear on each other; by places among them."""
    size, order = len(blocks.nodes), np.argsort(blocks.nodes)
    ascending = blocks.nodes[order]
    slopes = work.semantics.slope(work.base[blocks.nodes])
    rows = rows_of(work, blocks.nodes)
    targets, sources, weights = [], [], []
    for one in (rows.pro, rows.con):
        target = np.repeat(one.filled, np.diff(one.starts, append=len(one.sources)))
        near = np.minimum(np.searchsorted(ascending, one.sources), size - 1)
        within = ascending[near] == one.sources
        targets.append(target[within])
        sources.append(order[near[within]])
        weights.append(one.weights[within] * slopes[target[within]])
    places = (np.concatenate(targets), np.concatenate(sources))
    return csr_array((np.concatenate(weights), places), shape=(size, size))


def _rates(blocks: Blocks, inner: csr_array) -> Array:
    """What each plain step shrinks to, at most: the least Collatz–Wielandt bounds on spectral radii found."""
    v, least = np.ones(len(blocks.nodes)), np.full(len(blocks.starts), math.inf)
    for _ in range(SHRINK_ROUNDS):
        product = inner @ v
        ratios = product / v
        least = np.minimum(least, np.maximum.reduceat(ratios, blocks.starts))
        if ((least < SLOWLY) | (np.minimum.reduceat(ratios, blocks.starts) >= 1.0)).all():
            break
        v += product
    return least


def _norms(blocks: Blocks, inner: csr_array) -> Array:
    """Each component's spectral norm of the magnitudes, by power iteration; no less than that of signed weights."""
    sizes, back = blocks.sizes(), csr_array(inner.T)
    v, norms = np.ones(len(blocks.nodes)), np.zeros(len(sizes))
    for _ in range(NORM_ROUNDS):
        v /= np.repeat(np.sqrt(np.add.reduceat(v * v, blocks.starts)), sizes)
        forward = inner @ v
        norms = np.sqrt(np.add.reduceat(forward * forward, blocks.starts))
        v = back @ forward
    return norms


@dataclass(slots=True)
class Watch:
    """Tells iterations that get somewhere from those that go round in circles, by the best residual of each window."""

    window: Array
    tolerance: float
    best: Array
    best_before: Array
    strikes: Numbers

    def hopeless(self, due: Numbers) -> Marks:
        """Close a window of these components; which of them are to be given up."""
        falls = np.log(self.best_before[due] / self.best[due])
        slow = self.window[due] * np.log(self.best[due] / self.tolerance) > MOST_ITERATIONS * falls
        self.strikes[due] = np.where((falls <= 0) | slow, self.strikes[due] + 1, 0)
        self.best_before[due], self.best[due] = self.best[due], math.inf
        given_up: Marks = self.strikes[due] == STRIKES
        return given_up


def _iterate(work: Work, blocks: Blocks, alphas: Array, tolerance: float, *, endless: bool) -> tuple[Array, int]:
    """Averaged steps (plain ones where α is 1), each component until it settles or is given up.

    The last residual of each, and how many steps were taken. `endless`: never give up.
    """
    count, x = len(blocks.starts), work.x
    residuals = np.full(count, math.inf)
    watch = Watch(np.ceil(WINDOW / alphas), tolerance, residuals.copy(), residuals.copy(), np.zeros(count, np.intp))
    going, present, part = np.ones(count, dtype=np.bool_), np.arange(count), blocks
    rows, moves = rows_of(work, blocks.nodes, often=True), np.zeros(len(blocks.nodes))
    for step in range(1, MOST_ITERATIONS + 1):
        previous, moves = moves, values(work, rows, x, x) - x[part.nodes]
        now = np.maximum.reduceat(np.abs(moves), part.starts)
        residuals[present] = np.where(going[present], now, residuals[present])
        watch.best[present] = np.minimum(watch.best[present], now)
        going &= residuals > tolerance
        strides = np.where(going, alphas, 0.0)[present]
        if step % STRETCH == 0:
            strides *= _strides(moves, previous, part)
        if not endless and len(due := np.flatnonzero(going & (step % watch.window == 0))):
            going[due] &= ~watch.hopeless(due)
        if not going.any():
            return residuals, step
        x[part.nodes] = np.clip(x[part.nodes] + np.repeat(strides, part.sizes()) * moves, 0.0, 1.0)
        if 2 * blocks.sizes()[going].sum() < len(part.nodes):
            moves = moves[np.repeat(going[present], part.sizes())]
            present, part = np.flatnonzero(going), blocks.only(going)
            rows = rows_of(work, part.nodes, often=True)
    return residuals, MOST_ITERATIONS


def _strides(moves: Array, previous: Array, blocks: Blocks) -> Array:
    """How many times the last move is still to come, where each has been a constant part of the one before; else 1."""

    def summed(products: Array) -> Array:
        return np.add.reduceat(products, blocks.starts)

    sizes = blocks.sizes()
    shrunk = summed(moves * previous) / np.maximum(summed(previous * previous), np.finfo(float).tiny)
    left = 1.0 - np.abs(shrunk)
    beside = summed((moves - np.repeat(shrunk, sizes) * previous) ** 2)
    straight = (left > 0) & (beside <= (STRAIGHT * left) ** 2 * summed(moves * moves))
    return np.where(straight, 1.0 / np.where(straight, 1.0 - shrunk, 1.0), 1.0)


def _enclose(work: Work, blocks: Blocks) -> Marks:
    """Narrow bounds around every fixpoint until they meet, and take that for the scores; where that succeeded."""
    closed = np.zeros(len(blocks.starts), dtype=np.bool_)
    present, part, rows = np.arange(len(blocks.starts)), blocks, rows_of(work, blocks.nodes, often=True)
    gap_before, steps = blocks.sizes().astype(np.float64), 0
    start_bounds(work, rows)
    for step in range(1, MOST_ITERATIONS + 1):
        narrow_bounds(work, rows)
        if step % BOUND_ROUNDS:
            continue
        gaps = work.high[part.nodes] - work.low[part.nodes]
        met = np.maximum.reduceat(gaps, part.starts) <= work.tolerance
        closed[present], steps = met, step if met.any() else steps
        gap = np.add.reduceat(gaps, part.starts)
        staying = ~met & (gap <= BOUND_PROGRESS * gap_before)
        if not staying.any():
            break
        gap_before = gap
        if not staying.all():
            present, part, gap_before = present[staying], part.only(staying), gap[staying]
            rows = rows_of(work, part.nodes, often=True)
    if closed.any():
        done = blocks.only(closed)
        take_bounds(work, done.nodes)
        moves = np.abs(values(work, rows_of(work, done.nodes), work.x, work.x) - work.x[done.nodes])
        _record(work, done, moves, np.zeros(len(done.starts), dtype=np.bool_), steps, MONOTONE)
    return closed


def _damped(work: Work, blocks: Blocks, alphas: Array) -> None:
    residuals, steps = _iterate(work, blocks, alphas, work.tolerance, endless=False)
    settled = residuals <= work.tolerance
    if settled.any():
        moves, more = _push(work, blocks.only(settled), alphas[settled])
        residuals[settled] = np.where(moves <= PUSH_TOLERANCE, residuals[settled], moves)
        steps += more
    failed = residuals > work.tolerance
    certificate = NONE if failed.any() or not _single_fixpoints(work, blocks) else MONOTONE
    _record(work, blocks, residuals, failed, steps, certificate)


def _single_fixpoints(work: Work, blocks: Blocks) -> bool:
    """Whether all these components are proven, by their weights, to have a single fixpoint each."""
    sizes = blocks.sizes()
    if work.semantics.product or sizes.max() > LARGEST_TRIED or len(sizes) > MOST_TRIED:
        return False
    for nodes in np.split(blocks.nodes, blocks.starts[1:]):
        signed = (work.pro[nodes] - work.con[nodes])[:, nodes].toarray()
        if not one_fixpoint(signed, work.semantics.slope(work.base[nodes])):
            return False
    return True


def _push(work: Work, blocks: Blocks, alphas: Array) -> tuple[Array, int]:
    """Iterate once more from scores close to those found, which stay; returns the last residuals and the steps."""
    found = work.x[blocks.nodes]
    places = np.arange(len(found)) - np.repeat(blocks.starts, blocks.sizes())
    work.x[blocks.nodes] += pushes(places, found)
    moves, steps = _iterate(work, blocks, alphas, PUSH_TOLERANCE, endless=False)
    away = np.maximum.reduceat(np.abs(work.x[blocks.nodes] - found), blocks.starts) > PUSH_RETURNS
    work.stable = work.stable and not away.any()
    work.x[blocks.nodes] = found
    return moves, steps
