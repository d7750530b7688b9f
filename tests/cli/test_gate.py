"""Gates in pipelines: repeated debates, the files that CI shows, the action, and the hook for pre-commit."""

import asyncio
import json
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import moot as api
from moot.cli.main import cli
from moot.pipelines.repeated import find_gate, hold, open_gate
from moot.record.files import locked
from moot.testing import ScriptedModel
from tests.kit.actions import action
from tests.kit.command import moot, refused
from tests.kit.duels import answer_for, calls_of, full_script, small_config
from tests.kit.panels import PANELLISTS, write_script

CALLS = len(PANELLISTS) + 1
"""Of a panel that agrees in its first round."""


class Judges:
    """A model whose judge is for another winner from one debate to the next."""

    def __init__(self, *winners: str) -> None:
        self.winners = list(winners)
        self.model = ScriptedModel(self._reply)

    def _reply(self, request: api.Request) -> Any:
        winner = self.winners[0]
        other = "Bo" if winner == "Ada" else "Ada"
        if request.key == "judge/announce":
            self.winners.pop(0)
        told = {
            "judge/score/2": {"score": 4 if winner == "Ada" else 6, "reasoning": "So far."},
            "judge@verdict/confirm": winner,
            "judge@verdict/extract": {"winner": winner, "scores": {winner: 8, other: 6}},
            "judge/announce": answer_for(winner),
        }
        return told.get(request.key, full_script(2).get(request.key))


async def _held(gate: Any, model: ScriptedModel, **limits: Any) -> Any:
    return await hold(gate, models={model.name: model}, limits=limits)


@pytest.mark.parametrize(
    ("winners", "needed", "passed", "passes"),
    [(["Ada", "Bo", "Ada"], 2, True, 2), (["Bo", "Bo", "Ada"], 2, False, 1), (["Ada", "Ada", "Bo"], None, False, 2)],
)
def test_enough_debates_must_pass(
    tmp_path: Path, winners: list[str], needed: int | None, passed: bool, passes: int
) -> None:
    gate = open_gate(small_config(tmp_path / "runs", require="for"), 3, needed)
    found = asyncio.run(_held(gate, Judges(*winners).model))
    assert (found.passed, found.passes, found.open) == (passed, passes, False)
    assert [one.passed for one in found.gates] == [winner == "Ada" for winner in winners], "all three are told"
    assert sorted(one.config.seed for one in gate.runs().values()) == [7, 8, 9]


def test_a_gate_is_within_one_budget_and_can_be_taken_up(tmp_path: Path) -> None:
    most = calls_of(2) + 3
    gate = open_gate(small_config(tmp_path / "runs", require="for", max_calls=most), 3, 2)
    first = asyncio.run(_held(gate, Judges("Ada", "Ada").model))
    assert [one and one.status for one in first.results] == ["done", "limit", None]
    assert sum(one.spent.calls for one in first.results if one) == most
    assert (first.passed, first.open) == (False, True)
    again = find_gate(gate.folder)
    assert again is not None
    rest = Judges("Ada", "Bo").model
    second = asyncio.run(_held(again, rest, max_calls=3 * calls_of(2)))
    assert (second.passed, second.passes) == (True, 2)
    assert [one and one.status for one in second.results] == ["done"] * 3
    assert len(rest.requests) == 3 * calls_of(2) - most, "nothing is paid for twice"


def test_one_process_at_a_time_holds_a_gate(tmp_path: Path) -> None:
    """Else each of two would hold the debates that are missing, and pay for them."""
    gate = open_gate(small_config(tmp_path / "runs", require="for"), 3, 2)
    model = Judges("Ada", "Ada", "Ada").model
    with locked(gate.folder / "gate.yaml"), pytest.raises(api.RunBusy, match="another process is holding"):
        asyncio.run(_held(gate, model))
    assert (model.requests, gate.runs()) == ([], {})
    assert asyncio.run(_held(gate, model)).passes == 3


def test_the_command_says_all_three() -> None:
    ended = moot("panel", "An idea.", "--require", "accept", "--repeat", "3", "--pass", "2", *write_script())
    assert ended.code == 0
    assert ended.out.count("passes: The answer is accept") == 3
    assert "The gate passes: 3 of 3 debates pass, and 2 must." in ended.out
    (row,) = json.loads(moot("list", "--json").out)
    assert (row["protocol"], row["status"]) == ("gate", "done")
    assert "The gate passes: 3 of 3 debates pass, and 2 must." in row["outcome"]
    inside = json.loads(moot("list", "--json", "--out", row["run"]).out)
    assert [one["protocol"] for one in inside] == ["panel"] * 3
    assert all(moot("show", one["name"]).code == 0 for one in inside)
    document = json.loads(
        moot("panel", "An idea.", "--require", "modify", "--repeat", "2", "--json", *write_script()).out
    )
    assert (document["passed"], document["decided"], document["passes"], document["repeat"]) == (False, True, 0, 2)
    assert [one["result"]["decision"] for one in document["runs"]] == ["accept", "accept"]


def test_a_stopped_gate_says_how_to_go_on_and_does_not_pass() -> None:
    options = ["--require", "accept", "--repeat", "3", "--pass", "2", *write_script()]
    ended = moot("panel", "An idea.", *options, "--max-calls", str(CALLS + 2), "--write", "comment=comment.md")
    assert ended.code == 3
    assert "The gate is not decided yet: 1 of 3 debates pass, and 2 must." in ended.out
    assert "not decided yet" in Path("comment.md").read_text("utf-8")
    folder = next(Path("debates").iterdir())
    assert f"resume {folder}" in ended.out
    again = moot("resume", str(folder), "-q", "--max-calls", str(3 * CALLS), "--write", "junit=junit.xml")
    assert again.code == 0, again
    assert ElementTree.parse("junit.xml").getroot().attrib["failures"] == "0"
    assert moot("resume", str(folder), "-q", "--write", "comment=later.md").code == 0
    assert "The gate passes" in Path("later.md").read_text("utf-8")


def test_names_of_runs_and_gates_complete_in_a_shell() -> None:
    moot("panel", "An idea.", "--require", "accept", "--repeat", "2", *write_script())
    moot("panel", "Another idea.", *write_script())
    gate, run = sorted((one.name for one in Path("debates").iterdir()), key=lambda name: "another" in name)
    assert offered("moot resume 2") == sorted([gate, run], reverse=True)
    assert offered("moot show 2") == [run]
    assert offered("moot show another") == [run], "a part will do if nothing else has it"
    assert offered("moot show la") == ["latest"]
    assert offered("moot show 2", out="elsewhere") == []


def offered(words: str, out: str = "debates") -> list[str]:
    """What a shell is offered for the last of these words."""
    variables = {"_MOOT_COMPLETE": "fish_complete", "COMP_WORDS": words, "COMP_CWORD": words.rsplit(maxsplit=1)[-1]}
    said = CliRunner().invoke(cli, env={**variables, "MOOT_OUT": out}, prog_name="moot").output
    return [line.removeprefix("plain,") for line in said.splitlines() if line]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--repeat", "2"], "--repeat needs --require"),
        (["--pass", "2", "--require", "accept"], "--pass needs --repeat"),
        (["--write", "jnit=report.xml"], "junit"),
        (["--write", "junit"], "FORM=FILE"),
        (["--repeat", "2", "--pass", "3", "--require", "accept"], "--pass 3 is more than --repeat 2"),
    ],
)
def test_a_repetition_that_makes_no_sense_is_refused(options: list[str], told: str) -> None:
    assert told in refused("panel", "An idea.", "-m", "scripted/none.yaml", *options)


def test_a_comment_is_short_and_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"):
        monkeypatch.delenv(name, raising=False)
    topic = "Ask @maintainer about <img src=x> and [this](http://bad)"
    ended = moot("panel", topic, "--require", "modify", "--write", "comment=comment.md", *write_script())
    assert ended.code == 100
    text = Path("comment.md").read_text("utf-8")
    assert text.startswith("### Does not pass: The answer is accept (100% of the weight)\n")
    assert "The requirement is not met: “modify” was required, and the decision is “accept”." in text
    assert "Firm: all 5 voted for it." in text
    assert re.search(r"^1\. .+ \(entry \d+.*\)$", text, re.MULTILINE), "a reason names its entries"
    assert f"{CALLS} calls, " in text
    assert "report.html" in text
    assert "@maintainer" not in text
    assert "<img" not in text.replace("\\<img", "")
    assert "[this](" not in text
    assert len(text.split()) < 120
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://forge.example")
    monkeypatch.setenv("GITHUB_REPOSITORY", "me/it")
    monkeypatch.setenv("GITHUB_RUN_ID", "12")
    assert "(https://forge.example/me/it/actions/runs/12#artifacts)" in moot("export", "latest", "--to", "comment").out


def test_a_test_report_tells_a_failure_from_an_error() -> None:
    found = []
    for options in (["--require", "accept"], ["--require", "modify"], ["--require", "accept", "--max-calls", "3"]):
        moot("panel", "An <idea>.", *options, "--write", "junit=junit.xml", *write_script())
        found.append(ElementTree.parse("junit.xml").getroot())
    assert [(one.attrib["failures"], one.attrib["errors"]) for one in found] == [("0", "0"), ("1", "0"), ("0", "1")]
    case = found[1].find("testsuite/testcase")
    assert case is not None
    failure = case.find("failure")
    assert failure is not None
    assert (case.attrib["name"], failure.attrib["type"]) == ("An <idea>.", "requirement_not_met")


@pytest.mark.parametrize("form", ["comment", "junit"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_spent(form: str) -> None:
    """Exit code 2 says that nothing was spent."""
    script = write_script()
    Path("taken").write_text("a file, not a folder", "utf-8")
    assert "cannot be written" in refused("panel", "An idea.", "--write", f"{form}=taken/out.txt", *script)
    assert not Path("debates").exists()
    assert moot("panel", "An idea.", "--require", "accept", "--write", f"{form}=new/folder/out.txt", *script).code == 0
    assert "The answer is accept" in Path("new/folder/out.txt").read_text("utf-8"), "as CI wants it, the folder is made"
    Path("new/folder/out.txt").unlink()
    assert "taken/out.txt cannot be written" in refused("resume", "latest", "--write", f"{form}=taken/out.txt")


@pytest.mark.parametrize("topic", [".env", "-"])
def test_a_topic_of_the_action_is_a_text_even_if_it_names_a_file(tmp_path: Path, topic: str) -> None:
    """Whoever writes the title of a pull request must not have a file read."""
    options = write_script()
    for name in (".env", "plan.md"):
        Path(name).write_text("TOKEN=not-for-anybody\n", "utf-8")
    model = f"scripted/{Path('accept.yaml').absolute()}"
    code, outputs, summary = action(
        tmp_path, topic=topic, model=model, require="accept", options=shlex.join(options[2:])
    )
    assert (code, outputs["passed"]) == (0, "true")
    assert "not-for-anybody" not in summary
    logs = [path.read_text("utf-8") for path in Path(outputs["folder"]).rglob("*.jsonl")]
    assert logs and not any("not-for-anybody" in text for text in logs)
