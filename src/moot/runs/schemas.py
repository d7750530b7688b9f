"""The published JSON Schemas of a log line, a journal line, a result, and each protocol's debate file."""

from collections.abc import Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from moot.engine.define.config import Options
from moot.engine.define.options import Option, declared
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import all_protocols
from moot.engine.outcome.result import Result
from moot.record.entry import entry_schema
from moot.record.journal import Record


def schemas() -> dict[str, dict[str, Any]]:
    """Each schema by its name for `moot setup schema NAME`."""
    protocols = [found.protocol for found in all_protocols()]
    files = {one.name: file_schema(one) for one in protocols}
    return {
        "entry": entry_schema({one.name: one.payloads for one in protocols}),
        "call": Record.model_json_schema(),
        "result": _result_document(protocols),
        **files,
    }


def _result_document(protocols: Sequence[Protocol]) -> dict[str, Any]:
    """The schema of Result.document(), where the outcome's fields are among the common ones, and absent before a
    header."""
    schema = Result.model_json_schema(mode="serialization")
    schema["properties"].pop("outcome")
    schema["required"].remove("outcome")
    summary = schema["$defs"]["Summary"]
    schema["properties"]["flags"] = summary["properties"].pop("flags")
    schema["required"].append("flags")
    definitions = schema.setdefault("$defs", {})
    outcomes = []
    for protocol in protocols:
        own = protocol.outcome_model.model_json_schema(mode="serialization")
        definitions.update(own.pop("$defs", {}))
        outcomes.append(
            {
                "properties": {"protocol": {"const": protocol.name}, **own["properties"]},
                "required": own.get("required", []),
            }
        )
    no_outcome = {"properties": {"receipt": {"properties": {"entries": {"const": 0}}}}}
    return schema | {"anyOf": [*outcomes, no_outcome]}


def settable(protocol: Protocol) -> list[Option]:
    """The options whose values are written in a debate file unchanged."""
    return [one for one in (*declared(protocol.config), *protocol.options) if one.read is None]


def options_schema(protocol: Protocol) -> dict[str, Any]:
    """The options that a protocol declares, as a JSON Schema with the most common settings."""
    return {
        "type": "object",
        "properties": {one.name: _option(one) for one in settable(protocol)},
        "additionalProperties": False,
    }


def _option(option: Option) -> dict[str, Any]:
    kinds = {"whole": "integer", "number": "number", "text": "string", "choice": "string", "switch": "boolean"}
    schema = {
        "type": kinds[option.kind],
        "enum": list(option.choices) or None,
        "minimum": option.least,
        "maximum": option.most,
        "description": option.help,
    }
    one = {key: value for key, value in schema.items() if value is not None}
    usual = {} if option.default is None else {"default": to_jsonable_python(option.default)}
    return {"type": "array", "items": one, "description": option.help, **usual} if option.many else {**one, **usual}


def file_schema(protocol: Protocol) -> dict[str, Any]:
    """The schema of a debate file: the protocol's keys and the options."""
    own = protocol.config.model_json_schema(by_alias=True)
    shared = Options.model_json_schema()
    properties = {"protocol": {"const": protocol.name}, **own["properties"], **shared["properties"]}
    return own | {"properties": properties, "$defs": {**own.get("$defs", {}), **shared.get("$defs", {})}}
