"""An arena's run: taken up wherever it stopped, below the quorum too; replayed, planned, forked; nobody shown what is
not theirs."""

import asyncio
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import Rejected
from moot.testing import Scripted, ScriptedModel
from tests.kit.arenas import CAST, TASK, alike_from, arena, outcome, plain_reply, saying
from tests.kit.duels import assert_sound, said, take_up
from tests.kit.examples import tries

CANARY = re.compile(r"canary\[([^\]]+)\]")
CODED = re.compile("^(?:ada|bo|cy)")
"""Names are covered in what voters and judges are shown, also in lower case."""
COURSES: dict[str, tuple[Any, dict[str, Any]]] = {
    "nine rounds": (plain_reply, {"critique": "ring"}),
    "early consensus": (alike_from(4, {}), {}),
    "hollow": (saying("We should do what is best."), {"trickster": True, "observer": True}),
}


def config_of(folder: Path, **settings: Any) -> moot.RunConfig:
    given = {"model": "scripted/replies", "seed": 1, **CAST, **settings}
    return moot.configure("arena", topic=TASK, out=str(folder), **given)


@pytest.mark.parametrize("name", COURSES)
def test_taken_up_after_any_record(tmp_path: Path, name: str) -> None:
    """With any first part of the journal on disk, the rest is asked for and nothing else, and the log is the same."""
    course, settings = COURSES[name]
    model = ScriptedModel(course)
    result = asyncio.run(moot.run(config_of(tmp_path / "whole", **settings), models={model.name: model}))
    assert result.status == "done"
    whole = moot.find_run(result.run)
    assert_sound(whole)
    lines = whole.journal_path.read_bytes().splitlines(keepends=True)
    log = whole.log_path.read_bytes().splitlines(keepends=True)
    for kept in range(len(name) % 4, len(lines), max(1, 9 // tries(1))):
        folder = tmp_path / f"{kept:03}"
        folder.mkdir()
        (folder / "config.yaml").write_bytes((whole.path / "config.yaml").read_bytes())
        (folder / "calls.jsonl").write_bytes(b"".join(lines[:kept]))
        (folder / "log.jsonl").write_bytes(log[0] if kept else b"")
        run = moot.find_run(str(folder))
        again = ScriptedModel(course)
        assert take_up(run, again, reports=False).status == "done"
        asked = Counter((one.key, one.attempt) for one in again.requests)
        paid = {(one.key, one.attempt) for one in whole.records()[:kept] if one.kind == "reply"}
        assert not paid & set(asked)
        assert max(asked.values(), default=1) == 1
        assert said(run.entries()) == said(whole.entries())
        assert_sound(run)


@pytest.mark.parametrize(
    ("number", "keys"),
    [
        (1, ["ada/propose", "bo/propose"]),
        (2, ["ada/critique", "cy/critique"]),
        (4, ["bo/revise/4", "cy/revise/4"]),
        (7, ["ada@7/vote", "bo@7/vote"]),
    ],
)
def test_below_the_quorum_it_stops_and_a_resumed_run_asks_again(tmp_path: Path, number: int, keys: list[str]) -> None:
    def down(request: moot.Request) -> Scripted:
        return Rejected("down") if request.key in keys else plain_reply(request)

    result, _ = arena(tmp_path, plain=down)
    assert result.status == "failed"
    assert f"only 1 answered in round {number}, and 2 are needed" in (result.reason or "")
    run = moot.find_run(result.run)
    assert_sound(run)
    model = ScriptedModel(plain_reply)
    again = take_up(run, model)
    assert again.status == "done"
    assert outcome(again).winner == "Ada"
    first = model.requests[:2]
    assert {request.agent.partition("@")[0] for request in first} == {
        key.partition("/")[0].partition("@")[0] for key in keys
    }
    assert_sound(run)


def test_still_below_the_quorum_it_stops_again(tmp_path: Path) -> None:
    def down(request: moot.Request) -> Scripted:
        return Rejected("down") if request.agent in ("ada", "bo") else plain_reply(request)

    result, _ = arena(tmp_path, plain=down)
    run = moot.find_run(result.run)
    again = take_up(run, ScriptedModel(down))
    assert again.status == "failed"
    assert [key for key in run_keys(run) if "again" in key] == []
    last = take_up(run, ScriptedModel(plain_reply))
    assert last.status == "done"
    assert "ada/propose/again/3" in run_keys(run)
    assert_sound(run)


def run_keys(run: moot.Run) -> list[str]:
    return [record.key for record in run.records() if record.kind == "reply"]


def test_a_plan_shows_the_whole_course(tmp_path: Path) -> None:
    found = asyncio.run(moot.plan(config_of(tmp_path, max_extra_rounds=0)))
    assert (found.calls, found.longest_chain) == (23, 8)
    every = asyncio.run(moot.plan(config_of(tmp_path, trickster=True, observer=True)))
    assert every.calls >= 23 + 2 * 8 + 6
    assert not list(tmp_path.iterdir())


def test_nobody_is_sent_what_is_not_its_own(tmp_path: Path) -> None:
    """A canary in every reply: before the vote others' proposals and critiques of one's own are seen, and nothing
    else."""

    def reply(request: moot.Request) -> Scripted:
        found = plain_reply(request)
        assert isinstance(found, dict)
        canary = f"canary[{CODED.sub(lambda name: name[0][::-1] + 'x', request.key)}]"
        marked = {**found}
        for key in ("proposal", "reason", "new_evidence"):
            if key in marked:
                marked[key] = f"{marked[key]} {canary}"
        if "/critique" in request.key:
            marked = {
                name: [{**one, "issue": f"{one['issue']} {canary}"} for one in said] for name, said in found.items()
            }
        if "/judging" in request.key:
            marked |= {key: f"{value} {canary}" for key, value in found.items() if key.startswith("reason_")}
        return marked

    result, model = arena(tmp_path, plain=reply, observer=True, max_extra_rounds=1, vote="unanimous")
    assert result.status == "done"
    heard = set()
    for request in model.requests:
        if request.agent.startswith("observer"):
            continue
        reader = request.agent.partition("@")[0]
        for key in CANARY.findall("\n".join(message.content for message in request.messages)):
            key = re.sub("^(ada|ob|yc)x", lambda name: name[1][::-1], key)  # noqa: PLW2901
            owner, *place = re.split("[/@]", key)
            public = {"propose", "revise", "critique", "judging"} & set(place)
            assert owner == reader or public, f"{request.key} was sent {key}"
            assert "vote" not in place or owner == reader
            heard.add((reader, key))
    assert ("ada", "bo/propose") in heard
    assert ("ada", "bo/critique") in heard
    assert not any(reader != "judge" and "vote" in key for reader, key in heard)
    # A judge sees final proposals and the objections to them alone.
    assert {key.split("/")[1] for reader, key in heard if reader == "judge"} == {"revise", "critique"}


def test_what_an_agent_saw_can_be_shown(tmp_path: Path) -> None:
    result, _ = arena(tmp_path)
    run = moot.find_run(result.run)
    last = max(entry.seq for entry in run.entries() if entry.phase == "refinement" and entry.speaker == "Bo")
    debating = moot.seen_by(run, "Bo", last)
    assert any("agent 1 doubts agent 2" in message.content for message in debating)
    vote = next(entry.seq for entry in run.entries() if entry.type == "vote" and entry.speaker == "Bo")
    voting = moot.seen_by(run, "Bo", vote)
    assert len(voting) == 3
    assert "[an agent] doubts [an agent]" in voting[1].content, "voters see the criticism, and not whose it is"
