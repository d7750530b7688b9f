"""The report for everybody: what nobody was told, or only some, is left out of it, wherever a protocol shows it."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from moot.engine.outcome.material import Material, Spoken
from moot.present import Quote
from moot.record.entry import Entry
from moot.report.page import contents

LEAST = 20
"""A shorter text is only taken for a part of another by chance."""


def public_contents(material: Material) -> dict[str, Any]:
    """The content of a report without entries that are not public, and without their words in any section. What such an
    entry decided, as in a secret vote, is shown without the reasons."""
    found = contents(material)
    is_secret = _secret_in(material)
    for place in ("card", "body", "setting", "end"):
        found[place] = _cleared(found[place], is_secret)
    spoken = map(_public, transcript) if isinstance(transcript := found["transcript"], list) else ()
    return found | {"transcript": [one for one in spoken if one is not None]}


def _public(one: Spoken) -> Spoken | None:
    if one.entry.public:
        return one
    return replace(one, line=replace(one.line, text="", body=())) if one.line.kind == "mark" else None


def _secret_in(material: Material) -> Callable[[str], bool]:
    """Whether a text repeats what an agent did not say in public, in this debate."""
    hidden = [entry for entry in material.entries if not entry.public]
    public = "\n".join(
        [
            *(text for entry in material.entries if entry.public for text in _texts(entry)),
            *_strings(material.result.summary.model_dump()),
            material.topic,
        ]
    )
    secrets = {text for entry in hidden for text in _texts(entry) if text.strip() and text not in public}

    def is_secret(text: str) -> bool:
        whole = text.strip().removesuffix("…")
        if not whole or whole in public:
            return False
        return any(secret in text or (len(whole) >= LEAST and whole in secret) for secret in secrets)

    return is_secret


def _texts(entry: Entry) -> Iterator[str]:
    yield entry.content
    yield from _strings(entry.data.model_dump(mode="json") if entry.data else None)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _cleared(value: Any, is_secret: Callable[[str], bool]) -> Any:
    """Blocks without such texts; a quotation goes as a whole."""
    match value:
        case str():
            return "" if is_secret(value) else value
        case list() | tuple():
            inner = [_cleared(one, is_secret) for one in value]
            return type(value)(one for one in inner if not (isinstance(one, Quote) and not one.text))
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{one.name: _cleared(getattr(value, one.name), is_secret) for one in fields(value)})
    return value
