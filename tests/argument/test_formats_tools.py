"""The Argdown we write is what Argdown's own parser reads, and the DOT what Graphviz reads.

`scripts/argument-tools` installs both; where they are not, these tests are skipped.
"""

import json
import os
import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from moot.argument.formats import write
from moot.argument.graph import Graph
from moot.text import printable
from tests.kit.graphs import HOSTILE
from tests.kit.waiting import PATIENCE

TOOLS = Path(__file__).parent / "tools"
INSTALLED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "moot" / "argument-tools"


def ask(documents: list[dict[str, str]]) -> list[Any]:
    """What the tools make of the documents."""
    if not shutil.which("node") or not (INSTALLED / "installed-lock.json").exists():
        pytest.skip("run scripts/argument-tools first; it needs node and npm")
    done = subprocess.run(
        ["node", str(TOOLS / "check.mjs"), str(INSTALLED)],
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    answers: list[Any] = json.loads(done.stdout)
    assert not [answer["failure"] for answer in answers if "failure" in answer]
    return answers


def hostile_graphs() -> list[Graph]:
    """Every hostile word as a name and as a text, related at random, and longer texts made of these words."""
    draw = random.Random(7)
    found = []
    for first in range(0, len(HOSTILE), 5):
        names = HOSTILE[first : first + 8]
        texts = {name: " ".join(draw.sample(HOSTILE, draw.randint(0, 5))) for name in names}
        pairs = [[(draw.choice(names), draw.choice(names)) for _ in range(4)] for _ in range(3)]
        found.append(
            Graph.of(names, pairs[0], pairs[1], undercuts=pairs[2], weights={names[0]: draw.random()}, texts=texts)
        )
    shifted = HOSTILE[3:] + HOSTILE[:3]
    everything = Graph.of(HOSTILE, pairwise(HOSTILE), texts=dict(zip(HOSTILE, shifted, strict=True)))
    return [Graph.of(["a"]), *found, everything]


def relations(graph: Graph) -> list[tuple[str, str, str]]:
    pairs = zip(graph.attacks.tolist(), graph.undercuts.tolist(), strict=True)
    found = [("undercut" if mark else "attack", graph.names[one], graph.names[other]) for (one, other), mark in pairs]
    return found + [("support", graph.names[one], graph.names[other]) for one, other in graph.supports.tolist()]


def test_argdown_reads_the_argdown_we_write() -> None:
    written = hostile_graphs()
    answers = ask([{"format": "argdown", "text": write(graph, "argdown")} for graph in written])
    for graph, answer in zip(written, answers, strict=True):
        assert answer["errors"] == []
        assert answer["statements"] == []
        name_of = {one["title"]: one["data"].get("name", one["title"]) for one in answer["arguments"]}
        assert sorted(name_of.values()) == sorted(graph.names)
        said = dict(zip(graph.names, graph.texts or (), strict=False))
        for one in answer["arguments"]:
            name = name_of[one["title"]]
            expected = said.get(name, "")
            if expected != name:
                assert one["data"].get("text", one["text"].strip()) == expected
                assert " ".join(one["text"].split()) == " ".join(printable(expected).split())
        kept = sorted((kind, name_of[one], name_of[other]) for kind, one, other in answer["relations"])
        assert kept == sorted(relations(graph))


def test_graphviz_reads_the_dot_we_write() -> None:
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
