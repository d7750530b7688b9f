"""moot's JSON: a complete graph, with the version of the format. `schema` publishes its JSON Schema."""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from moot.argument.formats.base import SUPPORT, UNDERCUT, Builder, FormatError, quoted, relations, weights
from moot.argument.graph import Graph

VERSION = 1


class Argument(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(description="Unique among the arguments.")
    text: str | None = Field(default=None, description="What it says.")
    weight: float | None = Field(default=None, ge=0, le=1, description="Its base score.")


class Relation(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    source: str = Field(alias="from", description="The argument that attacks or supports.")
    target: str = Field(alias="to", description="The argument that is attacked or supported.")


class Attack(Relation):
    undercut: bool = Field(default=False, description="Whether it attacks the step to the conclusion.")


class Document(BaseModel):
    """An argument graph."""

    model_config = ConfigDict(extra="forbid", strict=True, title="moot argument graph")
    format: Literal["moot.argument"]
    version: Literal[1]
    arguments: list[Argument]
    attacks: list[Attack] = []
    supports: list[Relation] = []


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}


def read(text: str) -> Graph:
    try:
        document = Document.model_validate(load(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise FormatError(f"{where}: {first['msg']}") from None
    builder = Builder()
    for one in document.arguments:
        builder.add(one.name, weight=one.weight, text=one.text or "")
    for attack in document.attacks:
        kind = UNDERCUT if attack.undercut else "attack"
        builder.relate(kind, builder.number(attack.source), builder.number(attack.target))
    for support in document.supports:
        builder.relate(SUPPORT, builder.number(support.source), builder.number(support.target))
    return builder.graph()


def write(graph: Graph) -> str:
    arguments = []
    for name, text, weight in zip(graph.names, graph.texts or [""] * len(graph), weights(graph), strict=True):
        fields = {"name": name, "text": text or None, "weight": weight}
        arguments.append({key: value for key, value in fields.items() if value is not None})
    attacks: list[dict[str, Any]] = []
    supports: list[dict[str, Any]] = []
    for source, target, kind in relations(graph):
        pair = {"from": graph.names[source], "to": graph.names[target]}
        if kind == SUPPORT:
            supports.append(pair)
        else:
            attacks.append(pair | {"undercut": True} if kind == UNDERCUT else pair)
    head = {"format": "moot.argument", "version": VERSION}
    return dump(head | {"arguments": arguments, "attacks": attacks, "supports": supports})


def losses(graph: Graph) -> list[str]:  # noqa: ARG001 (as every format)
    return []


def load(text: str) -> Any:
    """Strict JSON: NaN is refused, and every error has its line."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", error.lineno) from None
    except ValueError:
        raise FormatError("not a graph: a number in it is too large") from None
    except RecursionError:
        raise FormatError("not a graph: JSON nested too deeply") from None


def dump(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _refuse(constant: str) -> Any:
    raise FormatError(f"not JSON: {quoted(constant)} is no number")
