"""The Argument Interchange Format in the JSON of AIFdb: nodes, edges and locutions.

An argument is an I-node, named by its nodeID. A support goes through an RA-node and an attack through a CA-node; a
conflict with an RA-node is an undercut of the conclusion of that step. An undercut is written as a CA-node called
Undercut on the conclusion, since a graph does not say which of several steps it attacks. An RA-node with several
premises becomes a support from each.

The dialogue is kept in the graph's structure: an L-node is a locution with its speaker and time, a YA-node ties it to
an argument or a relation, a TA-node to the locution it answers. All other node types are left out and reported as a
loss, as are the names of schemes, the link between several premises, and lists such as participants.
"""

import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
    texts,
    unused_names,
)
from moot.argument.formats.json_document import dump, load
from moot.argument.graph import Graph
from moot.argument.structure import Locution, Structure

_SCHEMES = {ATTACK: ("CA", "Default Conflict"), UNDERCUT: ("CA", "Undercut"), SUPPORT: ("RA", "Default Inference")}
# What says no more than the type of a node does, or what the relation holds.
_PLAIN_SCHEMES = {
    "RA": {"", "RA", "Default Inference"},
    "CA": {"", "CA", "Default Conflict", "Undercut"},
}


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
    unread = Counter(kind for kind in kinds.values() if kind not in ("I", "RA", "CA", "L", "YA", "TA"))
    for name, kind in kinds.items():
        if kind in ("RA", "CA") and not _relate(builder, nodes[name], into[name], _targets(name, kinds, out)):
            unread[f"{kind} without an argument at both ends"] += 1
    records = {_identifier(one, "nodeID", "locutions"): one for one in _records(document, "locutions")}
    dialogue = _Dialogue(nodes, kinds, into, out, records)
    builder.structure = Structure(locutions=tuple(dialogue.locutions()))
    unread["locutions of no L"] = sum(kinds.get(name) != "L" for name in records)
    _warn("these nodes", unread)
    _warn("this", _details(document, nodes, kinds, into))
    return builder.graph()


def _warn(what: str, unread: Counter[str]) -> None:
    if said := ", ".join(f"{kind} ({count})" for kind, count in sorted(unread.items()) if count):
        warnings.warn(f"a graph does not hold {what} of the AIF document: {said}", Loss, stacklevel=4)


def _details(
    document: dict[str, Any], nodes: dict[str, dict[str, Any]], kinds: dict[str, str], into: dict[str, list[str]]
) -> Counter[str]:
    """What the nodes that are read have beyond what a graph holds, and the lists that belong to no node."""
    unread: Counter[str] = Counter()
    for name, kind in kinds.items():
        if kind not in ("RA", "CA"):
            continue
        if kind == "RA" and sum(kinds[one] == "I" for one in into[name]) > 1:
            unread["linked premises, which support one by one"] += 1
        named = {str(nodes[name].get(key) or "") for key in ("text", "scheme")}
        unread["names of schemes"] += bool(named - _PLAIN_SCHEMES[kind])
    for key, value in document.items():
        if key not in ("nodes", "edges", "locutions") and value:
            unread[quoted(key)] = len(value) if isinstance(value, list | dict) else 1
    for record in _records(document, "locutions"):
        unread.update(
            f"{quoted(key)} of locutions"
            for key, value in record.items()
            if value and key not in ("nodeID", "personID", "timestamp")
        )
    return unread


@dataclass(frozen=True, slots=True)
class _Dialogue:
    nodes: dict[str, dict[str, Any]]
    kinds: dict[str, str]
    into: dict[str, list[str]]
    out: dict[str, list[str]]
    records: dict[str, dict[str, Any]]

    def locutions(self) -> Iterator[Locution]:
        for name, node in self.nodes.items():
            if self.kinds[name] != "L":
                continue
            record = self.records.get(name, {})
            answered = [step for step in self.into[name] if self.kinds[step] == "TA"]
            yield Locution(
                name,
                str(node.get("text") or ""),
                str(record.get("personID") or ""),
                str(record.get("timestamp") or node.get("timestamp") or ""),
                tuple(dict.fromkeys(found for start in (name, *answered) for found in self.asserted(start))),
                tuple(
                    (str(self.nodes[step].get("text") or ""), other)
                    for step in answered
                    for other in self.into[step]
                    if self.kinds[other] == "L"
                ),
            )

    def asserted(self, start: str) -> Iterator[tuple[str, str | tuple[str, str]]]:
        """What a locution, or the transition to it, is anchored to: arguments, and relations between two."""
        for step in self.out[start]:
            if self.kinds[step] != "YA":
                continue
            force = str(self.nodes[step].get("text") or "")
            for end in self.out[step]:
                if self.kinds[end] == "I":
                    yield force, end
                elif self.kinds[end] in ("RA", "CA"):
                    sources = [one for one in self.into[end] if self.kinds[one] == "I"]
                    targets = [one for one, _ in _targets(end, self.kinds, self.out)]
                    yield from ((force, pair) for pair in product(sources, targets))


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
    spoken = {one.name: one.name for one in graph.structure.locutions}
    inner = unused_names({*graph.index, *spoken}, "s")
    spoken = {name: next(inner) if name in graph.index else name for name in spoken}
    steps: dict[tuple[str, str], str] = {}

    def put(text: str, kind: str, sources: Iterable[str], targets: Iterable[str]) -> str:
        step = next(inner)
        nodes.append(_node(step, text, kind))
        for one, other in (*((source, step) for source in sources), *((step, target) for target in targets)):
            edges.append({"edgeID": str(len(edges) + 1), "fromID": one, "toID": other, "formEdgeID": None})
        return step

    for source, target, kind in graph.relations():
        scheme, label = _SCHEMES[kind]
        pair = graph.names[source], graph.names[target]
        steps[pair] = put(label, scheme, pair[:1], pair[1:])
    nodes += [_node(spoken[one.name], one.text, "L") for one in graph.structure.locutions]
    for one in graph.structure.locutions:
        for force, what in one.asserts:
            end = what if isinstance(what, str) else steps.get(what)
            if end is not None:
                put(force, "YA", [spoken[one.name]], [end])
        for how, other in one.answers:
            if other in spoken:
                put(how, "TA", [spoken[other]], [spoken[one.name]])
    said = [
        {"nodeID": spoken[one.name], "personID": one.speaker or None, "timestamp": one.time or None}
        for one in graph.structure.locutions
    ]
    return dump({"nodes": nodes, "edges": edges, "locutions": said})


def losses(graph: Graph) -> list[str]:
    found = list_losses(graph, ("supports", "undercut marks", "texts", "locutions"))
    shared = sum(one.name in graph.index for one in graph.structure.locutions)
    return [*found, f"names of locutions that arguments have, too ({shared})"] if shared else found


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
