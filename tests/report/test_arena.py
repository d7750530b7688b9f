"""The arena's report: what it shows, and that nothing said in an arena becomes a part of the page."""

from pathlib import Path
from typing import Any

import moot
from moot.errors import Rejected
from tests.kit.arenas import AGENTS, WORDS, arena, revision
from tests.kit.reports import assert_same_shape


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
