"""The solver of gradual scores: one argument, or one cyclic component, at a time."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Literal

from moot.argument.graph import Graph
from moot.argument.semantics import Semantics

Certificate = Literal["acyclic", "contraction", "monotone", "none"]
CERTIFICATES: tuple[Certificate, ...] = ("acyclic", "contraction", "monotone", "none")
"""The strongest first."""
TOLERANCE = 1e-12
BASE = 0.5
"""The base score of an argument without one."""

# A component whose steps are proven to shrink at least to this, each, is iterated without more ado; nearer to 1 that
# would take too long. From SLOWLY on, half steps are taken: they shrink as well, and do not swing.
SHRINKS, SLOWLY = 0.999, 0.9
SHRINK_ROUNDS = 8
NORM_ROUNDS = 20
# Bounds from below and above are given up when ten rounds do not take a fifth off the gap between them.
BOUND_ROUNDS, BOUND_PROGRESS = 10, 0.8
# Every so many steps it is seen whether steps shrink in one direction, up to this part of their shrinking; those still
# to come are then taken all at once.
STRETCH, STRAIGHT = 20, 0.1
# An iteration goes round in circles when over so many times 1/α steps, twice in a row, its best residual does not fall
# fast enough to become small in any time.
WINDOW, STRIKES = 20, 2
MOST_ITERATIONS = 100_000
# Scores that were merely seen to settle are pushed by up to so much, to see whether they settle again, and where.
PUSH, PUSH_TOLERANCE, PUSH_RETURNS = 1e-4, 1e-7, 1e-3
GOLDEN = 0.6180339887498949
# Larger components are not tried for a single fixpoint by their weights: it takes cubic time.
LARGEST_TRIED = 200
MARGIN = 1e-9

Incoming = list[list[tuple[int, float]]]
# The score of an argument, its supporters' scores taken from the first list and its attackers' from the second.
Value = Callable[[int, list[float], list[float]], float]


@dataclass(slots=True)
class Work:
    """The scores so far, `x`, and what is known of the components so far; `low` and `high` are for bounds."""

    semantics: Semantics
    base: list[float]
    pro: Incoming
    con: Incoming
    sources: list[list[int]]
    value: Value
    x: list[float]
    low: list[float]
    high: list[float]
    residual: float = 0.0
    iterations: int = 0
    certificate: Certificate = "acyclic"
    stable: bool = True


@dataclass(frozen=True, eq=False)
class Solution:
    """What the solver found, by number. A value is None where nothing settled; there `low` and `high` enclose every
    fixpoint.

    `certificate` is the weakest of any component.
    """

    values: list[float | None]
    low: list[float]
    high: list[float]
    residual: float
    iterations: int
    certificate: Certificate
    stable: bool


def solve(graph: Graph, semantics: Semantics) -> Solution:
    pro, con = _incoming(graph, semantics)
    start = [BASE if weight is None else weight for weight in graph.weights]
    value = _evaluator(semantics, start, pro, con)
    sources = [[s for s, _ in pro[i]] + [s for s, _ in con[i]] for i in range(len(start))]
    x = list(start)
    work = Work(semantics, start, pro, con, sources, value, x, list(start), list(start))
    unsettled = set[int]()
    for members in strong_components(sources):
        first = members[0]
        if unsettled and any(s in unsettled for i in members for s in sources[i]):
            unsettled.update(members)
        elif len(members) == 1 and first not in sources[first]:
            if sources[first]:
                x[first] = value(first, x, x)
        elif not _settle(work, members):
            unsettled.update(members)
    low = high = x
    values: list[float | None] = [*x]
    if unsettled:
        low, high = _bounds(sorted(unsettled), value, x)
        for i in unsettled:
            values[i] = (low[i] + high[i]) / 2 if high[i] - low[i] <= TOLERANCE else None
    return Solution(values, low, high, work.residual, work.iterations, work.certificate, work.stable)


def _incoming(graph: Graph, semantics: Semantics) -> tuple[Incoming, Incoming]:
    pro: Incoming = [[] for _ in graph.names]
    con: Incoming = [[] for _ in graph.names]
    for source, target, kind in graph.relations():
        if kind != "support":
            con[target].append((source, semantics.undercut if kind == "undercut" else semantics.rebuttal))
        else:
            pro[target].append((source, semantics.support))
    return pro, con


def _evaluator(semantics: Semantics, base: list[float], pro: Incoming, con: Incoming) -> Value:
    influence = semantics.influence

    def by_sum(i: int, raising: list[float], lowering: list[float]) -> float:
        total = 0.0
        for s, weight in pro[i]:
            total += weight * raising[s]
        for s, weight in con[i]:
            total -= weight * lowering[s]
        return influence(base[i], total)

    def by_product(i: int, raising: list[float], lowering: list[float]) -> float:
        unattacked = unsupported = 1.0
        for s, _ in con[i]:
            unattacked *= 1.0 - lowering[s]
        for s, _ in pro[i]:
            unsupported *= 1.0 - raising[s]
        return influence(base[i], unattacked - unsupported)

    return by_product if semantics.product else by_sum


def strong_components(sources: Sequence[Sequence[int]]) -> list[list[int]]:
    """Tarjan's strongly connected components, without recursion; each comes after all that it depends on."""
    found: list[list[int]] = []
    number, lowest = [-1] * len(sources), [0] * len(sources)
    done = [False] * len(sources)
    stack: list[int] = []
    counter = 0
    for root in range(len(sources)):
        if number[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, edge = work.pop()
            if edge == 0:
                number[node] = lowest[node] = counter
                counter += 1
                stack.append(node)
            else:
                lowest[node] = min(lowest[node], lowest[sources[node][edge - 1]])
            onward = sources[node]
            while edge < len(onward):
                other = onward[edge]
                edge += 1
                if number[other] < 0:
                    work.append((node, edge))
                    work.append((other, 0))
                    break
                if not done[other] and number[other] < lowest[node]:
                    lowest[node] = number[other]
            else:
                if lowest[node] == number[node]:
                    members: list[int] = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        done[members[-1]] = True
                    found.append(members)
                    lowest[node] = len(sources)
    return found


def _settle(work: Work, members: list[int]) -> bool:
    """Find scores for a cyclic component; False when none were found."""
    inner = _inner(work, members)
    rate = _rate(inner)
    certificate: Certificate
    if rate < SHRINKS:
        alpha = 0.5 if SLOWLY <= rate < SHRINKS else 1.0
        steps, residual = _iterate(work, members, alpha, TOLERANCE, endless=True)
        settled, certificate = residual <= TOLERANCE, "contraction"
    elif steps := _enclose(work, members):
        residual = max(abs(work.value(i, work.x, work.x) - work.x[i]) for i in members)
        settled, certificate = True, "monotone"
    else:
        alpha = 1.0 / (1.0 + max(1.0, _norm(inner)))
        steps, residual = _iterate(work, members, alpha, TOLERANCE, endless=False)
        if settled := residual <= TOLERANCE:
            more, moves = _push(work, members, alpha)
            settled, steps = moves <= PUSH_TOLERANCE, steps + more
            residual = residual if settled else moves
        certificate = "monotone" if settled and _one_fixpoint(work, members) else "none"
    work.certificate = max(work.certificate, certificate, key=CERTIFICATES.index)
    work.iterations = max(work.iterations, steps)
    work.residual = max(work.residual, residual)
    return settled


def _inner(work: Work, members: list[int]) -> Incoming:
    """For each member, the members that bear on it and how strongly at most; by their places among the members."""
    place = {i: k for k, i in enumerate(members)}
    rows = []
    for i in members:
        slope = work.semantics.slope(work.base[i])
        rows.append([(place[s], slope * weight) for s, weight in (*work.pro[i], *work.con[i]) if s in place])
    return rows


def _one_fixpoint(work: Work, members: list[int]) -> bool:
    """Whether a component summed with these signed weights is proven to have a single fixpoint.

    Two fixpoints would differ by d with dᵀ(S⁻¹ − W)d ≤ 0, where no influence is steeper than S: impossible when the
    symmetric part of S⁻¹ − W is positive definite, as it is of arguments that all attack each other alike.
    """
    if work.semantics.product or len(members) > LARGEST_TRIED:
        return False
    place = {i: k for k, i in enumerate(members)}
    matrix = [[0.0] * len(members) for _ in members]
    for i, row in zip(members, matrix, strict=True):
        row[place[i]] += 1.0 / max(work.semantics.slope(work.base[i]), MARGIN) - MARGIN
        for sign, several in ((1, work.pro[i]), (-1, work.con[i])):
            for s, weight in several:
                if s in place:
                    row[place[s]] -= sign * weight / 2
                    matrix[place[s]][place[i]] -= sign * weight / 2
    return _is_positive_definite(matrix)


def _is_positive_definite(matrix: list[list[float]]) -> bool:
    """Whether a symmetric matrix has a Cholesky decomposition."""
    lower: list[list[float]] = []
    for row in matrix:
        mine: list[float] = []
        for above in lower:
            mine.append((row[len(mine)] - sum(map(mul, mine, above))) / above[-1])
        square = row[len(mine)] - sum(map(mul, mine, mine))
        if square <= 0:
            return False
        lower.append([*mine, math.sqrt(square)])
    return True


def _rate(inner: Incoming) -> float:
    """What each plain step shrinks to, at most: the least Collatz–Wielandt bound on the spectral radius found."""
    v = [1.0] * len(inner)
    least = math.inf
    for _ in range(SHRINK_ROUNDS):
        products = [sum(weight * v[k] for k, weight in row) for row in inner]
        ratios = [product / before for product, before in zip(products, v, strict=True)]
        least = min(least, max(ratios))
        if least < SLOWLY or min(ratios) >= 1.0:
            break
        v = [before + product for before, product in zip(v, products, strict=True)]
    return least


def _norm(inner: Incoming) -> float:
    """The spectral norm of the magnitudes, by power iteration; it is no less than that of the signed weights."""
    v = [1.0] * len(inner)
    norm = 0.0
    for _ in range(NORM_ROUNDS):
        length = math.sqrt(sum(one * one for one in v))
        v = [one / length for one in v]
        forward = [sum(weight * v[k] for k, weight in row) for row in inner]
        norm = math.sqrt(sum(one * one for one in forward))
        v = [0.0] * len(inner)
        for row, product in zip(inner, forward, strict=True):
            for k, weight in row:
                v[k] += weight * product
    return norm


def _iterate(work: Work, members: list[int], alpha: float, tolerance: float, *, endless: bool) -> tuple[int, float]:
    """Averaged steps (plain ones where α is 1); how many, and the last residual. Endless: never give up."""
    value, x = work.value, work.x
    window = math.ceil(WINDOW / alpha)
    best, best_before, strikes = math.inf, math.inf, 0
    moves: list[float] = []
    for step in range(1, MOST_ITERATIONS + 1):
        previous, moves = moves, [value(i, x, x) - x[i] for i in members]
        residual = max(map(abs, moves))
        if residual <= tolerance:
            return step, residual
        stride = alpha if step % STRETCH else alpha * _stride(moves, previous)
        for i, move in zip(members, moves, strict=True):
            x[i] = min(1.0, max(0.0, x[i] + stride * move))
        best = min(best, residual)
        if step % window == 0 and not endless:
            falls = math.log(best_before / best)
            hopeless = falls <= 0 or window * math.log(best / tolerance) > MOST_ITERATIONS * falls
            strikes = strikes + 1 if hopeless else 0
            if strikes == STRIKES:
                return step, residual
            best, best_before = math.inf, best
    return MOST_ITERATIONS, residual


def _stride(moves: list[float], previous: list[float]) -> float:
    """How many times the last move is still to come, where each has been a constant part of the one before; else 1."""
    shrunk = sum(map(mul, moves, previous)) / sum(map(mul, previous, previous))
    if not -1.0 < shrunk < 1.0:
        return 1.0
    beside = sum((move - shrunk * before) ** 2 for move, before in zip(moves, previous, strict=True))
    straight = beside <= (STRAIGHT * (1.0 - abs(shrunk))) ** 2 * sum(map(mul, moves, moves))
    return 1.0 / (1.0 - shrunk) if straight else 1.0


def _push(work: Work, members: list[int], alpha: float) -> tuple[int, float]:
    """Iterate once more from scores close to those found, which stay; returns the steps and the last residual."""
    found = [work.x[i] for i in members]
    for number, i in enumerate(members):
        # Inwards, and differently for each argument, so that it breaks every symmetry.
        push = PUSH * (0.5 + number * GOLDEN % 1.0)
        work.x[i] += -push if work.x[i] > BASE else push
    steps, moves = _iterate(work, members, alpha, PUSH_TOLERANCE, endless=False)
    away = max(abs(work.x[i] - score) for i, score in zip(members, found, strict=True))
    work.stable = work.stable and away <= PUSH_RETURNS
    for i, score in zip(members, found, strict=True):
        work.x[i] = score
    return steps, moves


def _enclose(work: Work, members: list[int]) -> int:
    """Narrow bounds around every fixpoint until they meet, and take that for the scores; 0 when they do not meet."""
    value, low, high = work.value, work.low, work.high
    for i in members:
        for s in work.sources[i]:
            low[s] = high[s] = work.x[s]
    for i in members:
        low[i], high[i] = 0.0, 1.0
    gap_before = float(len(members))
    for step in range(1, MOST_ITERATIONS + 1):
        _narrow(members, value, low, high)
        gaps = [high[i] - low[i] for i in members]
        if max(gaps) <= TOLERANCE:
            for i in members:
                work.x[i] = (low[i] + high[i]) / 2
            return step
        if step % BOUND_ROUNDS == 0:
            gap = sum(gaps)
            if gap > BOUND_PROGRESS * gap_before:
                return 0
            gap_before = gap
    return 0


def _bounds(unsettled: list[int], value: Value, x: list[float]) -> tuple[list[float], list[float]]:
    """Enclose the scores that did not settle; narrowing may stop at any time, the bounds hold all the same."""
    low, high = list(x), list(x)
    for i in unsettled:
        low[i], high[i] = 0.0, 1.0
    for _ in range(BOUND_ROUNDS * BOUND_ROUNDS):
        _narrow(unsettled, value, low, high)
    return low, high


def _narrow(members: list[int], value: Value, low: list[float], high: list[float]) -> None:
    """One round. Each bound is used as soon as it is there, which takes fewer rounds than waiting for all of them."""
    for i in members:
        low[i], high[i] = value(i, low, high), value(i, high, low)
