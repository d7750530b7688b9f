"""A moot.yaml of strangers in the folder one works in: nothing that it names is used before it is trusted."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.exporter import EXPORTERS
from moot.engine.define.registry import load_named_plugins
from moot.engine.sources.toolbox import declared_tools
from moot.models.declared import declared_commands
from moot.queue.allowed import Allowed
from moot.service.guests import requested
from tests.kit.command import moot as command
from tests.kit.commands import ANSWERS, program
from tests.kit.duels import small_config
from tests.kit.trusted import write_trusted

PARTS: dict[str, Any] = {
    "plugins": ["evil.py"],
    "commands": {"evil": {"run": "./evil.py", "guests": True}},
    "lookups": {"evil": {"run": ["./evil.py"], "guests": True}},
}
EXPORTER = """
from moot.runs.export import Exporter
SHOUTED = Exporter("shouted", "The topic, loudly.", "text/plain", lambda run: run.config.topic.upper())
"""
WORDS = "is not trusted, so it can only tighten. Ignored: "


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a program that leaves a file, and everything in moot.yaml that might run it."""
    clone = tmp_path / "clone"
    clone.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(EXPORTERS, "_added", {})
    monkeypatch.chdir(clone)
    program(clone, "open('../treasure', 'w')", "evil.py")
    Path("duel.yaml").write_text("topic: Is it so?\nturns: 2\njury: 0\n", "utf-8")
    Path("batch.yaml").write_text("protocol: duel\ngrid: {topic: [Is it so?]}\n", "utf-8")
    Path("questions.jsonl").write_text('{"question": "Is it so?", "answer": "yes"}\n', "utf-8")
    return clone


def write(**parts: Any) -> None:
    Path("moot.yaml").write_text(json.dumps(parts), "utf-8")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "args",
    [
        ("duel", "Is it so?", "-m", "command/evil"),
        ("duel", "Is it so?", "--tool", "evil"),
        ("plan", "duel", "Is it so?"),
        ("evil", "Is it so?"),
        ("run", "evil.yaml"),
        ("models",),
        ("list",),
    ],
    ids=lambda args: args[0],
)
def test_nothing_of_an_untrusted_project_runs(tmp_path: Path, part: str, args: tuple[str, ...]) -> None:
    write(**{part: PARTS[part]})
    Path("evil.yaml").write_text("protocol: evil\ntopic: Is it so?\n", "utf-8")
    said = command(*args)
    assert f"{WORDS}{part}. " in said.err, said
    assert said.code == (0 if args[0] in ("plan", "models", "list") else 2), said
    load_named_plugins()
    assert not declared_commands() and not declared_tools()
    assert moot.configure("duel", topic="Is it so?").ignored == (part,)
    assert requested("duel", {"topic": "Is it so?"}).ignored == (part,)
    assert not (tmp_path / "treasure").exists()


def test_a_job_runs_nothing_of_an_untrusted_project(tmp_path: Path) -> None:
    write_trusted(json.dumps(PARTS | {"plugins": []}))
    job = small_config("runs", tools=["evil"])
    write(**(PARTS | {"plugins": ["other.py"]}))
    with pytest.raises(moot.ConfigError, match="unknown tool 'evil'"):
        Allowed().check(job, {})
    with pytest.raises(moot.ConfigError, match="unknown tool 'evil'"):
        asyncio.run(moot.run(job))
    assert not (tmp_path / "treasure").exists()


def test_what_is_trusted_is_shown_whole_asked_about_and_runs(tmp_path: Path) -> None:
    program(Path(), ANSWERS, "mine")
    long = ["./mine", "a b", "x" * 500, "\x1b[2J"]
    write(commands={"mine": {"run": long, "env": ["PATH"]}}, plugins=["p.py"])
    Path("p.py").write_text(EXPORTER, "utf-8")
    told = Path("moot.yaml").read_text("utf-8")
    for answer in (b"", b"n\n"):
        said = command("setup", "trust", stdin=answer)
        assert told in said.out and said.code == 130
        assert declared_commands() == {}
    said = command("setup", "trust", stdin=b"y\n")
    assert (said.code, str(tmp_path / "state/moot/trusted.json") in said.out) == (0, True)
    ended = command("run", "duel.yaml", "-m", "command/mine", "-q")
    assert ended.code == 0, ended
    assert "already" in command("setup", "trust").out
    write(commands={"mine": {"run": ["./other"]}})
    assert command("setup", "trust").code == 130, "it is asked again after any change"
    assert declared_commands() == {}


def test_what_is_trusted_is_what_was_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    write(max_calls=3)

    def answer(*_: Any, **__: Any) -> bool:
        write(**PARTS)  # while the question waits
        return True

    monkeypatch.setattr("click.confirm", answer)
    assert command("setup", "trust").code == 0
    assert declared_commands() == {}


@pytest.mark.parametrize(
    "changed",
    [
        {"commands": {"evil": {"run": "./other"}}},
        {"commands": {"evil": {"run": "./evil.py", "env": ["OPENAI_API_KEY"]}}},
        {"commands": {"evil": {"run": "./evil.py"}}, "model": "command/evil"},
        {"commands": {"evil": {"run": "./evil.py"}}, "max_calls": 3},
    ],
)
def test_what_was_changed_has_to_be_trusted_again(tmp_path: Path, changed: dict[str, Any]) -> None:
    write_trusted(json.dumps({"commands": {"evil": {"run": "./evil.py"}}}))
    assert [*declared_commands()] == ["evil"]
    write(**changed)
    assert declared_commands() == {}
    assert WORDS in command("plan", "duel", "Is it so?").err
    assert not (tmp_path / "treasure").exists()


def test_trust_is_for_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_trusted(json.dumps(PARTS))
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    write(**PARTS)
    assert WORDS in command("list").err
    # Nor does a link to a trusted file bring its trust along: what is relative in it would lie elsewhere.
    Path("moot.yaml").unlink()
    Path("moot.yaml").symlink_to(tmp_path / "clone/moot.yaml")
    assert WORDS in command("list").err


def test_what_tightens_and_the_own_file_need_no_trust(tmp_path: Path) -> None:
    write(max_calls=7, plugins=[])
    config = moot.configure("duel", topic="Is it so?")
    assert (config.options.max_calls, config.ignored) == (7, ())
    own = tmp_path / "config/moot"
    own.mkdir(parents=True)
    (own / "moot.yaml").write_text(json.dumps({"commands": {"mine": {"run": "./mine"}}, "max_calls": 5}), "utf-8")
    assert [*declared_commands()] == ["mine"]
    config = moot.configure("duel", topic="Is it so?")
    assert (config.options.max_calls, config.ignored) == (5, ("max_calls",)), "it does not raise what the user set"
