"""A moot.yaml of strangers in the folder one works in: nothing that it names runs before it is trusted."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.exporter import EXPORTERS
from moot.engine.registry import load_named_plugins
from moot.models.declared import declared_commands
from moot.plugins.trust import trust
from moot.queue.allowed import Allowed
from moot.service.guests import requested
from tests.kit.command import Said, refused
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
WORDS = "names what would run"


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
    Path("duel.yaml").write_text("topic: Is it so?\nturns: 2\nno_judge: true\n", "utf-8")
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
        ("run", "duel.yaml"),
        ("plan", "duel", "Is it so?"),
        ("evil", "Is it so?"),
        ("batch", "batch.yaml"),
        ("eval", "questions.jsonl"),
        ("worker", "--queue", "postgresql://127.0.0.1:9/none", "--until-idle"),
        ("serve", "--port", "0"),
        ("mcp",),
        ("models",),
    ],
    ids=lambda args: args[0],
)
def test_nothing_of_an_untrusted_project_runs(tmp_path: Path, part: str, args: tuple[str, ...]) -> None:
    write(**{part: PARTS[part]})
    said = command(*args)
    assert said.code == 2 and WORDS in said.err and "`moot trust`" in said.err, said
    for call in (
        lambda: moot.configure("duel", topic="Is it so?"),
        lambda: requested("duel", {"topic": "Is it so?"}),
        load_named_plugins,
        declared_commands,
    ):
        with pytest.raises(moot.ConfigError, match=WORDS):
            call()
    assert not (tmp_path / "treasure").exists()


def test_a_job_runs_nothing_of_an_untrusted_project(tmp_path: Path) -> None:
    write_trusted(json.dumps(PARTS))
    job = small_config("runs", tools=["evil"])
    write(**(PARTS | {"plugins": ["other.py"]}))
    with pytest.raises(moot.ConfigError, match=WORDS):
        Allowed().check(job, {})
    with pytest.raises(moot.ConfigError, match=WORDS):
        asyncio.run(moot.run(job))
    assert not (tmp_path / "treasure").exists()


def test_what_is_trusted_is_said_and_runs(tmp_path: Path) -> None:
    program(Path(), ANSWERS, "mine")
    write(commands={"mine": {"run": ["./mine", "a b"]}}, plugins=["p.py"], lookups={"w": {"url": "http://127.0.0.1:9"}})
    Path("p.py").write_text(EXPORTER, "utf-8")
    said = command("trust")
    assert said.code == 0, said
    for line in ("plugins: p.py", "commands: mine, runs ./mine 'a b'", "lookups: w, {'url': 'http://127.0.0.1:9'}"):
        assert f"  {line}\n" in said.out
    assert str(tmp_path / "state/moot/trusted.json") in said.out
    ended = command("run", "duel.yaml", "-m", "command/mine", "-q")
    assert ended.code == 0, ended


@pytest.mark.parametrize(
    "changed",
    [
        {"commands": {"evil": {"run": "./other"}}},
        {"commands": {"evil": {"run": "./evil.py", "env": ["OPENAI_API_KEY"]}}},
        {"commands": {"evil": {"run": "./evil.py"}, "second": {"run": "./evil.py"}}},
        {"commands": {"evil": {"run": "./evil.py"}}, "plugins": ["evil.py"]},
    ],
)
def test_what_was_changed_has_to_be_trusted_again(tmp_path: Path, changed: dict[str, Any]) -> None:
    write_trusted(json.dumps({"commands": {"evil": {"run": "./evil.py"}}}))
    write(commands={"evil": {"run": "./evil.py"}}, model="command/evil", max_calls=3)
    moot.configure("duel", topic="Is it so?")
    write(**changed)
    assert WORDS in refused("duel", "Is it so?")
    assert not (tmp_path / "treasure").exists()


def test_trust_is_for_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_trusted(json.dumps(PARTS))
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    write(**PARTS)
    assert WORDS in refused("list")
    # Nor does a link to a trusted file bring its trust along: what is relative in it would lie elsewhere.
    Path("moot.yaml").unlink()
    Path("moot.yaml").symlink_to(tmp_path / "clone/moot.yaml")
    assert WORDS in refused("list")


def test_settings_that_run_nothing_and_the_own_file_need_no_trust(tmp_path: Path) -> None:
    write(max_calls=7, plugins=[])
    assert moot.configure("duel", topic="Is it so?").options.max_calls == 7
    assert "names nothing that runs" in command("trust").out
    own = tmp_path / "config/moot"
    own.mkdir(parents=True)
    (own / "moot.yaml").write_text(json.dumps({"commands": {"mine": {"run": "./mine"}}}), "utf-8")
    assert [*declared_commands()] == ["mine"]


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"x": {}}', "\x00"])
def test_a_record_that_cannot_be_read_trusts_nothing(tmp_path: Path, kept: str) -> None:
    state = tmp_path / "state/moot"
    state.mkdir(parents=True)
    (state / "trusted.json").write_text(kept, "utf-8")
    write(**PARTS)
    assert WORDS in refused("list")
    trust(Path("moot.yaml"), PARTS)
    assert isinstance(command("list"), Said)
