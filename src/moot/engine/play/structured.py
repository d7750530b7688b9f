"""Structured replies: a shape is sent as JSON Schema, the answer is searched leniently and checked strictly.

Fences and prose around the JSON are accepted, and so are slips that leave no doubt of what is meant, such as single
quotes. Two answers, wrong types and numbers out of range are not: they become a `Fault` that explains the problem in
words the model can act on.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isinf
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from moot.engine.play.lenient import mended
from moot.engine.play.prompt import Template
from moot.models.base import Schema
from moot.text.marks import unmarked_value

MOST_READ_IN_VAIN = 20
"""Limits the search for objects: the characters read in vain after braces that open no object, in multiples of the
text's length. Only a text made to be slow exceeds it."""
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s?%")
LONGEST_LITERAL = len("false")
"""A text that stops within a literal is faulty from its start on."""
STOPPED = "it stops at the limit of its length, before the object ends: say less, and finish the object"
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


def parse(shape: type[Shape], text: str, *, cut: bool = False) -> Shape | Fault:
    """The only object of this shape in the text; if that is not proper JSON, in the mended text. `cut` says that the
    text stops at the token limit: then an object inside an unfinished one is not an answer."""
    try:
        found = _fitting(shape, _objects(text, cut=cut))
        if isinstance(found, Fault) and (other := _objects(mended(text), _LENIENT, cut=cut)):
            found = _fitting(shape, other)
    except (RecursionError, ValueError) as error:
        return Fault(f"the JSON cannot be read: {error}")
    return Fault(STOPPED) if cut and isinstance(found, Fault) else found


def _fitting(shape: type[Shape], objects: list[dict[str, Any]]) -> Shape | Fault:
    if not objects:
        return Fault("there is no complete JSON object in it")
    fits: list[Shape] = []
    faults: list[str] = []
    for value in objects:
        try:
            known = _in_known_words(value, json_schema(shape))
            fit = shape.model_validate_json(to_json(known), strict=True)
        except ValidationError as error:
            faults.append(_faults(error))
            continue
        if fits and fit != fits[0]:
            return Fault("there is more than one JSON object in it, and they differ; give one")
        fits.append(fit)
    return fits[0] if fits else Fault(faults[-1])


def _in_known_words(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> Any:
    """The value with keys and enumeration words spelled as in the schema: `ACCEPT` becomes accept, and `needs changes`
    needs_changes. A share becomes a percentage if integers up to 100 are wanted, and vice versa; so does `"80 %"`.
    Numbers such as `7.0` become integers."""
    root = schema if root is None else root
    schema = resolved(schema, root)
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        spelled = _known_keys(value, parts)
        return {spelled[key]: _in_known_words(one, parts.get(spelled[key], {}), root) for key, one in value.items()}
    if isinstance(value, list):
        return [_in_known_words(one, schema.get("items", {}), root) for one in value]
    value = _known_value(value, schema)
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if whole else value


def _known_value(value: Any, schema: Mapping[str, Any]) -> Any:
    """The same for a value without parts."""
    if isinstance(value, str) and (number := _percentage(value, schema)) is not None:
        return number
    words = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if words and isinstance(value, str) and value not in words:
        texts = [word for word in words if isinstance(word, str)]
        same = [word for word in texts if unmarked_value(word) == value]  # as it was sent
        same = same or [word for word in texts if _letters(word) == _letters(value)]
        return same[0] if len(same) == 1 else value
    if isinstance(value, float) and (schema.get("type"), schema.get("maximum")) == ("integer", 100):
        return round(100 * value) if 0 <= value <= 1 else value
    if isinstance(value, int | float) and 1 < value <= 100 and _takes_a_share(schema):
        return value / 100
    return value


def _percentage(text: str, schema: Mapping[str, Any]) -> float | None:
    """The value of `"80 %"`, if a share or a percentage is wanted."""
    found = _PERCENT.fullmatch(text.strip()) if "%" in text else None
    if found is None:
        return None
    if _takes_a_share(schema):
        return float(found[1]) / 100
    return float(found[1]) if (schema.get("type"), schema.get("maximum")) == ("integer", 100) else None


def _known_keys(given: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, str]:
    """The keys of the shape for given keys with a different spelling, if there is only one candidate and it is not
    given itself."""
    if given.keys() <= parts.keys():
        return dict(zip(given, given, strict=True))
    unknown = Counter(_letters(key) for key in given if key not in parts)
    missing: dict[str, list[str]] = {}
    for part in parts.keys() - given.keys():
        missing.setdefault(_letters(part), []).append(part)
    same = {letters: parts[0] for letters, parts in missing.items() if len(parts) == 1 and unknown[letters] == 1}
    return {key: key if key in parts else same.get(_letters(key), key) for key in given}


def _takes_a_share(schema: Mapping[str, Any]) -> bool:
    return any((one.get("type"), one.get("maximum")) == ("number", 1) for one in schema.get("anyOf", [schema]))


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema behind a reference within `root`."""
    target: Any = schema
    while "$ref" in target:
        name = str(target["$ref"]).rpartition("/")[2]
        target = root["$defs"][name]
    return target  # type: ignore[no-any-return]


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


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


def _objects(text: str, decoder: json.JSONDecoder | None = None, *, cut: bool = False) -> list[dict[str, Any]]:
    """Every outermost JSON object in the text; ValueError if finding them would take too long. In a `cut` text, the
    search ends at the object that the end of the text leaves unfinished."""
    objects = []
    text = _Unnumbered(text)
    ending = len(text.rstrip()) - LONGEST_LITERAL
    position, in_vain = text.find("{"), 0
    while position != -1:
        try:
            value, end = (decoder or _DECODER).raw_decode(text, position)
        except json.JSONDecodeError as error:
            end = position + 1
            # For an unterminated string, the error has the position of its start, but everything after it was read.
            read = len(text) if error.msg.startswith("Unterminated") else error.pos
            if cut and read >= ending:
                break
            in_vain += read - position
            if in_vain > MOST_READ_IN_VAIN * len(text):
                raise ValueError("too many braces in it open no object") from None
        else:
            objects.append(value)
        position = text.find("{", end)
    return objects


class _Unnumbered(str):
    """A text without line numbers: otherwise, for each brace that opens nothing, all lines before it would be counted
    for a message that nobody reads."""

    __slots__ = ()

    def count(self, *_: Any) -> int:
        return 0

    def rfind(self, *_: Any) -> int:
        return -1


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise ValueError(f"{digits:.20} is too large for a number")
    return number


_HOOKS: dict[str, Any] = {
    "object_pairs_hook": _no_duplicates,
    "parse_constant": _no_constant,
    "parse_float": _finite,
}
_DECODER = json.JSONDecoder(**_HOOKS)
_LENIENT = json.JSONDecoder(**_HOOKS, strict=False)
"""Allows line breaks in strings."""


def _faults(error: ValidationError) -> str:
    parts = []
    for fault in error.errors()[:5]:
        where = ".".join(str(part) for part in fault["loc"])
        parts.append(f"`{where}`: {fault['msg']}" if where else fault["msg"])
    return "; ".join(parts)


AGAIN = Template(
    full="""
That reply cannot be used: {reason}.
Reply again with one JSON object and nothing else, of the form that was asked for.
""",
    short="That was not right: {reason}. Answer again.",
)
