"""moot's JSON: a complete graph, with the version of the format.

`schema` publishes its JSON Schema, which `read` checks a document against.
"""

import json
from typing import Any

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, Builder, FormatError, quoted, weights
from moot.argument.graph import Graph
from moot.argument.structure import Locution, Step, Structure

VERSION = 1


def read(text: str) -> Graph:
    document = load(text)
    _check(document, _SCHEMA, "")
    builder = Builder()
    statements, wordings = [], {}
    for one in document["arguments"]:
        builder.add(one["name"], weight=one.get("weight"), text=one.get("text") or "")
        if one.get("statement"):
            statements.append(one["name"])
        if more := one.get("wordings"):
            wordings[one["name"]] = tuple(more)
    for one in document.get("attacks", ()):
        _relate(builder, UNDERCUT if one.get("undercut") else ATTACK, one)
    for one in document.get("supports", ()):
        _relate(builder, SUPPORT, one)
    steps = tuple(_step(builder, one) for one in document.get("steps", ()))
    locutions = tuple(_locution(builder, one) for one in document.get("locutions", ()))
    builder.structure = Structure(frozenset(statements), steps, wordings, locutions)
    return builder.graph()


def write(graph: Graph) -> str:
    structure = graph.structure
    arguments = []
    for name, text, weight in zip(graph.names, graph.texts or [""] * len(graph), weights(graph), strict=True):
        fields = {
            "name": name,
            "text": text or None,
            "weight": weight,
            "statement": True if name in structure.statements else None,
            "wordings": list(structure.wordings.get(name, ())) or None,
        }
        arguments.append({key: value for key, value in fields.items() if value is not None})
    attacks: list[dict[str, Any]] = []
    supports: list[dict[str, Any]] = []
    for source, target, kind in graph.relations():
        pair = {"from": graph.names[source], "to": graph.names[target]}
        if kind == SUPPORT:
            supports.append(pair)
        else:
            attacks.append(pair | {"undercut": True} if kind == UNDERCUT else pair)
    document = {"format": "moot.argument", "version": VERSION, "arguments": arguments}
    document |= {"attacks": attacks, "supports": supports}
    if structure.steps:
        document["steps"] = [
            {"argument": one.argument, "premises": one.premises, "conclusion": one.conclusion, "rules": one.rules}
            for one in structure.steps
        ]
    if structure.locutions:
        document["locutions"] = [_spoken(one) for one in structure.locutions]
    return dump(document)


def losses(graph: Graph) -> list[str]:  # noqa: ARG001 (as every format)
    return []


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return json.loads(json.dumps(_SCHEMA))  # type: ignore[no-any-return]


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


def _relate(builder: Builder, kind: str, one: dict[str, str]) -> None:
    builder.relate(kind, builder.number(one["from"]), builder.number(one["to"]))


def _step(builder: Builder, one: dict[str, Any]) -> Step:
    for name in (one["argument"], *one["premises"], one["conclusion"]):
        builder.number(name)
    return Step(one["argument"], tuple(one["premises"]), one["conclusion"], tuple(one.get("rules", ())))


def _locution(builder: Builder, one: dict[str, Any]) -> Locution:
    asserts: list[tuple[str, Any]] = []
    for each in one.get("asserts", ()):
        ends = [each[key] for key in ("from", "argument", "to") if key in each]
        for name in ends:
            builder.number(name)
        if len(ends) != (1 if "argument" in each else 2):
            raise FormatError(f"the locution {quoted(one['name'])} asserts neither an argument nor a relation")
        asserts.append((each["force"], ends[0] if "argument" in each else tuple(ends)))
    answers = tuple((each["kind"], each["locution"]) for each in one.get("replies", ()))
    return Locution(
        one["name"], one.get("text", ""), one.get("speaker", ""), one.get("time", ""), tuple(asserts), answers
    )


def _spoken(one: Locution) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": one.name, "text": one.text, "speaker": one.speaker, "time": one.time}
    fields["asserts"] = [
        {"force": force, **({"argument": what} if isinstance(what, str) else {"from": what[0], "to": what[1]})}
        for force, what in one.asserts
    ]
    fields["replies"] = [{"kind": kind, "locution": other} for kind, other in one.answers]
    return {key: value for key, value in fields.items() if value or key == "name"}


def _object(required: tuple[str, ...], **properties: dict[str, Any]) -> dict[str, Any]:
    named = {key.rstrip("_"): value for key, value in properties.items()}
    return {"type": "object", "properties": named, "required": list(required), "additionalProperties": False}


def _list(of: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{of}"}}


_NAME = {"type": "string", "description": "The name of an argument."}
_WORDS = {"type": "array", "items": {"type": "string"}}
_ENDS = {
    "from_": {"type": "string", "description": "The argument that attacks or supports."},
    "to": {"type": "string", "description": "The argument that is attacked or supported."},
}
_DEFINITIONS = {
    "Argument": _object(
        ("name",),
        name={"type": "string", "description": "Unique among the arguments."},
        text={"type": ["string", "null"], "description": "What it says."},
        weight={"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "Its base score."},
        statement={"type": "boolean", "description": "Whether it only states something."},
        wordings={**_WORDS, "description": "Further texts that say the same."},
    ),
    "Relation": _object(("from", "to"), **_ENDS),
    "Attack": _object(
        ("from", "to"),
        **_ENDS,
        undercut={"type": "boolean", "description": "Whether it attacks the step to the conclusion."},
    ),
    "Step": _object(
        ("argument", "premises", "conclusion"),
        argument=_NAME,
        premises={**_WORDS, "description": "Names of arguments."},
        conclusion=_NAME,
        rules={**_WORDS, "description": "The rules of inference it follows."},
    ),
    "Locution": _object(
        ("name",),
        name={"type": "string", "description": "Unique among the locutions."},
        text={"type": "string", "description": "What was said."},
        speaker={"type": "string"},
        time={"type": "string"},
        asserts=_list("Asserted"),
        replies=_list("Answered"),
    ),
    "Asserted": _object(
        ("force",),
        force={"type": "string", "description": "What was done by saying it, such as Asserting."},
        argument=_NAME,
        **_ENDS,
    ),
    "Answered": _object(("kind", "locution"), kind={"type": "string"}, locution={"type": "string"}),
}
_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "moot argument graph",
    "description": "An argument graph.",
    **_object(
        ("format", "version", "arguments"),
        format={"const": "moot.argument"},
        version={"const": VERSION},
        arguments=_list("Argument"),
        attacks=_list("Attack"),
        supports=_list("Relation"),
        steps=_list("Step"),
        locutions=_list("Locution"),
    ),
    "$defs": _DEFINITIONS,
}
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def _check(value: Any, shape: dict[str, Any], where: str) -> None:
    """Refuse a value that is not of this shape. Only the keywords used above are known."""
    if "$ref" in shape:
        shape = _DEFINITIONS[shape["$ref"].rsplit("/", 1)[1]]
    place = where.lstrip(".") or "the document"
    if "const" in shape:
        if value != shape["const"] or type(value) is not type(shape["const"]):
            raise FormatError(f"{place}: should be {shape['const']!r}")
        return
    _check_type(value, shape, place)
    if isinstance(value, list):
        for number, one in enumerate(value):
            _check(one, shape["items"], f"{where}.{number}")
    elif isinstance(value, dict):
        _check_keys(value, shape, where)


def _check_type(value: Any, shape: dict[str, Any], place: str) -> None:
    kinds = [shape["type"]] if isinstance(shape["type"], str) else shape["type"]
    if not any(isinstance(value, _TYPES[kind]) and (kind == "boolean") == (type(value) is bool) for kind in kinds):
        raise FormatError(f"{place}: should be of type {' or '.join(kinds)}")
    if "minimum" in shape and value is not None and not shape["minimum"] <= value <= shape["maximum"]:
        raise FormatError(f"{place}: should be within {shape['minimum']}..{shape['maximum']}")


def _check_keys(value: dict[str, Any], shape: dict[str, Any], where: str) -> None:
    for key in shape["required"]:
        if key not in value:
            raise FormatError(f"{where}.{key}".lstrip(".") + ": is missing")
    known = shape["properties"]
    for key, one in value.items():
        if key not in known:
            place = f"{where.lstrip('.')}: " if where else ""
            raise FormatError(f"{place}there is no key {quoted(key)}; there are {', '.join(known)}")
        _check(one, known[key], f"{where}.{key}")
