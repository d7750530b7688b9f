"""Tables of named things that others can add to: from installed packages, under entry points, or from a plug-in
file."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, Protocol, TypeVar

from moot.errors import ConfigError
from moot.text import clip, one_line

LONGEST_TOLD = 300


class Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Table(Generic[T]):
    """Things of one `kind`, by name: moot's `own`, those that were registered, and those of the entry points `group`,
    which are loaded when they are asked for. `what` is what people call one of them."""

    def __init__(self, kind: type[T], what: str, group: str) -> None:
        self.kind = kind
        self.what = what
        self.group = group
        self._own: dict[str, T] = {}
        self._added: dict[str, T] = {}

    def own(self, thing: T) -> T:
        """Put in something that comes with moot."""
        self._own[thing.name] = thing
        return thing

    def register(self, thing: T) -> None:
        """Make it known in this process. The same may be registered again; another of its name is refused."""
        if {**self._own, **self._added}.get(thing.name, thing) != thing:
            raise ConfigError(f"the {self.what} {thing.name!r} is there already; give this one another name")
        if thing.name not in self._own:  # a plug-in may import one of moot's own
            self._added[thing.name] = thing

    def get(self, name: str) -> T | None:
        """The one of that name, None where there is none; ConfigError where it cannot be loaded."""
        return self._own.get(name) or self._added.get(name) or self._of_package(name)

    def names(self) -> list[str]:
        """Those there are, moot's own first. Loads none."""
        others = {*self._added, *(point.name for point in self._points)}
        return [*self._own, *sorted(others - self._own.keys())]

    def __iter__(self) -> Iterator[T]:
        """Those that can be loaded."""
        for name in self.names():
            try:
                found = self.get(name)
            except ConfigError:
                continue
            if found is not None:
                yield found

    def faults(self) -> list[str]:
        """What is wrong with those that cannot be loaded."""
        found = []
        for name in self.names():
            try:
                self.get(name)
            except ConfigError as error:
                found.append(str(error))
        return found

    def _of_package(self, name: str) -> T | None:
        point = point_of(self._points, name)
        if point is None:
            return None
        thing = loaded(point, self.kind, self.what)
        self.register(thing)
        return thing

    @cached_property
    def _points(self) -> tuple[EntryPoint, ...]:
        return tuple(entry_points(group=self.group))


def point_of(points: Sequence[EntryPoint], name: str) -> EntryPoint | None:
    """The entry point of that name; ConfigError where more than one package has it."""
    several = [point for point in points if point.name == name]
    if len(several) > 1:
        packages = " and ".join(sorted(point.dist.name if point.dist else point.value for point in several))
        raise ConfigError(f"{packages} both bring a {name!r} for {several[0].group}; take one of them away")
    return several[0] if several else None


def loaded(point: EntryPoint, kind: type[T], what: str) -> T:
    """What an entry point names; ConfigError where it cannot be imported, or is something else."""
    try:
        thing = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit: what a package does on import ends nothing here
        raise ConfigError(f"the {what} {point.name!r} cannot be loaded: {in_a_line(error)}") from error
    if not isinstance(thing, kind) or thing.name != point.name:
        found = clip(one_line(repr(thing)), LONGEST_TOLD)
        raise ConfigError(f"the entry point {point.name!r} of {point.group} is no {what} of that name: {found}")
    return thing


def in_a_line(error: BaseException) -> str:
    """An error in the code of others, in a line that is not too long."""
    return clip(one_line(f"{type(error).__name__}: {error}"), LONGEST_TOLD)
