"""Options: the settings of a protocol. Each is declared once, with its field; the command line, forms, the API, MCP
and the docs are generated from that."""

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

Kind = Literal["whole", "number", "text", "choice", "switch"]


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. On a config field it needs only `help`: name, kind, bounds and default come from the field.

    `label` and `hint` are for forms, which show only options with a label, and the help where there is no hint. A
    `long` text has several lines. `choices` are all values of a `choice`, but only suggestions for a `text`. `known`
    finds choices that are not in the field, and `{choices}` in the help is replaced by them. `read` turns a
    command-line value into several settings and can read files; such options are not for forms or guests. `many`
    options can be repeated, like those with a list field.
    """

    help: str
    name: str = ""
    kind: Kind = "text"
    metavar: str = ""
    default: Any = None
    choices: tuple[str, ...] = ()
    known: Callable[[], Sequence[str]] | None = None
    least: float | None = None
    most: float | None = None
    many: bool = False
    label: str = ""
    hint: str = ""
    long: bool = False
    short: str = ""
    """A shorter name on the command line."""
    variable: bool = True
    """Whether MOOT_NAME sets it too."""
    read: Callable[[Any], Mapping[str, Any]] | None = None
    command: bool = True
    """Whether it is an option of the command; others are only for forms."""
    rest: bool = False
    """Whether words after the subject belong to it, for example when a shell has expanded a file pattern."""

    @property
    def flag(self) -> str:
        return f"--{(self.short or self.name).replace('_', '-')}"

    @property
    def explained(self) -> str:
        """The words below its field in a form."""
        return self.hint or self.help[:1].lower() + self.help[1:].removesuffix(".")

    def settings(self, value: Any) -> Mapping[str, Any]:
        """The config keys for a value."""
        if self.read is not None:
            return self.read(value)
        if self.many and self.kind == "choice":  # each may be several with commas between
            return {self.name: [one for several in value for one in str(several).split(",")]}
        return {self.name: value}


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a debate. `key` is its config key, `name` is the noun for people. A `document` can also be the
    name of a file to read."""

    key: str = "topic"
    name: str = "topic"
    label: str = "The question"
    document: bool = False
    needed: bool = True
    """Whether it is required; otherwise the default is a shipped example."""
    help: str = ""
    """Additional text for the help of the command."""
    source: str = ""
    """The config key for the name of the file that it was read from, so that findings have a place."""
    of_diff: Mapping[str, Any] = field_of(default_factory=dict)
    """The settings for a subject that is a diff, where the user gives no others."""


def declared(config: type[BaseModel]) -> list[Option]:
    """The options that the fields of a config declare, in order."""
    return [
        _of_field(name, field, option)
        for name, field in config.model_fields.items()
        for option in field.metadata
        if isinstance(option, Option)
    ]


def _of_field(name: str, field: FieldInfo, option: Option) -> Option:
    kind, choices, several = _kind_of(field.annotation)
    if option.kind != "text" or option.read is not None:  # the option itself defines its value
        kind, several = option.kind, False
    bounds = _bounds(field.metadata)
    default = None if field.is_required() else field.get_default(call_default_factory=True, validated_data={})
    default = default.value if isinstance(default, Enum) else default
    default = str(default) if kind == "choice" and isinstance(default, int | float) else default  # as it is chosen
    found = tuple(option.known()) if option.known is not None else option.choices or choices
    return replace(
        option,
        help=option.help.replace("{choices}", ", ".join(found)),
        name=option.name or field.alias or name,
        kind=kind,
        many=option.many or several,
        choices=found,
        default=default if option.default is None else option.default,
        least=option.least if option.least is not None else bounds[0],
        most=option.most if option.most is not None else bounds[1],
    )


def _kind_of(annotation: Any) -> tuple[Kind, tuple[str, ...], bool]:
    """The kind of a single value of this type, its choices, and whether several values are possible."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind_of(inner[0])
    if origin in (Union, types.UnionType):
        return _kind_of(next(one for one in inner if one is not type(None)))
    if choices := _choices_of(annotation):
        return "choice", tuple(choices), False
    if origin in (list, tuple, set, frozenset) and inner:
        return (*_kind_of(inner[0])[:2], True)
    kinds: dict[Any, Kind] = {bool: "switch", int: "whole", float: "number"}
    return kinds.get(annotation, "text"), (), False


def _choices_of(annotation: Any) -> dict[str, Any]:
    """The only values that a type has, by how people write them; empty for other types."""
    if get_origin(annotation) is Literal:
        return {str(one): one for one in get_args(annotation)}
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {str(one.value): one for one in annotation}
    return {}


def typed(config: type[BaseModel], given: Any) -> Any:
    """The settings with the values that people chose by their names: 3 of `Literal[1, 2, 3]`, which pydantic would not
    make of a text. Anything but a mapping stays as it is, for the model to refuse."""
    if not isinstance(given, Mapping):
        return given
    found = dict(given)
    for name, field in config.model_fields.items():
        if isinstance(value := found.get(key := field.alias or name), str | list):
            found[key] = _typed(field.annotation, value)
    return found


def _typed(annotation: Any, value: Any) -> Any:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _typed(inner[0], value)
    if origin in (Union, types.UnionType):
        return next((found for one in inner if (found := _typed(one, value)) != value), value)
    if isinstance(value, list) and origin in (list, set, frozenset):
        return [_typed(inner[0], one) for one in value]
    return _choices_of(annotation).get(value, value) if isinstance(value, str) else value


def _bounds(metadata: Iterable[Any]) -> tuple[float | None, float | None]:
    """The minimum and the maximum of a field."""
    least: Any = None
    most: Any = None
    for one in metadata:
        match one:
            case Ge(ge=value) | Gt(gt=value):
                least = value
            case Le(le=value) | Lt(lt=value):
                most = value
            case _:
                pass
    return least, most


def named(options: Sequence[Option]) -> dict[str, Option]:
    return {option.name: option for option in options}
