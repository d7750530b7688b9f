"""The published JSON Schemas: of a log line, a journal line, a result, and each protocol's debate file."""

from typing import Any

from moot.config import Options
from moot.entry import entry_schema
from moot.journal import Record
from moot.protocols import PROTOCOLS, get_protocol
from moot.result import Result


def schemas() -> dict[str, dict[str, Any]]:
    """Each schema by the name that `moot schema NAME` takes."""
    files = {name: _debate_file(name) for name in PROTOCOLS}
    return {
        "entry": entry_schema(),
        "call": Record.model_json_schema(),
        "result": _result_document(),
        **files,
    }


def _result_document() -> dict[str, Any]:
    """Result.document(): the protocol's outcome lies flat among the common fields, and is absent before a header."""
    schema = Result.model_json_schema(mode="serialization")
    schema["properties"].pop("outcome")
    schema["required"].remove("outcome")
    definitions = schema.setdefault("$defs", {})
    outcomes = []
    for name in PROTOCOLS:
        own = get_protocol(name).outcome_model.model_json_schema(mode="serialization")
        definitions.update(own.pop("$defs", {}))
        outcomes.append({"properties": {"protocol": {"const": name}, **own["properties"]}, "required": own["required"]})
    no_outcome = {"properties": {"receipt": {"properties": {"entries": {"const": 0}}}}}
    return schema | {"anyOf": [*outcomes, no_outcome]}


def _debate_file(name: str) -> dict[str, Any]:
    """A debate file holds the protocol's own keys and the options side by side."""
    own = get_protocol(name).config.model_json_schema(by_alias=True)
    shared = Options.model_json_schema()
    properties = {"protocol": {"const": name}, **own["properties"], **shared["properties"]}
    return own | {"properties": properties, "$defs": {**own.get("$defs", {}), **shared.get("$defs", {})}}
