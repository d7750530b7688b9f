"""The documents of a chaired debate."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

import moot
from moot.report.page import replay_script
from tests.kit.chaired import ABSENT, FIXED, GOOD, WEAK, config_of, hold, model_of, turn
from tests.kit.reports import scripts_in

HOSTILE = (
    "<script>alert(1)</script> [click](javascript:alert(1)) ![x](http://127.0.0.1/x.png)\n# Not a heading\n---\n| a |"
)


def text_of(run: moot.Run, name: str) -> str:
    return (run.path / name).read_text("utf-8")


def test_the_transcript_has_every_entry_with_its_checks_and_rulings(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, {"detractor@opening/turn": turn("opening_statement", "Against.", WEAK)})
    page = text_of(run, "transcript.md")
    numbers = [int(number) for number in re.findall(r"^\*\*(\d+)\. ", page, re.MULTILINE)]
    assert numbers == [entry.seq for entry in run.entries()]
    assert "- [Round 1](#round-1)" in page
    assert "## Round 1" in page
    assert f"- Fact-check 7: “Against.”, of {WEAK}: not there" in page
    assert "- Ruling 8, rule 13" in page


def test_the_verifiers_report_counts_and_lists(tmp_path: Path) -> None:
    answers = {
        "promoter@opening/turn": turn("opening_statement", "As nobody knows but me.", ABSENT, GOOD),
        "detractor@opening/turn": turn("opening_statement", "Against.", WEAK),
    }
    run, _ = hold(tmp_path, answers)
    page = text_of(run, "verifier-report.md")
    counts = dict(re.findall(r"^\| (\w[\w ]*?) +\| +(\d+) \|$", page, re.MULTILINE))
    assert counts == {
        "confirmed": "3",
        "contradicted": "0",
        "not there": "1",
        "could not be judged": "0",
        "fabricated": "1",
    }
    promoter, _, rest = page.partition("## The detractor")
    assert ABSENT in promoter
    assert WEAK in rest.partition("## Withdrawn claims")[0]
    assert "- Entry 2 of the promoter, by ruling" in page


def test_an_address_that_nobody_cited_is_told_of(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, {"reporter@summary/summary": f"See {GOOD} and https://made-up.example/x."})
    first = text_of(run, "summary.md").partition("\n")[0].replace("\\", "")
    assert "This names https://made-up.example/x, and nobody cited that." in first
    assert f"This names {GOOD}" not in first


def test_a_debate_that_stops_has_the_documents_it_can_have(tmp_path: Path) -> None:
    model = model_of({"detractor@r1/turn": moot.NotReady("gone")})
    result = asyncio.run(moot.run(config_of(tmp_path), models={model.name: model}))
    run = moot.find_run(result.run)
    names = {path.name for path in run.path.iterdir()}
    assert {"transcript.md", "verifier-report.md", "metadata.json"} < names
    assert not names & {"summary.md", "blog-post.md", "assessor-report.md"}
    assert json.loads(text_of(run, "metadata.json"))["outcome"] is None


def test_whatever_models_write_is_only_text(tmp_path: Path) -> None:
    base: Any = FIXED["assessment"]
    hostile = base | {"improvements": [HOSTILE] * 3}
    answers: dict[str, Any] = {
        "promoter@opening/turn": turn("opening_statement", HOSTILE, GOOD),
        "reporter@summary/summary": HOSTILE,
        "reporter@post/post": HOSTILE + " word" * 900,
        "assessor@report/assessment": hostile,
    }
    run, _ = hold(tmp_path, answers)
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    for name in ("transcript.md", "summary.md", "blog-post.md", "verifier-report.md", "assessor-report.md"):
        page = markdown.render(text_of(run, name))
        assert "<script" not in page, name
        assert "<img" not in page, name
        assert 'href="javascript' not in page, name
    page = text_of(run, "report.html")
    assert scripts_in(page) == [replay_script()]
    assert "<h1>Not a heading" not in page
