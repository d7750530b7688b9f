"""Strengths that independent tools computed. The instances are not ours to publish; without them nothing runs here."""

import json
import re
from typing import Any

import pytest

from moot.argument.gradual import scores
from moot.argument.graph import Graph
from tests.kit.skips import NOT_PUBLISHED, PUBLISHED

pytestmark = pytest.mark.skipif(not PUBLISHED.is_dir(), reason=NOT_PUBLISHED)


def strengths() -> list[dict[str, Any]]:
    path = PUBLISHED / "gradual" / "strengths.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else []


def categorizer_values() -> list[dict[str, Any]]:
    path = PUBLISHED / "dung-small" / "answers.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [answer for answer in map(json.loads, lines) if "categorizer" in answer]


@pytest.mark.parametrize("instance", strengths(), ids=lambda instance: instance["name"])
def test_strengths(instance: dict[str, Any]) -> None:
    attacks, supports = map(tuple, instance["attacks"]), map(tuple, instance["supports"])
    graph = Graph.of(instance["base"], attacks, supports, weights=instance["base"])
    for semantics, tools in instance["strengths"].items():
        found = scores(graph, semantics)
        assert found.converged
        for tool, expected in tools.items():
            assert found.by_name == pytest.approx(expected, abs=2e-9), (semantics, tool)


@pytest.mark.parametrize("answer", categorizer_values(), ids=lambda answer: answer["file"])
def test_categorizer(answer: dict[str, Any]) -> None:
    text = (PUBLISHED / "dung-small" / "instances" / answer["file"]).read_text("utf-8")
    attacks = re.findall(r"att\(\s*([^,\s]+)\s*,\s*([^)\s]+)\s*\)", text)
    assert len(attacks) == answer["n_att"]
    found = scores(Graph.of(answer["args"], attacks), "hcat")
    assert found.unique
    assert found.by_name == pytest.approx(answer["categorizer"], abs=1e-9)
