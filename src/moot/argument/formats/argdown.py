r"""Argdown: arguments `<title>: text` with their supporters (+), attackers (-) and undercutters (_) indented below.

A title cannot hold every character, and a text is one paragraph. A name or text that does not fit is written in the
YAML data after the argument, `{name: "…", text: "…", weight: 0.5}`, like the weight.

This module writes; `argdown_reader` reads.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, FormatError, list_losses, texts, weights
from moot.argument.graph import Graph
from moot.argument.structure import Step, implied_supports
from moot.text import one_line

_SYMBOLS = {SUPPORT: "+", ATTACK: "-", UNDERCUT: "_"}
_TITLE = re.compile(r"[^\W_](?:[^<>\\{}\[\]]*[^<>\\{}\[\]\s])?")
_NOT_IN_TITLES = re.compile(r"[^\w ,.;!?'()-]+")
_TAKEN = frozenset(
    ("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf")
)
"""Names that exist in every JavaScript object, where Argdown's parser looks up titles."""
_SIMPLE = re.compile(r"[\w ,.;:!?'()+*/=@#%&|~^$-]", re.ASCII)
_HELD = ("supports", "undercut marks", "weights", "texts", "statement marks", "further wordings",
         "premise–conclusion structures")  # fmt: skip
_RULE_MARKUP = re.compile(r"[\\{},]|-(?=-)|[.:]|/(?=[/*])|<(?=!)")
_MARKUP = re.compile(r"[\\@#*_\[\]<>{}]|/(?=[/*])|={3,}|[.:](?=\S+?[.:])")


@dataclass(frozen=True, slots=True)
class _Writer:
    """The titles of a graph's arguments as references, `[…]` for a statement, and the steps that can be written."""

    graph: Graph
    marks: dict[str, str]
    steps: dict[str, list[Step]]

    @classmethod
    def of(cls, graph: Graph) -> "_Writer":
        statements = graph.structure.statements
        titles = zip(graph.names, _titles(graph.names, statements), strict=True)
        marks = {name: f"[{title}]" if name in statements else f"<{title}>" for name, title in titles}
        return cls(graph, marks, _writable_steps(graph))

    def blocks(self) -> Iterator[str]:
        below = self.relations()
        rows = zip(self.graph.names, texts(self.graph), weights(self.graph), strict=True)
        wordings = self.graph.structure.wordings
        for name, text, weight in rows:
            mark = self.marks[name]
            paragraph = one_line(text)
            more: dict[str, str | float] = {}
            if _name_of(mark, self.marks.values()) != name:
                more["name"] = name
            if paragraph != text:
                more["text"] = text
            if weight is not None:
                more["weight"] = weight
            for other in wordings.get(name, ()):
                if words := one_line(other):
                    yield f"{mark}: {_MARKUP.sub(_escaped, words)}"
            head = f"{mark}: {_MARKUP.sub(_escaped, paragraph)}" if paragraph else mark
            yield "\n".join([f"{head} {_data(more)}" if more else head, *below[name]])
            if name in self.steps:
                yield "\n".join(self.structure(self.steps[name]))

    def relations(self) -> dict[str, list[str]]:
        """The lines below each argument, without the supports that its structure already says."""
        names = self.graph.names
        below: dict[str, list[str]] = {name: [] for name in names}
        implied = {pair for steps in self.steps.values() for pair in implied_supports(steps)}
        for source, target, kind in self.graph.relations():
            if kind == SUPPORT and (names[source], names[target]) in implied:
                continue
            lines = below[names[target]]
            # Argdown's parser takes a self-relation for a repetition of an earlier one, so it is written first.
            place = 0 if source == target else len(lines)
            lines.insert(place, f"  {_SYMBOLS[kind]} {self.marks[names[source]]}")
        return below

    def structure(self, steps: list[Step]) -> Iterator[str]:
        listed: list[str] = []
        fresh: list[str] = []
        for step in steps:
            for premise in step.premises:
                if premise not in listed:
                    listed.append(premise)
                    fresh.append(premise)
                    yield f"({len(listed)}) {self.marks[premise]}"
            rules = ", ".join(_RULE_MARKUP.sub(_escaped, rule) for rule in step.rules)
            if set(step.premises) != set(fresh):
                uses = [listed.index(premise) + 1 for premise in step.premises]
                rules = f"{rules} {{uses: {uses}}}".lstrip()
            yield f"-- {rules} --" if rules else "----"
            listed.append(step.conclusion)
            fresh = [step.conclusion]
            yield f"({len(listed)}) {self.marks[step.conclusion]}"


def write(graph: Graph) -> str:
    if not len(graph):
        raise FormatError("an Argdown document has an argument at least, and the graph has none")
    return "\n\n".join(_Writer.of(graph).blocks()) + "\n"


def losses(graph: Graph) -> list[str]:
    dropped = len(graph.structure.by_argument()) - len(_writable_steps(graph))
    found = [f"premise–conclusion structures ({dropped})"] if dropped else []
    return [*found, *list_losses(graph, _HELD)]


def _writable_steps(graph: Graph) -> dict[str, list[Step]]:
    """The steps of each argument that Argdown can hold: between statements, and from an argument that has no other
    relation, since Argdown takes that for one of its conclusion."""
    structure = graph.structure
    busy = {graph.names[source]: 0 for source, _, _ in graph.relations()}
    for source, _, _ in graph.relations():
        busy[graph.names[source]] += 1
    return {
        argument: steps
        for argument, steps in structure.by_argument().items()
        if argument not in structure.statements
        and busy.get(argument) == 1
        and all(name in structure.statements for step in steps for name in (*step.premises, step.conclusion))
        and all(one_line(rule) == rule and rule for step in steps for rule in step.rules)
    }


def _name_of(mark: str, marks: Collection[str]) -> str:
    """The name that the reader gives to a title."""
    title = mark[1:-1]
    return mark if f"[{title}]" in marks and f"<{title}>" in marks else title


def _titles(names: tuple[str, ...], statements: Collection[str]) -> Iterator[str]:
    """A title for each name: the name itself, or the part of it that a title can hold. A statement and an argument
    named `[title]` and `<title>` share theirs, all others are unique."""
    used = set(names) | _TAKEN
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
    for name in names:
        inner = name[1:-1]
        pair = f"[{inner}]" in used and f"<{inner}>" in used and inner not in used
        if pair and f"[{inner}]" in statements and f"<{inner}>" not in statements and _fits(inner):
            yield inner
            continue
        if _fits(name):
            yield name
            continue
        stem = " ".join(_NOT_IN_TITLES.sub(" ", name).split()).lstrip(" ,.;!?'()-_") or "Argument"
        title = next(one for one in (f"{stem} {number}" for number in numbers[stem]) if one not in used)
        used.add(title)
        yield title


def _fits(name: str) -> bool:
    return bool(_TITLE.fullmatch(name) and name.isprintable() and name == " ".join(name.split()) and name not in _TAKEN)


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\{char}" for char in match[0])


def _data(values: dict[str, str | float]) -> str:
    pairs = (f"{key}: {_yaml(value)}" for key, value in values.items())
    return f"{{{', '.join(pairs)}}}"


def _yaml(value: str | float) -> str:
    """A scalar in ASCII. Brackets are written as numbers: Argdown takes the first closing brace as the end of the data,
    and `>:` or `]:` as the end of the title before it. A float has a point; otherwise YAML reads 1e-05 as a word."""
    if isinstance(value, str):
        return "".join(char if _SIMPLE.match(char) else f"\\U{ord(char):08x}" for char in value).join('""')
    return repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")
