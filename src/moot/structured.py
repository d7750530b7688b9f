"""Structured replies: a shape goes out as JSON Schema, the answer is found leniently and checked strictly.

Fences and prose around the JSON are forgiven. Two answers, wrong types, numbers out of range are not:
they come back as a `Fault` that says what is wrong, in words the model can act on.
"""

import json
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from moot.prompt import Template

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a reply cannot be used."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failure:
    """No usable reply after all tries. A value, so that the protocol has to decide what it means."""

    key: str
    reason: str


def parse(shape: type[Shape], text: str) -> Shape | Fault:
    """The one object of that shape in the text."""
    try:
        objects = _objects(text)
    except (RecursionError, ValueError) as error:
        return Fault(f"the JSON cannot be read: {error}")
    if not objects:
        return Fault("there is no complete JSON object in it")
    fits, faults = [], []
    for value in objects:
        try:
            fit = shape.model_validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            faults.append(_faults(error))
            continue
        if fit not in fits:
            fits.append(fit)
    if len(fits) > 1:
        return Fault("there is more than one JSON object in it, and they differ; give one")
    return fits[0] if fits else Fault(faults[-1])


def json_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The shape's JSON Schema, closed to further properties as constrained decoding wants it."""
    schema = shape.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        if part.get("type") == "object":
            part.setdefault("additionalProperties", False)
    return schema


def made_up(schema: dict[str, Any]) -> str:
    """The plainest JSON text that a schema of ours allows. It means nothing: for rehearsals and tests."""
    return json.dumps(_instance(schema, schema.get("$defs", {})))


def _instance(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _instance(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _instance(schema["anyOf"][0], definitions)
    match schema.get("type"):
        case "object":
            return {name: _instance(part, definitions) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [_instance(schema["items"], definitions)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return "x" * max(1, schema.get("minLength", 0))


def _objects(text: str) -> list[dict[str, Any]]:
    """Every outermost JSON object in the text."""
    decoder = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    found = []
    position = text.find("{")
    while position != -1:
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError:
            end = position + 1
        else:
            found.append(value)
        position = text.find("{", end)
    return found


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _faults(error: ValidationError) -> str:
    parts = []
    for fault in error.errors()[:5]:
        where = ".".join(str(part) for part in fault["loc"])
        parts.append(f"`{where}`: {fault['msg']}" if where else fault["msg"])
    return "; ".join(parts)


FORMAT = """

Reply with one JSON object and nothing else, no code fence. It must match this JSON Schema:
{schema}"""

AGAIN = Template(
    full="""
That reply cannot be used: {reason}.
Reply again with one JSON object and nothing else, matching the JSON Schema you were given.
""",
    short="That was not right: {reason}. Answer again.",
)
