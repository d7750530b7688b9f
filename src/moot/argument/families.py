"""Families of extensions as lazy products: the first member costs one member of each factor, and products are not
stored."""

from collections.abc import Callable, Iterator, Sequence

from moot.argument.parts import Set

Source = Callable[[], Iterator[Set]]
# A factor with more members than this is generated again for each pass.
_MOST_STORED = 50_000


def product(sources: Sequence[Source]) -> Iterator[tuple[Set, ...]]:
    """Every choice of one member from each source, the last varying fastest; the first source is read only once.

    The loop is an odometer instead of a recursion, since there can be more factors than Python has frames.
    """
    factors = [_CachedSource(source) if place else source for place, source in enumerate(sources)]
    running = [iter(each()) for each in factors[:1]]
    current: list[Set] = []
    if not sources:
        yield ()
    while running:
        following = next(running[-1], None)
        if following is None:
            running.pop()
            if current:
                current.pop()
            continue
        current.append(following)
        if len(running) == len(factors):
            yield tuple(current)
            current.pop()
        else:
            running.append(factors[len(running)]())


class _CachedSource:
    """A source that can be read many times, and stores its members if there are not too many."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._members: list[Set] | None = None

    def __call__(self) -> Iterator[Set]:
        if self._members is not None:
            yield from self._members
            return
        members: list[Set] | None = []
        for member in self._source():
            if members is not None:
                members.append(member)
                if len(members) > _MOST_STORED:
                    members = None
            yield member
        self._members = members
