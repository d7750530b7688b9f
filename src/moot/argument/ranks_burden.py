"""Burdens of arguments step by step, compared exactly: intervals first, fractions where intervals are too wide."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key

from moot.argument.graph import ArgumentError

# Bits behind the point of an interval, tried in this order; fractions may have sixteen times as many.
PRECISIONS = (128, 1024, 8192)
_EXACT = 16


class TooClose(ArgumentError):
    """Two burdens that the precision can neither part nor prove equal."""


class Burden:
    """A number between `low` and `high`, 1 and the sum of 1 / each of `sources`; `bits` bounds the size of the
    fraction."""

    __slots__ = ("bits", "exact", "high", "low", "sources")

    def __init__(self, sources: tuple["Burden", ...], precision: int) -> None:
        one, square = 1 << precision, 1 << 2 * precision
        self.low: int = one + sum(square // source.high for source in sources)
        self.high: int = one + sum(-(-square // source.low) for source in sources)
        self.bits: int = sum(source.bits for source in sources) + len(sources).bit_length()
        # Without its sources it has no fraction, and the burdens of steps long past need no memory.
        self.sources = sources if self.bits <= _EXACT * precision else None
        self.exact: Fraction | None = None


class Burdens:
    """The burdens of all arguments after a number of steps, which `step` takes."""

    def __init__(self, attackers: Sequence[Sequence[int]], precision: int) -> None:
        self._attackers = attackers
        self._precision = precision
        start = Burden((), precision)
        self._now = [start] * len(attackers)
        self._changed = [True] * len(attackers)

    def step(self, places: Sequence[int]) -> list[int]:
        """Numbers that order the arguments of each place by their burdens after one more step."""
        made: dict[tuple[int, ...], Burden] = {}
        following = []
        for number, sources in enumerate(self._attackers):
            if not any(self._changed[source] for source in sources):
                following.append(self._now[number])
                continue
            before = [self._now[source] for source in sources]
            key = tuple(sorted(map(id, before)))
            if key not in made:
                made[key] = Burden(tuple(before), self._precision)
            following.append(made[key])
        self._changed = [one is not other for one, other in zip(self._now, following, strict=True)]
        self._now = following
        return self._in_order(places)

    def _in_order(self, places: Sequence[int]) -> list[int]:
        level: dict[int, set[Burden]] = {}
        for place, burden in zip(places, self._now, strict=True):
            level.setdefault(place, set()).add(burden)
        order: dict[tuple[int, Burden], int] = {}
        for place, burdens in level.items():
            ordered = sorted(burdens, key=cmp_to_key(_compared)) if len(burdens) > 1 else list(burdens)
            number = 0
            for before, burden in zip([ordered[0], *ordered], ordered, strict=False):
                number += _compared(before, burden) != 0
                order[place, burden] = number
        return [order[place, burden] for place, burden in zip(places, self._now, strict=True)]


def _compared(one: Burden, other: Burden) -> int:
    """-1, 0 or 1: the first is smaller, the same, or larger."""
    if one is other:
        return 0
    if one.high < other.low:
        return -1
    if other.high < one.low:
        return 1
    if one.sources is None or other.sources is None:
        raise TooClose("two burdens are too close to be compared")
    first, second = Counter(one.sources), Counter(other.sources)
    difference = _sum(first - second) - _sum(second - first)
    return (difference > 0) - (difference < 0)


def _sum(sources: Counter[Burden]) -> Fraction:
    return sum((count / _fraction(source) for source, count in sources.items()), Fraction(0))


def _fraction(burden: Burden) -> Fraction:
    """Its exact value. A stack of its own, as chains of attacks can be longer than that of Python."""
    waiting = [burden]
    while waiting:
        last = waiting[-1]
        values = [source.exact for source in last.sources or ()]
        if None in values:
            waiting += [source for source in last.sources or () if source.exact is None]
        else:
            last.exact = sum((1 / value for value in values if value), Fraction(1))
            waiting.pop()
    return burden.exact or Fraction(1)
