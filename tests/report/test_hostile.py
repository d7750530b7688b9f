"""Nothing that a model or a config says becomes a part of the report: it has the shape it has for plain words."""

import re
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from tests.kit.hostile import Runs
from tests.kit.reports import Outline, assert_same_shape


def test_nothing_that_is_said_becomes_a_part_of_it(runs: Runs) -> None:
    assert_same_shape(runs.plain, runs.hostile)
    assert len(Outline(runs.hostile).prose) > 100


def test_nothing_said_is_left_out(runs: Runs) -> None:
    page = (runs.hostile.path / "report.html").read_text("utf-8")
    said = ["deep in a list", "deep in a quote", "never closed", "html window.pwned", "{% raw %}", "gnihton"]
    for kind in ("think", "plan"):
        seq = next(entry.seq for entry in runs.hostile.entries() if entry.type == kind)
        shown = page.partition(f'<details id="e{seq}"')[2].partition("</details>")[0]
        assert [words for words in said if words not in shown] == (said[:2] if kind == "plan" else [])


def test_a_colour_that_is_none_is_neutral(runs: Runs) -> None:
    page = (runs.hostile.path / "report.html").read_text("utf-8")
    assert set(re.findall(r'class="[^"]*\bc-([^" ]*)', page)) == {"neutral"}


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_what_steers_the_direction_is_replaced(runs: Runs, name: str) -> None:
    assert "\ufffdgnihton\ufffd" in (runs.hostile.path / name).read_text("utf-8")


def test_markdown_quotations_are_inert(runs: Runs) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = parser.parse((runs.hostile.path / "report.md").read_text("utf-8"))
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or []}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence"}
    headings = [(token.tag, after.content) for token, after in pairwise(tokens) if token.type == "heading_open"]
    verdicts = [heading for heading in headings if heading[1].endswith(("Answer", "Verdict"))]
    assert verdicts == [("h2", "Answer"), ("h3", "Verdict")], "the card, and the last part of the transcript"
    assert not set("\u2028\u2029") & set((runs.hostile.path / "report.md").read_text("utf-8"))
    quoted = [token.content for token in tokens if token.type == "inline" and token.level > 1]
    assert any("\\[click\\](javascript:" in text for text in quoted)
