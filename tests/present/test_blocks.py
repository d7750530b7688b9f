"""Blocks of plug-ins: one that cannot be drawn costs itself alone, in every face."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
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
    Heading,
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
    Tabs,
    drawable,
)
from moot.present.bars import bar_in_words
from moot.testing import ScriptedModel
from tests.kit import contract
from tests.kit.duels import MODEL, play
from tests.kit.hands import HANDS, config_of, registered, ups
from tests.kit.servers import serving

ABOVE, BELOW = "What stands above.", "What stands below."
SCORES = [ScoreLine("Ada", "cyan", [Mark(3, 5)])]
NONSENSE: dict[str, Any] = {
    "it has 2 columns, and its row 2 has 1 cell": lambda: Table(["A", "B"], [["a", "b"], ["c"]]),
    "it has no columns": lambda: Table([], [[]]),
    "`rows.0.1`: should be a valid string, and is None": lambda: Table(["A", "B"], [["a", None]]),  # type: ignore[list-item]
    "`rows`: should be a valid list, and is 'ab'": lambda: Table(["A", "B"], "ab"),  # type: ignore[arg-type]
    "`tone`: should be 'plain', 'lead', 'small' or 'flag', and is 'loud'": lambda: Paragraph("Hear!", "loud"),  # type: ignore[arg-type]
    "`text`: should be a valid string, and is None": lambda: Quote(None),  # type: ignore[arg-type]
    "`text`: should be a valid string, unable to parse raw data as a unicode string": lambda: Paragraph("\ud83d"),
    "`seq`: should be a valid integer": lambda: Quote("So.", seq="last"),  # type: ignore[arg-type]
    "`facts.0`: Tuple should have at most 2 items": lambda: Facts([("one", "two", "three")]),  # type: ignore[list-item]
    "`items.0`: should be a dictionary or an instance of Item, and is 'first'": lambda: Items(["first"]),  # type: ignore[list-item]
    "`items.0.refs.0`: should be a valid string, and is None": lambda: Items([Item("first", refs=[None])]),  # type: ignore[list-item]
    "it has no colour for 'no'": lambda: bars(Bar("Round 1", {"yes": 0.5, "no": 0.5}), colours={"yes": "green"}),
    "the shares of 'Round 1' should be from 0 to 1": lambda: bars(Bar("Round 1", {"yes": 1.5})),
    "`bars.0.shares.yes.float`: should be a finite number": lambda: bars(Bar("Round 1", {"yes": float("nan")})),
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


def test_sequences_of_any_kind_and_numbers_as_text_are_drawn() -> None:
    chart = ScoreChart("Scores", "", deque([ScoreLine("Ada", "cyan", (Mark(1, None), Mark(2, 5)))]), 2)
    table = Table(("A", "B"), [("a", "b")])  # type: ignore[arg-type, list-item]
    quote = Quote("So.", seq="7")  # type: ignore[arg-type]
    assert drawable([chart, table, quote]) == [chart, Table(["A", "B"], [["a", "b"]]), Quote("So.", seq=7)]


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
        assert text.index(ABOVE) < text.index("it has 2 columns") < text.index(BELOW), name
        assert "In another section." in text, name


def test_tabs_need_no_script_and_one_of_them_is_open(tmp_path: Path) -> None:
    tabs = Tabs("The answers", [Details("Ada <b>", [Paragraph(ABOVE)]), Details("Bo", [nonsense("it has no columns")])])
    shown = held(tmp_path / "again", lambda _: [Section("one", "One", [tabs, tabs])])
    for name in ("report.html", "the page"):
        assert ABOVE in shown[name] and "it has no columns" in shown[name], name
    assert drawable([tabs])[0] != tabs, "a bad block within a tab costs itself alone"


def nonsense(why: str) -> Block:
    block: Block = NONSENSE[why]()
    return block


@pytest.mark.parametrize(
    ("section", "why"),
    [
        (lambda: None, "it should be a Section, and is None"),
        (lambda: Section("x", "X", [Paragraph("Text.")], place="roof"), "`place`: should be 'card', 'body'"),  # type: ignore[arg-type]
        (lambda: Section("x", None, [Paragraph("Text.")]), "`title`: should be a valid string, and is None"),  # type: ignore[arg-type]
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
        assert shown[name].count("it has 2 columns, and its row 1 has 1 cell") == 3, name
        assert shown[name].count(BELOW) == 3, name
        assert "raises a hand" in shown[name], name


@pytest.mark.parametrize(
    ("shares", "marked", "told"),
    [
        ({"a": 0.495, "b": 0.335, "c": 0.17}, None, "a 50%, b 33%, c 17%"),
        ({"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)}, None, "a 34%, b 33%, c 33%"),
        ({"a": 0.597, "b": 0.403}, 0.6, "a 59.7%, b 40.3%; needs 60%"),
        ({"a": 0.59999, "b": 0.40001}, 0.6, "a 59.99%, b 40.00%; needs 60%"),
        ({"a": 0.6, "b": 0.4}, 0.6, "a 60%, b 40%; needs 60%"),
    ],
)
def test_shares_add_up_and_none_seems_to_reach_what_it_does_not(
    shares: dict[str, float | Fraction], marked: float | None, told: str
) -> None:
    bar = Bar("all", shares, marked)
    assert bar_in_words(bar, BarChart("", "", [bar], dict.fromkeys(shares, "red"))) == told


def test_what_looks_like_markup_is_shown_as_it_is(tmp_path: Path) -> None:
    odd = "[red]odd[/]"
    table = Table([odd, odd], [[odd, odd]], texts=2, name=odd)
    chart = BarChart(odd, odd, [Bar(odd, {odd: 1.0}, marked=0.5)], {odd: "green"}, blank=odd)
    blocks: list[Block] = [table, chart, Heading(odd), Quote(odd, odd), Items([Item(odd, odd)]), Facts([(odd, odd)])]
    shown = held(tmp_path, lambda material: [Section("odd", odd, blocks, brief=True)])
    assert f"{odd} {odd} ─" in shown["the terminal"], "the titles of the columns"
    # Four cells; title, caption, name and words of the bar; one heading; two of each of the others.
    assert shown["the terminal"].count(odd) == 4 + 4 + 1 + 3 * 2
    for name, text in shown.items():
        assert text.count(odd) >= 4 + 4 + 1 + 3 * 2, name


@pytest.mark.parametrize(("voters", "facing"), [(2, {"1", "2"}), (3, {"0"})])
def test_two_face_each_other_and_of_three_none_is_on_a_side(voters: int, facing: set[str], tmp_path: Path) -> None:
    with registered():
        result = play(config_of(tmp_path, voters=voters), ScriptedModel(ups(*[True] * voters)))
    page = (result.stored.path / "report.html").read_text("utf-8")
    assert set(re.findall(r'class="statement seat-(\d) c-(?!neutral)', page)) == facing
