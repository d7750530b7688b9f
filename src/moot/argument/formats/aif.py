"""The Argument Interchange Format in the JSON of AIFdb: nodes, edges and locutions.

An argument is an I-node, named by its nodeID. A support goes through an RA-node and an attack through a CA-node; a
conflict with an RA-node is an undercut of the conclusion of that step. An undercut is written as a CA-node called
Undercut on the conclusion, since a graph does not say which of several steps it attacks. An RA-node with several
premises becomes a support from each. The dialogue (L, YA, TA) and all other node types are left out and reported as a
loss.
"""

import warnings
from collections import Counter, defaultdict
from itertools import product
from typing import Any

from moot.argument.formats.base import (
    ATTACK,
    SUPPORT,
    UNDERCUT,
    Builder,
    FormatError,
    Loss,
    list_losses,
    quoted,
    relations,
    texts,
    unused_names,
)
from moot.argument.formats.json_document import dump, load
from moot.argument.graph import Graph

_SCHEMES = {ATTACK: ("CA", "Default Conflict"), UNDERCUT: ("CA", "Undercut"), SUPPORT: ("RA", "Default Inference")}


def read(text: str) -> Graph:
    document = load(text)
    if isinstance(document, dict) and isinstance(document.get("AIF"), dict):
        document = document["AIF"]  # the extended form wraps it
    nodes = {_identifier(node, "nodeID", "nodes"): node for node in _records(document, "nodes")}
    if len(nodes) < len(document["nodes"]):
        raise FormatError("a nodeID is there twice")
    kinds = {name: str(node.get("type", "")) for name, node in nodes.items()}
    builder = Builder()
    for name, node in nodes.items():
        if kinds[name] == "I":
            builder.add(name, text=str(node.get("text") or ""))
    into, out = _edges(document, kinds)
    unread = Counter(kind for kind in kinds.values() if kind not in ("I", "RA", "CA"))
    for name, kind in kinds.items():
        if kind in ("RA", "CA") and not _relate(builder, nodes[name], into[name], _targets(name, kinds, out)):
            unread[f"{kind} without an argument at both ends"] += 1
    unread["locutions"] = len(_records(document, "locutions"))
    if said := ", ".join(f"{kind} ({count})" for kind, count in sorted(unread.items()) if count):
        warnings.warn(f"a graph does not hold these nodes of the AIF document: {said}", Loss, stacklevel=3)
    return builder.graph()


def _targets(step: str, kinds: dict[str, str], out: dict[str, list[str]]) -> list[tuple[str, str]]:
    """The arguments that a step leads to, and its relation to them."""
    if kinds[step] == "RA":
        return [(one, SUPPORT) for one in out[step] if kinds[one] == "I"]
    targets = [(one, ATTACK) for one in out[step] if kinds[one] == "I"]
    steps = [one for one in out[step] if kinds[one] == "RA"]
    return targets + [(end, UNDERCUT) for one in steps for end in out[one] if kinds[end] == "I"]


def _relate(builder: Builder, step: dict[str, Any], into: list[str], targets: list[tuple[str, str]]) -> bool:
    """Relate each argument that leads into the step to each one it leads to; returns whether there were any."""
    sources = [one for one in into if one in builder.index]
    undercuts = "undercut" in f"{step.get('text')} {step.get('scheme')}".lower() and step["type"] == "CA"
    for source, (target, kind) in product(sources, targets):
        builder.relate(UNDERCUT if undercuts else kind, builder.index[source], builder.index[target])
    return bool(sources and targets)


def write(graph: Graph) -> str:
    nodes = [_node(name, text or name, "I") for name, text in zip(graph.names, texts(graph), strict=True)]
    edges: list[dict[str, Any]] = []
    inner = unused_names(graph.index, "s")
    for source, target, kind in relations(graph):
        step = next(inner)
        scheme, label = _SCHEMES[kind]
        nodes.append(_node(step, label, scheme))
        for one, other in ((graph.names[source], step), (step, graph.names[target])):
            edges.append({"edgeID": str(len(edges) + 1), "fromID": one, "toID": other, "formEdgeID": None})
    return dump({"nodes": nodes, "edges": edges, "locutions": []})


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "undercut marks", "texts"))


def _node(name: str, text: str, kind: str) -> dict[str, str]:
    return {"nodeID": name, "text": text, "type": kind}


def _records(document: Any, what: str) -> list[dict[str, Any]]:
    records = document.get(what, []) if isinstance(document, dict) else None
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        raise FormatError(f"an AIF document is an object with lists of objects, and its {what} are not")
    if what == "nodes" and "nodes" not in document:
        raise FormatError("an AIF document has nodes, and here are none")
    return records


def _identifier(record: dict[str, Any], key: str, what: str) -> str:
    value = record.get(key)
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise FormatError(f"one of the {what} has no {key}")


def _edges(document: Any, kinds: dict[str, str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The incoming and the outgoing nodes of each node."""
    into, out = defaultdict(list), defaultdict(list)
    for edge in _records(document, "edges"):
        source, target = (_identifier(edge, key, "edges") for key in ("fromID", "toID"))
        for end in (source, target):
            if end not in kinds:
                raise FormatError(f"an edge names the node {quoted(end)}, which is not there")
        if kinds[source] == kinds[target] == "I":
            raise FormatError(
                f"an edge leads from {quoted(source)} to {quoted(target)} with no RA or CA node between these arguments"
            )
        into[target].append(source)
        out[source].append(target)
    return into, out
