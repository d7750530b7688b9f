"""From YAML files, MOOT_* variables and keywords to one typed config for a run.

A flag or keyword beats a variable, a variable the debate's own file, that the project's `moot.yaml`,
and that the user's. Everything wrong is a ConfigError that names the key.
"""

import difflib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from moot.entry import SCHEMA_VERSION
from moot.errors import ConfigError
from moot.limits import Limits
from moot.models.prices import Price
from moot.protocols import Protocol, get_protocol

MAX_FILE_BYTES = 1_000_000
ModelT = TypeVar("ModelT", bound=BaseModel)


class Options(BaseModel):
    """What every protocol takes. `roles` maps an agent's name or part in the script to its model or models."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | list[str] | None = None
    roles: dict[str, str | list[str]] = {}
    seed: int | None = None
    out: str = "debates"
    max_calls: int | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, ge=0)
    max_cost: float | None = Field(None, ge=0)
    max_minutes: float | None = Field(None, ge=0)
    max_reply_tokens: int = Field(4096, ge=16)
    timeout: float = Field(180.0, gt=0)
    concurrency: int = Field(64, ge=1)
    prices: dict[str, Price] = {}

    @property
    def limits(self) -> Limits:
        return Limits(self.max_calls, self.max_tokens, self.max_cost, self.max_minutes)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """All that decides a run, but for what the models say. `origin` tells where a forked run came from."""

    protocol: Protocol
    options: Options
    debate: BaseModel
    origin: dict[str, Any] | None = None

    @property
    def seed(self) -> int:
        return self.options.seed or 0

    def frozen(self) -> str:
        """The config as it is kept in the run folder: a debate file like any other, with no secret in it."""
        about: dict[str, Any] = {"version": version("moot"), "schema": SCHEMA_VERSION}
        if self.origin:
            about["forked_from"] = self.origin
        content = {
            "moot": about,
            "protocol": self.protocol.name,
            **self.debate.model_dump(mode="json", by_alias=True, exclude_none=True),
            **self.options.model_dump(mode="json", exclude_defaults=True),
        }
        return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def configure(protocol: str | None = None, file: Path | None = None, **settings: Any) -> RunConfig:
    """The config of a new run: `settings` are options and keys of the protocol's own config; None means not given."""
    given = {key: value for key, value in settings.items() if value is not None}
    content = read_yaml(file) if file else {}
    content.pop("moot", None)
    named = content.pop("protocol", None)
    if protocol and named and named != protocol:
        raise ConfigError(f"{file} is a {named} debate, not a {protocol}")
    chosen = get_protocol(protocol or named or "duel")
    own = {key: value for key, value in content.items() if key in Options.model_fields}
    layers = [_options_file(user_file()), _options_file(Path("moot.yaml")), own, _variables(), given]
    merged: dict[str, Any] = {"seed": secrets.randbelow(2**31)}
    for layer in layers:
        known = {key: value for key, value in layer.items() if key in Options.model_fields}
        roles = {**merged.get("roles", {}), **known.get("roles", {})}
        merged |= known | ({"roles": roles} if roles else {})
    debate = {key: value for key, value in (content | given).items() if key not in Options.model_fields}
    where = str(file) if file else chosen.name
    also = [*Options.model_fields, "protocol"]
    return RunConfig(
        chosen,
        checked(Options, merged, "options"),
        checked(chosen.config, chosen.complete(debate), where, also),
    )


def thaw(path: Path) -> RunConfig:
    """The config of a run, as it was frozen; nothing around it has a say."""
    content = read_yaml(path)
    about = content.pop("moot", None) or {}
    if about.get("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise ConfigError(f"{path} is of schema {about['schema']}; this moot reads {SCHEMA_VERSION}")
    protocol = get_protocol(str(content.pop("protocol", None)))
    options = {key: content.pop(key) for key in list(content) if key in Options.model_fields}
    debate = checked(protocol.config, content, str(path))
    return RunConfig(protocol, checked(Options, options, str(path)), debate, about.get("forked_from"))


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping, refused when it is hostile: too large, aliased, nested without end."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
    return parse_yaml(data, str(path))


def parse_yaml(data: bytes, where: str) -> dict[str, Any]:
    try:
        content = yaml.load(data.decode("utf-8-sig"), _Loader)  # noqa: S506 (a safe loader, made stricter)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where} is not UTF-8 text (byte {error.start})") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{where} is not valid YAML: {' '.join(str(error).split())}") from error
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"{where} cannot be read as YAML: {error}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{where} must be a mapping of keys to values, not {_kind(content)}")
    if odd := next((key for key in content if not isinstance(key, str)), None):
        raise ConfigError(f"{where}: the key {odd!r} is not a text")
    return content


def checked(model: type[ModelT], data: Mapping[str, Any], where: str, also: list[str] | None = None) -> ModelT:
    """The data as that model, or a ConfigError about its first faults."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = [_fault(model, dict(fault), also or []) for fault in error.errors()[:4]]
        raise ConfigError(f"{where}: " + "; ".join(faults)) from None


def user_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(home).expanduser() / "moot" / "moot.yaml"


def _options_file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    content = read_yaml(path)
    checked(Options, content, str(path))
    return content


def _variables() -> dict[str, Any]:
    """Options from the environment: MOOT_MODEL, MOOT_MAX_CALLS, …; MOOT_ROLES is `judge=MODEL,A=MODEL`."""
    found: dict[str, Any] = {}
    for name in Options.model_fields:
        value = os.environ.get(f"MOOT_{name.upper()}")
        if value and name == "roles":
            found[name] = parse_roles(value.split(","))
        elif value and name != "prices":
            found[name] = value
    return found


def parse_roles(pairs: list[str] | tuple[str, ...]) -> dict[str, str]:
    roles = {}
    for pair in pairs:
        name, equals, model = pair.partition("=")
        if not (name.strip() and equals and model.strip()):
            raise ConfigError(f"a role is given as NAME=MODEL, not {pair!r}")
        roles[name.strip()] = model.strip()
    return roles


def _fault(model: type[BaseModel], fault: dict[str, Any], also: list[str]) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    if fault["type"] != "extra_forbidden":
        message = str(fault["msg"]).removeprefix("Value error, ")
        return f"`{where}`: {message}" if where else message
    parent, key = fault["loc"][:-1], str(fault["loc"][-1])
    known = _keys_at(model, parent) + (also if not parent else [])
    close = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean `{close[0]}`?" if close else f"known here: {', '.join(sorted(known))}"
    return f"unknown key `{where}`; {hint}"


def _keys_at(model: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """The keys that a model takes at a place within it, found by walking its JSON Schema."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    nodes = _alternatives(schema, definitions)
    for part in path:
        inner = [node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part) for node in nodes]
        nodes = [option for node in inner if node for option in _alternatives(node, definitions)]
    return [key for node in nodes for key in node.get("properties", {})]


def _alternatives(node: dict[str, Any], definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas that a node stands for, references and unions resolved."""
    if "$ref" in node:
        return _alternatives(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
    return (
        [one for option in node["anyOf"] for one in _alternatives(option, definitions)] if "anyOf" in node else [node]
    )


def _kind(value: object) -> str:
    return {type(None): "nothing", list: "a list", str: "a text"}.get(type(value), f"a {type(value).__name__}")


class _Loader(yaml.SafeLoader):
    """Safe YAML without aliases, which can blow a small file up to any size, and without doubled keys."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.constructor.ConstructorError(None, None, "aliases (*name) are not allowed", self.get_mark())
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if isinstance(key, str) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key if isinstance(key, str) else id(key))
        return super().construct_mapping(node, deep)
