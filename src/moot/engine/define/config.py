"""The typed config of a run. Every error is a ConfigError that names the key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, Field, StringConstraints, ValidationError, field_validator
from pydantic_core import to_json

from moot.engine.define.absent import absent
from moot.engine.define.faults import faults_in, place_of
from moot.engine.define.frozen import FROZEN
from moot.engine.define.gate import Separated
from moot.engine.define.options import typed
from moot.engine.define.policy import PolicyUsed
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import get_protocol, origin_of
from moot.engine.define.sampling import SamplingByRole
from moot.engine.define.versions import other_schema, own_version
from moot.engine.play.carried import Carried
from moot.engine.play.frame import frame_by, framing_agent
from moot.engine.play.language import Language
from moot.engine.play.limits import Limits
from moot.engine.sources.context import ContextDocument, Documents, check_size
from moot.engine.sources.toolbox import ToolName, parse_tools
from moot.errors import ConfigError, KeyFault, ReplayDivergence
from moot.models.prices import Price
from moot.present.data import Data, Model
from moot.record.entry import SCHEMA_VERSION
from moot.record.journal import Record
from moot.text.yaml import MAX_FILE_BYTES, MAX_RUN_BYTES, dump_key

if TYPE_CHECKING:
    from moot.engine.play.room import Room

ModelT = TypeVar("ModelT", bound=BaseModel)
ModelName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Models = ModelName | Annotated[list[ModelName], Field(min_length=1)]
Folder = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]+$")]


RoleName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
LanguageName = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[\w() -]{2,40}$")]


class Options(Data):
    """The options of every protocol. `roles` maps an agent's name or role in the script to its model or models,
    `sampling` to how its replies are drawn."""

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
    full: bool = False
    """Whether to hold every round, even if everybody agrees."""
    allow: Annotated[list[str], Separated] = []
    """The flags that a gate lets pass."""
    accept_revised: bool = False
    """Whether a gate lets a text pass that was accepted only after a rewrite."""
    framed: bool = False
    """Whether the frame of the question chose the protocol. Then the request for it is the first of the debate."""
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


class _Origin(Model):
    """The origin of a forked run: the run, the last shared entry, and the number of shared journal records."""

    run: str
    at: int = Field(ge=0)
    records: int = Field(0, ge=0)


class _About(Model):
    """What the config of a stored run says about where its settings came from."""

    policy: PolicyUsed | None = None
    ignored: tuple[str, ...] = ()


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
    policy: PolicyUsed | None = None
    ignored: tuple[str, ...] = ()
    """The settings of the project's moot.yaml that did not count."""
    begun: tuple[Record, ...] = ()
    """For a new run: the records that its journal begins with."""

    @property
    def plugin_differs(self) -> str | None:
        """How the loaded plug-in differs from the one that the run started with; None if it is the same."""
        now = origin_of(self.protocol)
        document = now.document() if now is not None else {}
        if self.written_by is None or self.protocol.missing or self.written_by == document:
            return None
        return f"the run was begun with {_describe(self.written_by)}, and loaded is {_describe(document)}"

    def check_plugins(self) -> None:
        """ConfigError if something that the run needs is not installed, such as a voting rule."""
        checked(self.protocol.config, self.debate.model_dump(mode="json", by_alias=True, exclude_none=True), "config")

    async def play(self, room: "Room") -> None:
        """Play the script in a room. If it diverges from the journal because the plug-in differs, say so."""
        try:
            await room.play(self.script(room))
        except ReplayDivergence as error:
            if (differs := self.plugin_differs) is None:
                raise
            why = f"The plug-in was edited: {differs}; nothing was asked again."
            raise ReplayDivergence(error.key, error.what, why) from error

    async def script(self, room: "Room") -> None:
        """The script of the debate."""
        if self.options.framed:
            room.frame = await frame_by(room, [framing_agent(room)], self.topic)
        await self.protocol.play(room, self.debate)

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
        about |= _About(policy=self.policy, ignored=self.ignored).model_dump(mode="json", exclude_defaults=True)
        return {
            "moot": about,
            "protocol": self.protocol.name,
            **self.debate.model_dump(mode="json", by_alias=True, exclude_none=True),
            **self.options.model_dump(mode="json", exclude_none=True, exclude=self._unused()),
        }

    def _unused(self) -> set[str]:
        """The options that are stored only if they are set."""
        options = self.options
        without = {
            name for name in ("documents", "allow", "accept_revised", "framed", "full") if not getattr(options, name)
        }
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


def with_documents(config: RunConfig, added: Sequence[Mapping[str, Any]]) -> RunConfig:
    """The same config with these documents after its own."""
    options = config.options.model_dump()
    options["documents"] += added
    return replace(config, options=checked(Options, options, "options"))


def _describe(plugin: Mapping[str, Any]) -> str:
    """A plug-in in words."""
    known = [str(plugin[key])[:12] for key in ("version", "sha256") if key in plugin]
    return (
        f"{plugin.get('source', 'another protocol of that name')} ({', '.join(known)})" if known else "another protocol"
    )


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
    known = {key: about[key] for key in _About.model_fields if key in about}
    return RunConfig(
        protocol,
        checked(Options, options, path),
        debate,
        origin,
        plugin if isinstance(plugin, dict) else None,
        **dict(checked(_About, known, f"{path}: `moot`", under="moot")),
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
