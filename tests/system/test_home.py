"""A user without a home, as in a container that runs under any number: nothing is read from, or written to, a folder
that happens to be called `~`."""

import json
import pwd
from pathlib import Path

import pytest

from moot.engine.define.registry import load_named_plugins, plugin_faults
from moot.models.declared import declared_commands
from moot.plugins.files import user_file
from tests.kit.command import empty_place, moot, refused


def nobody(_: int) -> None:
    raise KeyError("no such user")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = empty_place(tmp_path, monkeypatch)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    return found


def test_a_folder_of_strangers_is_nobodys_home(place: Path) -> None:
    """A repository with a folder `~` had its plug-ins run, and vouched for its own moot.yaml."""
    own = place / "~/.config/moot/moot.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(
        json.dumps({"plugins": ["evil.py"], "commands": {"evil": {"run": "./evil"}}, "model": "a/b"}), "utf-8"
    )
    (own.parent / "evil.py").write_text("open('/tmp/treasure', 'w')", "utf-8")
    assert not user_file().exists()
    assert declared_commands() == {}
    load_named_plugins()
    assert plugin_faults() == []


@pytest.mark.parametrize("args", [("models",), ("setup", "doctor"), ("list",), ("demo", "--instant", "-q")])
def test_what_needs_no_home_works(args: tuple[str, ...]) -> None:
    ended = moot(*args)
    assert "Traceback" not in ended.err and ended.code in (0, 1)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("duel", "Is it so?"), "set HOME or MOOT_CACHE"),
        (("models", "fetch", "smollm2"), "set HOME or MOOT_CACHE"),
        (("models", "default", "human/ada"), "set HOME or XDG_CONFIG_HOME"),
        (("duel", "Is it so?", "-m", "embedded/~/x.gguf"), "there is no such home folder"),
        (("duel", "Is it so?", "-m", "embedded/~nobodyhere/x.gguf"), "there is no such home folder"),
        (("memory", "list", "--memory", "~nobodyhere/x"), "there is no such home folder"),
    ],
)
def test_what_needs_one_says_so(args: tuple[str, ...], told: str, place: Path) -> None:
    assert told in refused(*args)
    assert not (place / "~").exists()


def test_a_project_cannot_be_trusted_where_that_cannot_be_kept(place: Path) -> None:
    (place / "moot.yaml").write_text("plugins: [evil.py]\n", "utf-8")
    ended = moot("setup", "trust", "--yes")
    assert ended.code == 2 and "set HOME or XDG_STATE_HOME" in ended.err
    assert [one.name for one in place.iterdir()] == ["moot.yaml"]
