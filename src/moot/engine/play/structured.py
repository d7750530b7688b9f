"""Shapes of structured replies as JSON Schema, and what is wrong with a reply. `reader.py` reads the replies."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticOmit

from moot.engine.play.prompt import Template
from moot.models.base import Schema

Shape = TypeVar("Shape", bound=BaseModel)
THOUGHT = "thought"
"""The field in which an agent thinks before it chooses: it is shown to nobody and never published."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a reply cannot be used."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failure:
    """No usable reply after all attempts. It is a value, so the protocol has to decide on the consequences."""

    key: str
    reason: str


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema behind a reference within `root`."""
    target: Any = schema
    while "$ref" in target:
        name = str(target["$ref"]).rpartition("/")[2]
        target = root["$defs"][name]
    return target  # type: ignore[no-any-return]


def needed_parts(schema: Mapping[str, Any]) -> list[str]:
    """The parts without which there is no object. A model may be asked for others, too."""
    return [name for name in schema.get("required", ()) if "default" not in schema["properties"][name]]


@lru_cache(maxsize=256)
def json_schema(shape: type[BaseModel]) -> Schema:
    """The shape's JSON Schema as sent to models: without additional properties, as constrained decoding requires, and
    without anything useless to a model. Only descriptions of fields are sent; docstrings are for developers."""
    return Schema(_compact(shape.model_json_schema(), keep_description=False))


def _compact(schema: Mapping[str, Any], *, keep_description: bool = True) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _TELLS_NOTHING or (key, value) == _ANY or (key == "description" and not keep_description):
            continue
        if key in _NAMED_PARTS:
            # Descriptions under `$defs` are docstrings; those under `properties` are for the model.
            described = key == "properties"
            made[key] = {name: _compact(part, keep_description=described) for name, part in value.items()}
        elif key in _LISTED_PARTS:
            made[key] = [_compact(part) for part in value]
        else:
            made[key] = _compact(value) if isinstance(value, dict) else value
    if made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


_NAMED_PARTS = ("properties", "$defs")
_LISTED_PARTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_TELLS_NOTHING = ("title", "default", "discriminator")
_ANY = ("minLength", 1)
"""Non-empty texts are checked, but this need not be in the schema."""


def instance_of(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> Any:
    """The smallest value that satisfies the structure and bounds of the schema.

    It has no meaning; it is for rehearsals and tests.
    """
    root = schema if root is None else root
    if "$ref" in schema:
        target: Any = root
        for step in str(schema["$ref"]).removeprefix("#/").split("/"):
            target = target[step]
        return instance_of(target, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return instance_of(schema[union][0], root)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    return _instance_of_kind(kind[0] if isinstance(kind, list) else kind, schema, root)


def _instance_of_kind(kind: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: instance_of(properties[name], root) for name in schema.get("required", ())}
    if kind == "array":
        return [instance_of(schema.get("items", {}), root) for _ in range(schema.get("minItems", 0))]
    if kind in ("integer", "number"):
        return _number(schema, step=1 if kind == "integer" else 1e-6)
    if kind == "string":
        return "text".ljust(schema.get("minLength", 0), "t")[: schema.get("maxLength")]
    return True if kind == "boolean" else None


def _number(schema: Mapping[str, Any], step: float) -> float:
    value: float
    if "minimum" in schema:
        value = schema["minimum"]
    elif "exclusiveMinimum" in schema:
        value = schema["exclusiveMinimum"] + step
    else:
        value = min(0, schema.get("maximum", 0), schema.get("exclusiveMaximum", step) - step)
    factor = schema.get("multipleOf")
    return -(-value // factor) * factor if factor else value


def faults_of(error: ValidationError) -> str:
    """Everything that is wrong, with its place."""
    parts = []
    for fault in error.errors():
        where = ".".join(str(part) for part in fault["loc"])
        parts.append(f"`{where}`: {fault['msg']}" if where else fault["msg"])
    return "; ".join(dict.fromkeys(parts))


def _sound(item: Any, check: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    try:
        return check(item)
    except ValidationError as error:
        if info.context is not None:
            info.context.append(f"an item is left out: {faults_of(error)}")
        raise PydanticOmit from error


IF_SOUND = WrapValidator(_sound)
"""For the items of a list: one that cannot be read is left out, with a note, and the others stand."""


def _clear(value: Any, check: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    try:
        return check(value)
    except ValidationError:
        if info.context is not None:
            info.context.append(f"{info.field_name}: cannot be read, and is left out")
        return None


IF_CLEAR = WrapValidator(_clear)
"""For a part that can be None: what cannot be read there is left out, with a note."""


AGAIN = Template(
    full="""
That reply cannot be used: {reason}.
Reply again with one JSON object and nothing else, of the form that was asked for.
""",
    short="That was not right: {reason}. Answer again.",
)
AGAIN_IN_PERSON = Template(AGAIN.short)
