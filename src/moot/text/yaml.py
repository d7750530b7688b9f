"""YAML files: read strictly, because they can come from anybody, and written so that they read back unchanged."""

import math
import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from moot.errors import ConfigError
from moot.text.json import parse_json

MAX_FILE_BYTES = 1_000_000
MAX_RUN_BYTES = 8_000_000
"""For the stored config of a run, which contains its documents."""
LONG_VALUE = 20_000
"""Characters. Longer values, such as documents, are not kept in memory after they were dumped."""
MAX_FILE_VALUES = 20_000
MAX_DEPTH = 50
_Fast = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml if available, which is ten times as fast. Listing runs reads the config of each."""


@cache
def shipped_yaml(package: str, name: str) -> dict[str, Any]:
    """A YAML file that is part of a package, read once."""
    return parse_yaml((files(package) / name).read_bytes(), name)


def read_yaml(path: Path, *, may_be_empty: bool = False) -> dict[str, Any]:
    """Read a YAML file that holds a mapping. Refuse hostile files: too large, with aliases, or nested too deeply."""
    return parse_yaml(read_file(path), str(path), may_be_empty=may_be_empty)


def read_file(path: Path) -> bytes:
    """The content of a file, or enough of it to show that it is too large."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: an impossible file name
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def parse_yaml(data: bytes, where: str, *, may_be_empty: bool = False, most: int = MAX_FILE_BYTES) -> dict[str, Any]:
    """Parse YAML that holds a mapping; ConfigError if it does not, or has more than `most` bytes."""
    if len(data) > most:
        raise ConfigError(f"{where} is larger than {most:,} bytes")
    content = _load(data, where)
    if content is None and may_be_empty:
        return {}
    if not isinstance(content, dict):
        raise ConfigError(f"{where} must be a mapping of keys to values, not {_kind(content)}")
    odd = [key for key in content if not isinstance(key, str)]
    if odd:
        raise ConfigError(f"{where}: the key {odd[0]!r} is not a text")
    return content


def _load(data: bytes, where: str) -> Any:
    try:
        text = data.decode("utf-8-sig")
        _check(text)
        return yaml.load(text, _Loader)  # noqa: S506 (a safe loader, made stricter)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where} is not UTF-8 text (byte {error.start})") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{where} is not valid YAML: {_problem(error)}") from error
    except (OverflowError, ValueError) as error:
        raise ConfigError(f"{where} is not valid YAML: a number in it is too large") from error


def _check(text: str) -> None:
    """Refuse YAML that can expand a small file to any size or overflow the stack: aliases, tags, too many values, deep
    nesting."""
    values = depth = 0
    for event in yaml.parse(text, _Fast):
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            raise _refusal("aliases (*name) are not allowed", event.start_mark)
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            values += 1
            depth += isinstance(event, yaml.CollectionStartEvent)
            if event.tag is not None:
                raise _refusal("tags (!name) are not allowed", event.start_mark)
            if values > MAX_FILE_VALUES:
                raise _refusal(f"there are more than {MAX_FILE_VALUES:,} values", event.start_mark)
            if depth > MAX_DEPTH:
                raise _refusal("it is nested too deeply", event.start_mark)


def _problem(error: yaml.YAMLError) -> str:
    """The problem in one line that starts with its position."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return str(error).partition("\n")[0]
    what = ", ".join(part for part in (error.context, error.problem) if part)
    return f"line {error.problem_mark.line + 1}, column {error.problem_mark.column + 1}: {what}"


def dump_key(name: str, value: bytes) -> str:
    """One key of a mapping as YAML; its value is given as JSON."""
    if value.isdigit():  # such as the seed, another for each debate
        return f"{name}: {value.decode()}\n"
    return _dumped(name, value) if len(value) < LONG_VALUE else _dumped.__wrapped__(name, value)


@lru_cache(maxsize=256)  # most debates of a batch differ only in the topic
def _dumped(name: str, value: bytes) -> str:
    content = {name: parse_json(value)}
    return str(yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100))


def _kind(value: object) -> str:
    return {type(None): "nothing", list: "a list", str: "a text"}.get(type(value), "a single value")


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Safe YAML that reads back unchanged; libyaml if available, which is ten times as fast."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # Outside double quotes these line breaks would be read back as different ones.
    style = '"' if re.search("[\x85\u2028\u2029]", text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _represent_text)


class _Loader(_Fast):  # type: ignore[misc, valid-type]
    """Plain YAML without duplicate keys. Only JSON types are recognised besides text, so a debater called No or a topic
    2030-01-01 stays text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if isinstance(key, str) and key in seen:
                raise _refusal(f"the key {key!r} stands twice", key_node.start_mark)
            seen.add(key if isinstance(key, str) else id(key))
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def _finite(loader: Any, node: Any) -> float:
    number = float(loader.construct_scalar(node))
    if not math.isfinite(number):
        raise ValueError("a number in it is too large")
    return number


_Loader.add_constructor("tag:yaml.org,2002:float", _finite)


def _refusal(problem: str, mark: Any) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, mark)


for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _first)
