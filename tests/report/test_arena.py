"""The arena's report: what it shows, and that nothing said in an arena becomes a part of the page."""

import re
from pathlib import Path
from typing import Any

import moot
from moot.errors import Rejected
from moot.testing import Scripted
from tests.kit.arenas import AGENTS, arena, letter_of, outcome, plain_reply, reading, revision
from tests.kit.hostile import MILD_NAMES, WORST_NAMES
from tests.kit.reports import Outline, assert_same_shape, blocks_without_code


def page(run: moot.Run) -> str:
    return (run.path / "report.html").read_text("utf-8")


def test_nothing_that_is_said_becomes_a_part_of_it(arenas: tuple[moot.Run, moot.Run]) -> None:
    assert_same_shape(*arenas)


def test_what_the_page_shows(arenas: tuple[moot.Run, moot.Run]) -> None:
    text = page(arenas[0])
    for words in (
        "The proposal of Ada",
        "The judge’s scores of the proposals",
        "How opinions moved",
        "Who changed its mind",
        "Both orders",
        "Proposals, version by version",
        "dissents:",
        "+Round 4.",
    ):
        assert words in text, words
    assert text.count("%, changed its mind</td>") == 1


def test_an_arena_that_stopped_has_a_report(tmp_path: Path) -> None:
    down: dict[str, Any] = {f"{one['name'].lower()}/propose": Rejected("down") for one in AGENTS}
    result, _ = arena(tmp_path, down, reports=True)
    assert "No decision yet" in page(moot.find_run(result.run))
    limited, _ = arena(tmp_path, reports=True, max_calls=4)
    assert limited.status == "limit"
    assert "unfinished" in page(moot.find_run(limited.run))


def test_a_round_that_nobody_measured_is_not_drawn_as_if_nobody_moved(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, reports=True, revision_rounds=1, max_extra_rounds=0)
    text = page(moot.find_run(result.run))
    assert text.count(">not measured</td>") == 3, (
        "one for each agent in the last pass, and none for the first proposals"
    )


def test_figures_in_the_report_do_not_reach_a_bound_that_was_missed(tmp_path: Path) -> None:
    def scored(request: moot.Request) -> Scripted:
        given = reading(request, {"Cache": 5, "Buy": 2, "Delete": 2})
        if request.key == "judge@8-1/judging":
            given[letter_of(request, "Cache")] = {"soundness": 5, "usefulness": 5, "candour": 4}
        return given

    def reply(request: moot.Request) -> Scripted:
        return scored(request) if request.key.endswith("/judging") else plain_reply(request)

    first, _ = arena(tmp_path, revision_rounds=1)
    needed = round((outcome(first).similarity[0].minimum or 0) + 0.0001, 4)
    settings: dict[str, Any] = {"convergence_threshold": needed, "pass_mark": 4.835, "max_extra_rounds": 0}
    result, _ = arena(tmp_path, plain=reply, reports=True, **settings)
    text = (Path(result.run) / "report.md").read_text("utf-8")
    assert "the judge gives Ada 4.8; 4.835 is needed" in text
    assert re.search(r"\| Ada +\|.* 4\.83 \|\n", text), "4.8333"
    figures = re.search(rf"\| 3 +\| ([\d.]+) +\| {needed}", text)
    assert figures is not None
    assert float(figures[1]) < needed


def test_names_are_only_names(tmp_path: Path) -> None:
    outlines = []
    for names in (MILD_NAMES, WORST_NAMES):
        agents = [{"name": name, "personality": "p", "colour": "cyan"} for name in names]
        settings: dict[str, Any] = {"agents": agents, "judges": [{"name": "Lu"}], "convergence_threshold": 1}
        result, model = arena(tmp_path, reports=True, plain=by_place(names), max_extra_rounds=0, **settings)
        assert result.status == "done", result.reason
        run = moot.find_run(result.run)
        assert moot.verify(run).faults == []
        outlines.append((Outline(run).page, blocks_without_code(run)))
        blind = [one.messages[-1].content for one in model.requests if one.key.endswith(("/vote", "/judging"))]
        assert not any(name in text for name in names for text in blind)
    assert outlines[1] == outlines[0]


def by_place(names: tuple[str, ...]) -> Any:
    """Everybody proposes to do as themselves says, by name; the first is chosen."""
    first: list[str] = []

    def reply(request: moot.Request) -> Scripted:
        part, place = request.agent.partition("@")[0], request.key.split("/")[1:]
        if place[0] == "propose":
            first.append(part)
        number = first.index(part) if part in first else 0
        if place[0] in ("propose", "revise"):
            said = revision(f"Plan {number} of {names[number]}, in full.")
            return said if place[0] == "revise" else {key: said[key] for key in ("proposal", "decision")}
        if place[0] == "vote":
            return {"reason": "So.", "choice": letter_of(request, "Plan 0"), "confidence": 70}
        if place[0] == "judging":
            return reading(request, {"Plan 0": 8, "Plan 1": 6, "Plan 2": 5})
        return plain_reply(request)

    return reply
