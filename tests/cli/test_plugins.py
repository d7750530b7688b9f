"""Plug-in files on the command line: broken ones, ones that would hide something, and what else they bring."""

import json
from pathlib import Path

import pytest

from moot.cli.main import COMMANDS
from moot.engine.exporter import EXPORTERS
from moot.engine.registry import load_file
from moot.engine.shipped import COMMANDS as TAKEN
from tests.kit.command import Said, moot, refused
from tests.kit.tutorial import write_hands

EXPORTER = """
from moot.runs.export import Exporter
SHOUTED = Exporter("shouted", "The topic, loudly.", "text/plain", lambda run: run.config.topic.upper())
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test plugs in is not there in the next."""
    monkeypatch.setattr("moot.engine.registry._registered", {})
    monkeypatch.setattr(EXPORTERS, "_added", {})


def name(*files: str) -> None:
    Path("moot.yaml").write_text(f"plugins: {json.dumps(files)}\n", "utf-8")


def done(*args: str) -> Said:
    ended = moot(*args)
    assert ended.code == 0, ended
    return ended


def test_no_protocol_can_be_called_like_a_command(place: Path) -> None:
    assert COMMANDS.keys() == TAKEN
    text = write_hands(place).read_text("utf-8")
    (place / "list.py").write_text(text.replace('name="hands"', 'name="list"'), "utf-8")
    said = refused("run", "list.py", "Is it so?")
    assert said == "moot: a protocol cannot be called 'list', since `moot list` is a command\n"


@pytest.mark.parametrize("args", [["--help"], ["list"], ["protocols"], ["models"], ["doctor"]])
def test_a_broken_plug_in_stops_no_command_that_can_do_without(place: Path, args: list[str]) -> None:
    (place / "hands.py").write_text("def\n", "utf-8")
    name("hands.py")
    ended = moot(*args)
    assert "Traceback" not in ended.err
    assert ended.out
    if args != ["list"]:
        assert "hands.py cannot be loaded: SyntaxError" in " ".join((ended.err + ended.out).split())
    if args == ["protocols"]:
        assert "duel" in ended.out


def test_runs_of_a_broken_plug_in_can_be_read_and_say_why_they_cannot_go_on(
    place: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_hands(place)
    name("hands.py")
    assert moot("hands", "Is it so?", "--max-calls", "1").code != 0
    monkeypatch.setattr("moot.engine.registry._registered", {})
    monkeypatch.setattr("moot.engine.registry._load_once", load_file)
    (place / "hands.py").write_text("def\n", "utf-8")
    assert "hands" in done("list").out
    assert "Voter 1" in done("show", "latest").out
    assert "hands.py cannot be loaded: SyntaxError" in refused("resume", "latest")


def test_the_command_to_go_on_with_names_the_plug_in(place: Path, provider: str) -> None:
    write_hands(place)
    stopped = moot("run", "hands.py", "Is it so?", "--max-calls", "1")
    assert stopped.code != 0
    line = next(one for one in stopped.out.splitlines() if one.startswith("To go on: "))
    assert "--plugin hands.py resume " in line
    name("hands.py")
    again = moot("hands", "Is it so?", "--max-calls", "1")
    assert "--plugin" not in next(one for one in again.out.splitlines() if one.startswith("To go on: "))


def test_a_result_is_not_compared_where_only_the_plug_in_differs(
    place: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_hands(place)
    name("hands.py")
    done("hands", "Is it so?")
    text = path.read_text("utf-8")
    path.write_text(text.replace("The hands say", "The fingers say"), "utf-8")
    monkeypatch.setattr("moot.engine.registry._registered", {})
    monkeypatch.setattr("moot.engine.registry._load_once", load_file)
    said = done("verify", "latest").out
    assert "the result is not compared, since the run was begun with hands.py" in " ".join(said.split())


def test_an_exporter_of_a_plug_in_is_one_of_the_forms(place: Path, provider: str) -> None:
    (place / "shouting.py").write_text(EXPORTER, "utf-8")
    name("shouting.py")
    done("duel", "Is it so?", "--turns", "2")
    assert done("export", "latest", "--to", "shouted").out == "IS IT SO?\n"
