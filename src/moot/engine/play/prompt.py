"""Prompts: templates, the facts that fill them, and the fences around quoted text.

A prompt has a full form and may have a short one for very small models. An entry of the log is a fact like any other,
but it enters a prompt only as a quotation, fenced in full prompts, and only if the agent may see it.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from string import Formatter

from moot.errors import SecrecyBreach
from moot.models.base import ToolOffer
from moot.record.entry import Draft
from moot.text import one_line

BLANK_LINE = "\n\n"


@dataclass(frozen=True, slots=True)
class Anonymous:
    """An entry as a fact of a prompt, quoted under a `label` such as `answer A` instead of its speaker's name."""

    entry: Draft
    label: str


Fact = str | int | Draft | list[Draft] | Anonymous | list[Anonymous]


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A prompt with `{names}` to fill in; a blank line ends a paragraph, and `- ` begins a list item.

    Very small models get the `short` form if there is one.
    """

    full: str
    short: str = ""

    def __call__(self, **facts: Fact) -> "Prompt":
        return Prompt(_unwrapped(self.full), self, facts)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for an agent. `fault` is the reason why the previous reply could not be used, if this asks for another.
    The part of a system prompt that all agents share comes `before` it. The reply may ask for `tools`."""

    full: str
    template: Template
    facts: Mapping[str, Fact]
    fault: str | None = None
    before: "Prompt | None" = None
    tools: tuple[ToolOffer, ...] = ()

    def text(self, reader: str, *, small: bool) -> str:
        """The prompt as `reader` gets it; SecrecyBreach if it would quote something that the reader may not see."""
        short = self.template.short if small else ""
        text = _fill(short or self.full, self.facts, reader, small=bool(short))
        return joined(self.shared(reader, small=small), text, small=small) if self.before else text

    def shared(self, reader: str, *, small: bool) -> str:
        """The text before this prompt."""
        return self.before.text(reader, small=small) if self.before else ""


def joined(*parts: str, small: bool) -> str:
    """Parts of a prompt that are not empty, as one."""
    return (" " if small else BLANK_LINE).join(part for part in parts if part)


def fenced(text: str, label: str) -> str:
    """Text as a quotation with an end mark that does not occur in it, so that its content cannot close it."""
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    while mark in text:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:8]
    return f"<<<{_in_fence(label)} {mark}>>>\n{text}\n<<<end {mark}>>>"


@lru_cache(maxsize=1024)  # a type and a name: the same for many entries
def _in_fence(label: str) -> str:
    return one_line(label).replace("<<<", "«").replace(">>>", "»")


@cache  # the number of templates in the source is small
def _unwrapped(text: str) -> str:
    """Paragraphs as single lines, so that line breaks in the source do not reach the model; those of a list stay."""
    return re.sub(r"(?<!\n)\n(?!\n|- )", " ", text.strip())


def _fill(template: str, facts: Mapping[str, Fact], reader: str, *, small: bool) -> str:
    return template.format_map({name: _shown(facts[name], reader, small=small) for name in _names_in(template)})


@lru_cache(maxsize=1024)  # most prompts come from templates in the source
def _names_in(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def _shown(fact: Fact, reader: str, *, small: bool) -> str:
    if isinstance(fact, str | int):
        return str(fact)
    if isinstance(fact, list):
        return (" " if small else "\n\n").join(_shown(one, reader, small=small) for one in fact)
    label = fact.label if isinstance(fact, Anonymous) else ""
    if isinstance(fact, Anonymous):
        fact = fact.entry
    if not isinstance(fact, Draft):
        raise TypeError(f"a prompt is filled with texts, numbers and entries, not with {type(fact).__name__}")
    if not fact.visible_to(reader):
        raise SecrecyBreach(f"{reader} was about to be shown a {fact.type} of {fact.speaker} that is not for them")
    if small:
        quotation = fact.content.replace('"', "'")
        return f'{label}: "{quotation}"' if label else f'"{quotation}"'
    return fenced(fact.content, label or _label(fact))


def _label(entry: Draft) -> str:
    """What an entry is, with its turn where it has one, so that it can be named in a reply."""
    turn = getattr(entry.data, "turn", None)
    return f"{entry.type} by {entry.speaker}" if turn is None else f"{entry.type} {turn} by {entry.speaker}"
