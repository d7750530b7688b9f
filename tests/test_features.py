"""Each feature can be taken out, or all: what is left stages debates and reads them, and says what a command needs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from moot.errors import ConfigError
from moot.mcp.server import make_server
from moot.plugins.features import BUILT_IN, FEATURES, Feature, built_in
from moot.service.host import Host
from moot.web.app import make_app
from tests.kit.assistants import call, served
from tests.kit.command import empty_place, moot_alone, refused
from tests.kit.duels import staged
from tests.kit.sources import SOURCE
from tests.kit.tutorial import PAGE, files_in
from tests.kit.waiting import PATIENCE, run

RUN = """
import io, json, sys
from pathlib import Path
from typing import Any
from contextlib import redirect_stderr, redirect_stdout
from moot.cli.main import _main
from moot.plugins.features import built_in

for args in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = _main(args)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
Path("debates/old").mkdir()
Path("debates/old/batch.json").write_text("{}")
Path("debates/old/items.jsonl").touch()
if built_in("web"):
    from fastapi.testclient import TestClient
    from moot.service.host import Host
    from moot.web.app import make_app
    with TestClient(make_app(Host("debates")), base_url="http://127.0.0.1") as client:
        assert client.get("/").status_code == 200
if built_in("mcp"):
    from moot.mcp.server import make_server
    from moot.service.host import Host
    make_server(Host("debates"))
"""
"""Everything in one process: it runs commands, and makes the servers there are."""
READ = [["duel", "-m", "scripted/demo:duel", "-q"], ["list"], ["show"], ["verify"], ["help"]]


def take_out(rooms: set[Path], folder: Path) -> None:
    """A package `moot` of links, without these rooms."""
    for parent in {Path(), *(room.parent for room in rooms)} - rooms:
        (folder / "moot" / parent).mkdir(parents=True, exist_ok=True)
        for path in (SOURCE / parent).iterdir():
            if all(path.relative_to(SOURCE) not in (room, room.parent) for room in rooms):
                (folder / "moot" / path.relative_to(SOURCE)).symlink_to(path)


@pytest.mark.parametrize("gone", [*([name] for name in BUILT_IN), [*BUILT_IN]], ids=lambda gone: "-".join(gone)[:20])
def test_a_feature_can_be_taken_out(gone: list[str], tmp_path: Path) -> None:
    """Alone, or all of them together."""
    modules = tuple(f"{BUILT_IN[name].module}." for name in gone)
    take_out({Path(*module.split(".")[1:]) for module in modules}, tmp_path)
    missing = {name for name, known in BUILT_IN.items() if f"{known.module}.".startswith(modules)}
    for name in (name for name in BUILT_IN if name not in missing):  # in this order: some need others
        if (feature := built_in(name)) is None or not missing.isdisjoint(feature.needs):
            missing.add(name)
    commands = [(command, name) for name, known in BUILT_IN.items() for command in known.commands]
    absent = [(command, name) for command, name in commands if name in missing]
    present = [command for command, name in commands if name not in missing]
    asked = [*READ, *([*command.split(), "--help"] for command in present), *(command.split() for command, _ in absent)]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "COLUMNS": "100", "MOOT_MEMORY": "memory.db"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(asked)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [code for code, _, _ in said] == [0] * (len(asked) - len(absent)) + [2] * len(absent)
    assert ("nothing is remembered: MOOT_MEMORY belongs to the feature memory" in said[0][2]) is ("memory" in missing)
    listed = {line.split()[0] for line in said[len(READ) - 1][1].splitlines() if line.startswith("  ") and line.strip()}
    assert listed.isdisjoint(command for command, _ in absent)
    for (command, name), (_, out, err) in zip(absent, said[len(asked) - len(absent) :], strict=True):
        extra = BUILT_IN[name].extra
        line = f"`moot {command}` belongs to the feature {name}, which is not installed: pip install 'moot[{extra}]'"
        assert (out, err) == ("", f"moot: {line}\n")


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_kernel_knows_the_names_of_a_feature(name: str) -> None:
    feature, known = built_in(name), BUILT_IN[name]
    assert feature is not None
    assert (feature.name, feature.extra, set(feature.commands)) == (name, known.extra, set(known.commands))


PLUG_IN = """
import click
from moot.plugins.features import Command, Feature

@click.command()
def hello() -> None:
    click.echo("Hello.")

FEATURE = Feature("greeting", commands={"hello": Command(hello, "Read", "Say hello.")})
"""


def test_a_plug_in_file_brings_a_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = empty_place(tmp_path, monkeypatch) / "greeting.py"
    file.write_text(PLUG_IN, "utf-8")
    monkeypatch.setenv("MOOT_PLUGINS", str(file))
    said = moot_alone("hello")
    assert (said.out, said.err) == ("Hello.\n", "")
    assert "Say hello." in moot_alone("help").out


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ('"greeting"', '"memory"', "comes with moot"),
        ('"hello":', '"show":', "one of moot's own"),
        ('"hello":', '"duel":', "one of moot's own"),
        ('Command(hello, "Read", "Say hello.")', "hello", "should be a Command"),
        ("commands=", "routers=hello, commands=", "should be a list"),
        ("commands=", "offers=7, commands=", "should be a dict"),
        ('"greeting"', "None", "and None is none"),
        ('"hello":', '"two words":', "cannot be typed as one word"),
    ],
)
def test_a_feature_that_is_wrong_is_refused_with_the_reason(
    right: str, wrong: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = empty_place(tmp_path, monkeypatch) / "greeting.py"
    file.write_text(PLUG_IN.replace(right, wrong), "utf-8")
    monkeypatch.setenv("MOOT_PLUGINS", str(file))
    assert fault in moot_alone("help").err


ODD = "from moot.plugins.features import Command, Feature\nAT = {at!r}\nFEATURE = Feature('odd', {part})\n"


@pytest.mark.parametrize("at", ["nowhere.odd:x", "no where", "os:no", "os:path"])
def test_a_command_that_is_not_where_a_feature_says_is_told_in_a_line(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.plugins.features.FEATURES._added", {})
    file = empty_place(tmp_path, monkeypatch) / "odd.py"
    file.write_text(ODD.format(at=at, part="commands={'hello': Command(AT, 'Look', 'x')}"), "utf-8")
    monkeypatch.setenv("MOOT_PLUGINS", str(file))
    assert refused("hello").startswith("moot: ")


def test_the_feature_in_the_docs_brings_a_page_and_a_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.plugins.features.FEATURES._added", {})
    exec(compile(files_in(PAGE)["tally.py"], "tally.py", "exec"), made := dict[str, Any](__name__="tally"))
    FEATURES.register(made["FEATURE"])
    name = staged(tmp_path).name
    with TestClient(make_app(Host(tmp_path)), base_url="http://127.0.0.1") as client:
        assert "'Ada': 3" in client.get(f"/tally/{name}").text

    async def ask() -> None:
        async with served(tmp_path) as client:
            assert (await call(client, "tally", run=name))["Ada"] == 3

    run(ask())


def test_tools_that_are_none_are_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.plugins.features.FEATURES._added", {})
    FEATURES.register(Feature("odd", tools=[lambda run: run]))
    with pytest.raises(ConfigError, match="the tools of the feature 'odd' cannot be added"):
        make_server(Host(tmp_path))
