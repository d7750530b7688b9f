"""Blocks of plug-ins: one that cannot be drawn costs itself alone, in every face."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.present import (
    Bar,
    BarChart,
    Block,
    Details,
    Facts,
    Item,
    Items,
    Line,
    Mark,
    Paragraph,
    Quote,
    ScoreChart,
    ScoreLine,
    Section,
    Table,
    drawable,
)
from moot.testing import ScriptedModel
from tests.kit import contract
from tests.kit.duels import MODEL, play
from tests.kit.hands import HANDS, config_of, registered, ups
from tests.kit.servers import serving

ABOVE, BELOW = "What stands above.", "What stands below."
SCORES = [ScoreLine("Ada", "cyan", [Mark(3, 5)])]
NONSENSE: dict[str, Any] = {
    "its columns are 2, and the cells of row 2 are 1": lambda: Table(["A", "B"], [["a", "b"], ["c"]]),
    "it has no columns": lambda: Table([], [[]]),
    "`rows[0][1]` should be a text, and is None": lambda: Table(["A", "B"], [["a", None]]),  # type: ignore[list-item]
    "`rows` should be a list, and is 'ab'": lambda: Table(["A", "B"], "ab"),  # type: ignore[arg-type]
    "`tone` should be one of plain, lead, small, flag, and is 'loud'": lambda: Paragraph("Hear!", "loud"),  # type: ignore[arg-type]
    "`text` should be a text, and is 7": lambda: Quote(7),  # type: ignore[arg-type]
    "`text` has half a character in it": lambda: Paragraph("\ud83d"),
    "`seq` should be a whole number or nothing, and is '7'": lambda: Quote("So.", seq="7"),  # type: ignore[arg-type]
    "`facts[0]` should be a list of 2": lambda: Facts([("one", "two", "three")]),  # type: ignore[list-item]
    "`items[0]` should be of the type Item, and is 'first'": lambda: Items(["first"]),  # type: ignore[list-item]
    "`items[0]`: `refs[0]` should be a text, and is 3": lambda: Items([Item("first", refs=[3])]),  # type: ignore[list-item]
    "it has no colour for 'no'": lambda: bars(Bar("Round 1", {"yes": 0.5, "no": 0.5}), colours={"yes": "green"}),
    "`bars[0]`: shares are from 0 to 1": lambda: bars(Bar("Round 1", {"yes": 1.5})),
    "`bars[0]`: `shares['yes']` should be a number": lambda: bars(Bar("Round 1", {"yes": float("nan")})),
    "scores are from 0 to 10, at turns from 1 to 2": lambda: ScoreChart("Scores", "", SCORES, 2),
    "What should stand here is no block: None": lambda: None,
    "What should stand here is no block: 'text'": lambda: "text",
}


def bars(bar: Bar, colours: dict[str, str] | None = None) -> BarChart:
    return BarChart("Shares", "", [bar], colours or {"yes": "green", "no": "red"})


def held(folder: Path, sections: Callable[[Any], Any], **parts: Any) -> dict[str, str]:
    """What the faces show of a debate with such sections, and the page while it is watched."""
    protocol = replace(HANDS, sections=sections, **parts)
    model = ScriptedModel(ups(True, True, False), name=MODEL)
    with registered(protocol), serving(folder, models={MODEL: model}) as site:
        result = play(config_of(folder), model)
        one = contract.Held(result, result.stored, site, folder)
        faces = {name: contract.FACES[name] for name in ("the terminal", "report.md", "report.html", "the page")}
        shown = {name: " ".join(show(one).split()) for name, show in faces.items()}
        with site.client() as client:
            for place in ("", "/read"):
                assert client.get(f"/runs/{result.stored.name}{place}").status_code == 200
    return shown


@pytest.mark.parametrize("why", NONSENSE)
def test_what_cannot_be_drawn_says_why(why: str) -> None:
    [above, told, below] = drawable([Paragraph(ABOVE), NONSENSE[why](), Paragraph(BELOW)])
    assert (above, below) == (Paragraph(ABOVE), Paragraph(BELOW))
    assert isinstance(told, Paragraph)
    assert told.tone == "flag"
    assert why in told.text


def test_a_bad_block_costs_itself_alone_in_every_face(tmp_path: Path) -> None:
    def sections(material: Any) -> list[Section]:
        folded = Details("More", [Paragraph(ABOVE), nonsense("it has no columns")])
        blocks = [Paragraph(ABOVE), *(nonsense(why) for why in NONSENSE), folded, Paragraph(BELOW)]
        return [
            Section("one", "One", blocks, brief=True, live="open"),
            Section("two", "Two", [Paragraph("In another section.")], brief=True),
        ]

    for name, text in held(tmp_path, sections).items():
        for why in NONSENSE:
            assert why in text, (name, text)
        assert text.index(ABOVE) < text.index("its columns are 2") < text.index(BELOW), name
        assert "In another section." in text, name


def nonsense(why: str) -> Block:
    block: Block = NONSENSE[why]()
    return block


@pytest.mark.parametrize(
    ("section", "why"),
    [
        (lambda: None, "it should be a Section, and is None"),
        (lambda: Section("x", "X", [Paragraph("Text.")], place="roof"), "`place` should be one of card, body"),  # type: ignore[arg-type]
        (lambda: Section("x", 7, [Paragraph("Text.")]), "`title` should be a text, and is 7"),  # type: ignore[arg-type]
        (lambda: Section("x", "X", None, brief=True), "What should stand here is no block: None"),  # type: ignore[arg-type]
    ],
)
def test_a_bad_section_costs_itself_alone(section: Callable[[], Any], why: str, tmp_path: Path) -> None:
    good = Section("good", "Good", [Paragraph(BELOW)], brief=True)
    for name, text in held(tmp_path, lambda material: [section(), good]).items():
        assert why in text, name
        assert BELOW in text, name


def test_code_that_fails_is_told_with_its_line(tmp_path: Path) -> None:
    def sections(material: Any) -> list[Section]:
        raise KeyError("votes")

    line = sections.__code__.co_firstlineno + 1
    for name, text in held(tmp_path, sections).items():
        assert f"This part could not be made: KeyError: 'votes' (test_blocks.py, line {line})" in text, name


def test_a_bad_block_below_an_entry_costs_itself_alone(tmp_path: Path) -> None:
    def line(entry: moot.Entry) -> Line | None:
        if entry.type != "hand":
            return None
        return Line("statement", "raises a hand", body=[Table(["A", "B"], [["a"]]), Paragraph(BELOW)])

    shown = held(tmp_path, lambda material: [], lines=lambda: line)
    for name in ("report.md", "report.html", "the page"):
        assert shown[name].count("its columns are 2, and the cells of row 1 are 1") == 3, name
        assert shown[name].count(BELOW) == 3, name
        assert "raises a hand" in shown[name], name
