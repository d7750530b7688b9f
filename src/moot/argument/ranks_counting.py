"""Counting semantics, ordered exactly: the solution of v = 1 − α · M v, where M is the attack matrix over its largest
row sum.

The solution is known up to a proven error, in whole numbers. Arguments are apart if their values are further apart than
that. They are equal if a symmetry says so, or if their difference is smaller than any fraction that can be one: all
values are fractions with the determinant of the equations as denominator, which has a bound.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from moot.argument.graph import ArgumentError
from moot.argument.ranks_alike import Alike, targets_of

DAMPING = 0.9
# The same as a fraction: whole numbers keep the equations exact.
_DAMPING, _WHOLE = 9, 10
_FEWEST_BITS, _MOST_BITS = 128, 1 << 15
# The bits of all values together: more would take minutes. Without cycles each value is found at once.
_MOST_DIGITS, _MOST_DIGITS_WITHOUT_CYCLES = 40_000_000, 400_000_000
# A pass brings a correction right to about this many bits.
_PASSES, _STEP = 260, 60


def counting_places(names: Sequence[str], attackers: Sequence[Sequence[int]]) -> list[int]:
    """The rank of each argument, counted from 0, the largest value first."""
    if not any(attackers):
        return [0] * len(attackers)
    equations = _Equations(attackers)
    bits = _FEWEST_BITS
    while True:
        close = equations.solve(bits)
        if close is None:
            return equations.places()
        bits *= 2
        if bits > _MOST_BITS or bits * len(attackers) > equations.most_digits:
            one, other = (names[number] for number in close)
            raise ArgumentError(
                f"counting cannot tell whether {one} and {other} are level in a graph of this size: they differ by less"
                f" than 2 to the power of -{bits // 2 - 8}, and no proof was found that they are equal"
            )


class _Equations:
    def __init__(self, attackers: Sequence[Sequence[int]]) -> None:
        self._attackers = attackers
        self._most = max(map(len, attackers))
        self._sources = np.array([source for sources in attackers for source in sources])
        self._targets = np.repeat(np.arange(len(attackers)), [len(sources) for sources in attackers])
        self._alike = Alike(attackers)
        self._classes = self._alike.classes
        self._order = _in_order(attackers)
        acyclic = len(self._order) == len(attackers)
        self.most_digits = _MOST_DIGITS_WITHOUT_CYCLES if acyclic else _MOST_DIGITS
        self._bits = 0
        self._values: list[int] = []
        self._places: list[int] = []

    def places(self) -> list[int]:
        return self._places

    def solve(self, bits: int) -> tuple[int, int] | None:
        """Find the places with this precision, or two arguments for which it is not enough."""
        more, self._bits = bits - self._bits, bits
        self._values = [value << more for value in self._values] or [1 << bits] * len(self._attackers)
        error = self._refine(1 << bits)
        order = sorted(range(len(self._values)), key=lambda number: -self._values[number])
        self._places, place = [0] * len(order), 0
        for before, number in pairwise(order):
            if self._values[before] - self._values[number] > 2 * error:
                place += 1
            elif not self._equal(before, number, error):
                return before, number
            self._places[number] = place
        return None

    def _refine(self, one: int) -> int:
        """Correct the values until whole numbers allow no more; the bound of their error."""
        scale = _WHOLE * self._most
        for number in self._order:
            self._values[number] = one - _DAMPING * sum(self._values[each] for each in self._attackers[number]) // scale
        while True:
            rests = [
                scale * (one - value) - _DAMPING * sum(self._values[source] for source in sources)
                for value, sources in zip(self._values, self._attackers, strict=True)
            ]
            largest = max(map(abs, rests))
            # The norm of the inverse is at most 1 / (1 - 9/10) / scale, so this holds for every graph.
            if largest <= 4 * scale:
                return largest * _WHOLE // scale + 1
            shift = max(0, largest.bit_length() - _STEP)
            corrections = self._corrections(np.array([float(rest >> shift) / scale for rest in rests]))
            self._values = [
                value + (round(correction) << shift)
                for value, correction in zip(self._values, corrections.tolist(), strict=True)
            ]

    def _corrections(self, rests: NDArray[np.float64]) -> NDArray[np.float64]:
        found = rests
        for _ in range(_PASSES):
            pressed = np.bincount(self._targets, weights=found[self._sources], minlength=len(rests))
            found = rests - DAMPING / self._most * pressed
        return found

    def _equal(self, one: int, other: int, error: int) -> bool:
        """Whether it is proven that two arguments have the same value."""
        if self._alike.same_paths(one, other):
            return True
        first, second = (Counter(self._classes[source] for source in self._attackers[each]) for each in (one, other))
        left = [*(first - second), *(second - first)]
        # Times α / most, the sum over these is the difference. It is 0, or at least 1 / the determinant.
        allowed = self._bits - (4 * _WHOLE * self._most * error).bit_length()
        return self._determinant_bits(left, allowed) < allowed

    def _determinant_bits(self, classes: Sequence[int], allowed: float) -> float:
        """A bound of the determinant of the equations for everything that affects these classes, as bits."""
        found, waiting, bits = set(classes), list(classes), 0.0
        while waiting and bits < allowed:
            sources = self._attackers[self._member[waiting.pop()]]
            bits += log2(_WHOLE * self._most + _DAMPING * len(sources))
            new = {self._classes[source] for source in sources} - found
            found |= new
            waiting += new
        return ceil(bits)

    @cached_property
    def _member(self) -> dict[int, int]:
        """An argument of each class."""
        return {each: number for number, each in enumerate(self._classes)}


def _in_order(attackers: Sequence[Sequence[int]]) -> list[int]:
    """The arguments that are not behind a cycle, each after its attackers."""
    targets = targets_of(attackers)
    open_attackers = [len(sources) for sources in attackers]
    order = [number for number, count in enumerate(open_attackers) if not count]
    for source in order:
        for target in targets[source]:
            open_attackers[target] -= 1
            if not open_attackers[target]:
                order.append(target)
    return order
