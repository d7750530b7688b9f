"""GraphML. Arguments carry name, text and weight as data, relations their kind.

In files of other programs, an argument without a name is named by its id, and a relation without a kind is an attack. A
document type declaration is refused before anything in it is expanded.
"""

import re
import warnings
from collections import Counter
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape

from moot.argument.formats.base import (
    Builder,
    FormatError,
    Loss,
    kind_of,
    list_losses,
    quoted,
    texts,
    weights,
)
from moot.argument.graph import Graph

_KEYS = (
    ("name", "node", "string"),
    ("text", "node", "string"),
    ("weight", "node", "double"),
    ("kind", "edge", "string"),
)
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(text: str) -> Graph:
    reader = _Reader()
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.StartElementHandler = lambda tag, attributes: reader.start(tag, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise FormatError(f"not XML: {expat.ErrorString(error.code)}", error.lineno) from None
    return reader.graph()


def write(graph: Graph) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'  <key id="{key}" for="{what}" attr.name="{key}" attr.type="{kind}"/>' for key, what, kind in _KEYS]
    lines.append('  <graph edgedefault="directed">')
    rows = zip(graph.names, texts(graph), weights(graph), strict=True)
    for number, (name, text, weight) in enumerate(rows, 1):
        data = _data("name", name)
        if text:
            data += _data("text", text)
        if weight is not None:
            data += _data("weight", repr(weight))
        lines.append(f'    <node id="n{number}">{data}</node>')
    for source, target, kind in graph.relations():
        lines.append(f'    <edge source="n{source + 1}" target="n{target + 1}">{_data("kind", kind)}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "undercut marks", "weights", "texts"))


def _data(key: str, value: str) -> str:
    if bad := _NOT_XML.search(value):
        raise FormatError(f"GraphML cannot hold {quoted(value)}: XML has no character {bad[0]!a}")
    return f'<data key="{key}">{escape(value, {chr(13): "&#13;"})}</data>'


@dataclass(slots=True)
class _Element:
    """A node or an edge that is being read."""

    attributes: dict[str, str]
    line: int
    data: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Reader:
    """Collects the events of expat."""

    keys: dict[str, str] = field(default_factory=dict)
    nodes: list[_Element] = field(default_factory=list)
    edges: list[_Element] = field(default_factory=list)
    inside: _Element | None = None
    key: str | None = None
    depth: int = 0

    def refuse(self, *_: object) -> None:
        raise FormatError("a document type declaration (DTD) is not read")

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.depth += 1
        tag = tag.rpartition(" ")[2]
        if self.depth == 1 and tag != "graphml":
            raise FormatError(f"the document is <{tag[:20]}> and not <graphml>", line)
        if tag == "key":
            self.keys[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", ""))
        elif tag in ("node", "edge"):
            if self.key is not None:
                raise FormatError(f"a {tag} within data", line)
            self.inside = _Element(attributes, line)
            (self.nodes if tag == "node" else self.edges).append(self.inside)
        elif tag == "data" and self.inside is not None:
            self.key = self.keys.get(attributes.get("key", ""), attributes.get("key", ""))
            self.inside.data[self.key] = ""
        elif tag == "hyperedge" or (tag == "graph" and attributes.get("edgedefault") == "undirected"):
            raise FormatError(f"relations are directed and between two arguments; this {tag} is not", line)

    def end(self, tag: str) -> None:
        self.depth -= 1
        tag = tag.rpartition(" ")[2]
        if tag == "data":
            self.key = None
        elif tag in ("node", "edge"):
            self.inside = None

    def characters(self, text: str) -> None:
        if self.inside is not None and self.key is not None:
            self.inside.data[self.key] += text

    def graph(self) -> Graph:
        builder = Builder()
        numbers: dict[str, int] = {}
        for node in self.nodes:
            identifier = _attribute(node, "id")
            if identifier in numbers:
                raise FormatError(f"the node {quoted(identifier)} is there twice", node.line)
            weight = node.data.get("weight")
            numbers[identifier] = builder.add(
                node.data.get("name", identifier),
                node.line,
                weight=None if weight is None else _number(weight, node.line),
                text=node.data.get("text", ""),
            )
        for edge in self.edges:
            ends = [_attribute(edge, end) for end in ("source", "target")]
            if absent := [end for end in ends if end not in numbers]:
                raise FormatError(f"there is no node {quoted(absent[0])}", edge.line)
            builder.relate(kind_of(edge.data.get("kind", ""), edge.line), *(numbers[end] for end in ends))
        self.tell_losses()
        return builder.graph()

    def tell_losses(self) -> None:
        known = {key for key, *_ in _KEYS}
        other = Counter(key for one in (*self.nodes, *self.edges) for key in one.data if key not in known)
        if other:
            losses = ", ".join(f"{quoted(key)} ({count})" for key, count in sorted(other.items()))
            warnings.warn(f"a graph does not hold this data of the GraphML file: {losses}", Loss, stacklevel=4)


def _attribute(element: _Element, name: str) -> str:
    if name not in element.attributes:
        raise FormatError(f"a node or edge without {name}", element.line)
    return element.attributes[name]


def _number(value: str, line: int) -> float:
    try:
        return float(value)
    except ValueError:
        raise FormatError(f"the weight {quoted(value)} is not a number", line) from None
