"""The Argdown we write is what Argdown's own parser reads, and the DOT what Graphviz reads.

`scripts/argument-tools` installs both; where they are not, these tests are skipped.
"""

import json
import os
import random
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import pytest

from moot.argument.formats import FormatError, Loss, read, write
from moot.argument.graph import Graph
from moot.argument.structure import implied_supports
from moot.text import printable
from tests.kit.examples import tries
from tests.kit.graphs import HOSTILE

TOOLS = Path(__file__).parent / "tools"
INSTALLED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "moot" / "argument-tools"


class Tools(Protocol):
    def __call__(self, documents: list[dict[str, str]], *, may_fail: bool = False) -> list[Any]:
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

        def ask(documents: list[dict[str, str]], *, may_fail: bool = False) -> list[Any]:
            given.write(json.dumps(documents).encode() + b"\n")
            given.flush()
            answers: list[Any] = json.loads(told.readline())
            assert may_fail or not [answer["failure"] for answer in answers if "failure" in answer]
            return answers

        yield ask


def examples() -> dict[str, str]:
    """The documents that an earlier version of Argdown's package brings along, for its own tests."""
    folder = INSTALLED / "node_modules" / "argdown-examples" / "test"
    if not folder.exists():
        pytest.skip("run scripts/argument-tools first; it needs node and npm")
    return {file.name: file.read_text("utf-8") for file in sorted(folder.glob("*.argdown"))}


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
    pairs = zip(graph.attacks.tolist(), graph.undercuts.tolist(), strict=True)
    found = [("undercut" if mark else "attack", graph.names[one], graph.names[other]) for (one, other), mark in pairs]
    return found + [("support", graph.names[one], graph.names[other]) for one, other in graph.supports.tolist()]


def test_argdown_reads_the_argdown_we_write(ask: Tools) -> None:
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


@dataclass
class Parsed:
    """A document as Argdown's parser has it, in the names that `read` gives."""

    answer: dict[str, Any]

    @property
    def refused(self) -> bool:
        return "failure" in self.answer or bool(self.answer["errors"])

    def name(self, kind: str, title: str) -> str:
        kinds = {one for (one, other), _ in self.answer["texts"] if other == title}
        if len(kinds) == 1:
            return title
        return f"[{title}]" if kind == "statement" else f"<{title}>"

    def nodes(self) -> set[str]:
        return {self.name(*key) for key, _ in self.answer["texts"]}

    def statements(self) -> set[str]:
        return {self.name(*key) for key, _ in self.answer["texts"] if key[0] == "statement"}

    def texts(self) -> dict[str, str]:
        """Without tags, which a graph does not hold, and without white space, which the parser adds or drops."""
        return {self.name(*key): "".join(TAG.sub("", text).split()) for key, text in self.answer["texts"]}

    def links(self) -> set[tuple[str, str, str]]:
        """A contradiction is an attack both ways. An undercut of a step is one of its conclusion, or of the argument
        for the last step."""
        main = {title: statements[-1][0] for title, statements in self.answer["structures"]}
        found: set[tuple[str, str, str]] = set()
        for kind, source, (what, title, *conclusion) in self.answer["links"]:
            one, other = self.name(*source), self.name(what, title)
            if what == "inference" and [main[title]] == conclusion:
                other = self.name("argument", title)
            elif what == "inference":
                other = self.name("statement", *conclusion)
            found |= {(kind, one, other)} if kind in KINDS else {("attack", one, other), ("attack", other, one)}
        undercut = {("attack", one, other) for kind, one, other in found if kind == "undercut"}
        return found - undercut

    def conclusions(self) -> dict[str, list[tuple[str, list[str]]]]:
        """The conclusion and the rules of each step, by argument."""
        return {
            self.name("argument", title): [
                (self.name("statement", one), rules) for one, role, rules in statements if role != "premise"
            ]
            for title, statements in self.answer["structures"]
        }

    def premises(self) -> dict[str, set[str]]:
        return {
            self.name("argument", title): {
                self.name("statement", one) for one, role, _ in statements if role == "premise"
            }
            for title, statements in self.answer["structures"]
        }


KINDS = ("attack", "undercut", "support")
TAG = re.compile(r"#(?:\([^)]+\)|[a-zA-z0-9\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF-]+)")


def differences(text: str, parsed: Parsed) -> list[str]:
    """Where `read` and Argdown's parser differ about a document."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Loss)
            graph = read(text, "argdown")
    except FormatError as error:
        return [] if parsed.refused else [f"refused: {error}"]
    if parsed.refused:
        return ["accepted"]
    steps = graph.structure.by_argument()
    implied = {("support", one, other) for mine in steps.values() for one, other in implied_supports(mine)}
    said = {
        name: "".join(TAG.sub("", text).split()) for name, text in zip(graph.names, graph.texts or (), strict=False)
    }
    checks = {
        "nodes": set(graph.names) == parsed.nodes(),
        "statements": graph.structure.statements == parsed.statements(),
        "relations": set(relations(graph)) == parsed.links() | implied,
        "steps": {name: [(one.conclusion, list(one.rules)) for one in mine] for name, mine in steps.items()}
        == parsed.conclusions(),
        # A conclusion on the way is a premise of the next step.
        "premises": all(
            parsed.premises().get(name, set()) <= {each for one in mine for each in one.premises}
            for name, mine in steps.items()
        ),
        "texts": all(said.get(name, "") in (text, "") for name, text in parsed.texts().items()),
    }
    return [what for what, right in checks.items() if not right]


def test_argdowns_own_examples_are_read_as_by_argdown(ask: Tools) -> None:
    documents = examples()
    answers = ask([{"format": "argdown", "text": text} for text in documents.values()], may_fail=True)
    found = [Parsed(answer) for answer in answers]
    assert sum(not one.refused for one in found) > len(found) / 2
    different = {
        name: wrong
        for (name, text), one in zip(documents.items(), found, strict=True)
        if (wrong := differences(text, one))
    }
    assert different == {}


def test_argdown_reads_the_structures_we_write(ask: Tools) -> None:
    written = []
    for text in examples().values():
        with suppress(FormatError), warnings.catch_warnings():
            warnings.simplefilter("ignore", Loss)
            graph = read(text, "argdown")
            written.append(write(graph, "argdown"))
            assert read(written[-1], "argdown") == graph
    assert sum("\n(1) " in text for text in written) > 2
    answers = ask([{"format": "argdown", "text": text} for text in written])
    assert [differences(text, Parsed(answer)) for text, answer in zip(written, answers, strict=True)] == [[]] * len(
        written
    )


def test_broken_examples_are_refused_where_argdown_complains(ask: Tools) -> None:
    draw = random.Random(20)
    texts = [text for text in examples().values() if len(text) < 3000]
    mutants = [broken(draw.choice(texts), draw) for _ in range(tries(100))]
    answers = [Parsed(answer) for answer in ask([{"format": "argdown", "text": one} for one in mutants], may_fail=True)]
    assert 0.2 < sum(one.refused for one in answers) / len(answers) < 0.8
    wrong = [(text, found) for text, one in zip(mutants, answers, strict=True) if (found := differences(text, one))]
    assert wrong == []


def test_random_trees_are_read_as_by_argdown(ask: Tools) -> None:
    """Titles are mentioned and worded again and again, at every depth."""
    draw = random.Random(21)
    texts = ["\n\n".join("\n".join(tree(draw, "", 0)) for _ in range(draw.randint(1, 3))) for _ in range(tries(50))]
    answers = [Parsed(answer) for answer in ask([{"format": "argdown", "text": one} for one in texts])]
    wrong = [(text, found) for text, one in zip(texts, answers, strict=True) if (found := differences(text, one))]
    assert wrong == []


def tree(draw: random.Random, above: str, depth: int) -> list[str]:
    """A statement or an argument other than the one above it, and its relations."""
    title = draw.choice([one for one in "ABCD" if one != above])
    mark = draw.choice([f"[{title}]", f"<{title}>"])
    words = draw.choice(["", "", ": one.", ": two, and *more*.", ": three: @[A]"])
    sign = draw.choice(["+ ", "- ", "+> ", "-> ", "<+ ", "<- ", ">< "]) if depth else ""
    below = [tree(draw, title, depth + 1) for _ in range(draw.randint(0, 2) if depth < 4 else 0)]
    return ["  " * depth + sign + mark + words, *(line for lines in below for line in lines)]


def broken(text: str, draw: random.Random) -> str:
    for _ in range(draw.randint(1, 4)):
        place = draw.randint(0, len(text))
        length = draw.randint(0, 6)
        text = text[:place] + draw.choice(PIECES) * (draw.random() < 0.6) + text[place + length :]
    return text


PIECES = ["\n", "\n\n", "  ", "(1) ", "----\n", "<A>", "[A]", "[B]: ", "  - ", "  + ", "  _ ", "><", "# ", "* ",
          "*", "_", "{a: 1}", "{", "}", "//", "/*", "-->", "@[A]", "#tag ", "\\", "(3) x\n",
          "-- rule, two --\n", "+> "]  # fmt: skip
