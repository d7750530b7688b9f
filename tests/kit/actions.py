"""The action for GitHub, run as a runner does."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def action(
    folder: Path, environment: Mapping[str, str] | None = None, **inputs: str
) -> tuple[int, dict[str, str], str]:
    """The steps of the action, run as a runner does; the outputs, and the summary of the job."""
    declared = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    given = {name: one.get("default", "") for name, one in declared["inputs"].items()} | inputs
    assert given.keys() == declared["inputs"].keys(), "an input that the action does not have"
    summary, output = folder / "summary.md", folder / "output"
    summary.touch()
    output.touch()
    code = 0
    for step in declared["runs"]["steps"]:
        known = {f"${{{{ inputs.{name} }}}}": value for name, value in given.items()}
        known["${{ github.action_path }}"] = str(ROOT)
        own = {name: known[text] for name, text in step["env"].items()}
        runner = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(output), "RUNNER_TEMP": str(folder)}
        assert step["shell"] == "sh"
        assert "${{" not in step["run"], "an input in a script could be run by it"
        variables = {**os.environ, **(environment or {}), **own, **runner}
        ended = subprocess.run(["sh", "-e", "-c", step["run"]], env=variables, check=False)
        code = code or ended.returncode
    outputs = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
    assert {name.split(".")[3].split(" ")[0] for name in (one["value"] for one in declared["outputs"].values())} == {
        *outputs
    }
    return code, outputs, summary.read_text("utf-8")
