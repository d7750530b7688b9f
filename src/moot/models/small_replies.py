"""How a small model is asked for an object: its choices as JSON, its words as prose, and nothing that is optional.

Left to write prose within JSON, a small model fills it with dates and codes. Asked for the same in plain words it is
fluent, so the object is put together from both: first its words, then what it chooses once it has said them. The first
words of each text can be given to it, a line for each.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.models.base import Message
from moot.text.marks import unmarked

CHOOSE = "So what do you choose?"
NEXT = "Now the {name}, in one sentence."


def needed(schema: Any) -> Any:
    """The schema without what may be left out."""
    if isinstance(schema, list):
        return [needed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: value if key in ("const", "enum") else needed(value) for key, value in schema.items()}
    if "required" in schema and isinstance(inner.get("properties"), dict):
        inner["properties"] = {name: inner["properties"][name] for name in schema["required"]}
    return inner


def texts_in(schema: Mapping[str, Any]) -> list[str]:
    """The names of the texts, and lists of texts, that are asked for in free words."""
    return [
        name for name, part in schema.get("properties", {}).items() if _is_text(part) or _is_text(part.get("items"))
    ]


def choices_in(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema of the rest; None when there is no rest."""
    texts = texts_in(schema)
    rest = {name: part for name, part in schema.get("properties", {}).items() if name not in texts}
    return {**schema, "properties": rest, "required": list(rest)} if rest else None


def joined(schema: Mapping[str, Any], choices: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The object, in the order of its schema. Where a list of texts is asked for, one has to do."""
    parts = schema["properties"]
    return {
        name: choices[name] if name in choices else [texts[name]] if part.get("type") == "array" else texts[name]
        for name, part in parts.items()
    }


def first_words(opening: str, number: int) -> str:
    """How the text of that number begins."""
    lines = opening.split("\n")
    return lines[number].strip() if number < len(lines) else ""


def then_choose(messages: Sequence[Message], said: Sequence[str]) -> tuple[Message, ...]:
    """The conversation in which a model chooses after its own words."""
    return _after(messages, said, CHOOSE)


def then_say(messages: Sequence[Message], said: Sequence[str], name: str) -> tuple[Message, ...]:
    """The conversation in which a model says the text of that name after the texts before it: asked alike, it would say
    the same again."""
    return _after(messages, said, NEXT.format(name=name.replace("_", " ")))


def _after(messages: Sequence[Message], said: Sequence[str], asked: str) -> tuple[Message, ...]:
    own = Message("assistant", unmarked(" ".join(said)))
    return (*messages, own, Message("user", asked)) if said else tuple(messages)


def _is_text(part: Any) -> bool:
    """Whether it is asked for in free words, which may be as few as one sentence has."""
    plain = isinstance(part, dict) and part.get("type") == "string" and not part.keys() & {"const", "enum"}
    return plain and part.get("minLength", 0) <= 1
