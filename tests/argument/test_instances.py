"""Frameworks with independent answers: random ones and, wherever they are at hand, published ones."""

import re
from typing import Any

import numpy as np
import pytest

from moot.argument import SEMANTICS, Graph, abstract, credulous, extension, extensions, grounded, sceptical
from tests.kit.instances import bipolar_frameworks, frameworks_with_extensions, frameworks_with_questions


def apx(text: str) -> Graph:
    pairs = {what: re.findall(rf"{what}\(([^,]+),([^)]+)\)", text) for what in ("att", "sup")}
    return Graph.of(re.findall(r"arg\(([^)]+)\)", text), pairs["att"], pairs["sup"])


def numbered(text: str) -> Graph:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    size = int(lines[0].split()[2])
    pairs = np.array([line.split() for line in lines[1:]], dtype=np.int32).reshape(-1, 2) - 1
    return Graph.numbered(map(str, range(1, size + 1)), pairs)


@pytest.mark.parametrize("record", frameworks_with_extensions())
def test_all_extensions(record: dict[str, Any]) -> None:
    graph = apx(record["text"])
    for semantics in [one for one in SEMANTICS if one in record]:
        single = semantics in ("GR", "ID", "EA")
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
        ask = credulous if task == "DC" else sceptical
        assert {"YES" if ask(graph, semantics, name).accepted else "NO"} == words, question
    least = grounded(graph)
    assert len(least) == record["GR"] if isinstance(record["GR"], int) else least == frozenset(map(str, record["GR"]))
    if answered:
        assert (extension(graph, "ST") is not None) == record["has_stable"]
    if isinstance(record.get("ID"), list):
        assert extension(graph, "ID") == frozenset(map(str, record["ID"]))


@pytest.mark.parametrize("record", bipolar_frameworks())
def test_readings_of_support(record: dict[str, Any]) -> None:
    graph = apx(record["text"])
    for reading in ("DEFAULT", "SIMPLE_DEDUCTIVE", "DEDUCTIVE", "NECESSITY", "SIMPLE_NECESSITY"):
        flat = abstract(graph, reading)
        named = sorted([flat.names[one], flat.names[other]] for one, other in flat.attacks.tolist())
        assert named == sorted(record[f"{reading}_attacks"]), reading
        assert sorted(grounded(flat)) == sorted(record[f"{reading}_GR"]), reading
        assert sorted(map(sorted, extensions(flat, "PR"))) == sorted(map(sorted, record[f"{reading}_PR"])), reading
