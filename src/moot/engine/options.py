"""Options: how people give a protocol its settings. Declared once, with the field that takes the value; the command
line, the form, the API, MCP and the docs are made from that."""

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

Kind = Literal["whole", "number", "text", "choice", "switch"]


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. On a field of a config it only needs `help`: name, kind, bounds and default are the field's own.

    `label` and `hint` are for forms, which show only options that have a label. `choices` of a `choice` are all there
    are; of a `text` they are those to offer, and others may be given. `known` finds them where they are not the field's
    own, and `{choices}` in the help stands for them. `read` turns what was typed on the command line into settings,
    where an option is more than the value of one key, and may read files for that: such options are not for forms and
    guests. `many` options can be given several times, and so can those whose field is a list.
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
    short: str = ""
    """Another name on the command line, where that reads better."""
    variable: bool = True
    """Whether MOOT_NAME gives it, too."""
    read: Callable[[Any], Mapping[str, Any]] | None = None
    command: bool = True
    """Whether it is an option of the command; others are for forms alone."""
    rest: bool = False
    """Whether words after the subject belong to it, as when a shell has spelled out a pattern of file names."""

    @property
    def flag(self) -> str:
        return f"--{(self.short or self.name).replace('_', '-')}"

    def settings(self, value: Any) -> Mapping[str, Any]:
        """The keys of a config that a value stands for."""
        return self.read(value) if self.read is not None else {self.name: value}


@dataclass(frozen=True, slots=True)
class Subject:
    """What is debated. `key` is where a config has it, `name` what people call it. One that may be a `document` is
    read from a file of that name, too."""

    key: str = "topic"
    name: str = "topic"
    label: str = "The question"
    document: bool = False
    needed: bool = True
    """Whether there is none without it; otherwise a shipped example is debated."""
    help: str = ""
    """What else to say of it in the help of the command."""


def declared(config: type[BaseModel]) -> list[Option]:
    """The options that the fields of a config declare, in their order."""
    return [
        _of_field(name, field, option)
        for name, field in config.model_fields.items()
        for option in field.metadata
        if isinstance(option, Option)
    ]


def _of_field(name: str, field: FieldInfo, option: Option) -> Option:
    kind, choices, several = _kind_of(field.annotation)
    if option.kind != "text" or option.read is not None:  # the option says itself what is given
        kind, several = option.kind, False
    bounds = _bounds(field.metadata)
    default = None if field.is_required() else field.get_default(call_default_factory=True, validated_data={})
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
    """What one value of that type is, the choices there are, and whether there may be several."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind_of(inner[0])
    if origin in (Union, types.UnionType):
        return _kind_of(next(one for one in inner if one is not type(None)))
    if origin is Literal:
        return "choice", tuple(str(one) for one in inner), False
    if origin in (list, tuple, set, frozenset) and inner:
        return (*_kind_of(inner[0])[:2], True)
    kinds: dict[Any, Kind] = {bool: "switch", int: "whole", float: "number"}
    return kinds.get(annotation, "text"), (), False


def _bounds(metadata: Iterable[Any]) -> tuple[float | None, float | None]:
    """The least and the most that a field takes."""
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
