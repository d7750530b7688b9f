"""DOT, the language of Graphviz: names are node identifiers; text, weight and kind are moot's attributes."""

import re
import textwrap

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, FormatError, list_losses, quoted, texts
from moot.argument.graph import Graph

LABEL_WIDTH = 36
_LOOKS = {
    ATTACK: 'kind=attack, color="#b3261e", arrowhead=normal',
    UNDERCUT: 'kind=undercut, color="#b3261e", style=dotted, arrowhead=normalnormal',
    SUPPORT: 'kind=support, color="#1d6a35", style=dashed, arrowhead=odot',
}
_ENTITY = re.compile(r"&(?=#?\w+;)")


def write(graph: Graph) -> str:
    lines = ["digraph {", "  rankdir=BT;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for name, text, weight in zip(graph.names, texts(graph), graph.weights, strict=True):
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


def _quoted(value: str) -> str:
    if "\0" in value:
        raise FormatError(f"DOT cannot hold {quoted(value)}: it has no character '\\x00'")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _label(name: str, text: str) -> str:
    """Name and text as a label. Only in labels does Graphviz read &…; as an HTML entity."""
    lines = [name, *textwrap.wrap(text, LABEL_WIDTH)]
    return "\\n".join(_quoted(_ENTITY.sub("&amp;", line))[1:-1] for line in lines).join('""')
