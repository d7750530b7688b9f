"""Burdens of arguments step by step, compared exactly, though they are known only as intervals: two fractions that are
closer than their denominators allow are the same."""

from collections import Counter

from moot.argument.graph import ArgumentError

PRECISIONS = (128, 1024, 8192)
"""Bits behind the point of an interval, tried in this order."""
_MOST_BITS = 1 << 20


class TooClose(ArgumentError):
    """Two burdens that the precision can neither part nor prove equal."""


class Burden:
    """A number between `low` and `high`, 1 and the sum of 1 / each of `sources`: a fraction of at most `bits`."""

    __slots__ = ("bits", "high", "low", "sources")

    def __init__(self, sources: tuple["Burden", ...], precision: int) -> None:
        one, square = 1 << precision, 1 << 2 * precision
        self.low: int = one + sum(square // source.high for source in sources)
        self.high: int = one + sum(-(-square // source.low) for source in sources)
        # Each source is at least 1, so its denominator is no longer than its numerator.
        self.bits: int = min(_MOST_BITS, sum(source.bits for source in sources) + len(sources).bit_length())
        self.sources: tuple[Burden, ...] | None = sources


class Burdens:
    """Burdens in each step, and how they compare."""

    name = "burden"
    adds = False

    def __init__(self, precision: int) -> None:
        self._precision = precision
        self.weight = 1 + precision**2 // (1 << 18)  # as long as a division takes
        self.start = Burden((), precision)
        self._made: dict[tuple[int, ...], Burden] = {}
        self._made_before: list[Burden] = []
        self._known: dict[tuple[Burden, Burden], int] = {}
        self._known_before: dict[tuple[Burden, Burden], int] = {}

    def begin(self, number: int) -> None:  # noqa: ARG002 (as all values)
        # The burdens of steps long past need no memory.
        for one in self._made_before:
            one.sources = None
        self._made, self._made_before = {}, [*self._made.values()]
        self._known, self._known_before = {}, self._known

    def value(self, sources: list[Burden], before: Burden) -> Burden:
        key = tuple(sorted(map(id, sources)))
        if before.sources is not None and key == tuple(sorted(map(id, before.sources))):
            return before
        if key not in self._made:
            self._made[key] = Burden(tuple(sources), self._precision)
        return self._made[key]

    def compared(self, one: Burden, other: Burden) -> int:
        """-1, 0 or 1: the first is smaller, the same, or larger."""
        known = self._quickly(one, other)
        if known is None:
            known = self._by_sources(one, other)
            self._known[one, other], self._known[other, one] = known, -known
        return known

    def _quickly(self, one: Burden, other: Burden) -> int | None:
        """By the intervals, or as it was found in this step or the one before."""
        if one is other:
            return 0
        if one.high < other.low or other.high < one.low:
            return -1 if one.high < other.low else 1
        known = self._known.get((one, other))
        return self._known_before.get((one, other)) if known is None else known

    def _by_sources(self, one: Burden, other: Burden) -> int:
        """Sources of both do not count. Where one of each is left, the larger of them makes the smaller burden."""
        while not self._are_equal(one, other):
            if one.sources is None or other.sources is None:
                raise TooClose("two burdens are too close to be compared")
            several, others = Counter(one.sources), Counter(other.sources)
            first, second = several - others, others - several
            if not first and not second:
                return 0
            if len(first) != 1 or len(second) != 1 or [*first.values()] != [*second.values()]:
                raise TooClose("two burdens are too close to be compared")
            [one], [other] = second, first
            if (known := self._quickly(one, other)) is not None:
                return known
        return 0

    def _are_equal(self, one: Burden, other: Burden) -> bool:
        """Different fractions with denominators of a and b bits are at least 2 to the power of -(a + b) apart."""
        apart = max(one.high, other.high) - min(one.low, other.low)
        return apart.bit_length() + one.bits + other.bits <= self._precision
