"""moot's JSON: a complete graph, with the version of the format."""

import json
from dataclasses import asdict, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from moot.argument import graph as graphs
from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, Builder, FormatError, quoted
from moot.argument.graph import Graph
from moot.text.json import parse_json

VERSION = 2


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Argument(_Part):
    """An argument. Its name is unique; `weight` is its base score."""

    name: str
    text: str = ""
    weight: float | None = Field(None, ge=0, le=1)


class Relation(_Part):
    """A relation of one argument to another, both by name."""

    source: str = Field(alias="from")
    target: str = Field(alias="to")


class Attack(Relation):
    """`undercut`: whether it attacks the step to the conclusion."""

    undercut: bool = False


class Fallen(_Part):
    """An argument that was raised and does not count any more: how it fell, in a word, and why."""

    name: str
    text: str = ""
    state: str
    reason: str = ""


class FallenRelation(Relation):
    kind: Literal["attack", "undercut", "support"]


class Document(_Part):
    """An argument graph."""

    format: Literal["moot.argument"]
    version: Literal[2]
    arguments: list[Argument]
    attacks: list[Attack] = []
    supports: list[Relation] = []
    fallen: list[Fallen] = []
    fallen_relations: list[FallenRelation] = []


def read(text: str) -> Graph:
    found = load(text)
    try:
        document = Document.model_validate(found)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the document"
        raise FormatError(f"{quoted(place)[1:-1]}: {fault['msg']}") from None
    builder = Builder()
    for one in document.arguments:
        builder.add(one.name, weight=one.weight, text=one.text)
    for attack in document.attacks:
        _relate(builder, UNDERCUT if attack.undercut else ATTACK, attack)
    for support in document.supports:
        _relate(builder, SUPPORT, support)
    return replace(
        builder.graph(),
        fallen=tuple(graphs.Fallen(one.name, one.text, one.state, one.reason) for one in document.fallen),
        fallen_relations=tuple((one.source, one.target, one.kind) for one in document.fallen_relations),
    )


def write(graph: Graph) -> str:
    arguments: list[dict[str, Any]] = []
    for name, text, weight in zip(graph.names, graph.texts, graph.weights, strict=True):
        more = {"text": text or None, "weight": weight}
        arguments.append({"name": name} | {key: value for key, value in more.items() if value is not None})
    attacks: list[dict[str, Any]] = []
    supports: list[dict[str, Any]] = []
    for source, target, kind in graph.relations():
        pair = {"from": graph.names[source], "to": graph.names[target]}
        if kind == SUPPORT:
            supports.append(pair)
        else:
            attacks.append(pair | {"undercut": True} if kind == UNDERCUT else pair)
    document: dict[str, Any] = {"format": "moot.argument", "version": VERSION, "arguments": arguments}
    document |= {"attacks": attacks, "supports": supports}
    if graph.fallen or graph.fallen_relations:
        document["fallen"] = [asdict(one) for one in graph.fallen]
        document["fallen_relations"] = [
            {"from": one, "to": other, "kind": kind} for one, other, kind in graph.fallen_relations
        ]
    return dump(document)


def losses(_: Graph) -> list[str]:
    return []


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return Document.model_json_schema()


def load(text: str) -> Any:
    """Strict JSON: NaN is refused, and every error has its line."""
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", error.lineno) from None
    except ValueError as error:
        raise FormatError(f"not a graph: {error}") from None


def dump(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _relate(builder: Builder, kind: str, one: Relation) -> None:
    builder.relate(kind, builder.number(one.source), builder.number(one.target))
