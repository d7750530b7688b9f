"""Texts that stop in the middle: if a reply is constrained by a schema, a text is cut off at the schema's length limit,
even inside a sentence."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from moot.engine.play.structured import THOUGHT, Shape, json_schema, resolved
from moot.text.language import CLOSING, SENTENCE_ENDS, ends_sentence, word_count

CUT = " […]"
"""Marks the end of a text that was cut off."""
SMALL_BOUND = 240
"""The limit in characters for small models, whatever the schema allows."""
_NEAR = 2
_SENTENCE = re.compile(rf".*[{re.escape(SENTENCE_ENDS)}][{re.escape(CLOSING)}]*(?=\s|(?<=[。！？．])\w)", re.DOTALL)
_COMMA = (",", "،", "、", "，", "–", "-")


def marked(value: Shape, *, small: bool = False) -> tuple[Shape, list[str]]:
    """The value with a mark at the end of each text that stops in the middle, and the paths of these texts. An
    incomplete last sentence is dropped if there are complete ones."""
    found: list[str] = []

    def mark(path: str, text: str) -> str:
        found.append(path)
        return _with_mark(text)

    schema = json_schema(type(value))
    whole = _walk(value.model_dump(by_alias=True), schema, schema, "", small, mark)
    if not found:
        return value, found
    try:
        return type(value).model_validate(whole), found
    except ValidationError:  # no room for the mark
        return value, found


def stops_short(text: str, bound: int | None) -> bool:
    """Whether a text with this length limit stops in the middle of a sentence."""
    said = text.rstrip()
    if bound is not None and bound - _NEAR <= len(text) <= bound and not ends_sentence(said):
        return True
    return said.endswith(_COMMA) and word_count(said) > 1


def _with_mark(text: str) -> str:
    whole = _SENTENCE.match(text)
    return (whole[0] if whole else text.rstrip()) + CUT


def _walk(
    value: Any,
    schema: Mapping[str, Any],
    root: Mapping[str, Any],
    path: str,
    small: bool,
    change: Callable[[str, str], str],
) -> Any:
    """The value with `change` applied to each text that stops in the middle."""
    schema = resolved(schema, root)
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        return {
            key: one
            if key == THOUGHT
            else _walk(one, parts.get(key, {}), root, f"{path}.{key}".lstrip("."), small, change)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [
            _walk(one, schema.get("items", {}), root, f"{path}.{place}", small, change)
            for place, one in enumerate(value)
        ]
    if not isinstance(value, str) or "enum" in schema or "const" in schema or "pattern" in schema:
        return value
    bound = schema.get("maxLength")
    bound = min(bound or SMALL_BOUND, SMALL_BOUND) if small else bound
    return change(path, value) if stops_short(value, bound) else value
