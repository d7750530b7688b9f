"""The report of a persuasion dialogue: sections in order, linked both ways, and what is said stays words."""

import asyncio
import re
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import moot
from moot.report.page import replay_script
from tests.kit.persuasions import outcome, persuade
from tests.kit.reports import scripts_in


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    return moot.find_run(persuade(tmp_path_factory.mktemp("plain"))[0].run)


def page(run: moot.Run) -> str:
    return (run.path / "report.html").read_text("utf-8")


def tokens(run: moot.Run) -> list[tuple[str, str]]:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    found = parser.parse((run.path / "report.md").read_text("utf-8"))
    return [(one.type, one.tag) for one in found] + [
        (child.type, child.tag) for one in found for child in one.children or []
    ]


def headings(run: moot.Run) -> list[str]:
    found = MarkdownIt("commonmark").parse((run.path / "report.md").read_text("utf-8"))
    return [after.content for one, after in pairwise(found) if (one.type, one.tag) == ("heading_open", "h2")]


def test_the_map_and_the_transcript_lead_to_each_other(plain: moot.Run) -> None:
    text = page(plain)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    moves = {entry.seq: entry for entry in plain.entries() if entry.type == "move"}
    picture = text.partition('<svg xmlns="http://www.w3.org/2000/svg" class="am"')[2].partition("</svg>")[0]
    led_to = [int(seq) for seq in re.findall(r'<a href="#e(\d+)">', picture)]
    assert "φ" not in text, "signs are for the documentation"
    assert len(led_to) == 7, "what fell leads to how it fell"
    assert set(led_to) <= set(moves)
    transcript = text.partition('id="transcript"')[2].partition("</section>")[0]
    assert {f"arg-A{number}" for number in range(1, 8)} == set(re.findall(r'href="#(arg-A\d)"', transcript))


def test_hostile_words_stay_words(dialogue: moot.Run) -> None:
    text = page(dialogue)
    assert scripts_in(text) == [replay_script()]
    assert "<img" not in text
    assert set(re.findall(r'(?:href|src)="(?!#[\w-]+")([^"]*)"', text)) == {"data:,"}
    assert text.count("<h1") == 1
    kinds = {kind for kind, _ in tokens(dialogue)}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence"}
    for name in ("report.md", "report.html"):
        shown = (dialogue.path / name).read_text("utf-8")
        assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown) == []


def test_what_came_from_outside_is_shown_as_such_and_moves_nothing(tmp_path: Path) -> None:
    run = moot.find_run(persuade(tmp_path)[0].run)
    before = outcome(asyncio.run(moot.rebuild(run)))
    moot.append_outside(run, phase="rounds", speaker="Pia", type="note", content="I concede A2.")
    moot.append_outside(run, phase="closing", speaker="somebody", type="note", content="Well done.")
    after = outcome(asyncio.run(moot.rebuild(run)))
    assert after == before
    assert page(run).count("From outside") == 2


def test_an_unfinished_dialogue_has_a_report(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, max_calls=5)
    assert result.status == "limit"
    run = moot.find_run(result.run)
    assert "No verdict yet" in page(run)
    assert "So far the case for “We should rewrite it”" in page(run)
    empty, _ = persuade(tmp_path / "none", max_calls=0)
    assert "Argumentation framework" not in headings(moot.find_run(empty.run))
