"""Graphs with independent answers: random ones and, wherever they are at hand, published ones."""

import re
from typing import Any

import pytest

from moot.argument import SEMANTICS, Graph, credulous, extension, extensions, grounded, sceptical, scores
from tests.kit.instances import frameworks_with_extensions, frameworks_with_questions, weighted_graphs


def apx(text: str) -> Graph:
    return Graph.of(re.findall(r"arg\(([^)]+)\)", text), re.findall(r"att\(([^,]+),([^)]+)\)", text))


def numbered(text: str) -> Graph:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    size = int(lines[0].split()[2])
    pairs = [(int(source) - 1, int(target) - 1) for source, target in map(str.split, lines[1:])]
    return Graph.numbered(map(str, range(1, size + 1)), pairs)


@pytest.mark.parametrize("record", frameworks_with_extensions())
def test_all_extensions(record: dict[str, Any]) -> None:
    graph = apx(record["text"])
    for semantics in [one for one in SEMANTICS if one in record]:
        single = semantics in ("GR", "ID")
        wanted = [record[semantics]] if single else record[semantics]
        listed = list(extensions(graph, semantics))
        assert sorted(map(sorted, listed)) == sorted(map(sorted, wanted)), semantics


@pytest.mark.parametrize("record", frameworks_with_questions())
def test_questions(record: dict[str, Any]) -> None:
    graph = numbered(record["text"])
    answered = False
    for question, given in record["q"].items():
        # Two solvers were asked; where one gave up only the other's word is there, or nobody's.
        words = {word for word in (given.values() if isinstance(given, dict) else [given]) if word}
        if not words:
            continue
        answered = True
        (task, semantics), name = question.split(":")[0].split("-"), question.split(":")[1]
        if semantics not in SEMANTICS:
            continue
        ask = credulous if task == "DC" else sceptical
        assert {"YES" if ask(graph, semantics, name).accepted else "NO"} == words, question
    least = grounded(graph)
    assert len(least) == record["GR"] if isinstance(record["GR"], int) else least == frozenset(map(str, record["GR"]))
    if answered:
        assert (extension(graph, "ST") is not None) == record["has_stable"]
    if isinstance(record.get("ID"), list):
        assert extension(graph, "ID") == frozenset(map(str, record["ID"]))


@pytest.mark.parametrize("instance", weighted_graphs())
def test_strengths(instance: dict[str, Any]) -> None:
    attacks, supports = map(tuple, instance["attacks"]), map(tuple, instance["supports"])
    graph = Graph.of(instance["base"], attacks, supports, weights=instance["base"])
    for semantics, tools in instance["strengths"].items():
        found = scores(graph, {"qe": "energy"}.get(semantics, semantics))
        assert found.converged
        for tool, expected in tools.items():
            assert found.by_name == pytest.approx(expected, abs=2e-9), (semantics, tool)
