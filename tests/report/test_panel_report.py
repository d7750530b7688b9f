"""The panel's report: what it shows, and that nothing said in a panel becomes a part of the page."""

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from markdown_it import MarkdownIt

import moot
from moot.report.page import replay_script
from moot.testing import Scripted
from tests.kit.browser import chromium
from tests.kit.hostile import MILD, WORST, WORST_NAMES
from tests.kit.panels import PANELLISTS, labels, opinion, panel, rules, ruling
from tests.kit.reports import PROSE, Outline, blocks, scripts_in

BETTER = "A better idea."


def course(text: str) -> dict[str, Any]:
    """A panel that sends the idea back once, in which everybody says the same, one fails, and one dissents."""
    whole = {"claim": text, "evidence": [text], "acknowledged_weaknesses": [text], "modifications": [text]}
    said: dict[str, Any] = {}
    for version, label in (("", "modify"), ("@2", "accept")):
        for who in PANELLISTS:
            held = "reject" if who == "critic" else label
            for number in (1, 2):
                others = [{"to": "Innovator", "stance": "partial", "text": text}] if who != "innovator" else []
                said[f"{who}{version}/round/{number}"] = opinion(held, **whole, responses=others)
        lists = {key: [text] for key in ("inconsistencies", "because", "modifications_required")}
        parts = dict.fromkeys(("reasoning", "objection", "agreed", "would_change_it", "next", "answer"), text)
        said[f"validator{version}/rule/2"] = ruling(label, adopted=["P1"], **lists, **parts)
    failing: list[Scripted] = ["?", "?", "?"]
    return {**said, "innovator@2/round/2": failing, "reviser/revise": {"idea": f"{BETTER}\n{text}"}}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[moot.Run, moot.Run]:
    """Two panels of one shape: one in plain words, one full of traps."""
    folder = tmp_path_factory.mktemp("panels")
    found = []
    for text in (MILD, WORST):
        result, _ = panel(folder, course(text), idea=f"An idea.\n{text}", require="accept", truth="accept")
        assert result.status == "done"
        found.append(moot.find_run(result.run))
    return found[0], found[1]


def page(run: moot.Run) -> str:
    return (run.path / "report.html").read_text("utf-8")


def test_the_page_has_the_same_elements_whatever_is_said(runs: tuple[moot.Run, moot.Run]) -> None:
    plain, hostile = (Outline(run) for run in runs)
    assert hostile.page == plain.page
    assert {tag for tag, _ in hostile.prose} <= PROSE
    assert all(attrs in ([], [("class", "verbatim")]) for _, attrs in hostile.prose)


def test_markdown_has_the_same_blocks_whatever_is_said(runs: tuple[moot.Run, moot.Run]) -> None:
    plain, hostile = runs
    assert blocks(hostile) == blocks(plain)


def test_every_link_stays_within_the_page_and_nothing_runs(runs: tuple[moot.Run, moot.Run]) -> None:
    text = page(runs[1])
    assert set(re.findall(r'(?:href|src)="(?!#e?\w+")([^"]*)"', text)) == {"data:,"}
    assert scripts_in(text) == [replay_script()]
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text) == []


def test_what_it_shows(runs: tuple[moot.Run, moot.Run]) -> None:
    text = page(runs[0])
    for words in (
        "(63.63% of the weight)",
        "63.63% of the weight is behind it, and 60% were needed.",
        "Could not be asked: Innovator (no usable reply in 3 tries",
        "Critic dissents:</b>",
        "Validator’s ruling",
        "Changes required",
        "The idea, in 2 versions",
        "+A better idea.",
        "Share of the weight</title>",
        "v2 vote",
        "the cosine of the counts of their words",
        "right: accept",
    ):
        assert words in text, words
    report = (runs[0].path / "report.md").read_text("utf-8")
    assert "## Metrics" in report
    assert "| Pragmatist | accept" in report
    assert "    +A better idea." in report


def test_the_metrics_are_explained_in_the_words_of_their_table(runs: tuple[moot.Run, moot.Run]) -> None:
    section = (runs[0].path / "report.md").read_text("utf-8").partition("## Metrics")[2].partition("\n## ")[0]
    assert "5. What was spent" in section
    assert not re.findall(r"\b[a-z]+_[a-z]+\b|\b[Nn]ull\b", section), "names of fields, and values of JSON"


def test_no_consensus_is_not_passed_off_as_a_decision(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, rules("reject"), require="accept")
    text = page(moot.find_run(result.run))
    assert "No answer: accept needs a validator and has none</span>" in text
    assert "Nothing carried: accept needs a validator and has none. The validators recommend: reject." in text
    assert "The requirement is not met: “accept” was required, and there is no decision." in text


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


def test_reports_come_back_the_same(tmp_path: Path) -> None:
    import asyncio

    result, _ = panel(tmp_path, labels("accept", "modify", "reject", "accept"))
    run = moot.find_run(result.run)
    before = {name: (run.path / name).read_bytes() for name in ("result.json", "report.md", "report.html")}
    for name in before:
        (run.path / name).unlink()
    asyncio.run(moot.rebuild(run))
    assert {name: (run.path / name).read_bytes() for name in before} == before


@pytest.mark.browser
def test_it_fits_the_screen_and_runs_nothing(runs: tuple[moot.Run, moot.Run]) -> None:
    screens: list[tuple[int, Literal["light", "dark"]]] = [(1200, "light"), (375, "dark")]
    with chromium() as browser:
        for width, scheme in screens:
            view = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
            view.goto((runs[1].path / "report.html").resolve().as_uri())
            view.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            assert view.evaluate("document.documentElement.scrollWidth") == width, scheme
            assert view.evaluate("typeof window.pwned") == "undefined", scheme
