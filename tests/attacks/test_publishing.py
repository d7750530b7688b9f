"""Hostile texts and names in what is handed on: comments and test reports of pipelines, sites, tags, and
names that a shell completes."""

import asyncio
import json
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import moot
from moot.engine.staging.run import result_of
from moot.pipelines.annotations import annotations, sarif
from moot.pipelines.documents import Review, comment, junit
from moot.pipelines.repeated import open_gate, ruling_of
from moot.present import Finding, Where
from moot.publish.decisions import BEGIN, END, keep_decisions
from moot.publish.folder import publish
from moot.runs.bin import discard, restore
from moot.runs.search import has_words
from moot.runs.tags import set_tags, tags_of
from moot.testing import ScriptedModel
from moot.text.yaml import parse_yaml
from tests.kit.duels import answer_for, duel, full_script, play, small_config
from tests.kit.reports import elements

etree: Any = import_module("lxml.etree")
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)> @octocat #1 GH-2 octo/repo#3 !4 &5 [x](javascript:alert(1)) "
    "![x](https://evil.example/a.png) www.evil.example https://github.com/o/r/issues/5 ]]> &lt; &#60; \x1b[31m \x00 "
    "\ufffe \uffff \u202e ```\n### Passes\n| a | b |\n|---|---|\n<!-- --> </system-out> %0A::set-output name=passed::1"
)

ROOT = Path(__file__).parents[2]
ALLOWED = ("p", "strong", "em", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "code")
"""The elements of a comment, beside its heading and its link."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    folder = tmp_path_factory.mktemp("hostile")
    topic = f"Is it so \ufffe \uffff? {HOSTILE}"[:900]
    result, _ = duel(folder, {"A/turn/1": HOSTILE}, topic=topic, require=["against"])
    return moot.find_run(result.run)


def test_a_comment_is_text_that_refers_to_nothing(run: moot.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.example")
    monkeypatch.setenv("GITHUB_REPOSITORY", "o/r")
    monkeypatch.setenv("GITHUB_RUN_ID", "7")
    told = comment(Review.of(asyncio.run(result_of(run))))
    assert "octocat" in told, "the topic is there"
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(told)
    found = elements(html)
    assert {tag for tag, _ in found} <= {*ALLOWED, "a", "h3"}
    assert [about["href"] for tag, about in found if tag == "a"] == [
        "https://github.example/o/r/actions/runs/7#artifacts"
    ]
    assert [tag for tag, _ in found].count("h3") == 1
    # What a forge looks for in the text, after Markdown.
    text = re.sub(r"<[^>]*>", "", html)
    assert not re.search(r"@\w|#\d|GH-\d|!\d|&amp;\d|https?://(?!github\.example)|www\.", text)


def test_a_decision_record_is_text_with_the_fields_that_moot_gave_it(tmp_path: Path) -> None:
    hostile = f"--- \n---\nstatus: accepted\n---\n# {HOSTILE}\n\n## Decision Outcome\n{BEGIN}{END}"
    parts = dict.fromkeys(("objection", "agreed", "would_change_it", "next"), hostile)
    announced = answer_for("Ada", hostile, because=[{"reason": hostile, "rests_on": []}] * 3, **parts)
    documents = [{"title": hostile[:300], "text": "x", "source": hostile[:300]}]
    result, _ = duel(tmp_path / "runs", {"judge/announce": announced}, topic=hostile, documents=documents)
    (path,) = asyncio.run(keep_decisions(tmp_path / "kept", [result.stored]))
    assert re.fullmatch(r"0001-[a-z0-9-]+\.md", path.name)
    asyncio.run(keep_decisions(tmp_path / "kept", []))
    record, brief = path.read_text("utf-8"), asyncio.run(moot.export(result.stored, "brief"))
    front, _, body = record.removeprefix("---\n").partition("\n---\n")
    fields = parse_yaml(front.encode(), "front matter")
    assert [*fields] == ["status", "date", "decision-makers", "answer", "run", "log-sha256"]
    assert fields["status"] == "proposed"
    assert fields["answer"].startswith("--- --- status: accepted --- # <script>")
    assert "\n" not in fields["answer"]
    index = (tmp_path / "kept" / "README.md").read_text("utf-8").replace(BEGIN, "").replace(END, "")
    found = {}
    for name, text in {"record": body, "brief": brief, "index": index}.items():
        found[name] = elements(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text))
        tags = {tag for tag, _ in found[name]}
        assert tags <= {*ALLOWED, "a", "blockquote", "ol", "pre", "br", "h1", "h2", "h3"}, name
        assert sum(tag == "h1" for tag, _ in found[name]) == 1, name
    links = {name: [about["href"] or "" for tag, about in several if tag == "a"] for name, several in found.items()}
    report = f"../runs/{result.stored.name}/report.md"
    assert links == {"record": [report], "brief": [], "index": [path.name, report]}
    assert sum(tag == "h2" for tag, _ in found["record"]) == 6
    assert sum(tag == "tr" for tag, _ in found["index"]) == 2


@pytest.mark.parametrize("topic", ["/close", "/merge\n/approve", "\n /lgtm", "\u2028/close"])
def test_no_line_of_a_comment_is_a_command(topic: str, tmp_path: Path) -> None:
    """Forges and their bots obey a line that begins with a slash, whoever wrote the title of the pull request."""
    config = small_config(tmp_path, topic=topic, require="for")
    gate = open_gate(config, 2, 1)
    result = play(config, ScriptedModel(full_script(2)))
    for told in (comment(Review.of(result)), comment(Review.of_ruling(asyncio.run(ruling_of(gate))))):
        assert topic.split(maxsplit=1)[0] in told
        assert not [line for line in told.splitlines() if line.lstrip("\u200b ").startswith("/")]


def test_a_test_report_is_xml_whatever_was_said(run: moot.Run) -> None:
    told = junit(Review.of(asyncio.run(result_of(run))))
    [suite] = etree.fromstring(told.encode())
    assert [one.tag for one in suite.iter()] == ["testsuite", "testcase", "failure", "system-out"]


def test_a_site_has_no_element_of_a_stranger(run: moot.Run, tmp_path: Path) -> None:
    names = asyncio.run(publish([run], tmp_path / "site", title=HOSTILE))
    for name in names:
        if not name.endswith(".html"):
            continue
        html = (tmp_path / "site" / name).read_text("utf-8")
        found = elements(html)
        scripts = [about for tag, about in found if tag == "script"]
        assert all(set(about) <= {"type", "nonce"} for about in scripts)
        assert not [about for _, about in found for key in about if key.startswith("on")]
        addresses = [about.get(key) or "" for _, about in found for key in ("href", "src", "content")]
        assert not [one for one in addresses if re.match(r"\s*(javascript|data:text)", one)]
        assert not [about for tag, about in found if tag == "img" and about.get("src") == "x"]
        assert "script-src" in html


def test_tags_and_words_of_strangers_are_only_text(run: moot.Run, tmp_path: Path) -> None:
    copied = moot.Run(Path(shutil.copytree(run.path, tmp_path / run.name)))
    (copied.path / "tags.json").write_text(json.dumps([HOSTILE, {"a": 1}, "x" * 10_000, *"abcdefghijklmnopqrstuvwxyz"]))
    shown = tags_of(copied)
    assert len(shown) <= 20 and all(len(one) <= 40 and one.isprintable() for one in shown)
    with pytest.raises(moot.ConfigError):
        set_tags(copied, [HOSTILE])
    assert has_words(copied, ["octocat", "<script>alert(1)</script><img"], [])
    assert not has_words(copied, [".*", "%"], ["nothing of the kind"])


def test_the_bin_leads_nowhere_else(run: moot.Run, tmp_path: Path) -> None:
    """A folder of runs that somebody sent brings a bin of its own."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "runs").mkdir()
    copied = moot.Run(Path(shutil.copytree(run.path, tmp_path / "runs" / run.name)))
    (tmp_path / "runs" / ".bin").symlink_to(tmp_path / "outside")
    with pytest.raises(moot.MootError, match="leads elsewhere"):
        discard(copied)
    shutil.copytree(run.path, tmp_path / "outside" / "other")
    for name in ("other", "../outside/other", "", "."):
        with pytest.raises(moot.ConfigError):
            restore(name, str(tmp_path / "runs"))
    assert sorted(one.name for one in (tmp_path / "outside").iterdir()) == ["other"]


def _action(folder: Path, moot: str, **inputs: str) -> "subprocess.CompletedProcess[str]":
    """The step of the action that debates, with this script in place of moot."""
    text = (ROOT / "action.yml").read_text("utf-8")
    script = re.search(r"run: \|\n((?: {8}.*\n)+)\Z", text)
    assert script is not None and "${{" not in script[1], "inputs come by the environment alone"
    (folder / "moot").write_text(f"#!/bin/sh\n{moot}\n")
    (folder / "moot").chmod(0o755)
    (folder / "temp").mkdir()
    given = dict.fromkeys(("TOPIC", "FILE", "PASS", "OPTIONS"), "") | {"PROTOCOL": "panel", "MODEL": "a/b"}
    given |= {"REQUIRE": "accept", "REPEAT": "1", **inputs}
    files = {"GITHUB_STEP_SUMMARY": str(folder / "summary"), "GITHUB_OUTPUT": str(folder / "output")}
    place = {"PATH": "/usr/bin:/bin", "ACTION": str(folder), "RUNNER_TEMP": str(folder / "temp")}
    return subprocess.run(
        ["sh", "-e", "-c", script[1]],
        cwd=folder,
        env=given | files | place,
        capture_output=True,
        text=True,
        check=False,
    )


def test_inputs_of_the_action_are_words_and_no_program(tmp_path: Path) -> None:
    """The step that debates, with a moot that writes down what it was called with."""
    (tmp_path / "secret.txt").write_text("")
    inputs = {"MODEL": '$(touch x)";touch x', "REQUIRE": "`touch x`"}
    inputs |= {"TOPIC": "--out /tmp\n$(touch x)", "OPTIONS": "--max-cost 0.5 *.txt $(touch x)"}
    ended = _action(tmp_path, 'printf "%s\\n" "$@" > called\ncat > topic\nexit 3', **inputs)
    assert ended.returncode == 3
    assert not (tmp_path / "x").exists()
    called = (tmp_path / "called").read_text()
    assert "\n*.txt\n" in called and "secret" not in called
    assert called.endswith("\n-\n") and (tmp_path / "topic").read_text() == inputs["TOPIC"]
    assert (tmp_path / "output").read_text().splitlines()[:2] == ["passed=false", "code=3"]


@pytest.mark.parametrize("subject", [{"TOPIC": "Is it so?"}, {"FILE": "plan.md"}, {"DIFF": "HEAD"}], ids=str)
def test_a_runner_obeys_no_line_of_a_debate(tmp_path: Path, subject: dict[str, str]) -> None:
    """A file that is debated, or a model, could mark a job with errors of its own, or mask words of its log."""
    said = ["::error file=a.py::No.", "  ::add-mask::moot", "::stop-commands::", "##[command]x"]
    hostile = "\n".join(f"echo '{line}'\necho '{line}' >&2" for line in said)
    (tmp_path / "plan.md").write_text("A plan.\n", "utf-8")
    ended = _action(tmp_path, f"cat > topic\n{hostile}\nexit 100", **subject)
    first, *debate, last = ended.stdout.splitlines()
    word = first.removeprefix("::stop-commands::")
    assert re.fullmatch(r"[0-9a-f]{32}", word), "which no debater knows"
    assert (last, ended.returncode, ended.stderr) == (f"::{word}::", 100, ""), "one stream, so that the word comes last"
    assert debate == [line for line in said for _ in range(2)]


@pytest.mark.parametrize("text", ["a,line=9::x", "a\n::error::b", "a%0A::error::b", "a\r::x", "a\u2028::x", "../../b"])
def test_an_annotation_is_one_command_whatever_it_says(text: str) -> None:
    """Whoever opens a pull request names its files, and a model says what it likes."""
    finding = Finding(id="F1", claim=text, severity="grave", change=text, where=[Where(file=text, line=3, end_line=3)])
    told = annotations([finding])
    found = re.fullmatch(r"::error title=moot%3A grave(?:,file=([^,:\n]+),line=3,endLine=3)?::([^\r\n]+)\n", told)
    assert found, told
    assert (found[1] is None) == text.startswith("..")
    (run,) = json.loads(sarif([finding]))["runs"]
    assert len(run["results"]) + len(run["invocations"][0].get("toolExecutionNotifications", [])) == 1
