"""The panel's report: what it shows, and that nothing said in a panel becomes a part of the page."""

import re

import moot
from tests.kit.reports import assert_same_shape


def test_nothing_that_is_said_becomes_a_part_of_it(panels: tuple[moot.Run, moot.Run]) -> None:
    assert_same_shape(*panels)


def test_the_metrics_are_explained_in_the_words_of_their_table(panels: tuple[moot.Run, moot.Run]) -> None:
    section = (panels[0].path / "report.md").read_text("utf-8").partition("## Metrics")[2].partition("\n## ")[0]
    assert "5. What was spent" in section
    assert not re.findall(r"\b[a-z]+_[a-z]+\b|\b[Nn]ull\b", section), "names of fields, and values of JSON"
