"""Mermaid flowcharts: attack `--x`, undercut `-.-x`, support `-.->`, each labelled with its word.

A node's label is the argument's name, then a line break and its text. Every character that Mermaid could interpret is
written as its number. The reader accepts this part of flowcharts; an arrow without a word is an attack.
"""

import html
import re
import warnings
from collections.abc import Iterator

from moot.argument.formats.base import (
    ATTACK,
    SUPPORT,
    UNDERCUT,
    Builder,
    FormatError,
    Loss,
    kind_of,
    list_losses,
    quoted,
    texts,
)
from moot.argument.graph import Graph

_ARROWS = {ATTACK: "--x|attacks|", UNDERCUT: "-.-x|undercuts|", SUPPORT: "-.->|supports|"}
_COLOURS = {ATTACK: "#b3261e", UNDERCUT: "#b3261e", SUPPORT: "#1d6a35"}
_CODE = re.compile(r"#(?:(\d{1,7})|(\w{1,20}));", re.ASCII)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_NODE = (
    r'([\w][\w-]*?)(?:\[+[(/\\]?("[^"]*"|[^"\]\[|]*?)[)/\\]?\]+|\(+("[^"]*"|[^"()|]*?)\)+|\{+("[^"]*"|[^"{}|]*?)\}+)?'
)
_FIRST = re.compile(rf"\s*{_NODE}\s*(?=;|$|[<ox]?[-=~]|&)")
_NEXT = re.compile(
    r"\s*(?:(?P<bare>-{2,}[>xo]|-\.+-[>xo]?|={2,}[>xo])(?:\|(?P<piped>[^|]*)\|)?"
    rf"|(?:--|-\.|==)\s+(?P<word>\w+)\s+(?:-{{2,}}[>xo]|\.+-[>xo]?|={{2,}}[>xo]))\s*{_NODE}\s*(?=;|$|[<ox]?[-=~]|&)"
)
_HEAD = re.compile(r"\s*(?:flowchart|graph)(?:[- ]elk)?(?:\s+(?:TB|TD|BT|LR|RL))?\s*;?\s*")
_LOOKS = re.compile(r"\s*(?:linkStyle|style|classDef|class|click|direction|accTitle|accDescr)\b")
_GROUP = re.compile(r"\s*(?:subgraph\b.*|end)\s*;?\s*")
# A label, a code for a character, or else the end of a statement.
_PIECE = re.compile(r'"[^"]*"|#\w{1,20};|%%.*|;', re.ASCII)


def write(graph: Graph) -> str:
    lines = ["flowchart BT"]
    for number, (name, text) in enumerate(zip(graph.names, texts(graph), strict=True), 1):
        # Mermaid refuses an empty label, so an empty name is written as a line break.
        label = _coded(name) + (f"<br/>{_coded(text)}" if text or not name else "")
        lines.append(f'    n{number}["{label}"]')
    colours: dict[str, list[str]] = {}
    for place, (source, target, kind) in enumerate(graph.relations()):
        lines.append(f"    n{source + 1} {_ARROWS[kind]} n{target + 1}")
        colours.setdefault(_COLOURS[kind], []).append(str(place))
    lines += [f"    linkStyle {','.join(places)} stroke:{colour}" for colour, places in colours.items()]
    return "\n".join([*lines, ""])


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "undercut marks", "texts"))


def read(text: str) -> Graph:
    labels: dict[str, tuple[str, int]] = {}
    related: list[tuple[str, str, str]] = []
    headed = groups = False
    for number, line in _statements(text):
        if _LOOKS.match(line):
            continue
        if not headed:
            if not _HEAD.fullmatch(line):
                raise FormatError("a Mermaid flowchart begins with: flowchart BT", number)
            headed = True
        elif _GROUP.fullmatch(line):
            groups = True
        else:
            _take_line(line, number, labels, related)
    if not headed:
        raise FormatError("a Mermaid flowchart begins with: flowchart BT")
    if groups:
        warnings.warn("a graph does not hold the subgraphs of the flowchart", Loss, stacklevel=3)
    return _graph(labels, related)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements with their line numbers; a semicolon ends one, too. Comments are left out."""
    for number, line in enumerate(text.split("\n"), 1):
        start = 0
        for piece in _PIECE.finditer(line):
            if piece[0] == ";" or piece[0].startswith("%%"):
                if statement := line[start : piece.start()].rstrip():
                    yield number, statement
                start = piece.end()
        if statement := line[start:].rstrip():
            yield number, statement


def _take_line(line: str, number: int, labels: dict[str, tuple[str, int]], related: list[tuple[str, str, str]]) -> None:
    """The nodes and relations of one line: `a`, `a["A"] --> b`, or a chain."""
    match = _FIRST.match(line)
    before = ""
    while match:
        *_, identifier, square, round_, curly = match.groups()
        label = next((one for one in (square, round_, curly) if one is not None), None)
        if label is not None:
            labels[identifier] = (label.strip().strip('"'), number)
        labels.setdefault(identifier, (identifier, number))
        if before:
            word = match["piped"] if match["piped"] is not None else match["word"] or ""
            related.append((kind_of(word.strip().strip('"'), number), before, identifier))
        before = identifier
        rest = line[match.end() :]
        if not rest.strip("; \t\r"):
            return
        line = rest
        match = _NEXT.match(rest)
    raise FormatError(f"{quoted(line.strip())} is not read: nodes and arrows between two of them are", number)


def _graph(labels: dict[str, tuple[str, int]], related: list[tuple[str, str, str]]) -> Graph:
    builder = Builder()
    numbers = {}
    for identifier, (label, line) in labels.items():
        name, *rest = _BREAK.split(label, maxsplit=1)
        numbers[identifier] = builder.add(_decoded(name), line, text=_decoded("".join(rest)))
    for kind, source, target in related:
        builder.relate(kind, numbers[source], numbers[target])
    return builder.graph()


def _coded(text: str) -> str:
    inner = "".join(char if char.isalnum() or char in " ,!?'" else f"#{ord(char)};" for char in text)
    edges = len(inner) - len(inner.lstrip(" ")), len(inner.rstrip(" "))
    return f"{'#32;' * edges[0]}{inner[edges[0] : edges[1]]}{'#32;' * (len(inner) - max(edges))}"


def _decoded(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            code = int(match[1])
            return chr(code) if code <= 0x10FFFF else match[0]
        named = html.unescape(f"&{match[2]};")
        return match[0] if named.startswith("&") and match[2] != "amp" else named

    return _CODE.sub(character, text)
