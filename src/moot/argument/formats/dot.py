r"""DOT, the language of Graphviz: names are node identifiers; text, weight and kind are moot's attributes.

The reader accepts directed graphs of nodes and edges; an edge without a `kind` (or a `label` that names one) is an
attack. Subgraphs, ports and HTML names are refused. Inside quotes \\ is a backslash.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from moot.argument.formats.base import (
    ATTACK,
    SUPPORT,
    UNDERCUT,
    Builder,
    FormatError,
    kind_of,
    list_losses,
    quoted,
    texts,
    weights,
)
from moot.argument.graph import Graph

LABEL_WIDTH = 36
_LOOKS = {
    ATTACK: 'kind=attack, color="#b3261e", arrowhead=normal',
    UNDERCUT: 'kind=undercut, color="#b3261e", style=dotted, arrowhead=normalnormal',
    SUPPORT: 'kind=support, color="#1d6a35", style=dashed, arrowhead=odot',
}
_TOKEN = re.compile(
    r"""(?P<blank>\s++|//[^\n]*+|/\*.*?\*/|(?m:^)\#[^\n]*+)
    |(?P<mark>->|--|[\[\]{};,=:+])
    |(?P<quoted>"(?:[^"\\]|\\.)*+")
    |(?P<html><(?:[^<>]|<[^<>]*>)*+>)
    |(?P<plain>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*)
    """,
    re.DOTALL | re.VERBOSE,
)

_ENTITY = re.compile(r"&(?=#?\w+;)")
_ESCAPE = re.compile(r'\\(["\\]|\n)')  # the last continues a string on the next line


def write(graph: Graph) -> str:
    lines = ["digraph {", "  rankdir=BT;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for name, text, weight in zip(graph.names, texts(graph), weights(graph), strict=True):
        attributes = [f"label={_label(name, text)}"]
        if text:
            attributes.append(f"text={_quoted(text)}")
        if weight is not None:
            attributes.append(f"weight={_quoted(repr(weight))}")
        lines.append(f"  {_quoted(name)} [{', '.join(attributes)}];")
    for source, target, kind in graph.relations():
        lines.append(f"  {_quoted(graph.names[source])} -> {_quoted(graph.names[target])} [{_LOOKS[kind]}];")
    return "\n".join([*lines, "}", ""])


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "undercut marks", "weights", "texts"))


def read(text: str) -> Graph:
    reader = _Reader(_tokens(text))
    reader.advance()
    reader.take_head()
    while reader.kind != "mark" or reader.value != "}":
        reader.take_statement()
    reader.advance()
    if reader.kind:
        raise reader.error("nothing after the closing brace")
    return reader.builder.graph()


def _quoted(value: str) -> str:
    if "\0" in value:
        raise FormatError(f"DOT cannot hold {quoted(value)}: it has no character '\\x00'")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _label(name: str, text: str) -> str:
    """Name and text as a label. Only in labels does Graphviz read &…; as an HTML entity."""
    lines = [name, *textwrap.wrap(text, LABEL_WIDTH)]
    return "\\n".join(_quoted(_ENTITY.sub("&amp;", line))[1:-1] for line in lines).join('""')


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            piece = text[position:].split("\n", 1)[0]
            raise FormatError(f"{quoted(piece)} is not DOT", line)
        if match.lastgroup != "blank":
            yield str(match.lastgroup), match[0], line
        line += match[0].count("\n")
        position = match.end()


@dataclass(slots=True)
class _Reader:
    """Reads one token at a time and builds the graph. `kind` is empty at the end."""

    tokens: Iterator[tuple[str, str, int]]
    builder: Builder = field(default_factory=Builder)
    kind: str = ""
    value: str = ""
    line: int = 1
    defaults: dict[str, str] = field(default_factory=dict)

    def advance(self) -> None:
        self.kind, self.value, self.line = next(self.tokens, ("", "", self.line))

    def error(self, expected: str) -> FormatError:
        found = quoted(self.value) if self.kind else "the end"
        return FormatError(f"{found}, where there should be {expected}", self.line)

    def is_mark(self, *marks: str) -> bool:
        return self.kind == "mark" and self.value in marks

    def take_head(self) -> None:
        word = self.value.lower()
        if word == "strict":
            self.advance()
            word = self.value.lower()
        if self.kind != "plain" or word != "digraph":
            raise self.error("digraph")
        self.advance()
        if self.kind in ("plain", "quoted"):
            self.advance()
        if not self.is_mark("{"):
            raise self.error("{")
        self.advance()

    def take_identifier(self) -> str:
        if self.kind not in ("plain", "quoted"):
            raise self.error("a name (subgraphs and HTML names are not read)")
        value = self.value
        if self.kind == "plain":
            if value.lower() == "subgraph":
                raise self.error("a name (subgraphs are not read)")
        else:
            value = _ESCAPE.sub(lambda match: match[1].strip("\n"), value[1:-1])
        self.advance()
        if self.is_mark(":", "+"):
            raise self.error("no port and no joined string (these are not read)")
        return value

    def take_statement(self) -> None:
        if self.is_mark(";"):
            self.advance()
            return
        word = self.value.lower() if self.kind == "plain" else ""
        chain = [self.take_identifier()]
        if word in ("graph", "node", "edge"):
            attributes = self.take_attributes()
            if word == "edge":
                self.defaults |= attributes
            return
        if self.is_mark("="):
            self.advance()
            self.take_value()
            return
        line = self.line
        while self.is_mark("->"):
            self.advance()
            chain.append(self.take_identifier())
        if self.is_mark("--"):
            raise self.error("-> (relations are directed)")
        attributes = self.take_attributes()
        if len(chain) == 1:
            self.add_argument(chain[0], attributes, line)
        else:
            self.add_relations(chain, self.defaults | attributes, line)

    def take_attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while self.is_mark("["):
            self.advance()
            while not self.is_mark("]"):
                if self.is_mark(",", ";"):
                    self.advance()
                    continue
                key = self.take_identifier()
                if not self.is_mark("="):
                    raise self.error("=")
                self.advance()
                attributes[key] = self.take_value()
            self.advance()
        return attributes

    def take_value(self) -> str:
        if self.kind == "html":
            value = self.value
            self.advance()
            return value
        return self.take_identifier()

    def add_argument(self, name: str, attributes: dict[str, str], line: int) -> None:
        number = self.builder.declare(name, line)
        if attributes.get("text", name) != name:
            self.builder.texts[number] = attributes["text"]
        if "weight" in attributes:
            try:
                weight = float(attributes["weight"])
            except ValueError:
                raise FormatError(f"the weight {quoted(attributes['weight'])} is not a number", line) from None
            if not 0 <= weight <= 1:
                raise FormatError(f"the weight {weight:g} is not within 0..1", line)
            self.builder.weights[number] = weight

    def add_relations(self, chain: list[str], attributes: dict[str, str], line: int) -> None:
        kind = kind_of(attributes.get("kind", attributes.get("label", "")), line)
        numbers = [self.builder.declare(name, line) for name in chain]
        for source, target in pairwise(numbers):
            self.builder.relate(kind, source, target)
