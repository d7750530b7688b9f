"""The arena's rule on debates whose best proposal is known."""

import sys
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))

import deciding
from tests.kit.examples import tries

ROOT = Path(__file__).parents[3]
WORLDS = {world.name: world for world in deciding.WORLDS}
SHOWN = 5
"""The number of agents for which the page has the figures."""
PAGE = (ROOT / "docs" / "arena.md").read_text("utf-8")
TABLE = PAGE.partition(deciding.HEAD)[2].partition("\n\n")[0].strip().splitlines()


@pytest.mark.parametrize(("size", "name"), [*product(deciding.SIZES, WORLDS)][:: max(1, 27 // tries(2))])
def test_the_rules_hold_their_own_and_the_docs_say_how(size: int, name: str) -> None:
    played = deciding.play(WORLDS[name], size)
    assert played.is_sound, "worse than votes and judge alone, or a strict vote approves more"
    assert size != SHOWN or deciding.row(WORLDS[name], size, played) in TABLE


def test_the_docs_have_a_line_for_every_world() -> None:
    assert [line.split(" | ")[:2] for line in TABLE] == [[f"| {SHOWN}", name] for name in WORLDS]
