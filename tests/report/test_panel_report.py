"""The panel's report: what it shows, and that nothing said in a panel becomes a part of the page."""

import re
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

import moot
from tests.kit.hostile import WORST, WORST_NAMES
from tests.kit.panels import panel
from tests.kit.reports import assert_same_shape


def page(run: moot.Run) -> str:
    return (run.path / "report.html").read_text("utf-8")


def test_nothing_that_is_said_becomes_a_part_of_it(panels: tuple[moot.Run, moot.Run]) -> None:
    assert_same_shape(*panels)


def test_the_metrics_are_explained_in_the_words_of_their_table(panels: tuple[moot.Run, moot.Run]) -> None:
    section = (panels[0].path / "report.md").read_text("utf-8").partition("## Metrics")[2].partition("\n## ")[0]
    assert "5. What was spent" in section
    assert not re.findall(r"\b[a-z]+_[a-z]+\b|\b[Nn]ull\b", section), "names of fields, and values of JSON"


def test_names_are_data_too(tmp_path: Path) -> None:
    texts = {"stands_for": WORST, "question": WORST, "instructions": WORST}
    personas: list[dict[str, Any]] = [{"name": name, **texts} for name in WORST_NAMES[:2]]
    personas.append({"name": WORST_NAMES[2], "validator": True, **texts})
    said: dict[str, Any] = {"img-src-x-onerror-window-pwned-1/round/2": ["?", "?", "?"]}
    result, _ = panel(tmp_path, said, personas=personas)
    assert result.status == "done"
    text = page(moot.find_run(result.run))
    assert "<img" not in text
    assert "Could not be asked: &lt;img src=x onerror=window.pwned=1&gt;" in text
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = parser.parse((Path(result.run) / "report.md").read_text("utf-8"))
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or []}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence"}
