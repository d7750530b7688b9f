"""A JSON schema in the narrower form that servers with strict constrained output accept."""

from collections.abc import Set as AbstractSet
from typing import Any

from moot.text.json import parse_json

_NAMED_SCHEMAS = ("properties", "$defs", "definitions")
_PLAIN_VALUES = ("const", "enum", "required", "default", "examples")


def closed_schema(schema: dict[str, Any], unsupported: AbstractSet[str]) -> dict[str, Any]:
    """The schema with every property required and no others allowed, without the `unsupported` keywords.

    It may allow more than the original (a dropped bound) or ask for more (a value where there is a default); the reply
    has to be validated against the original.
    """
    if "$ref" in schema and "$defs" not in schema:  # strict servers take no keyword beside a reference
        return {"$ref": schema["$ref"]}
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key in unsupported or key == "discriminator":
            continue
        if key in _NAMED_SCHEMAS:
            result[key] = {name: closed_schema(inner, unsupported) for name, inner in value.items()}
        elif key in _PLAIN_VALUES:
            result[key] = value
        elif isinstance(value, dict):
            result[key] = closed_schema(value, unsupported)
        elif isinstance(value, list):
            inner = [closed_schema(item, unsupported) if isinstance(item, dict) else item for item in value]
            result["anyOf" if key == "oneOf" else key] = inner
        else:
            result[key] = value
    if "properties" in result:
        result["required"] = list(result["properties"])
        result["additionalProperties"] = False
    return result


def is_object(text: str) -> bool:
    """Whether a reply is one JSON object, as it is if the server followed the schema."""
    try:
        return isinstance(parse_json(text), dict)
    except ValueError:
        return False
