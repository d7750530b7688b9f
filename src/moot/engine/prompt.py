"""Prompts: templates, the facts that fill them, and the fences around what others said.

A prompt has a full form and a short one for small models. An entry of the log is a fact like any other,
but it enters a prompt only as a fenced quotation, and only when the agent asked may see it.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from string import Formatter

from moot.errors import SecrecyBreach
from moot.record.entry import Draft

Fact = str | int | Draft | list[Draft]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an agent is about to be sent. `opening` are the first words of a small model's answer; `fault` is why the
    reply before could not be used, where this asks for another."""

    full: str
    short: str
    opening: str
    facts: Mapping[str, Fact]
    fault: str | None = None

    def text(self, reader: str, *, small: bool) -> str:
        """The prompt as `reader` gets it; SecrecyBreach when it would quote what is not the reader's."""
        return _fill(self.short if small else self.full, self.facts, reader, small=small)

    def first_words(self, reader: str, *, small: bool) -> str:
        return _fill(self.opening, self.facts, reader, small=small) if small else ""


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt with `{names}` to be filled in; a blank line ends a paragraph. Without a short form small models
    get the full one."""

    full: str
    short: str = ""
    opening: str = ""

    def __call__(self, **facts: Fact) -> Prompt:
        return Prompt(_unwrapped(self.full), _unwrapped(self.short or self.full), self.opening, facts)


def fenced(text: str, label: str) -> str:
    """Text as a quotation whose end mark does not occur in it, so that nothing inside can close it."""
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    while mark in text:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:8]
    return f"<<<{label} {mark}>>>\n{text}\n<<<end {mark}>>>"


@cache  # there are only as many templates as stand in the source
def _unwrapped(text: str) -> str:
    """Paragraphs as single lines: where a template's source is wrapped is no business of a model's."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text.strip())


def _fill(template: str, facts: Mapping[str, Fact], reader: str, *, small: bool) -> str:
    used = _names_in(template)
    return template.format_map({name: _shown(facts[name], reader, small=small) for name in used})


@lru_cache(maxsize=1024)  # most prompts are filled from templates that stand in the source
def _names_in(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def _shown(fact: Fact, reader: str, *, small: bool) -> str:
    if isinstance(fact, str | int):
        return str(fact)
    if isinstance(fact, list):
        return (" " if small else "\n\n").join(_shown(one, reader, small=small) for one in fact)
    if not isinstance(fact, Draft):
        raise TypeError(f"a prompt is filled with texts, numbers and entries, not with {type(fact).__name__}")
    if not fact.visible_to(reader):
        raise SecrecyBreach(f"{reader} was about to be shown a {fact.type} of {fact.speaker} that is not for them")
    if small:
        quotation = fact.content.replace('"', "'")
        return f'"{quotation}"'
    return fenced(fact.content, f"{fact.type} by {fact.speaker}")
