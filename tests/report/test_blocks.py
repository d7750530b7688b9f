"""Blocks in Markdown: whatever stands beside them, they stay what they are."""

import pytest
from markdown_it import MarkdownIt

from moot.present import Block, Details, Heading, Item, Items, Paragraph, Tabs, Verbatim
from moot.report.markdown import markdown

TRAP = "# Verdict\n\n- [x](javascript:y)"


@pytest.mark.parametrize("numbered", [False, True])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_text_below_a_list_is_no_part_of_it(numbered: bool, wrapped: bool) -> None:
    items = Items([Item("One."), Item("Two.")], numbered=numbered)
    blocks: list[Block] = [Details("More", [items]) if wrapped else items, Verbatim(TRAP)]
    tokens = MarkdownIt("commonmark").parse(markdown(blocks))
    (code,) = [token for token in tokens if token.type == "code_block"]
    assert code.content.rstrip("\n") == TRAP
    assert not [token for token in tokens if token.type in ("heading_open", "link_open")]


def test_a_heading_names_the_entry_it_is_about() -> None:
    assert markdown([Heading("Round 3", 7)]) == "### Round 3 (entry 7)"
    assert markdown([Heading("Round 3", 0)]) == "### Round 3 (entry 0)"
    assert markdown([Heading("Round 3")]) == "### Round 3"


def test_tabs_stand_below_each_other_in_markdown() -> None:
    tabs = Tabs("The answers", [Details("Ada", [Paragraph("Yes.")]), Details("Bo", [Paragraph("No.")])])
    assert markdown([tabs]) == "Ada:\n\nYes.\n\nBo:\n\nNo."
