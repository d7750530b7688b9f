"""The ways to start a gate: as a file, on standard input, by the hook, the action, an assistant, HTTP, and Python.

Each runs in a clone that the author of the text can write to, beside which is what the user decides: the script of the
judges, and a policy. The hook and the action are processes, which a warm one forks; all others run in this one.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot
from moot.engine.define.capabilities import GateTool
from moot.engine.define.config import Options
from moot.engine.define.registry import get_protocol
from moot.pipelines import staged
from moot.testing import ScriptedModel
from tests.kit import warm
from tests.kit.assistants import LONGEST, call, served, to_the_end
from tests.kit.command import moot as command
from tests.kit.servers import following, serving

ROOT = Path(__file__).parents[2]
JUDGES = "scripted/../judges.yaml"
"""The model that the user names."""
SCRIPT, POLICY = Path("../judges.yaml"), Path("../policy.yaml")
RUNS = "../runs"
FILE = "plan.md"


@dataclass(frozen=True, slots=True)
class Gate:
    """What is put to a gate, what its judges reply, and what the user requires, by option and in a policy."""

    text: str
    replies: Mapping[str, Any]
    protocol: str = "panel"
    settings: Mapping[str, Any] = field(default_factory=lambda: {"require": "accept", "max_revisions": 0})
    policy: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def like(cls, result: moot.Result) -> "Gate":
        """The gate of a debate that was held, for the same replies."""
        config, replies = result.stored.config, dict[str, list[str]]()
        for one in result.stored.records():
            if one.kind == "reply" and one.reply is not None:
                replies.setdefault(one.key, []).append(one.reply)
        subject, content = config.protocol.subject.key, config.content()
        own = {key: value for key, value in content.items() if key not in (*Options.model_fields, "moot", "protocol")}
        text, _ = own.pop(subject), own.pop("source", None)
        return cls(text, replies, config.protocol.name, {"require": own.pop("require"), "seed": config.seed}, own)

    @property
    def is_document(self) -> bool:
        return get_protocol(self.protocol).subject.document

    @property
    def judges(self) -> ScriptedModel:
        return ScriptedModel(yaml.safe_load(SCRIPT.read_text("utf-8")), name=JUDGES)

    @property
    def options(self) -> list[str]:
        given = {key: ",".join(one) if isinstance(one, list) else str(one) for key, one in self.settings.items()}
        return [word for key, text in given.items() for word in (f"--{key.replace('_', '-')}", text)]

    def prepare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Write the text into the clone, and the script and the policy beside it."""
        monkeypatch.setattr(sys, "executable", warm.python())
        SCRIPT.write_text(json.dumps({**self.replies}), "utf-8")  # which is YAML, too
        Path(FILE).write_text(self.text, "utf-8")
        if self.policy:
            POLICY.write_text(yaml.safe_dump({**self.policy}), "utf-8")
            monkeypatch.setenv("MOOT_POLICY", str(POLICY))


def by_file(gate: Gate) -> bool:
    """As an argument, if the protocol takes no file."""
    subject = FILE if gate.is_document else gate.text
    return command(gate.protocol, subject, "-m", JUDGES, *gate.options, "--out", RUNS, "-q").code == 0


def by_standard_input(gate: Gate) -> bool:
    given = [gate.protocol, "-", "-m", JUDGES, *gate.options, "--out", RUNS, "-q"]
    return command(*given, stdin=gate.text.encode()).code == 0


def by_hook(gate: Gate) -> bool:
    return staged.main([gate.protocol, "-m", JUDGES, *gate.options, "--out", RUNS, "-q", "--", FILE]) == 0


def by_action(gate: Gate) -> bool:
    code = action_on(gate, FILE if gate.is_document else "")
    found = next(Path("../temporary").glob("*/*/runs/*"), None)
    assert found is not None
    found.rename(RUNS)
    return code == 0


def action_on(gate: Gate, file: str) -> int:
    """The step that debates, as a runner runs it: the file or else the text."""
    step = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"][1]
    options = " ".join(gate.options[2:])
    inputs = dict.fromkeys(step["env"], "") | {"FILE": file, "TOPIC": "" if file else gate.text, "REPEAT": "1"}
    inputs |= {"PROTOCOL": gate.protocol, "MODEL": JUDGES, "REQUIRE": gate.options[1], "OPTIONS": f"{options} -q"}
    Path("../temporary").mkdir()
    runner = {"GITHUB_STEP_SUMMARY": "../summary", "GITHUB_OUTPUT": "../output", "RUNNER_TEMP": "../temporary"}
    environment = {**os.environ, **inputs, **runner, "ACTION": str(warm.programs())}
    return subprocess.run(["sh", "-e", "-c", step["run"]], env=environment, check=False).returncode


def by_assistant(gate: Gate) -> bool:
    """By the tool for gates, if the protocol has one."""
    others = {key: value for key, value in gate.settings.items() if key != "require"}

    async def ask() -> bool:
        async with served(Path(RUNS), gate.judges) as client:
            if get_protocol(gate.protocol).get(GateTool):
                given: dict[str, Any] = {"idea": gate.text, "model": JUDGES, "settings": others, "seconds": LONGEST}
                return bool((await call(client, f"{gate.protocol}_gate", **given))["passed"])
            given = {"protocol": gate.protocol, "topic": gate.text, "model": JUDGES, "settings": {**gate.settings}}
            ended = await to_the_end(client, (await call(client, "start_debate", **given))["run"])
            return _passes(ended["flags"])

    return asyncio.run(ask())


def by_http(gate: Gate) -> bool:
    asked = {"protocol": gate.protocol, "topic": gate.text, "model": JUDGES, "settings": {**gate.settings}}
    with serving(Path(RUNS).resolve(), models={JUDGES: gate.judges}) as site, site.client() as client:
        started = client.post("/api/runs", json=asked).json()
        following(client, started["follow"])
        return _passes(client.get(f"/api/runs/{started['name']}").json()["result"]["flags"])


def by_python(gate: Gate) -> bool:
    given = {get_protocol(gate.protocol).subject.key: gate.text, **gate.settings}
    result = asyncio.run(moot.run(moot.configure(gate.protocol, model=JUDGES, out=RUNS, **given), reports=False))
    return result.gate is not None and result.gate.passed is True


def _passes(flags: list[dict[str, Any]]) -> bool:
    return "requirement_not_met" not in [flag["code"] for flag in flags]


WAYS: dict[str, Callable[[Gate], bool]] = {
    "file": by_file,
    "stdin": by_standard_input,
    "hook": by_hook,
    "action": by_action,
    "mcp": by_assistant,
    "http": by_http,
    "python": by_python,
}
"""Whether a text passes, by the way that the gate is started."""


def started(way: str, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, moot.Run]:
    """Whether the text passes, and the run that is left."""
    gate.prepare(monkeypatch)
    passed = WAYS[way](gate)
    [run] = moot.list_runs(RUNS)
    return passed, run
