"""Reads the relations subset of Argdown: statements and arguments, their texts, data and nested relations.

Premise–conclusion structures and lists are refused; headings and tags are left out and reported as a loss.
"""

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, Builder, FormatError, Loss, quoted
from moot.argument.graph import Graph

_MARK = re.compile(
    r"(\\.|(?!<!--)<[^<>\n]{1,1000}>|\[[^\[\]\n]{1,1000}\]|\{[^{}\n]*\})|(<!--|/\*)|//[^\n]*|^[ \t]*(===+)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
"""Text that cannot start a comment (an escape, a title, data); a block comment; a line comment; front matter."""
_ENDS = {"<!--": "-->", "/*": "*/"}
_RELATION = re.compile(r"(\+>|->|_>|><|<\+|<-|<_|\+|-|_(?=\s))[ \t]*(?=\S)")
_TITLED = re.compile(r"(?:<([^>\n]+)>|\[([^\]\n]+)\])(:?)[ \t]*")
_ORDINARY = re.compile(r"(\d+\.|\*)\s")
_STRUCTURE = re.compile(r"\(\d+\)\s|--")
_TAG = re.compile(r"(?<![\\\w])#(?:\([^)]+\)|[\w-]+)[ \t]?")
_DATA = re.compile(r"(?<!\\)\{")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANING = {"+": SUPPORT, "-": ATTACK, "_": UNDERCUT}


@dataclass(slots=True)
class _Node:
    """A mention of a statement or argument: its title, and the text and data after it."""

    title: str
    line: int
    text: str
    defines: bool
    more: list[str] = field(default_factory=list)
    """Further lines of the text."""


@dataclass(slots=True)
class _Reader:
    nodes: dict[str, _Node] = field(default_factory=dict)
    related: list[tuple[str, str, str]] = field(default_factory=list)
    above: list[tuple[int, str]] = field(default_factory=list)
    """The nodes that an indented relation can belong to, with their indentation."""
    last: _Node | None = None
    untitled: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def take_line(self, raw: str, line: int) -> None:
        words = raw.strip()
        indent = len(raw) - len(raw.lstrip())
        if not words:
            self.last = None
        elif words.startswith("#") and re.match(r"#+\s", words):
            self.left_out["headings"] += 1
            self.above.clear()
            self.last = None
        elif _STRUCTURE.match(words):
            raise FormatError("premise–conclusion structures are not read; relations between arguments are", line)
        elif relation := _RELATION.match(words):
            self.take_relation(relation[1], words[relation.end() :], indent, line)
        elif _ORDINARY.match(words):
            raise FormatError("lists are not read; relations between arguments are", line)
        elif self.last is not None and not _TITLED.match(words):
            self.last.more.append(words)
        else:
            self.above = [(indent, self.take_node(words, line))]

    def take_relation(self, symbol: str, words: str, indent: int, line: int) -> None:
        while self.above and self.above[-1][0] >= indent and len(self.above) > 1:
            self.above.pop()
        if not self.above or (self.above[-1][0] >= indent and indent):
            raise FormatError("a relation has to stand below the argument it belongs to, further in", line)
        parent = self.above[-1][1]
        child = self.take_node(words, line)
        if symbol == "><":
            self.related += [(ATTACK, child, parent), (ATTACK, parent, child)]
        elif symbol.endswith(">"):
            self.related.append((_MEANING[symbol[0]], parent, child))
        else:
            self.related.append((_MEANING[symbol[-1]], child, parent))
        self.above.append((indent, child))

    def take_node(self, words: str, line: int) -> str:
        titled = _TITLED.match(words)
        if titled:
            title, text, defines = titled[1] or titled[2], words[titled.end() :], bool(titled[3])
        else:
            self.untitled += 1
            title, text, defines = f"Untitled {self.untitled}", words, True
        node = _Node(title, line, text, defines)
        known = self.nodes.get(title)
        if known is None or (text and not known.text):
            self.nodes[title] = node
        elif text and defines and known.defines and text != known.text:
            raise FormatError(f"{quoted(title)} has two texts, the other in line {known.line}", line)
        self.last = node
        return title

    def graph(self) -> Graph:
        builder = Builder()
        numbers = {}
        for title, node in self.nodes.items():
            text, data = self.parts(node)
            name = data.pop("name", title)
            weight = data.pop("weight", None)
            text = data.pop("text", text)
            if not (isinstance(name, str) and isinstance(text, str)):
                raise FormatError("the name and the text in the data have to be text", node.line)
            if weight is not None and (isinstance(weight, bool) or not isinstance(weight, int | float)):
                raise FormatError(f"the weight {quoted(str(weight))} is not a number", node.line)
            self.left_out["data other than name, text and weight"] += len(data)
            numbers[title] = builder.add(name, node.line, weight=weight, text=text)
        for kind, source, target in self.related:
            builder.relate(kind, numbers[source], numbers[target])
        if said := ", ".join(f"{what} ({number})" for what, number in self.left_out.items() if number):
            warnings.warn(f"a graph does not hold these of the Argdown document: {said}", Loss, stacklevel=4)
        return builder.graph()

    def parts(self, node: _Node) -> tuple[str, dict[str, Any]]:
        """The text behind a title without markup, and the data behind that."""
        text, data = "\n".join([node.text, *node.more]), {}
        if found := text.rstrip().endswith("}") and _DATA.search(text):
            data = _yaml(text[found.start() :].strip(), node.line)
            text = text[: found.start()]
        text, tags = _TAG.subn("", text)
        self.left_out["tags"] += tags
        return " ".join(_ESCAPE.sub(r"\1", text).split()), data


def read(text: str) -> Graph:
    reader = _Reader()
    for line, raw in _lines(text):
        reader.take_line(raw, line)
    return reader.graph()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments and front matter, numbered as in the file."""
    text = text.replace("\r\n", "\n")
    # An unclosed comment is not a comment. Searching for its end only once keeps this linear.
    last = {end: text.rfind(end) for end in (*_ENDS.values(), "\n===")}
    pieces, position, start = [], 0, 0
    begin = len(text) - len(text.lstrip())
    while mark := _MARK.search(text, position):
        position = mark.end()
        end = _ENDS.get(mark[2]) or ("\n===" if mark[3] and mark.start(3) == begin else None)
        if mark[1] or (mark[3] and end is None) or (end and last[end] < position):
            continue
        if end:
            position = text.index(end, position) + len(end)
        if mark[3]:
            position += len(text[position:].split("\n", 1)[0])
        pieces += [text[start : mark.start()], "\n" * text.count("\n", mark.start(), position)]
        start = position
    return enumerate("".join([*pieces, text[start:]]).split("\n"), 1)


def _yaml(source: str, line: int) -> dict[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(source)
    except (yaml.YAMLError, RecursionError):
        raise FormatError(f"{quoted(source)} is not YAML data", line) from None
    if not isinstance(data, dict):
        raise FormatError(f"{quoted(source)} is not YAML data with names", line)
    return data
