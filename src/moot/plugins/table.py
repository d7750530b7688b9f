"""Tables of named things that others can extend, by entry points of installed packages or from a plug-in file."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from moot.errors import ConfigError
from moot.plugins.guard import loading
from moot.text import clip, one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LONGEST_MESSAGE = 300


class Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Table(Generic[T]):
    """Things of one `kind` by name: moot's `own`, registered ones, and those of the entry point `group`, which are
    loaded on demand. `what` is the noun for one of them in messages."""

    def __init__(self, kind: type[T], what: str, group: str) -> None:
        self.kind = kind
        self.what = what
        self.group = group
        self._own: dict[str, T] = {}
        self._added: dict[str, T] = {}

    def own(self, thing: T) -> T:
        """Add something that is part of moot."""
        self._own[thing.name] = thing
        return thing

    def register(self, thing: T) -> None:
        """Register a thing in this process. Registering it again is fine; a different one with its name is refused."""
        if {**self._own, **self._added}.get(thing.name, thing) != thing:
            raise ConfigError(f"the {self.what} {thing.name!r} is there already; give this one another name")
        if thing.name not in self._own:  # a plug-in can import one of moot's own
            self._added[thing.name] = thing

    def get(self, name: str) -> T | None:
        """The thing with this name, or None; ConfigError if it cannot be loaded."""
        return self._own.get(name) or self._added.get(name) or self._of_package(name)

    def names(self) -> list[str]:
        """All names, moot's own first, without loading anything."""
        others = {*self._added, *(point.name for point in self._points)}
        return [*self._own, *sorted(others - self._own.keys())]

    def __iter__(self) -> Iterator[T]:
        """The things that can be loaded."""
        for name in self.names():
            try:
                thing = self.get(name)
            except ConfigError:
                continue
            if thing is not None:
                yield thing

    def faults(self) -> list[str]:
        """Messages about the things that cannot be loaded."""
        messages = []
        for name in self.names():
            try:
                self.get(name)
            except ConfigError as error:
                messages.append(str(error))
        return messages

    def _of_package(self, name: str) -> T | None:
        point = find_point(self._points, name)
        if point is None:
            return None
        thing = load_point(point, self.kind, self.what)
        self.register(thing)
        return thing

    @cached_property
    def _points(self) -> "tuple[EntryPoint, ...]":
        from importlib.metadata import entry_points  # it takes a while to load

        return tuple(entry_points(group=self.group))


def find_point(points: "Sequence[EntryPoint]", name: str) -> "EntryPoint | None":
    """The entry point with this name; ConfigError if several packages have one."""
    several = [point for point in points if point.name == name]
    if len(several) > 1:
        packages = " and ".join(sorted(point.dist.name if point.dist else point.value for point in several))
        raise ConfigError(f"{packages} both bring a {name!r} for {several[0].group}; take one of them away")
    return several[0] if several else None


def load_point(point: "EntryPoint", kind: type[T], what: str) -> T:
    """The object of an entry point; ConfigError if it cannot be imported or has the wrong type or name."""
    with loading(lambda error: ConfigError(f"the {what} {point.name!r} cannot be loaded: {error_line(error)}")):
        thing = point.load()
    if not isinstance(thing, kind) or thing.name != point.name:
        description = clip(one_line(repr(thing)), LONGEST_MESSAGE)
        raise ConfigError(f"the entry point {point.name!r} of {point.group} is no {what} of that name: {description}")
    return thing


def error_line(error: BaseException) -> str:
    """An error from other people's code, as one short line."""
    return clip(one_line(f"{type(error).__name__}: {error}"), LONGEST_MESSAGE)
