"""What can be required of a decision, for every protocol that comes to one, and what never passes."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.cli.stage import REQUIREMENT_MISSED, exit_code
from moot.engine.define.gate import Decides, gate_of
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from tests.kit.duels import ahead, duel
from tests.kit.shelf import demonstrated

WITHOUT = {"council", "delphi", "hats"}
"""Their answers are prose or a number, of which nothing can be required."""


def test_every_protocol_with_a_decision_has_a_gate() -> None:
    assert {name for name in OFFERED if get_protocol(name).get(Decides) is None} == WITHOUT
    for name in OFFERED:
        assert ("require" in get_protocol(name).config.model_fields) is (name not in WITHOUT)


def passes(result: moot.Result) -> bool:
    gate = gate_of(result)
    assert gate is not None
    assert exit_code(result) == (0 if gate.passed else REQUIREMENT_MISSED)
    assert ("requirement_not_met" in {flag.code for flag in result.flags}) is not gate.passed
    return gate.passed is True


@pytest.mark.parametrize(
    ("require", "passed"),
    [("for", True), ("winner", True), ("against", False), (["against", "for"], True), ("against, for", True)],
)
def test_the_side_that_wins_a_duel(tmp_path: Path, require: Any, passed: bool) -> None:
    result, _ = duel(tmp_path, ahead(), require=require)
    assert passes(result) is passed


def test_the_option_that_wins_a_duel(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"topic": "Tea or coffee?", "claim": None, "options": ["tea", "coffee"]}
    assert passes(duel(tmp_path / "tea", ahead(), require="Tea", **settings)[0]) is True
    assert passes(duel(tmp_path / "coffee", require="coffee", **settings)[0]) is False


def test_a_run_that_did_not_finish_does_not_pass(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, require="winner", max_calls=5)
    gate = gate_of(result)
    assert gate is not None and gate.passed is False
    assert gate.why == "The debate did not finish: the limit of 5 calls is reached."
    assert exit_code(result) == 3


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"require": "maybe"}, "this duel can come to winner, for, against"),
        ({"require": "winner", "jury": 0}, "nobody decides in a duel without a judge"),
        ({"require": "for", "topic": "What now?", "claim": None, "kind": "open"}, "this duel can come to winner"),
    ],
)
def test_what_a_duel_cannot_come_to_is_refused(tmp_path: Path, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(moot.ConfigError, match=told):
        duel(tmp_path, **settings)


@pytest.mark.parametrize(
    ("protocol", "require", "passed"),
    [
        ("oxford", "for", True),
        ("oxford", "winner,against", True),
        ("oxford", "against", False),
        ("oxford", "carried", False),
        ("socratic", "amended", True),
        ("socratic", "upheld,amended", True),
        ("socratic", "upheld", False),
        ("redteam", "holds", False),
        ("multiagent", ["day 8."], True),
        ("multiagent", ["Day 9"], False),
        ("oversight", ["He wanted the harbour to see that he was needed"], True),
    ],
)
def test_the_decisions_of_the_shelf(tmp_path: Path, protocol: str, require: Any, passed: bool) -> None:
    result, _ = demonstrated(protocol, tmp_path, require=require)
    assert passes(result) is passed
