"""Families of extensions as lazy products: the first member costs one member of each factor, and none is kept whole."""

from collections.abc import Callable, Iterator, Sequence

from moot.argument.parts import Set

Source = Callable[[], Iterator[Set]]
# A factor with more members than this is made anew each time it is gone through.
_MOST_KEPT = 50_000


def product(sources: Sequence[Source]) -> Iterator[tuple[Set, ...]]:
    """Every choice of one member from each source, the last varying fastest; the first source is gone through once.

    The loop is an odometer rather than a recursion: there may be more factors than Python has frames.
    """
    kept = [_Kept(source) if place else source for place, source in enumerate(sources)]
    running = [iter(each()) for each in kept[:1]]
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
        if len(running) == len(kept):
            yield tuple(current)
            current.pop()
        else:
            running.append(kept[len(running)]())


class _Kept:
    """A source that can be gone through many times and remembers its members, if they are not too many."""

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
                if len(members) > _MOST_KEPT:
                    members = None
            yield member
        self._members = members
