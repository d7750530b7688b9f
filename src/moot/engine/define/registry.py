"""Finds protocols: moot's own, those of installed packages, and those of plug-in files.

A plug-in file is Python code and runs with the rights of the user. So it is loaded only if the user names it: on the
command line, in MOOT_PLUGINS, or under `plugins:` in the user's moot.yaml or in that of a trusted project. It is never
loaded from a debate file or a run folder, or for a guest of the server.
"""

import difflib
import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from moot.engine.define.options import Option
from moot.engine.define.protocol import RESERVED, Protocol
from moot.engine.define.shipped import BUILT_IN, GROUP, OFFERED
from moot.errors import ConfigError
from moot.models.plugged import PLUGGED_IN
from moot.plugins.features import FEATURES, TAKEN
from moot.plugins.files import plugin_files, resolve_path
from moot.plugins.guard import loading
from moot.plugins.table import Table, error_line, find_point, load_point
from moot.text import printable, valid_text
from moot.voting.rules import RULES


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a protocol: a package with its version, or a file with its hash."""

    source: str
    version: str | None = None
    sha256: str | None = None

    def document(self) -> dict[str, str]:
        """The origin as stored in a run's config. A path is meaningless on another machine, so only the file name is
        stored."""
        fields = {"source": self.source, "version": self.version, "sha256": self.sha256}
        return {key: value for key, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Found:
    """A protocol and its origin, which is None for moot's own. `path` is set for a file."""

    protocol: Protocol
    origin: Origin | None = None
    path: Path | None = None


_registered: dict[str, Found] = {}
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


def register(protocol: Protocol, origin: Origin | None = None, path: Path | None = None) -> None:
    """Register a protocol in this process. Registering it again is fine; a different one with its name is refused."""
    _check(protocol)
    known = _registered.get(protocol.name)
    if protocol.name in BUILT_IN or (known is not None and (known.origin, known.path) != (origin, path)):
        where = "comes with moot" if known is None else f"is from {known.origin.source if known.origin else 'here'}"
        raise ConfigError(f"there is a protocol {protocol.name!r} already, which {where}; give this one another name")
    _registered[protocol.name] = Found(protocol, origin, path)


def _check(protocol: Protocol) -> None:
    """ConfigError for a protocol that would conflict with something else."""
    if not isinstance(protocol.name, str) or not _NAME.fullmatch(protocol.name):
        raise ConfigError(f"a protocol's name has lower-case letters, digits, _ and -, and {protocol.name!a} is none")
    if protocol.name in TAKEN and protocol.name not in BUILT_IN:
        raise ConfigError(f"a protocol cannot be called {protocol.name!r}, since `moot {protocol.name}` is a command")
    if (what := _unreadable_text(protocol)) is not None:
        raise ConfigError(f"what {protocol.name} says as its {what} is no text, or has characters that nobody can read")
    if taken := sorted(RESERVED & protocol.outcome_model.model_fields.keys()):
        raise ConfigError(
            f"the outcome of {protocol.name} has a field `{taken[0]}`, which every result has; call it something else"
        )
    subject, fields = protocol.subject.key, protocol.config.model_fields
    if subject not in {name for key, field in fields.items() for name in (key, field.alias)}:
        raise ConfigError(
            f"the config of {protocol.name} has no field `{subject}` for what is debated: add `{subject}: str` to it, "
            "or say which field has it, with subject=Subject(key) in the Protocol"
        )
    from moot.engine.define.config import Options  # imported here, because it depends on this module

    check_options(protocol, Options.model_fields.keys())


def check_options(protocol: Protocol, taken: Collection[str]) -> None:
    """ConfigError if an option of the protocol has a name that is taken."""
    for option in _options_of(protocol):
        words = {option.name, option.flag.removeprefix("--").replace("-", "_")}
        if option.command and not words.isdisjoint(taken):
            raise ConfigError(
                f"the config of {protocol.name} has an option `{option.name}`, which is one of moot's own; "
                "call it something else"
            )


def _options_of(protocol: Protocol) -> list[Option]:
    """Its options with their names, but without their choices, because plug-ins can still add some."""
    fields = [
        replace(one, name=one.name or field.alias or name)
        for name, field in protocol.config.model_fields.items()
        for one in field.metadata
        if isinstance(one, Option)
    ]
    return [*fields, *protocol.options]


def _unreadable_text(protocol: Protocol) -> str | None:
    """The first attribute with invalid text: not a string, or with half characters or control characters."""
    options = _options_of(protocol)
    texts = {
        "about": [protocol.about],
        "gives": [protocol.gives],
        "subject": [protocol.subject.name, protocol.subject.label, protocol.subject.help],
        "options": [text for one in options for text in (one.help, one.name, one.metavar, one.label, one.hint)],
    }
    for what, several in texts.items():
        if not all(isinstance(text, str) and valid_text(printable(text)) == text for text in several):
            return what
    return None


def adopt(protocol: Protocol) -> None:
    """Register the protocol of a run that is staged from Python, so that the run can be found here again."""
    known = _registered.get(protocol.name)
    if protocol.name in BUILT_IN:
        if protocol is not _built_in(protocol.name):
            raise ConfigError(f"there is a protocol {protocol.name!r} that comes with moot; give yours another name")
    elif known is None or known.protocol is not protocol:
        if known is not None and known.origin is None:
            del _registered[protocol.name]  # defined again, as in a notebook
        register(protocol)


def get_protocol(name: str) -> Protocol:
    """The protocol with this name, loaded on demand."""
    return find(name).protocol


def find(name: str) -> Found:
    """The protocol with this name and its origin; ConfigError if it does not exist."""
    if name in BUILT_IN:
        return Found(_built_in(name))
    faults = plugin_faults()
    if name not in _registered and (point := find_point(_points(), name)) is not None:
        _load_point(point)
    if name in _registered:
        return _registered[name]
    raise ConfigError(faults[0], key="plugins") if faults else _unknown(name)


def find_offered(name: str) -> Found:
    """The same, but only if people can choose it; otherwise ConfigError."""
    found = find(name)
    if name not in OFFERED and (name in BUILT_IN or not found.protocol.offered):
        raise _unknown(name)
    return found


def _unknown(name: str) -> ConfigError:
    offered = protocol_names()
    close = difflib.get_close_matches(name, offered, 1)
    hint = f"did you mean {close[0]}?" if close else f"there is: {', '.join(offered)}"
    return ConfigError(f"no protocol is called {name[:100]!r}; {hint}", key="protocol")


def protocol_names() -> list[str]:
    """The protocols that people can choose, moot's own first. Loads only plug-in files."""
    plugin_faults()
    others = {
        *(name for name, found in _registered.items() if found.protocol.offered),
        *(one.name for one in _points()),
    }
    return [*OFFERED, *sorted(others - BUILT_IN.keys())]


def all_protocols() -> Iterator[Found]:
    """Every protocol that people can choose and that can be loaded. Asking for a broken one by name says why it is
    broken."""
    for name in protocol_names():
        try:
            yield find(name)
        except ConfigError:
            continue


def origin_of(protocol: Protocol) -> Origin | None:
    known = _registered.get(protocol.name)
    return known.origin if known is not None and known.protocol is protocol else None


def file_of(name: str) -> Path | None:
    """The plug-in file of a protocol; None if it does not come from a file."""
    known = _registered.get(name)
    return known.path if known is not None else None


def load_file(path: Path | str) -> list[Protocol]:
    """Load a plug-in file and register its protocols."""
    path = resolve_path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the plug-in {path} cannot be read: {error.strerror}", key="plugins") from error
    sha256 = hashlib.sha256(content).hexdigest()
    module = _imported(path, sha256)
    values = list(vars(module).values())
    protocols = dict.fromkeys(one for one in values if isinstance(one, Protocol))
    # A plug-in can import one of moot's own protocols to build on it.
    added = [one for one in protocols if one.name not in BUILT_IN or one is not _built_in(one.name)]
    for protocol in added:
        register(protocol, Origin(path.name, sha256=sha256), path)
    if not _register_others(values) and not added:
        kinds = "Protocol, Provider, Rule, Exporter or Feature"
        raise ConfigError(f"there is nothing to plug in in {path}: it has no {kinds}", key="plugins")
    return added


def _register_others(values: Sequence[Any]) -> int:
    """Register everything else in a plug-in, and return how much there was."""
    others = [(table, one) for table in _tables() for one in values if isinstance(one, table.kind)]
    for table, one in others:
        table.register(one)
    return len(others)


def _tables() -> tuple[Table[Any], ...]:
    from moot.engine.define.exporter import (
        EXPORTERS,  # imported here, because it depends on runs, and runs on this module
    )

    return (PLUGGED_IN, RULES, EXPORTERS, FEATURES)


def package_faults() -> list[str]:
    """Messages about protocols of installed packages that cannot be loaded."""
    messages = []
    for name in sorted({point.name for point in _points()} - BUILT_IN.keys()):
        try:
            find(name)
        except ConfigError as error:
            messages.append(str(error))
    return [*messages, *(fault for table in _tables() for fault in table.faults())]


def voting_rules() -> list[str]:
    """The names of the voting rules, including those of the user's plug-in files."""
    load_named_plugins()
    return RULES.names()


def load_named_plugins() -> None:
    """Load the plug-in files named in MOOT_PLUGINS or moot.yaml; ConfigError if one is broken."""
    if faults := plugin_faults():
        raise ConfigError(faults[0], key="plugins")


def plugin_faults() -> list[str]:
    """Load the plug-in files that work, and return messages about the others."""
    faults = []
    try:
        for path in plugin_files():
            try:
                _load_once(path)
            except ConfigError as error:
                faults.append(str(error))
    except ConfigError as error:  # a moot.yaml that cannot be read
        faults.append(str(error))
    return faults


@cache
def _load_once(path: Path) -> None:
    load_file(path)


class _FromSource(SourceFileLoader):
    """Ignores and writes no cached bytecode, so that the code that runs matches its hash."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 (the loader's signature)
        return self.source_to_code(self.get_data(self.path), self.path)


@cache
def _imported(path: Path, sha256: str) -> ModuleType:
    name = f"moot_plugin_{path.stem}_{sha256[:8]}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_FromSource(name, str(path)))
    if spec is None or spec.loader is None:
        raise ConfigError(f"the plug-in {path} is no Python file", key="plugins")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # classes look up the module they were made in
    told = f"the plug-in {path} cannot be loaded"
    with ExitStack() as on_failure:
        on_failure.callback(sys.modules.pop, name)
        with loading(lambda error: ConfigError(f"{told}: {error_line(error)}", key="plugins")):
            spec.loader.exec_module(module)
        on_failure.pop_all()
    return module


@cache
def _built_in(name: str) -> Protocol:
    protocol: Protocol = importlib.import_module(BUILT_IN[name]).PROTOCOL
    return protocol


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _load_point(point: EntryPoint) -> None:
    found, package = load_point(point, Protocol, "protocol"), point.dist
    register(found, Origin(package.name if package else point.value, package.version if package else None))
