"""The arena's rule on debates whose best proposal is known."""

import runpy
from pathlib import Path

import pytest

from tests.kit.examples import tries

ROOT = Path(__file__).parents[3]
BENCHMARK = runpy.run_path(str(ROOT / "benchmarks" / "deciding.py"))
WORLDS = {world.name: world for world in BENCHMARK["WORLDS"]}


@pytest.mark.parametrize("name", [*WORLDS][:: max(1, len(WORLDS) // tries(1))])
def test_the_rule_holds_its_own_and_the_docs_say_how(name: str) -> None:
    scores = BENCHMARK["play"](WORLDS[name])
    assert BENCHMARK["is_sound"](scores), "worse than both the majority and the judge alone"
    now, other = scores["now"], scores["overruling"]
    assert now.approved_right / now.approved >= other.approved_right / other.approved
    assert BENCHMARK["row"](name, scores) in (ROOT / "docs" / "arena.md").read_text("utf-8").splitlines()


def test_the_docs_have_a_line_for_every_world() -> None:
    page = (ROOT / "docs" / "arena.md").read_text("utf-8")
    table = page.partition(BENCHMARK["HEAD"])[2].partition("\n\n")[0].strip().splitlines()
    assert [line.split(" | ")[0] for line in table] == [f"| {name}" for name in WORLDS]
