"""How a small model is asked for an object: choices as JSON, texts as prose, and no optional fields.

If a small model writes prose within JSON, it fills it with dates and codes. In plain text it is fluent, so the object
is made from both: first the texts, then the choices that follow from them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.models.base import Message
from moot.text.marks import unmarked

CHOOSE = "So what do you choose?"
NEXT = "Now the {name}, in one sentence."


def needed(schema: Any) -> Any:
    """The schema without optional fields."""
    if isinstance(schema, list):
        return [needed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: value if key in ("const", "enum") else needed(value) for key, value in schema.items()}
    if "required" in schema and isinstance(inner.get("properties"), dict):
        inner["properties"] = {name: inner["properties"][name] for name in schema["required"]}
    return inner


def texts_in(schema: Mapping[str, Any]) -> list[str]:
    """The names of the texts, and lists of texts, that are generated as prose."""
    return [
        name for name, part in schema.get("properties", {}).items() if _is_text(part) or _is_text(part.get("items"))
    ]


def choices_in(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema of the other fields; None if there are none."""
    texts = texts_in(schema)
    rest = {name: part for name, part in schema.get("properties", {}).items() if name not in texts}
    return {**schema, "properties": rest, "required": list(rest)} if rest else None


def joined(schema: Mapping[str, Any], choices: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The object, in the order of its schema. A list of texts has one text."""
    parts = schema["properties"]
    return {
        name: choices[name] if name in choices else [texts[name]] if part.get("type") == "array" else texts[name]
        for name, part in parts.items()
    }


def then_choose(messages: Sequence[Message], said: Sequence[str]) -> tuple[Message, ...]:
    """The conversation in which a model chooses after its own words."""
    return _after(messages, said, CHOOSE)


def then_say(messages: Sequence[Message], said: Sequence[str], name: str) -> tuple[Message, ...]:
    """The conversation in which a model writes the text with this name after the earlier texts. With the same request
    it would repeat itself."""
    return _after(messages, said, NEXT.format(name=name.replace("_", " ")))


def _after(messages: Sequence[Message], said: Sequence[str], asked: str) -> tuple[Message, ...]:
    own = Message("assistant", unmarked(" ".join(said)))
    return (*messages, own, Message("user", asked)) if said else tuple(messages)


def _is_text(part: Any) -> bool:
    """Whether the field is generated as prose, which may be a single sentence."""
    plain = isinstance(part, dict) and part.get("type") == "string" and not part.keys() & {"const", "enum"}
    return plain and part.get("minLength", 0) <= 1
