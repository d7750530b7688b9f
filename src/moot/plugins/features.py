"""Features: what moot can do beyond staging a debate and reading it, each in a room of its own that can be left out.

A feature declares what it brings in a small module of its room, `moot/NAME/feature.py`, and nothing is imported for it
before it is used. Packages bring further ones by the entry point group `moot.features`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Literal

from moot.errors import ConfigError
from moot.plugins.guard import failing_as
from moot.plugins.table import Table

GROUP = "moot.features"
"""The entry point group for packages with features."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of click: where it is, as MODULE:NAME, or itself; its group in the list of commands; its line there."""

    at: Any
    group: str
    about: str


@dataclass(frozen=True, slots=True)
class Feature:
    """What a feature brings. `offers` are other things by the name that the kernel asks for, such as `debating`:
    options of the commands that debate. `routers` hold pages and routes. Each of the `tools` is a function of a server
    and its host, which adds tools to an MCP server. Everything is given as MODULE:NAME, or as the thing itself. `needs`
    are features that it cannot do without."""

    name: str
    commands: Mapping[str, Command] = field(default_factory=dict)
    routers: Sequence[Any] = ()
    tools: Sequence[Any] = ()
    extra: str = ""
    offers: Mapping[str, Any] = field(default_factory=dict)
    needs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a feature of moot without its room: its module, its extra, and the names of its commands."""

    module: str
    extra: str
    commands: tuple[str, ...] = ()


BUILT_IN = {
    "embedded": Known("moot.embedded", "embedded", ("models fetch",)),
    "argument": Known("moot.argument", "argument", ("argue", "contest")),
    "database": Known("moot.database", "postgresql"),
    "deliver": Known("moot.deliver", "deliver", ("runs deliver",)),
    "publish": Known("moot.publish", "publish", ("runs bundle", "runs decisions")),
    "memory": Known("moot.memory", "memory", ("memory",)),
    "studies": Known("moot.studies", "studies"),
    "batch": Known("moot.studies.batch", "studies", ("batch",)),
    "evaluate": Known("moot.studies.evaluate", "studies", ("eval",)),
    "tournament": Known("moot.studies.tournament", "studies"),
    "rejudge": Known("moot.studies.rejudge", "studies", ("rejudge",)),
    "queue": Known("moot.queue", "postgresql", ("worker",)),
    "feeds": Known("moot.feeds", "feeds", ("pulse",)),
    "pipelines": Known("moot.pipelines", "pipelines"),
    "telemetry": Known("moot.telemetry", "telemetry"),
    "service": Known("moot.service", "web"),
    "mcp": Known("moot.mcp", "mcp", ("mcp",)),
    "web": Known("moot.web", "web", ("serve",)),
}
"""The features of moot, in the order in which they are asked."""
TAKEN: set[str] = set()
"""The names of moot's own commands and protocols, which no others can have. The command line adds them."""


LONGEST_NAME = 40
_LISTS = (("routers", (list, tuple), "list"), ("tools", (list, tuple), "list"))


def _is_name(name: object) -> bool:
    """Whether this is a word that can be typed as a command."""
    if not isinstance(name, str) or not name.isascii() or len(name) > LONGEST_NAME:
        return False
    return name == name.lower() and name.replace("-", "_").isidentifier() and not name.startswith(("-", "_"))


class _Features(Table[Feature]):
    def register(self, thing: Feature) -> None:
        """Register a feature; ConfigError if it has a name of moot's own, or brings something that is not as it should
        be."""
        if not _is_name(thing.name):
            raise ConfigError(f"a feature's name has lower-case letters, digits, _ and -, and {thing.name!a} is none")
        this = f"the feature {thing.name!r}"
        if thing.name in BUILT_IN:
            raise ConfigError(f"{this} comes with moot; give this one another name")
        for what, kind, noun in (("commands", Mapping, "dict"), ("offers", Mapping, "dict"), *_LISTS):
            if not isinstance(named := getattr(thing, what), kind):
                raise ConfigError(f"the {what} of {this} should be a {noun}: {named!r:.100}")
        others = {name for other in self._added.values() if other.name != thing.name for name in other.commands}
        for name, command in thing.commands.items():
            if not _is_name(name):
                raise ConfigError(f"{this} has a command {name!a:.100}, which cannot be typed as one word")
            if name in TAKEN:
                raise ConfigError(f"{this} has a command {name!r}, which is one of moot's own; call it something else")
            if name in others:
                raise ConfigError(f"{this} has a command {name!r}, which another feature has; call it something else")
            if not isinstance(command, Command) or not isinstance(command.about, str):
                raise ConfigError(
                    f"the command {name!r} of {this} should be a Command(…, group, line): {command!r:.100}"
                )
        super().register(thing)


FEATURES = _Features(Feature, "feature", GROUP)
"""Those of packages and plug-in files."""


class MissingFeature(ConfigError):
    """Something belongs to a feature that is not installed."""

    def __init__(self, what: str, feature: str) -> None:
        self.feature = feature
        extra = BUILT_IN[feature].extra
        message = f"{what} belongs to the feature {feature}, which is not installed: pip install 'moot[{extra}]'"
        super().__init__(message, feature)


def features() -> Iterator[Feature]:
    """The features that are installed, moot's own first."""
    for name in BUILT_IN:
        if (found := built_in(name)) is not None:
            yield found
    yield from FEATURES


@cache
def built_in(name: str) -> Feature | None:
    """One of moot's own features; None if its room, or that of a feature it needs, has been left out. Only its
    declaration is loaded, and not the package around it, which may be large or need an extra."""
    module = f"{BUILT_IN[name].module}.feature"
    path = Path(__file__).parents[2].joinpath(*module.split(".")).with_suffix(".py")
    spec = spec_from_file_location(module, path)
    if not path.exists() or spec is None or spec.loader is None:
        return None
    declaration = module_from_spec(spec)
    spec.loader.exec_module(declaration)
    found: Feature = declaration.FEATURE
    return found if all(map(built_in, found.needs)) else None


def feature_of(module: str) -> str | None:
    """The feature of moot whose room has this module, or is this module; None if it is in the kernel."""
    rooms = [name for name, known in BUILT_IN.items() if f"{module}.".startswith(f"{known.module}.")]
    return max(rooms, key=lambda name: len(BUILT_IN[name].module), default=None)


def find_command(name: str) -> Command | None:
    """The command of a feature, or None; MissingFeature if it belongs to one that is not installed."""
    owner = next((feature for feature, known in BUILT_IN.items() if name in known.commands), None)
    if owner is None:
        return next((one.commands[name] for one in FEATURES if name in one.commands), None)
    if (found := built_in(owner)) is None:
        raise MissingFeature(f"`moot {name}`", owner)
    return found.commands[name]


def add_parts(part: Literal["routers", "tools"], add: Callable[[Any], object]) -> None:
    """Add these parts of every installed feature; ConfigError if one of a plug-in cannot be added."""
    for feature in features():
        fault = partial(_not_added, part, feature.name)
        for at in getattr(feature, part):
            with failing_as(fault):
                add(load(at))


def _not_added(part: str, name: str, why: str) -> ConfigError:
    return ConfigError(f"the {part} of the feature {name!r} cannot be added: {why}")


def offered(name: str) -> list[Any]:
    """What the installed features offer by this name."""
    return [load(feature.offers[name]) for feature in features() if name in feature.offers]


def needed(name: str, what: str, feature: str) -> Any:
    """What this feature offers by that name, for `what`; MissingFeature if it is not installed."""
    found = built_in(feature)
    if found is None:
        raise MissingFeature(what, feature)
    return load(found.offers[name])


def load(at: Any) -> Any:
    """What stands at MODULE:NAME; anything else is what is meant. ConfigError if a plug-in has nothing there."""
    if not isinstance(at, str):
        return at
    module, _, name = at.partition(":")
    if module.startswith("moot."):
        return getattr(import_module(module), name)
    with failing_as(
        lambda why: ConfigError(f"a feature is to have something at {at!a}, which cannot be loaded: {why}")
    ):
        return getattr(import_module(module), name)
