"""`moot chaired`: the command, what it shows, and what it asks for."""

import json
import os
import pty
from pathlib import Path

import pytest
import yaml

import moot as library
from tests.kit.chaired import ABSENT, WEAK, hold, pack, turn
from tests.kit.command import moot, refused, spawn
from tests.kit.waiting import PATIENCE

TOPIC = "Trams are better than cars."
ANSWERS = {
    "promoter@r1/turn": turn("new_point", "As nobody knows but the promoter.", ABSENT),
    "detractor@opening/turn": turn("opening_statement", "Against.", WEAK),
    "detractor@r1/turn": turn("clarification_request", "What is a tram?"),
    "audience@r1/questions": {"questions": [{"to": "promoter", "question": "Who pays?"}]},
}


@pytest.fixture
def place(place: Path, tmp_path: Path) -> Path:
    """An empty folder with a pack and a script for a whole debate on it."""
    held, _ = hold(tmp_path, ANSWERS)
    pack(place)
    replies: dict[str, list[str]] = {}
    for record in held.records():
        if record.kind == "reply":
            replies.setdefault(record.key, []).append(record.reply or "")
    (place / "replies.yaml").write_text(yaml.safe_dump(replies), "utf-8")
    return place


OPTIONS = ["--rounds", "1..1", "--evidence", "pack", "-m", "scripted/replies.yaml"]


def test_a_plan(place: Path) -> None:
    planned = moot("plan", "chaired", TOPIC, "--rounds", "2..4", "-m", "openai/gpt-5-mini")
    assert planned.code == 0, planned.err
    assert planned.out.startswith("chaired: ")
    assert "too small for a chaired debate" in refused("plan", "chaired", TOPIC, "-m", "embedded/smollm2")


def test_without_a_topic_the_shipped_one_is_debated(place: Path) -> None:
    config = library.configure("chaired")
    assert config.debate.topic  # type: ignore[attr-defined]
    assert config.debate.evidence.pack == "city-cars"  # type: ignore[attr-defined]
    assert config.debate.max_rounds == 2  # type: ignore[attr-defined]
    other = library.configure("chaired", evidence="monolith-first").debate
    assert "monolith" in other.topic  # type: ignore[attr-defined]
    with pytest.raises(library.ConfigError, match="there is no topic"):
        library.configure("chaired", evidence="pack")
    longer = library.configure("chaired", min_rounds=4).debate
    assert (longer.min_rounds, longer.max_rounds) == (4, 4)  # type: ignore[attr-defined]


@pytest.mark.parametrize("rounds", ["x", "1-3", "..3", "1..", "1..2..3", "-1"])
def test_rounds_that_are_none(place: Path, rounds: str) -> None:
    assert "--rounds is MIN..MAX" in refused("chaired", TOPIC, f"--rounds={rounds}")


def test_at_a_terminal_the_topic_is_asked_for(place: Path) -> None:
    Path("debate.yaml").write_text("protocol: chaired\nmin_rounds: 1\nmax_rounds: 1\n", "utf-8")
    ours, theirs = pty.openpty()
    try:
        os.write(ours, f"{TOPIC}\n".encode())
        process = spawn("chaired", "-c", "debate.yaml", *OPTIONS[2:], "--json", "-q", stdin=theirs)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 0, err.decode()
    assert json.loads(out)["topic"] == TOPIC
