"""The workflows of docs/pipelines.md, run step by step as a runner does, with a model server on this machine."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kit.actions import ROOT, action
from tests.kit.command import git
from tests.kit.endpoint import Fault, say
from tests.kit.panels import opinion, ruling
from tests.kit.servers import endpoint

PAGE = (ROOT / "docs" / "pipelines.md").read_text("utf-8")
BLOCKS = [yaml.safe_load(code) for code in re.findall(r"^```yml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)]
WORKFLOWS = {one["name"]: one for one in BLOCKS if isinstance(one, dict) and "jobs" in one}
FOUND = {"file": "total.py", "line": 9, "quote": "for item in items[1:]:", "claim": "One is left out."}
GH = """#!/bin/sh
printf '%s\\n' "$GH_TOKEN" "$@" > gh.txt
"""


def answers(label: str) -> Any:
    """The replies of a model server: the tester names the fault, and everybody holds that label."""

    def answer(_: int, body: dict[str, Any]) -> Fault:
        asked = json.dumps(body)
        if "You are the Validator." in asked:
            return say(json.dumps(ruling(label)))
        found = [{**FOUND, "severity": "grave"}] if "You are the Tester." in asked and label != "accept" else []
        return say(json.dumps(opinion(label, findings=found)))

    return answer


def checkout(depth: int) -> None:
    """The merge of a pull request into its base, as the checkout of a runner has it."""
    assert depth == 2, "the first parent of the merge is needed"
    git("init", "-q", "-b", "main")
    Path("total.py").write_text("total = 0\nfor item in items:\n    total += item\n", "utf-8")
    git("add", "total.py")
    git("commit", "-qm", "Base")
    git("checkout", "-qb", "topic")
    Path("total.py").write_text("total = 0\nfor item in items[1:]:\n    total += item\n", "utf-8")
    git("commit", "-qam", "Faster")
    git("checkout", "-q", "main")
    git("merge", "-q", "--no-ff", "-m", "Merge", "topic")


class Runner:
    """Runs the steps of a job one after the other. `failed` is whether the job has failed."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder, self.variables = folder, variables
        self.known = {"secrets.OPENAI_API_KEY": "none", "github.token": "t0ken", "github.event.number": "7"}
        self.failed = False
        self.uploaded: list[str] = []

    def filled(self, given: Any) -> dict[str, str]:
        texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in given.items()}
        fill = re.compile(r"\$\{\{ ([\w.]+) \}\}")
        return {key: fill.sub(lambda found: self.known[found[1]], text) for key, text in texts.items()}

    def step(self, step: dict[str, Any]) -> None:
        assert step.keys() <= {"uses", "id", "with", "env", "run", "if", "continue-on-error"}
        if self.failed and step.get("if") != "${{ !cancelled() }}":
            return
        given, own = self.filled(step.get("with", {})), self.filled(step.get("env", {}))
        name = step.get("uses", "").partition("@")[0]
        if name == "actions/checkout":
            checkout(int(given["fetch-depth"]))
        elif name == "OWNER/moot":
            code, outputs, _ = action(self.folder, self.variables | own, **given)
            self.known |= {f"steps.{step['id']}.outputs.{key}": value for key, value in outputs.items()}
            self.failed = self.failed or (code != 0 and not step.get("continue-on-error"))
        elif name == "actions/upload-artifact":
            files = [path for path in Path(given["path"]).rglob("*") if path.is_file()]
            self.uploaded += [path.name for path in files]
        else:
            variables = {**os.environ, **self.variables, **own}
            subprocess.run(["sh", "-e", "-c", step["run"]], env=variables, check=True)


def run(name: str, label: str, folder: Path) -> Runner:
    """The job of the workflow with that name, where everybody holds that label."""
    assert WORKFLOWS.keys() == {"moot review", "moot gate"}
    (job,) = WORKFLOWS[name]["jobs"].values()
    tools = folder / "tools"
    tools.mkdir()
    (tools / "gh").write_text(GH, "utf-8")
    (tools / "gh").chmod(0o755)
    with endpoint() as server:
        server.recording, server.faults = True, answers(label)
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        runner = Runner(folder, {"PATH": path, "OPENAI_BASE_URL": server.url})
        for step in job["steps"]:
            runner.step(step)
    return runner


def test_the_review_comments_on_the_pull_request(tmp_path: Path) -> None:
    runner = run("moot review", "modify", tmp_path)
    assert not runner.failed
    token, *words = Path("gh.txt").read_text("utf-8").splitlines()
    assert (token, words[:3]) == ("t0ken", ["pr", "comment", "7"])
    text = Path(words[-1]).read_text("utf-8")
    assert "- **total.py:2** grave: One is left out." in text
    assert {"comment.md", "report.html", "findings.sarif"} <= {*runner.uploaded}, "the link leads to a report"


@pytest.mark.parametrize(("label", "fails"), [("modify", True), ("accept", False)])
def test_the_gate_fails_the_job_and_marks_the_line(
    label: str, fails: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    runner = run("moot gate", label, tmp_path)
    assert runner.failed is fails
    assert runner.uploaded.count("report.html") == 3
    stopped, _, after = capfd.readouterr().out.partition("::stop-commands::")[2].partition("\n::")
    marked = "::error title=moot%3A grave,file=total.py,line=2,endLine=2::One is left out."
    assert stopped and (marked in after) is fails
