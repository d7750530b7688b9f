"""Builds the typed config of a run from YAML files, MOOT_* variables and keywords.

Flags and keywords override variables, then the debate's file, the project's `moot.yaml`, and the user's. Every error is
a ConfigError that names the key.
"""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator
from pydantic_core import to_json

from moot.engine.absent import absent
from moot.engine.carried import Carried
from moot.engine.context import ContextDocument, Documents, check_size, read_documents
from moot.engine.faults import faults_in, place_of
from moot.engine.frozen import FROZEN
from moot.engine.gate import Separated, check_allowed, sha256
from moot.engine.language import Language
from moot.engine.limits import Limits
from moot.engine.options import typed
from moot.engine.protocol import Protocol
from moot.engine.registry import get_protocol, origin_of
from moot.engine.sampling import SamplingByRole, merge_sampling, parse_sampling
from moot.engine.shipped import DEFAULT
from moot.engine.toolbox import ToolName, parse_tools, tools_in
from moot.engine.versions import other_schema, own_version
from moot.errors import ConfigError, KeyFault, ReplayDivergence
from moot.models.declared import commands_in
from moot.models.prices import Price
from moot.plugins.files import project_file, settings_file, user_file
from moot.plugins.trust import COMMANDS, LOOKUPS, RUN_HERE
from moot.record.entry import SCHEMA_VERSION
from moot.text.yaml import MAX_FILE_BYTES, MAX_RUN_BYTES, dump_key, read_yaml

if TYPE_CHECKING:
    from moot.engine.room import Room

ModelT = TypeVar("ModelT", bound=BaseModel)
ModelName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Models = ModelName | Annotated[list[ModelName], Field(min_length=1)]
Folder = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]+$")]


RoleName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
LanguageName = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[\w() -]{2,40}$")]


class Options(BaseModel):
    """The options of every protocol. `roles` maps an agent's name or role in the script to its model or models,
    `sampling` to how its replies are drawn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Models | None = None
    roles: dict[str, Models] = {}
    sampling: SamplingByRole = {}
    seed: int | None = None
    out: Folder = "debates"
    max_calls: int | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, ge=0)
    max_cost: float | None = Field(None, ge=0, allow_inf_nan=False)
    max_minutes: float | None = Field(None, ge=0, allow_inf_nan=False)
    max_reply_tokens: int = Field(4096, ge=16, le=1_000_000)
    timeout: float = Field(180.0, gt=0, allow_inf_nan=False)
    concurrency: int = Field(64, ge=1)
    language: LanguageName | None = None
    rate: int | None = Field(None, ge=1, le=1_000_000)
    prices: dict[str, Price] = {}
    documents: Documents = []
    tools: dict[ToolName, list[RoleName]] = {}
    max_lookups: int = Field(24, ge=0, le=10_000)
    allow: Annotated[list[str], Separated] = []
    """The flags that a gate lets pass."""
    accept_revised: bool = False
    """Whether a gate lets a text pass that was accepted only after a rewrite."""
    submitted: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None
    """The hash of the bytes that were submitted, if it is not that of the subject's text."""

    @field_validator("tools", mode="before")
    @classmethod
    def _by_name(cls, given: Any) -> Any:
        return parse_tools([given] if isinstance(given, str) else given) if isinstance(given, str | list) else given

    @field_validator("documents")
    @classmethod
    def _of_a_size(cls, documents: list[ContextDocument]) -> list[ContextDocument]:
        return check_size(documents)

    @property
    def limits(self) -> Limits:
        return Limits(self.max_calls, self.max_tokens, self.max_cost, self.max_minutes)


class _Origin(BaseModel):
    """The origin of a forked run: the run, the last shared entry, and the number of shared journal records."""

    run: str
    at: int = Field(ge=0)
    records: int = Field(0, ge=0)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that determines a run, except for the replies. `origin` is set for a forked run."""

    protocol: Protocol
    options: Options
    debate: BaseModel
    origin: dict[str, Any] | None = None
    written_by: dict[str, Any] | None = None
    """For a stored run: the plug-in that its protocol came from when the run started."""
    carried: Carried | None = None
    """For a run that must not open files here: the content of the files that it names."""

    @property
    def plugin_differs(self) -> str | None:
        """How the loaded plug-in differs from the one that the run started with; None if it is the same."""
        now = origin_of(self.protocol)
        document = now.document() if now is not None else {}
        if self.written_by is None or self.protocol.missing or self.written_by == document:
            return None
        return f"the run was begun with {_told(self.written_by)}, and loaded is {_told(document)}"

    def check_plugins(self) -> None:
        """ConfigError if something that the run needs is not installed, such as a voting rule."""
        checked(self.protocol.config, self.debate.model_dump(mode="json", by_alias=True, exclude_none=True), "config")

    async def play(self, room: "Room") -> None:
        """Play the script in a room. If it diverges from the journal because the plug-in differs, say so."""
        try:
            await room.play(self.protocol.play(room, self.debate))
        except ReplayDivergence as error:
            if (differs := self.plugin_differs) is None:
                raise
            why = f"The plug-in was edited: {differs}; nothing was asked again."
            raise ReplayDivergence(error.key, error.what, why) from error

    @property
    def topic(self) -> str:
        """The subject of the debate, as one or more lines of text."""
        debate, key = self.debate, self.protocol.subject.key
        return str(getattr(debate, "topic", None) or getattr(debate, key, None) or self.protocol.name)

    @property
    def language(self) -> Language:
        """The language that the debate is held in."""
        return Language(self.topic, self.options.language)

    @property
    def inherited(self) -> int:
        """The number of records at the start of the journal that another run paid for."""
        return int((self.origin or {}).get("records", 0))

    @property
    def seed(self) -> int:
        return self.options.seed or 0

    def content(self) -> dict[str, Any]:
        """The config as plain data: an ordinary debate file without secrets. `thawed` reads it back."""
        about: dict[str, Any] = {"version": own_version(), "schema": SCHEMA_VERSION}
        if self.origin:
            about["forked_from"] = self.origin
        if (plugin := origin_of(self.protocol)) is not None:
            about["plugin"] = plugin.document()
        return {
            "moot": about,
            "protocol": self.protocol.name,
            **self.debate.model_dump(mode="json", by_alias=True, exclude_none=True),
            **self.options.model_dump(mode="json", exclude_none=True, exclude=self._unused()),
        }

    def _unused(self) -> set[str]:
        """The options that a config without documents, tools and a lenient gate does not have."""
        options = self.options
        without = {name for name in ("documents", "allow", "accept_revised") if not getattr(options, name)}
        return without if options.tools else {*without, "tools", "max_lookups"}

    def frozen(self) -> str:
        """The config as YAML, as stored with the run."""
        parts = {name: dump_key(name, to_json(value)) for name, value in self.content().items()}
        text = "".join(parts.values())
        own = sum(len(part.encode()) for name, part in parts.items() if name != "documents")
        for size, most in ((own, MAX_FILE_BYTES), (len(text.encode()), MAX_RUN_BYTES)):
            if size > most:
                raise ConfigError(f"the debate's config is larger than the {most:,} bytes a file may have")
        return text


def configure(protocol: str | None = None, file: Path | str | None = None, **settings: Any) -> RunConfig:
    """The config of a new run. `settings` are options and keys of the protocol's config; None means not given."""
    given = {key: value for key, value in settings.items() if value is not None}
    content = read_documents(read_yaml(Path(file)), beside=Path(file)) if file else {}
    given = read_documents(given)
    if content.get("documents") and given.get("documents"):
        given["documents"] = [*content.pop("documents"), *given["documents"]]
    content.pop("moot", None)
    named = content.pop("protocol", None)
    if not isinstance(named, str | None):
        raise ConfigError(f"{file}: `protocol` should be a name, such as duel", "protocol")
    if protocol and named and named != protocol:
        raise ConfigError(f"{file} is for the protocol {named}, not for {protocol}", "protocol")
    chosen = get_protocol(protocol or named or DEFAULT)
    where = str(file) if file else chosen.name
    content, given, personas = *map(_without_personas, (content, given)), _personas_in(content) | _personas_in(given)
    options = _merged(_options_in(content, where), _options_in(given, "options"))
    debate = {key: value for key, value in (content | given).items() if key not in Options.model_fields}
    debate |= {"roles": personas} if personas else {}
    options, debate = _seated(chosen, options, debate)
    if why := chosen.words.no_tools:
        if content.get("tools") or given.get("tools"):
            raise ConfigError(f"{chosen.name} takes no tools: {why}", "tools")
        options = options.model_copy(update={"tools": {}})  # those are for other debates
    check_allowed(chosen, given.get("allow"))
    also = [*Options.model_fields, "protocol"]
    known = checked(chosen.config, chosen.complete(debate, from_file=file is not None), where, also)
    submitted = given.get("submitted") or _changed_hash(chosen, debate, known)
    return RunConfig(chosen, options.model_copy(update={"submitted": submitted}), known)


def _changed_hash(protocol: Protocol, given: Mapping[str, Any], known: BaseModel) -> str | None:
    """The hash of a submitted text that the config does not keep to the letter, such as without its last newline."""
    text = given.get(protocol.subject.key)
    changed = protocol.subject.document and isinstance(text, str) and text != getattr(known, protocol.subject.key, "")
    return sha256(text) if changed and isinstance(text, str) else None


def with_documents(config: RunConfig, added: Sequence[Mapping[str, Any]]) -> RunConfig:
    """The same config with these documents after its own."""
    options = config.options.model_dump()
    options["documents"] += added
    return replace(config, options=checked(Options, options, "options"))


def _seated(protocol: Protocol, options: Options, debate: dict[str, Any]) -> tuple[Options, dict[str, Any]]:
    """Several models are those of the participants, if the protocol has a seat for each. The first is that of everybody
    else."""
    if not protocol.seats or not isinstance(options.model, list) or len(options.model) < 2:
        return options, debate
    return options.model_copy(update={"model": options.model[0]}), {protocol.seats: options.model, **debate}


def _personas_in(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The `roles` that contain more than a model: the protocol reads them."""
    roles = settings.get("roles")
    return {role: one for role, one in roles.items() if isinstance(one, dict)} if isinstance(roles, dict) else {}


def _without_personas(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with only those `roles` that name models."""
    if not (personas := _personas_in(settings)):
        return settings
    return settings | {"roles": {role: one for role, one in settings["roles"].items() if role not in personas}}


def _told(plugin: Mapping[str, Any]) -> str:
    """A plug-in in words."""
    known = [str(plugin[key])[:12] for key in ("version", "sha256") if key in plugin]
    return (
        f"{plugin.get('source', 'another protocol of that name')} ({', '.join(known)})" if known else "another protocol"
    )


def load_options(**settings: Any) -> Options:
    """The options outside of a debate: from files and variables, overridden by `settings`."""
    overrides = {key: value for key, value in settings.items() if value is not None}
    checked(Options, overrides, "options")
    return _merged({}, overrides)


def _merged(own: dict[str, Any], given: dict[str, Any]) -> Options:
    """The options of the user's and the project's files, a debate's `own` file, variables, and `given`; later ones
    override earlier ones."""
    merged: dict[str, Any] = {"seed": secrets.randbelow(2**31)}
    for layer in (_options_file(user_file()), _options_file(project_file()), own, _variables(), given):
        both = {key: merge(merged[key], layer[key]) for key, merge in _MERGED.items() if key in merged and key in layer}
        merged |= layer | both
    return checked(Options, merged, "options")


_MERGED: Mapping[str, Callable[[Any, Any], Any]] = {"roles": or_, "sampling": merge_sampling}
"""Options that a later layer overrides only in part."""


def thawed(content: dict[str, Any], path: str) -> RunConfig:
    """A run's config from its stored data; `path` is the location for messages."""
    about = content.pop("moot", None)
    if not isinstance(about, dict):
        raise ConfigError(f"{path} is not the config of a run: it has no `moot:` part", "moot", missing=True)
    if (why := other_schema(about, path)) is not None:
        raise ConfigError(why, "moot.schema")
    named = content.pop("protocol", None)
    if not isinstance(named, str):
        raise ConfigError(f"{path} is not the config of a run: it names no protocol", "protocol", missing=True)
    try:
        protocol = get_protocol(named)
    except ConfigError as error:
        plugin = about.get("plugin")
        # If the error is not about `protocol` itself, a broken plug-in might contain the protocol.
        fault = str(error) if error.key != "protocol" else None
        protocol = absent(named, plugin if isinstance(plugin, dict) else {}, fault)
    options = {key: content.pop(key) for key in list(content) if key in Options.model_fields}
    debate = checked(protocol.config, content, path, context=FROZEN)
    origin = about.get("forked_from")
    if origin is not None:
        origin = checked(_Origin, origin, f"{path}: `moot.forked_from`", under="moot.forked_from").model_dump()
    plugin = about.get("plugin")
    return RunConfig(
        protocol,
        checked(Options, options, path),
        debate,
        origin,
        plugin if isinstance(plugin, dict) else None,
    )


def checked(
    model: type[ModelT],
    data: Mapping[str, Any],
    where: str,
    also: list[str] | None = None,
    under: str = "",
    context: Mapping[str, Any] | None = None,
) -> ModelT:
    """The data as this model, or a ConfigError about its first faults. `under` is the key of the data, `context` is
    for the validators of the model."""
    try:
        return model.model_validate(typed(model, data), context=context)
    except ValidationError as error:
        first = error.errors()[0]
        cause = first.get("ctx", {}).get("error")
        own = cause if isinstance(cause, KeyFault) else None
        path = (under, *place_of(first), own.key if own else "")
        raise ConfigError(
            f"{where}: " + "; ".join(faults_in(model, error, also or [])),
            ".".join(str(part) for part in path if part != "") or None,
            missing=own.missing if own else first["type"] == "missing",
        ) from None


def _options_file(path: Path) -> dict[str, Any]:
    """The options in a file for all debates, if it exists; everything in it can be commented out."""
    content = settings_file(path)
    if not content:
        return {}
    if COMMANDS in content:
        commands_in(path)
    if LOOKUPS in content:
        tools_in(path)
    content = {key: value for key, value in content.items() if key not in RUN_HERE}
    checked(Options, {key: value for key, value in content.items() if value is not None}, str(path))
    return _options_in(content, str(path))


def _options_in(settings: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The settings that are options, after validation; a key without a value does not count."""
    options = {key: value for key, value in settings.items() if key in Options.model_fields and value is not None}
    if options:
        checked(Options, options, where)
    return options


def _variables() -> dict[str, Any]:
    """Options from the environment: MOOT_MODEL, MOOT_MAX_CALLS, …; MOOT_ROLES is `judge=MODEL,A=MODEL`,
    MOOT_SAMPLING `temperature=1,judge.temperature=0`."""
    options: dict[str, Any] = {}
    for variable in sorted(_VARIABLES.keys() & set(os.environ)):
        name, value = _VARIABLES[variable], os.environ[variable]
        if value:
            parse = {"roles": parse_roles, "sampling": parse_sampling, "tools": parse_tools}.get(name)
            options |= _options_in({name: parse(value.split(",")) if parse else value}, variable)
    return options


NOT_VARIABLES = ("prices", "documents", "allow", "accept_revised", "submitted")
_VARIABLES = {f"MOOT_{name.upper()}": name for name in Options.model_fields if name not in NOT_VARIABLES}


def parse_roles(pairs: Sequence[str]) -> dict[str, list[str]]:
    """Models by role, from NAME=MODEL; a repeated name adds a fallback."""
    roles: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, model = pair.partition("=")
        if not (name.strip() and equals and model.strip()):
            raise ConfigError(f"a role is given as NAME=MODEL, not {pair!r}", "roles")
        roles.setdefault(name.strip(), []).append(model.strip())
    return roles
