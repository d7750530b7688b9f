"""Kialo's text export: claims become arguments, Pro and Con relations."""

import warnings
from pathlib import Path

import pytest

from moot.argument import FormatError, Graph, Loss, read
from moot.argument.formats import guess

TREE = """Discussion Title: Tea is better than coffee.

1. Tea is better than coffee.
1.1. Pro: Tea calms people down. [1]
1.1.1. Con: Not everybody wants to be calm.

Some want to be awake.
1.2. Con: Coffee wakes people up: 2. Con: no.
1.2.1. Pro: -> See 1.1.1.
1.2.1.1. Con: Being awake is no end.
1.10. Con: -> See 1.2.
"""


def test_claims_are_arguments_and_links_are_relations(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Loss)
        graph = read(TREE, "kialo")
    assert graph == Graph.of(
        ["1", "1.1", "1.1.1", "1.2", "1.2.1.1"],
        [("1.1.1", "1.1"), ("1.2", "1"), ("1.2.1.1", "1.1.1")],
        [("1.1", "1"), ("1.1.1", "1.2")],
        texts={
            "1": "Tea is better than coffee.",
            "1.1": "Tea calms people down. [1]",
            "1.1.1": "Not everybody wants to be calm.\n\nSome want to be awake.",
            "1.2": "Coffee wakes people up: 2. Con: no.",
            "1.2.1.1": "Being awake is no end.",
        },
    )
    assert guess(TREE) == "kialo"
    file = tmp_path / "export.txt"
    file.write_bytes(TREE.replace("\n", "\r\n").encode("utf-8-sig"))
    assert read(file) == graph


def test_a_link_can_lead_to_a_link() -> None:
    claims = ["1. Tea.", "1.1. Pro: Calm.", "1.1.1. Con: -> See 1.3.", "1.2. Con: Dear.", "1.3. Con: -> See 1.2."]
    graph = read("\n".join(["Discussion Title: Tea.", "", *claims]))
    names = {"1": "Tea.", "1.1": "Calm.", "1.2": "Dear."}
    assert graph == Graph.of(names, [("1.2", "1.1"), ("1.2", "1")], [("1.1", "1")], texts=names)


def test_theses_below_a_question_have_no_relation_to_it() -> None:
    claims = ["1. What to drink?", "1.1. Thesis: Tea.", "1.2. Thesis: Coffee.", "1.2.1. Con: Bitter."]
    graph = read("\n".join(["Discussion Name: What to drink?", "", *claims]))
    assert graph == Graph.of(
        ["1", "1.1", "1.2", "1.2.1"],
        [("1.2.1", "1.2")],
        texts={"1": "What to drink?", "1.1": "Tea.", "1.2": "Coffee.", "1.2.1": "Bitter."},
    )


def test_the_title_and_the_sources_are_said_to_be_left_out() -> None:
    with pytest.warns(Loss, match="left out of the discussion: the title 'Tea', the list of sources"):
        graph = read("Discussion Title: Tea\n\n1. It is good. [1]\n\nSources:\n\n[1] 1.1. Con: no claim\n")
    assert graph == Graph.of(["1"], texts={"1": "It is good. [1]"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. Tea.", "line 1: the first line has to be: Discussion Title"),
        ("Discussion Title: Tea\n", "there is no claim in it"),
        ("Discussion Title: Tea\n\nTea.\n1. Tea.", "line 3: 'Tea.' is no claim of the form"),
        ("Discussion Title: Tea\n\n1. Tea.\n1. Tea.", "line 4: the argument '1' is there twice"),
        (
            "Discussion Title: Tea\n\n1. Tea.\n1.2.1. Pro: Tea.",
            "line 4: there is no claim 1.2. that 1.2.1. could be below",
        ),
        ("Discussion Title: Tea\n\n1. Tea.\n1.1. Pro: -> See 1.3.", "line 4: there is no claim 1.3. to see"),
        ("Discussion Title: Tea\n\n1. Tea.\n1.1. Pro: -> See 1.1.", "line 4: there is no claim 1.1. to see"),
        (
            "Discussion Title: T\n1. T.\n1.1. Pro: -> See 1.2.\n1.2. Pro: -> See 1.1.",
            "line 3: there is no claim 1.2. to",
        ),
    ],
)
def test_a_bad_file_is_told_by_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text, "kialo")
    assert str(caught.value).startswith(message)
