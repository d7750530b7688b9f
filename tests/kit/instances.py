"""Argument graphs with answers that are not ours: small random ones, answered by the definitions word by word, and
published ones with the answers of independent tools wherever they are beside the checkout."""

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from moot.argument.graph import Graph
from tests.kit.examples import tries
from tests.kit.graphs import by_definition
from tests.kit.oracle import Oracle

PUBLISHED = Path(__file__).parents[3] / "shared" / "argumentation"
"""They are not ours to publish."""
Record = dict[str, Any]
Pairs = set[tuple[str, str]]
QUESTIONS = ("DC-CO", "DC-ST", "DC-SST", "DS-PR", "DS-ST", "DS-SST")
GRADUAL = ("dfquad", "energy", "euler", "mlp", "moot")


def frameworks_with_extensions() -> list[Any]:
    """All extensions of each semantics, for a framework in apx."""
    return _records("dung-small", map(_all_extensions, range(tries(5))))


def frameworks_with_questions() -> list[Any]:
    """Answers to questions about single arguments, for a framework in the format of the competition."""
    return _records("dung-medium", map(_questions, range(tries(5))))


def weighted_graphs() -> list[Any]:
    """The strengths of the arguments under each gradual semantics, by tool."""
    file = PUBLISHED / "gradual" / "strengths.json"
    published = json.loads(file.read_text("utf-8")) if file.exists() else []
    return [pytest.param(one, id=one["name"]) for one in [*map(_strengths, range(tries(5))), *published]]


def _records(folder: str, made: Iterable[Record]) -> list[Any]:
    return [pytest.param(one, id=one["file"]) for one in [*made, *_published(PUBLISHED / folder)]]


def _published(folder: Path) -> Iterator[Record]:
    answers = folder / "answers.jsonl"
    for line in answers.read_text("utf-8").splitlines() if answers.exists() else ():
        record = json.loads(line)
        yield record | {"text": (folder / "instances" / record["file"]).read_text("utf-8")}


def _drawn(dice: random.Random, names: list[str], chance: float) -> Pairs:
    """Self-attacks are rare, else hardly anything could be accepted."""
    return {(a, b) for a in names for b in names if dice.random() < chance * (0.3 if a == b else 1)}


def _apx(names: list[str], attacks: Pairs) -> str:
    return "\n".join([f"arg({name})." for name in names] + [f"att({one},{other})." for one, other in sorted(attacks)])


def _all_extensions(seed: int) -> Record:
    dice = random.Random(seed)
    names = [f"a{number}" for number in range(4 + seed % 5)]
    attacks = _drawn(dice, names, (0.1, 0.2, 0.3)[seed % 3])
    found = {one: sorted(map(sorted, sets)) for one, sets in Oracle(names, attacks).extensions.items()}
    return (
        {"file": f"random-{seed}.apx", "text": _apx(names, attacks)}
        | found
        | {one: found[one][0] for one in ("GR", "ID")}
    )


def _questions(seed: int) -> Record:
    dice = random.Random(100 + seed)
    names = [str(number) for number in range(1, 10)]
    attacks = _drawn(dice, names, (0.12, 0.2, 0.3)[seed % 3])
    found = Oracle(names, attacks).extensions
    text = "\n".join([f"p af {len(names)}", "# by chance", *(f"{one} {other}" for one, other in sorted(attacks))])
    answers = {}
    for question in QUESTIONS:
        task, semantics = question.split("-")
        for name in names:
            held = [name in one for one in found[semantics]]
            answers[f"{question}:{name}"] = "YES" if (any if task == "DC" else all)(held) else "NO"
    (least,), (ideal,) = found["GR"], found["ID"]
    record = {"file": f"random-{seed}.af", "text": text, "q": answers, "has_stable": bool(found["ST"])}
    return record | {"GR": sorted(least), "ID": sorted(ideal)}


def _strengths(seed: int) -> Record:
    dice = random.Random(300 + seed)
    names = [f"a{number}" for number in range(6)]
    base = {name: round(dice.random(), 2) for name in names}
    attacks, supports = _drawn(dice, names, 0.15), _drawn(dice, names, 0.1)
    graph = Graph.of(names, attacks, supports, weights=base)
    found = {one: {"definition": _settled(graph, one)} for one in GRADUAL}
    record = {"name": f"random-{seed}", "base": base, "attacks": sorted(attacks), "supports": sorted(supports)}
    return record | {"strengths": found}


def _settled(graph: Graph, semantics: str) -> dict[str, float]:
    """The definition, applied again and again by halves until nothing changes."""
    scores = dict.fromkeys(graph.names, 0.5)
    for _ in range(2_000):
        after = {name: (scores[name] + by_definition(graph, semantics, name, scores)) / 2 for name in scores}
        if max(abs(after[name] - scores[name]) for name in scores) < 1e-14:
            return after
        scores = after
    raise AssertionError(f"{semantics} does not settle")
