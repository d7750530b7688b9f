"""What a stopped debate prints, so that it can be typed and works."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import moot as api
from moot.cli.hints import called
from moot.cli.limits import raised_limits
from tests.kit.command import moot, write_debate


def told(out: str) -> list[str]:
    """The command that a summary says to go on with, as arguments."""
    found = re.search(r"^To continue: moot (.*)$", out, re.MULTILINE)
    assert found, out
    return shlex.split(found[1])


@pytest.mark.parametrize(
    "limits",
    [
        ["--max-calls", "3"],
        ["--max-calls", "0"],
        ["--max-tokens", "9000"],
        ["--max-cost", "0.001"],
        ["--max-minutes", "0"],
        ["--max-calls", "3", "--max-tokens", "20000", "--max-cost", "0.0002"],
    ],
)
def test_the_command_that_is_told_ends_the_debate(limits: list[str]) -> None:
    prices = {"scripted/replies.yaml": {"input": 1, "output": 2}}
    stopped = moot("run", str(write_debate(turns=4, prices=prices)), "-q", *limits)
    assert stopped.code == 3, stopped.err
    args = told(stopped.out)
    assert [one for one in args if one.startswith("--")] == [one for one in limits if one.startswith("--")]
    assert moot(*args, "-q").code == 0


def result(**changes: Any) -> api.Result:
    moot("run", str(write_debate()), "-q", "--max-calls", "1")
    run = api.list_runs()[-1]
    folded = api.Result.model_validate(run.result() | {"outcome": None})  # type: ignore[operator]
    return folded.model_copy(update=changes)


def test_a_debate_that_can_no_longer_be_planned_is_told_twice_its_limit() -> None:
    stopped = result()
    config = api.configure(file="debate.yaml", max_calls=1, roles={"nobody": "scripted/demo:duel"})
    assert raised_limits(stopped, config) == ["--max-calls", "2"]


@pytest.mark.parametrize("limit", ["max_calls", "max_tokens", "max_cost", "max_minutes"])
def test_which_limit_was_reached_does_not_hang_on_the_words_of_the_reason(limit: str) -> None:
    others = ["the limit of 9 calls is reached", "9 of 9 tokens are used", "$1 of $1 is spent", "9 minutes have passed"]
    stopped = result(limit=limit)
    config = api.configure(file="debate.yaml", roles={"nobody": "scripted/demo:duel"}, **{limit: 1})  # type: ignore[arg-type]
    for reason in (*others, "Das Limit ist erreicht", None):
        [option, _] = raised_limits(stopped.model_copy(update={"reason": reason}), config)
        assert option == f"--{limit.replace('_', '-')}"


def test_what_this_program_is_called(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at(path: str) -> str:
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n", "utf-8")
        file.chmod(0o755)
        return str(file)

    program, script = at("checkout/.venv/bin/moot"), at("checkout/moot")
    monkeypatch.setenv("PATH", str(place / "empty"))
    monkeypatch.setattr(sys, "argv", [program])
    assert called() == "./checkout/moot"
    monkeypatch.chdir(place / "checkout")
    assert called() == "./moot"
    (place / "elsewhere").mkdir()
    monkeypatch.chdir(place / "elsewhere")
    assert called() == shlex.quote(script)
    monkeypatch.setattr(sys, "argv", [at("tools/bin/moot")])
    assert called() == shlex.quote(str(place / "tools/bin/moot"))
    monkeypatch.setattr(sys, "argv", ["/moot"])
    assert called() == "/moot"
    monkeypatch.setattr(sys, "argv", [str(place / "tools/bin/moot")])
    monkeypatch.setenv("PATH", str(place / "tools/bin"))
    assert called() == "moot"
    monkeypatch.setattr(sys, "argv", [program])
    assert called() == shlex.quote(script), "what is on the path is another one"
