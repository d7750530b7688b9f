"""Mermaid flowcharts: attack `--x`, undercut `-.-x`, support `-.->`, each labelled with its word.

A node's label is the argument's name, then a line break and its text. Every character that Mermaid could interpret is
written as its number.
"""

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, list_losses, texts
from moot.argument.graph import Graph

_ARROWS = {ATTACK: "--x|attacks|", UNDERCUT: "-.-x|undercuts|", SUPPORT: "-.->|supports|"}
_COLOURS = {ATTACK: "#b3261e", UNDERCUT: "#b3261e", SUPPORT: "#1d6a35"}


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


def _coded(text: str) -> str:
    inner = "".join(char if char.isalnum() or char in " ,!?'" else f"#{ord(char)};" for char in text)
    edges = len(inner) - len(inner.lstrip(" ")), len(inner.rstrip(" "))
    return f"{'#32;' * edges[0]}{inner[edges[0] : edges[1]]}{'#32;' * (len(inner) - max(edges))}"
