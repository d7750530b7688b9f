"""The Argument Interchange Format in the JSON of AIFdb.

An argument is an I-node, named by its nodeID. A support goes through an RA-node and an attack through a CA-node. An
undercut is a CA-node called Undercut on the conclusion, since a graph does not say which of several steps it attacks.
"""

from itertools import count

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, list_losses, texts
from moot.argument.formats.json_document import dump
from moot.argument.graph import Graph

_SCHEMES = {ATTACK: ("CA", "Default Conflict"), UNDERCUT: ("CA", "Undercut"), SUPPORT: ("RA", "Default Inference")}


def write(graph: Graph) -> str:
    nodes = [
        {"nodeID": name, "text": text or name, "type": "I"}
        for name, text in zip(graph.names, texts(graph), strict=True)
    ]
    ends: list[tuple[str, str]] = []
    unused = (name for name in (f"s{number}" for number in count(1)) if name not in graph.index)
    for source, target, kind in graph.relations():
        step = next(unused)
        scheme, label = _SCHEMES[kind]
        nodes.append({"nodeID": step, "text": label, "type": scheme})
        ends += [(graph.names[source], step), (step, graph.names[target])]
    edges = [
        {"edgeID": str(number), "fromID": source, "toID": target, "formEdgeID": None}
        for number, (source, target) in enumerate(ends, start=1)
    ]
    return dump({"nodes": nodes, "edges": edges, "locutions": []})


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "undercut marks", "texts"))
