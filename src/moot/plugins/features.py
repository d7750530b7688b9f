"""Features: what moot can do beyond staging a debate and reading it, each in a room of its own that can be left out.

A feature declares what it brings in a small module of its room, `moot/NAME/feature.py`, and nothing is imported for it
before it is used. Packages bring further ones by the entry point group `moot.features`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

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
    options of the commands that debate. `routers` hold pages and routes, `tools` add tools to an MCP server. Everything
    is given as MODULE:NAME, or as the thing itself. `needs` are features that it cannot do without."""

    name: str
    extra: str
    commands: Mapping[str, Command] = field(default_factory=dict)
    offers: Mapping[str, str] = field(default_factory=dict)
    routers: Sequence[str] = ()
    tools: Sequence[str] = ()
    needs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a feature of moot without its room: its module, its extra, and the names of its commands."""

    module: str
    extra: str
    commands: tuple[str, ...] = ()


BUILT_IN = {
    "argument": Known("moot.argument", "argument", ("argue", "contest")),
    "database": Known("moot.database", "postgresql"),
    "deliver": Known("moot.deliver", "deliver", ("runs deliver",)),
    "memory": Known("moot.memory", "memory", ("memory",)),
    "queue": Known("moot.queue", "postgresql", ("worker",)),
    "feeds": Known("moot.feeds", "feeds", ("pulse",)),
    "studies": Known("moot.studies", "studies"),
    "batch": Known("moot.studies.batch", "studies", ("batch",)),
    "evaluate": Known("moot.studies.evaluate", "studies", ("eval",)),
    "rejudge": Known("moot.studies.rejudge", "studies", ("rejudge",)),
    "telemetry": Known("moot.telemetry", "telemetry"),
    "service": Known("moot.service", "web"),
    "mcp": Known("moot.mcp", "mcp", ("mcp",)),
    "web": Known("moot.web", "web", ("serve",)),
}
"""The features of moot, in the order in which they are asked."""
COMMANDS_TAKEN = {"help", *(name for known in BUILT_IN.values() for name in known.commands)}
"""The commands that no plug-in can bring. The command line adds its own and the protocols."""
LONGEST_NAME = 40


class Added(Table[Feature]):
    """The features of packages and plug-in files, which are no more than they may be."""

    def register(self, thing: Feature) -> None:
        _check(thing)
        others = [one for one in self._added.values() if one.name != thing.name]
        if taken := sorted(
            thing.commands.keys() & {*COMMANDS_TAKEN, *(name for one in others for name in one.commands)}
        ):
            raise ConfigError(f"the feature {thing.name} brings `moot {taken[0]}`, which is a command already")
        super().register(thing)


def _check(feature: Feature) -> None:
    """ConfigError for a feature with a part that nobody can use."""
    if not _is_name(feature.name):
        raise ConfigError(f"a feature's name has lower-case letters, digits, _ and -, and {feature.name!a} is none")
    if feature.name in BUILT_IN:
        raise ConfigError(
            f"there is a feature {feature.name!r} already, which comes with moot; give yours another name"
        )
    parts = (("commands", Mapping), ("offers", Mapping), ("routers", (list, tuple)), ("tools", (list, tuple)))
    if wrong := [part for part, kind in parts if not isinstance(getattr(feature, part), kind)]:
        raise ConfigError(f"the `{wrong[0]}` of the feature {feature.name} are of the wrong type")
    for name, command in feature.commands.items():
        if not _is_name(name) or not isinstance(command, Command):
            raise ConfigError(f"the feature {feature.name} has a command {name!a}, which is no Command with a name")
        if not isinstance(command.group, str) or not isinstance(command.about, str):
            raise ConfigError(f"the command {name} of the feature {feature.name} says in no text what it is about")


def _is_name(name: object) -> bool:
    """Whether this is a word that can be typed as a command."""
    if not isinstance(name, str) or not name.isascii() or len(name) > LONGEST_NAME:
        return False
    return name == name.lower() and name.replace("-", "_").isidentifier() and not name.startswith(("-", "_"))


FEATURES = Added(Feature, "feature", GROUP)
"""Those of packages and plug-in files."""


class MissingFeature(ConfigError):
    """Something belongs to a feature that is not installed."""

    def __init__(self, what: str, feature: str) -> None:
        self.feature = feature
        extra = BUILT_IN[feature].extra
        told = f"{what} belongs to the feature {feature}, which is not installed: pip install 'moot[{extra}]'"
        super().__init__(told, feature)


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


def offered(name: str) -> list[Any]:
    """What the installed features offer by this name."""
    return [load(one.offers[name]) for one in features() if name in one.offers]


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
