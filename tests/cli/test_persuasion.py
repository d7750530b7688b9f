"""`moot persuasion` as it is meant to be used."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot as api
from tests.kit.command import moot, refused
from tests.kit.persuasions import CAST, GAME, LOOKS, TOPIC


@pytest.fixture(autouse=True)
def place(place: Path) -> Path:
    write(GAME | LOOKS)
    debate = {"protocol": "persuasion", "topic": TOPIC, "rounds": 1, "model": "scripted/replies.yaml", **CAST}
    Path("debate.yaml").write_text(yaml.safe_dump(debate), "utf-8")
    return place


def write(script: dict[str, Any]) -> None:
    Path("replies.yaml").write_text(json.dumps(script), "utf-8")


def test_a_dialogue_in_the_terminal() -> None:
    ended = moot("persuasion", "-c", "debate.yaml")
    assert ended.code == 0, ended.err
    shown = ended.err
    assert "Olaf · round 1 · O3: claim A5, undercutting the step to A1 · answers P3" in shown
    assert "Holds A1, A3, A4, A6" in shown
    assert "moot makes move O2 for Olaf, by rule: why A1" in shown
    assert "Shared context: nothing to cite" in shown
    assert "Arguments: 6, attacks: 1, supports: 4; acyclic; grounded: A3, A4, A5, A6, A7" in shown
    told = ended.out
    assert told.startswith("Yes: rewrite it (0.56 to 0.50)\n\nNarrow: the cases score 0.56 to 0.50;")
    assert told.index("holds: it scores 0.56") < told.index("├─ + A3 [0.50]: It is slow."), "the words, then the map"
    assert "φ" not in told
    assert "Measure first." in told


def test_a_limit_keeps_what_there_is() -> None:
    ended = moot("persuasion", "-c", "debate.yaml", "--max-calls", "5")
    assert ended.code == 3
    assert ended.out.startswith("No verdict yet\nSo far the case for “We should rewrite it” scores 0.35")
    assert moot("resume", "latest", "--max-calls", "100").code == 0
    assert api.list_runs("debates")[0].result()["winner"] == "Pia"  # type: ignore[index]


def test_evidence_takes_several_paths(place: Path) -> None:
    for name in ("a", "b"):
        (place / name).mkdir()
        (place / name / "notes.md").write_text(f"To rewrite it takes {name} long time.\n", "utf-8")
    for paths in (["--evidence", "a", "b"], ["--evidence", "a", "--evidence", "b"]):
        ended = moot("persuasion", TOPIC, *paths, "-c", "debate.yaml", "--json", "-q")
        assert ended.code == 0, ended.err
        context = api.Run(Path(json.loads(ended.out)["run"])).entries()[1].data
        assert {fact.source for fact in context.facts} == {"a/notes.md:1-1", "b/notes.md:1-1"}  # type: ignore[union-attr]


def test_usage() -> None:
    assert "unexpected extra arguments (b)" in refused("persuasion", TOPIC, "b")
    assert "there is no nowhere" in refused("persuasion", "-c", "debate.yaml", "--evidence", "nowhere")
    assert "--rounds" in refused("persuasion", "T", "--rounds", "0")
