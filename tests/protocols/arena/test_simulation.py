"""The arena's rule on debates whose best proposal is known."""

import runpy
from pathlib import Path

import pytest

BENCHMARK = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "deciding.py"))
WORLDS, FOUND = BENCHMARK["WORLDS"], BENCHMARK["play"](400)


@pytest.mark.parametrize("world", [world.name for world in WORLDS])
def test_the_rule_is_never_worse_than_both_the_majority_and_the_judge(world: str) -> None:
    scores = FOUND[world]
    assert scores["now"].rate >= min(scores["majority"].rate, scores["judge"].rate)


@pytest.mark.parametrize("world", [world.name for world in WORLDS])
def test_what_is_approved_is_the_best_at_least_as_often_as_before(world: str) -> None:
    before, now = FOUND[world]["before"], FOUND[world]["now"]
    assert now.approved_right / now.approved >= before.approved_right / before.approved
