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


def test_evidence_takes_several_paths(place: Path) -> None:
    for name in ("a", "b"):
        (place / name).mkdir()
        (place / name / "notes.md").write_text(f"To rewrite it takes {name} long time.\n", "utf-8")
    for paths in (["--evidence", "a", "b"], ["--evidence", "a", "--evidence", "b"]):
        ended = moot("persuasion", TOPIC, *paths, "-c", "debate.yaml", "--json", "-q")
        assert ended.code == 0, ended.err
        context = api.Run(Path(json.loads(ended.out)["run"])).entries()[1].data
        assert {fact.source for fact in context.facts} == {"a/notes.md:1-1", "b/notes.md:1-1"}  # type: ignore[union-attr]
    assert "there is no nowhere" in refused("persuasion", "-c", "debate.yaml", "--evidence", "nowhere")
