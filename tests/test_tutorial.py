"""The protocol of docs/protocols.md, one file outside the package, does everything that the shipped ones do."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.layers import load_options
from moot.engine.define.registry import load_file
from moot.engine.outcome.material import gather, transcript
from tests.kit import command
from tests.kit.command import empty_place
from tests.kit.contract import faults_of
from tests.kit.endpoint import FakeEndpoint
from tests.kit.servers import endpoint
from tests.kit.trusted import write_trusted
from tests.kit.tutorial import PAGE, write_hands

LINES = 60


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose moot.yaml names the protocol."""
    found = empty_place(tmp_path, monkeypatch)
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    write_hands(found)
    write_trusted("plugins: [hands.py]\n", found)
    return found


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEndpoint]:
    with endpoint() as found:
        monkeypatch.setenv("OPENAI_BASE_URL", found.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("MOOT_MODEL", "openai/any")
        yield found


def done(*args: str) -> command.Said:
    ended = command.moot(*args)
    assert ended.code == 0, ended
    return ended


def test_it_is_about_fifty_lines(tmp_path: Path) -> None:
    lines = write_hands(tmp_path).read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= LINES


def test_every_face_shows_it(place: Path, tmp_path: Path) -> None:
    [hands] = load_file(place / "hands.py")
    assert faults_of(hands, tmp_path / "faces") == []


def test_planned_run_verified_and_reported(place: Path, server: FakeEndpoint) -> None:
    planned = json.loads(done("plan", "hands", "Is it so?", "--voters", "5", "--json").out)
    assert planned["calls"] == 5
    assert planned["longest_chain"] == 1
    result = json.loads(done("hands", "Is it so?", "--voters", "5", "--json").out)
    assert (result["yes"], result["summary"]["headline"]) == (5, "The hands say yes")
    assert server.count == 5
    done("verify", "latest")
    (Path(result["run"]) / "report.html").unlink()
    done("runs", "report", "latest")
    assert "The hands say yes" in (Path(result["run"]) / "report.html").read_text("utf-8")
    assert "hands" in done("protocols").out


def test_a_file_at_hand_is_run_by_its_name(place: Path, server: FakeEndpoint) -> None:
    (place / "moot.yaml").unlink()
    assert "The hands say yes" in done("run", "hands.py", "Is it so?").out


def test_the_further_examples_of_the_page_work_with_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    (place / "moot.yaml").unlink()
    (protocol,) = load_file(write_hands(place))
    found: dict[str, list[Any]] = {}
    for code in re.findall(r"^```python\n(from moot.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        defined: dict[str, Any] = {}
        exec(code, defined)
        for name in ("sections", "lines", "roles"):
            found.setdefault(name, []).extend([defined[name]] if name in defined else [])
    (lines,), (roles,) = found["lines"], found["roles"]
    replies: dict[str, Any] = {"v1/vote": {"reason": "So.", "vote": "yes"}, "v2/vote": ["Hm.", "Hm.", "Hm."]}
    for sections in found["sections"]:
        whole = replace(protocol, sections=sections, lines=lines, roles=roles)
        monkeypatch.setattr("moot.engine.define.registry._registered", {})
        model = moot.testing.ScriptedModel(replies)
        options = load_options(model=model.name, out="debates", seed=1)
        config = moot.RunConfig(whole, options, whole.config.model_validate({"topic": "So?", "voters": 2}))
        result = asyncio.run(moot.run(config, models={model.name: model}))
        text = (result.stored.path / "report.md").read_text("utf-8")
        assert "could not be made" not in text and f"## {gather(result.stored, result).sections()[0].title}" in text
        shown = [one.line for one in transcript(gather(result.stored, result)) if one.entry.type == "hand"]
        assert [(one.label, one.badge, one.tone) for one in shown] == [
            ("votes", "yes", "good"),
            ("votes", "none", "plain"),
        ]
        assert [one.key for one in roles(config.debate)] == ["v1", "v2"]
    assert len(found["sections"]) == 1
