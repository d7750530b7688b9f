"""The Argdown we write is what Argdown's own parser reads, and the DOT what Graphviz reads.

`scripts/argument-tools` installs both; where they are not, these tests are skipped.
"""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import pytest

from moot.argument.formats import write
from moot.argument.graph import Graph
from moot.text import printable
from tests.kit.graphs import HOSTILE

TOOLS = Path(__file__).parent / "tools"
INSTALLED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "moot" / "argument-tools"


class Tools(Protocol):
    def __call__(self, documents: list[dict[str, str]]) -> list[Any]:
        """What the tools make of the documents."""


@pytest.fixture(scope="module")
def ask() -> Iterator[Tools]:
    """The tools, started once: to load them takes longer than to ask them."""
    if not shutil.which("node") or not (INSTALLED / "installed-lock.json").exists():
        pytest.skip("run scripts/argument-tools first; it needs node and npm")
    command = ["node", str(TOOLS / "check.mjs"), str(INSTALLED)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdin and started.stdout
        given, told = started.stdin, started.stdout

        def ask(documents: list[dict[str, str]]) -> list[Any]:
            given.write(json.dumps(documents).encode() + b"\n")
            given.flush()
            answers: list[Any] = json.loads(told.readline())
            assert not [answer["failure"] for answer in answers if "failure" in answer]
            return answers

        yield ask


def hostile_graphs() -> list[Graph]:
    """Every hostile word as a name and as a text, related at random, and longer texts made of these words."""
    draw = random.Random(7)
    found = []
    for first in range(0, len(HOSTILE), 16):
        names = HOSTILE[first : first + 18]
        texts = {name: " ".join(draw.sample(HOSTILE, draw.randint(0, 5))) for name in names}
        pairs = [[(draw.choice(names), draw.choice(names)) for _ in range(9)] for _ in range(3)]
        found.append(
            Graph.of(names, pairs[0], pairs[1], undercuts=pairs[2], weights={names[0]: draw.random()}, texts=texts)
        )
    shifted = HOSTILE[3:] + HOSTILE[:3]
    everything = Graph.of(HOSTILE, pairwise(HOSTILE), texts=dict(zip(HOSTILE, shifted, strict=True)))
    return [Graph.of(["a"]), *found, everything]


def relations(graph: Graph) -> list[tuple[str, str, str]]:
    return [(kind, graph.names[source], graph.names[target]) for source, target, kind in graph.relations()]


def test_argdown_reads_the_argdown_we_write(ask: Tools) -> None:
    written = hostile_graphs()
    answers = ask([{"format": "argdown", "text": write(graph, "argdown")} for graph in written])
    for graph, answer in zip(written, answers, strict=True):
        assert answer["errors"] == []
        assert answer["statements"] == []
        name_of = {one["title"]: one["data"].get("name", one["title"]) for one in answer["arguments"]}
        assert sorted(name_of.values()) == sorted(graph.names)
        said = dict(zip(graph.names, graph.texts, strict=True))
        for one in answer["arguments"]:
            name = name_of[one["title"]]
            expected = said[name]
            if expected != name:
                assert one["data"].get("text", one["text"].strip()) == expected
                assert " ".join(one["text"].split()) == " ".join(printable(expected).split())
        kept = sorted((kind, name_of[one], name_of[other]) for kind, one, other in answer["relations"])
        assert kept == sorted(relations(graph))


def test_graphviz_reads_the_dot_we_write(ask: Tools) -> None:
    written = hostile_graphs()
    answers = ask([{"format": "dot", "text": write(graph, "dot")} for graph in written])
    for graph, answer in zip(written, answers, strict=True):
        drawn = answer["drawn"].get("objects", [])
        assert len(drawn) == len(graph)
        for one, name in zip(drawn, graph.names, strict=True):
            # Graphviz keeps names that begin with % to itself and shows a number instead.
            assert one["name"].replace("\\\\", "\\") == name or name.startswith("%")
        edges = answer["drawn"].get("edges", [])
        kept = sorted((one["kind"], graph.names[one["tail"]], graph.names[one["head"]]) for one in edges)
        assert kept == sorted(relations(graph))
        assert answer["svg"].count('class="node"') == len(graph)
