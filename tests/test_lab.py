"""A small version of the lab: before a fair judge, no strategy pays, and the better case beats a coin."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import lab
from strategies import FAIR, HONEST, STRATEGIES, Game, Match

MATCHES = 16


@pytest.mark.parametrize("name", lab.games())
def test_no_strategy_pays_and_the_better_case_wins(name: str) -> None:
    rows = {row.strategy: row for row in lab.rows(lab.games()[name], FAIR, MATCHES)}
    paying = {strategy for strategy, row in rows.items() if row.pays}
    assert paying <= lab.games()[name].stays.keys(), "the page does not say why they may"
    assert rows[HONEST.name].right.mean > 50


def test_a_rule_that_rewards_a_strategy_is_found_out() -> None:
    """Even one that rewards it only now and then."""

    def rigged(match: Match) -> float:
        return float(match.right) if match.strategy != "absent" or match.seed % 5 else 1.0

    game = Game("rigged", "anything", rigged)
    assert [row.strategy for row in lab.rows(game, FAIR, 200) if row.pays] == ["absent"]


def test_a_table_has_a_row_for_each_strategy() -> None:
    game = Game("plain", "anything", lambda match: float(match.right), judges=(FAIR.name,))
    text, faults = lab.table(game, list(lab.rows(game, FAIR, 2)), 2)
    assert sum(line.startswith("| ") for line in text.splitlines()) == len(STRATEGIES) + 2
    assert faults == []
