"""Prompts: templates, the facts that fill them, and the fences around quoted text.

A prompt has a full form and a short one for small models, which is stored as data next to a protocol's prompts. An
entry of the log is a fact like any other, but it enters a prompt only as a fenced quotation, and only if the agent may
see it.
"""

import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from string import Formatter

from moot.engine.play.stance import Stance
from moot.errors import SecrecyBreach
from moot.models.base import ToolOffer
from moot.record.entry import Draft
from moot.text import one_line
from moot.text.yaml import parse_yaml

BLANK_LINE = "\n\n"


@dataclass(frozen=True, slots=True)
class Anonymous:
    """An entry as a fact of a prompt, quoted under a `label` such as `answer A` instead of its speaker's name."""

    entry: Draft
    label: str


Fact = str | int | Draft | list[Draft] | Anonymous | list[Anonymous] | Stance


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A prompt with `{names}` to fill in; a blank line ends a paragraph, and `- ` begins a list item.

    The short form and the first words of the answer, for small models, are here or next to the module in
    `prompts.small.yaml`. Without a short form, small models get the full one.
    """

    full: str
    short: str = ""
    opening: str = ""

    def __call__(self, **facts: Fact) -> "Prompt":
        return Prompt(_unwrapped(self.full), self, facts)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for an agent. `fault` is the reason why the previous reply could not be used, if this asks for another.
    The part of a system prompt that all agents share comes `before` it. The reply may ask for `tools`. Short forms can
    be in the `prompts.small.yaml` of a `package`."""

    full: str
    template: Template
    facts: Mapping[str, Fact]
    fault: str | None = None
    before: "Prompt | None" = None
    tools: tuple[ToolOffer, ...] = ()

    def text(self, reader: str, *, small: bool, package: str = "") -> str:
        """The prompt as `reader` gets it; SecrecyBreach if it would quote something that the reader may not see."""
        form = _unwrapped(self._small(package).short or self.template.full) if small else self.full
        text = _fill(form, self.facts, reader, small=small)
        return joined(self.shared(reader, small=small), text, small=small) if self.before else text

    def shared(self, reader: str, *, small: bool) -> str:
        """The text before this prompt."""
        return self.before.text(reader, small=small) if self.before else ""

    def first_words(self, reader: str, package: str) -> str:
        """The first words of a small model's answer."""
        return _fill(self.opening(package), self.facts, reader, small=True)

    def opening(self, package: str) -> str:
        """The template of these first words."""
        return self._small(package).opening

    def _small(self, package: str) -> Template:
        return small_forms(package).get(self.template, self.template)


def joined(*parts: str, small: bool) -> str:
    """Parts of a prompt that are not empty, as one."""
    return (" " if small else BLANK_LINE).join(part for part in parts if part)


@cache
def small_forms(package: str) -> Mapping[Template, Template]:
    """The short forms of a package's templates from its `prompts.small.yaml`: for each module its templates, each with
    `short` and `opening`."""
    if package not in sys.modules or not (file := files(package) / "prompts.small.yaml").is_file():
        return {}
    found = {}
    for module, templates in parse_yaml(file.read_bytes(), str(file)).items():
        path = module if "." in module else f"{package}.{module}"
        for name, form in templates.items():
            template: Template = getattr(import_module(path), name)
            found[template] = Template(template.full, **form)
    return found


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
    used = _names_in(template)
    if isinstance(stance := facts.get("stance"), Stance) and not used <= facts.keys():
        facts = {**stance.words(), **facts}
    return template.format_map({name: _shown(facts[name], reader, small=small) for name in used})


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
