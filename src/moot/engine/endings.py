"""Texts that stop in the middle: where a reply is held to a schema, a text ends at the schema's bound, wherever its
sentence is then."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from moot.engine.structured import THOUGHT, Shape, json_schema, resolved
from moot.text.language import CLOSING, SENTENCE_ENDS, ends_sentence, is_english

CUT = " […]"
"""Stands at the end of a text that stops before its end."""
SMALL_BOUND = 240
"""Small models are held to so many characters, whatever the schema allows."""
_NEAR = 2
_SENTENCE = re.compile(rf".*[{re.escape(SENTENCE_ENDS)}][{re.escape(CLOSING)}]*(?=\s|(?<=[。！？．])\w)", re.DOTALL)
_GOES_ON = re.compile(r"\b(?:a|an|the|and|or|but|our|their|its|my|your|because|than|into)$", re.IGNORECASE)
"""English alone: whoever ends so has more to say."""
_COMMA = (",", "،", "、", "，", "–", "-")


def marked(value: Shape, *, small: bool = False) -> tuple[Shape, list[str]]:
    """The same with a mark at the end of each text that stops in the middle, and the paths of these texts; of a last
    sentence that was only begun nothing is left where there are whole ones."""
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
    """Whether a text that may have so many characters stops in the middle of a sentence."""
    said = text.rstrip()
    if bound is not None and bound - _NEAR <= len(text) <= bound and not ends_sentence(said):
        return True
    return " " in said and (said.endswith(_COMMA) or (_GOES_ON.search(said) is not None and is_english(said)))


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
    """The value with each text that stops in the middle as `change` has it."""
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
    if not isinstance(value, str) or schema.keys() & {"enum", "const", "pattern"}:
        return value
    bound = schema.get("maxLength")
    bound = min(bound or SMALL_BOUND, SMALL_BOUND) if small else bound
    return change(path, value) if stops_short(value, bound) else value
