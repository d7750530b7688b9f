"""Tables of named things that others can add to: from installed packages, under entry points, or from a plug-in
file."""

from collections.abc import Iterator
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, Protocol, TypeVar

from moot.errors import ConfigError


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
        for name in self.names():
            if (found := self.get(name)) is not None:
                yield found

    def _of_package(self, name: str) -> T | None:
        point = next((one for one in self._points if one.name == name), None)
        if point is None:
            return None
        thing = loaded(point, self.what)
        if not isinstance(thing, self.kind) or thing.name != name:
            raise ConfigError(f"the entry point {name!r} of {self.group} is no {self.what} of that name: {thing!r}")
        self.register(thing)
        return thing

    @cached_property
    def _points(self) -> tuple[EntryPoint, ...]:
        return tuple(entry_points(group=self.group))


def loaded(point: EntryPoint, what: str) -> Any:
    """What an entry point names; ConfigError where it cannot be imported."""
    try:
        return point.load()
    except Exception as error:
        raise ConfigError(f"the {what} {point.name!r} cannot be loaded: {type(error).__name__}: {error}") from error
