"""Findings: what a reviewer gets of a debate, as comment, annotations, SARIF, JUnit and JSON."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest

from tests.kit.command import moot, refused
from tests.kit.panels import IDEA, agreed, opinion, panel, rules, ruling
from tests.kit.planted import PLANTED, Planted, review

SARIF = jsonschema_rs.validator_for((Path(__file__).parent / "schemas/sarif-2.1.0.json").read_text("utf-8"))
ANNOTATION = re.compile(r"::(error|warning|notice) ([A-Za-z]+=[^,:\r\n]*(?:,[A-Za-z]+=[^,:\r\n]*)*)::([^\r\n]+)")


def script(replies: Any) -> list[str]:
    """The options for a model that says this."""
    Path("said.yaml").write_text(json.dumps(dict(replies)), "utf-8")
    return ["-m", "scripted/said.yaml", "--seed", "1", "-q"]


def written(*words: str, code: int = 100) -> tuple[str, dict[str, Any], list[re.Match[str]]]:
    """The comment, the SARIF run and the annotations of a command of moot."""
    papers = ("comment=comment.md", "sarif=moot.sarif", "annotations=annotations.txt")
    files = [word for paper in papers for word in ("--write", paper)]
    ended = moot(*words, *files)
    assert ended.code == code, ended.err
    document = json.loads(Path("moot.sarif").read_text("utf-8"))
    SARIF.validate(document)
    (run,) = document["runs"]
    lines = Path("annotations.txt").read_text("utf-8").splitlines()
    found = [ANNOTATION.fullmatch(line) for line in lines]
    assert all(found), lines
    return Path("comment.md").read_text("utf-8"), run, [one for one in found if one]


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.file)
def test_a_planted_defect_is_named_with_file_and_line(planted: Planted) -> None:
    Path("change.diff").write_text(planted.diff, "utf-8")
    text, run, annotations = written("panel", "change.diff", "--require", "accept", *script(review(planted)))
    assert "**1 finding to fix first:**" in text, "two that say the same are one, and what does not hold has left"
    line, *below = text.partition("to fix first:**\n\n- ")[2].partition("\n\n")[0].splitlines()
    assert line.replace("\\", "").startswith(f"**{planted.file}:{planted.line}") and planted.claim in line
    names = "Raised by Tester and Attacker; confirmed by Author and Validator"
    assert below[1:] == ["  - Fix: Put it back as it was.", f"  - {names}"]
    (result,) = run["results"]
    where = result["locations"][0]["physicalLocation"]
    assert (unquote(where["artifactLocation"]["uri"]), result["level"]) == (planted.file, "error")
    assert where["region"]["startLine"] == planted.line
    assert result["ruleId"] in {one["id"] for one in run["tool"]["driver"]["rules"]}
    (annotation,) = annotations
    fields = dict(one.split("=", 1) for one in annotation[2].split(","))
    assert (annotation[1], fields["file"], fields["line"]) == ("error", planted.file, str(planted.line))


def test_a_change_is_taken_from_git() -> None:
    for words in (["init", "-q"], ["config", "user.email", "a@b"], ["config", "user.name", "A"]):
        subprocess.run(["git", *words], check=True)
    Path("total.py").write_text("total = 0\nfor item in items:\n    total += item\n", "utf-8")
    subprocess.run(["git", "add", "total.py"], check=True)
    subprocess.run(["git", "commit", "-qm", "One"], check=True)
    Path("total.py").write_text("total = 0\nfor item in items[1:]:\n    total += item\n", "utf-8")
    planted = Planted("total.py", 2, "for item in items[1:]:", "The first is left out.", "")
    options = ["--require", "accept", *script(review(planted))]
    assert "**total.py:2**" in written("panel", "--diff", *options)[0]
    assert "either a subject or --diff" in refused("panel", "An idea.", "--diff", "HEAD", *options)
    subprocess.run(["git", "commit", "-qam", "Two"], check=True)
    assert "**total.py:2**" in written("panel", "--diff", "HEAD~1..HEAD", *options)[0]
    assert "no difference for HEAD" in refused("panel", "--diff", *options)


def test_a_revision_is_a_diff_in_the_comment_that_nothing_in_it_can_end() -> None:
    Path("plan.md").write_text("# A plan\n\nWe copy at noon.\n", "utf-8")
    said = {**agreed("modify"), "validator/rule/1": ruling("modify", modifications_required=["At night."])}
    said |= {key.replace("/", "@2/", 1): reply for key, reply in agreed().items()}
    said["reviser/revise"] = {"idea": "# A plan\n\nWe copy at night.\n```\n/approve\n@everybody"}
    text, _, _ = written("panel", "plan.md", "--require", "accept", *script(said))
    block = text.partition("The revision, which is not what was submitted:\n\n````diff\n")[2].partition("\n````\n")[0]
    assert "\n-We copy at noon.\n+We copy at night.\n+```\n+/approve\n+@everybody" in block
    assert "**1 finding to fix first:**\n\n- **no place found** grave: At night." in text
    text, _, _ = written("panel", "plan.md", "--require", "accept", "--accept-revised", "new.md", *script(said), code=0)
    assert text.startswith("### Passes: ") and "to fix first" not in text, "nothing blocks what passes"


def test_who_raised_a_finding_can_withdraw_it_unless_the_validator_holds_it(tmp_path: Path) -> None:
    raised = {"quote": "nightly import", "claim": "It is slow.", "severity": "grave"}
    said = {"critic/round/1": opinion(findings=[raised]), "critic/round/2": opinion(withdraws=["F1"])}
    result, _ = panel(tmp_path / "withdrawn", said)
    (one,) = result.findings
    assert (one.state, one.withdrawn_by, one.blocks) == ("withdrawn", ["Critic"], False)
    held = {"finding": "F1", "holds": True}
    result, _ = panel(tmp_path / "held", {**said, **rules("accept", findings=[held])})
    (one,) = result.findings
    assert (one.state, one.confirmed_by, one.place, one.blocks) == ("open", ["Validator"], "line 1", True)
    assert IDEA.startswith("Replace the nightly import")
