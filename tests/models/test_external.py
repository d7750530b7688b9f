"""An outside agent holds a role: it finds each question with the run, and appends its answers to the log."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.staging.outside import Question
from moot.models.base import Message
from tests.kit import clock
from tests.kit.chaired import GOOD, QUOTE, config_of, hold, model_of, of_type, ordinary, rulings
from tests.kit.chaired import turn as turn_of
from tests.kit.command import moot as command
from tests.kit.duels import assert_sound
from tests.kit.waiting import PATIENCE, patience, until


def reply_at(call: str) -> str:
    """What the kit's model says at that place, as a program would write it."""
    asked = moot.Request(call, call.partition("/")[0], (Message("user", QUOTE),))
    said = ordinary(asked)
    more: dict[str, Any] = {}
    if call.endswith("/turn"):
        more = dict.fromkeys(("rebuttal_to_seq", "target_seq", "claim"))
    if call.endswith("/decision"):
        more = {"new_points": [], "stronger": "neither"}
    if call.endswith("/assessment"):
        more = {"reasons_for": "neither"}
    if call.endswith("/check") and isinstance(said, dict):
        return json.dumps({"found": [said | {"sentence": 1}]})
    return json.dumps(said | more) if isinstance(said, dict) else str(said)


def questions(folder: Path) -> str:
    """Those that wait in the runs of a folder."""
    return "".join(file.read_text("utf-8") for file in folder.glob("*/waiting.json"))


def answer_to(question: Question) -> dict[str, Any]:
    named = {"phase": question.phase, "speaker": question.role, "call": question.call}
    return {**named, "type": "answer", "content": reply_at(question.call)}


async def answer_in_time(folder: Path, *roles: str) -> None:
    """Answer every question to these roles, whichever waits."""
    seen = ""
    while True:
        await until(lambda seen=seen: questions(folder) not in ("", seen))  # type: ignore[misc]
        seen = questions(folder)
        [run] = moot.list_runs(str(folder))
        for role in roles:
            if (question := moot.next_question(run, role)) is not None:
                moot.append_outside(run, **answer_to(question))


JUDGING = ("chair", "verifier", "reporter", "assessor")


@pytest.mark.parametrize("roles", [("promoter", "audience"), JUDGING], ids=" ".join)
def test_an_outside_agent_holds_any_role(tmp_path: Path, roles: tuple[str, ...]) -> None:
    async def held() -> moot.Result:
        model, config = model_of(), config_of(tmp_path, roles=dict.fromkeys(roles, "external/ada"))
        agent = asyncio.create_task(answer_in_time(tmp_path / "runs", *roles))
        debate = asyncio.create_task(moot.run(config, models={model.name: model}))
        await asyncio.wait([agent, debate], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        assert debate.done(), agent.exception() if agent.done() else "it goes on for ever"
        result = debate.result()
        agent.cancel()
        assert {request.agent.partition("@")[0] for request in model.requests}.isdisjoint(roles)
        return result

    result = asyncio.run(held())
    assert (result.status, result.reason) == ("done", None)
    run = moot.find_run(result.run)
    # The audience cites #2 and #3, as it always does here, and answers from outside take numbers as well.
    assert {flag.code for flag in result.flags} - {"audience_conclusion_faulty"} == {"scripted_replies"}
    by_models, _ = hold(tmp_path / "models")
    spoken = [
        (one.speaker, one.type, one.content) for one in run.entries() if not one.outside and one.type != "leaning"
    ]
    assert spoken == [(one.speaker, one.type, one.content) for one in by_models.entries() if one.type != "leaning"]
    assert not (run.path / "waiting.json").exists()
    assert_sound(run)


def test_an_answer_that_nobody_asked_for_or_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    async def tried() -> None:
        other = turn_of("opening_statement", "Trams carry thousands of people.", GOOD)
        model = model_of({"detractor@opening/turn": other})
        config = config_of(tmp_path, roles={"verifier": "external"}, wait_minutes=PATIENCE)
        debate = asyncio.create_task(moot.run(config, models={model.name: model}))
        await until(lambda: questions(tmp_path / "runs") != "")
        runs = moot.list_runs(str(tmp_path / "runs"))
        call = "verifier@promoter.opening.1/check"
        question = moot.next_question(runs[0], "verifier")
        assert question is not None
        assert question.call == call
        assert "Trams carry four thousand people an hour." in question.asked
        assert "found" in (question.schema or {})["properties"]
        shown = await asyncio.to_thread(command, "log", "next", str(runs[0].path), "--role", "verifier", "--json")
        assert (shown.code, json.loads(shown.out)["call"]) == (0, call)
        good = answer_to(question)
        changes: list[tuple[dict[str, Any], str]] = [
            ({"call": "verifier@nowhere/check"}, "no question 'verifier@nowhere/check' waits"),
            ({"call": None}, "no question None waits"),
            ({"speaker": "reporter"}, "the reporter is held by scripted/replies; `--role reporter=external`"),
            ({"type": "verification_result"}, "verifier may append note, not"),
            ({"type": "answer", "target": 99}, "no such entry"),
            ({"content": "It supports it."}, "JSON is asked for"),
            ({"content": '{"supports": "supports"}'}, "found is missing"),
        ]
        for change, why in changes:
            with pytest.raises(moot.ConfigError, match=why):
                moot.append_outside(runs[0], **(good | change))
        moot.append_outside(runs[0], **good)
        with pytest.raises(moot.ConfigError, match=r"answers it already|no question"):
            moot.append_outside(runs[0], **good)
        await until(lambda: call not in questions(tmp_path / "runs"))
        while not debate.done():
            await until(lambda: debate.done() or questions(tmp_path / "runs") != "")
            asked = questions(tmp_path / "runs")
            clock.put_forward(100 * PATIENCE)
            await until(lambda asked=asked: debate.done() or questions(tmp_path / "runs") != asked)  # type: ignore[misc]
        result = debate.result()
        assert result.status == "done", "those who do not answer in time are not waited for"
        found = of_type(moot.find_run(result.run), "verification_result")
        assert [one.data.status for one in found][:2] == ["confirmed", "unjudged"]  # type: ignore[union-attr]

    clock.run(tried())


def test_an_answer_that_came_while_nobody_ran_it_is_taken_up_on_resuming(tmp_path: Path) -> None:
    async def interrupted() -> Question:
        model = model_of()
        waiting = asyncio.create_task(
            moot.run(config_of(tmp_path, roles={"promoter": "external"}), models={model.name: model})
        )
        await until(lambda: questions(tmp_path / "runs") != "")
        [run] = moot.list_runs(str(tmp_path / "runs"))
        question = moot.next_question(run, "promoter")
        assert question is not None
        moot.append_outside(run, **answer_to(question))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return question

    async def taken_up(run: moot.Run) -> moot.Result:
        model = model_of()
        agent = asyncio.create_task(answer_in_time(tmp_path / "runs", "promoter"))
        async with patience():
            result = await moot.resume(run, models={model.name: model})
        agent.cancel()
        return result

    question = asyncio.run(interrupted())
    [run] = moot.list_runs(str(tmp_path / "runs"))
    assert asyncio.run(taken_up(run)).status == "done"
    assert [one.outside for one in run.entries() if one.speaker == "promoter"].count(False) == 3
    assert [one.data.to_call for one in of_type(run, "answer")].count(question.call) == 1  # type: ignore[union-attr]
    assert_sound(run)


async def test_an_answer_that_breaks_a_rule_comes_back(tmp_path: Path) -> None:
    model, config = model_of(), config_of(tmp_path, roles={"promoter": "external"}, wait_minutes=PATIENCE)
    debate = asyncio.create_task(moot.run(config, models={model.name: model}))
    await until(lambda: questions(tmp_path / "runs") != "")
    [run] = moot.list_runs(str(tmp_path / "runs"))
    question = moot.next_question(run, "promoter")
    assert question is not None
    long = json.dumps(turn_of("opening_statement", "word " * 401))
    moot.append_outside(run, **(answer_to(question) | {"content": long}))
    await until(lambda: "it has 401 words" in questions(tmp_path / "runs"))
    async with patience():
        agent = asyncio.create_task(answer_in_time(tmp_path / "runs", "promoter"))
        result = await debate
    agent.cancel()
    run = moot.find_run(result.run)
    assert (result.status, rulings(run)) == ("done", [])
    with pytest.raises(moot.ConfigError, match="is held by"):
        moot.next_question(run, "detractor")
    assert moot.next_question(run, "promoter") is None
