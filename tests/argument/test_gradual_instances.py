"""Strengths by the definitions and, wherever they are at hand, by independent tools."""

import re
from typing import Any

import pytest

from moot.argument.gradual import scores
from moot.argument.graph import Graph
from tests.kit.instances import frameworks_with_extensions, weighted_graphs

CATEGORIZED = [one for one in frameworks_with_extensions() if "categorizer" in one.values[0]]


@pytest.mark.parametrize("instance", weighted_graphs())
def test_strengths(instance: dict[str, Any]) -> None:
    attacks, supports = map(tuple, instance["attacks"]), map(tuple, instance["supports"])
    graph = Graph.of(instance["base"], attacks, supports, weights=instance["base"])
    for semantics, tools in instance["strengths"].items():
        found = scores(graph, semantics)
        assert found.converged
        for tool, expected in tools.items():
            assert found.by_name == pytest.approx(expected, abs=2e-9), (semantics, tool)


@pytest.mark.parametrize("answer", CATEGORIZED)
def test_categorizer(answer: dict[str, Any]) -> None:
    attacks = re.findall(r"att\(\s*([^,\s]+)\s*,\s*([^)\s]+)\s*\)", answer["text"])
    assert len(attacks) == answer["n_att"]
    found = scores(Graph.of(answer["args"], attacks), "hcat")
    assert found.unique
    assert found.by_name == pytest.approx(answer["categorizer"], abs=1e-9)
