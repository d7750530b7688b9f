"""Config errors in words: the place of each fault, and the closest valid key for an unknown one."""

import difflib
import re
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

MOST_FAULTS_TOLD = 4


def faults_in(model: type[BaseModel], error: ValidationError, also: list[str]) -> list[str]:
    """The first faults and their places; messages about alternatives of one place are combined."""
    by_place: dict[str, list[str]] = {}
    for fault in error.errors():
        place = place_of(fault)
        where = f"`{'.'.join(map(str, place))}`: " if place else ""
        if where not in by_place and len(by_place) == MOST_FAULTS_TOLD:
            break
        if fault["type"] == "extra_forbidden":
            known = _keys_at(model, place[:-1]) + (also if len(place) == 1 else [])
            by_place[f"unknown key {where}"] = [nearest(str(place[-1]), known)]
        else:
            by_place.setdefault(where, []).append(_IN_WORDS.get(fault["type"]) or _UNTOLD.sub("", fault["msg"]))
    return [f"{where}{' or '.join(messages)}" for where, messages in by_place.items()]


def place_of(fault: ErrorDetails) -> tuple[str | int, ...]:
    return tuple(part for part in fault["loc"] if not _ALTERNATIVE.fullmatch(str(part)))


_ALTERNATIVE = re.compile(r"(constrained-)?str|list\[.*\]|\[key\]")
"""The suffix that pydantic adds to a place to identify the alternative."""
_UNTOLD = re.compile(r"^(Value error, |Input (?=should )|String (?=should )|List (?=should ))")
_MAPPING = "should be a mapping of keys to values"
_IN_WORDS = {
    "missing": "missing",
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "dataclass_type": _MAPPING,
    "string_type": "should be a text",
    "list_type": "should be a list",
}
"""Kinds of fault for which pydantic's message is too technical."""


def nearest(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, 1)
    return f"did you mean `{close[0]}`?" if close else f"known here: {', '.join(sorted(known))}"


def _keys_at(model: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """The valid keys at a place in a model, found by walking its JSON Schema."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    nodes = _alternatives(schema, definitions)
    for part in path:
        inner = [node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part) for node in nodes]
        nodes = [option for node in inner if node for option in _alternatives(node, definitions)]
    return [key for node in nodes for key in node.get("properties", {})]


def _alternatives(node: dict[str, Any], definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """The possible schemas of a node, with references and unions resolved."""
    if "$ref" in node:
        return _alternatives(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
    return (
        [one for option in node["anyOf"] for one in _alternatives(option, definitions)] if "anyOf" in node else [node]
    )
