"""The arena's report: what it shows, and that nothing said in an arena becomes a part of the page."""

from pathlib import Path
from typing import Any

import moot
from moot.errors import Rejected
from moot.testing import Scripted
from tests.kit.arenas import AGENTS, WORDS, arena, letter_of, plain_reply, reading, revision
from tests.kit.hostile import MILD_NAMES, WORST_NAMES
from tests.kit.reports import Outline, assert_same_shape, blocks_without_code


def page(run: moot.Run) -> str:
    return (run.path / "report.html").read_text("utf-8")


def test_nothing_that_is_said_becomes_a_part_of_it(arenas: tuple[moot.Run, moot.Run]) -> None:
    assert_same_shape(*arenas)


def test_an_arena_that_stopped_has_a_report(tmp_path: Path) -> None:
    down: dict[str, Any] = {f"{one['name'].lower()}/propose": Rejected("down") for one in AGENTS}
    result, _ = arena(tmp_path, down, reports=True)
    assert "No decision yet" in page(moot.find_run(result.run))
    limited, _ = arena(tmp_path, reports=True, max_calls=4)
    assert limited.status == "limit"
    assert "unfinished" in page(moot.find_run(limited.run))


def test_those_who_decide_the_same_have_the_same_votes(tmp_path: Path) -> None:
    same = {**revision("Buy machines too."), "decision": f"{WORDS['ada']} Round 6."}
    result, _ = arena(tmp_path, {"bo/revise/6": same}, self_votes=True, reports=True)
    text = Path(result.run, "report.md").read_text("utf-8")
    assert (text.count("3 by majority"), text.count("0 by majority")) == (2, 1)


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
