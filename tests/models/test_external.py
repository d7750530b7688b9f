"""An outside agent holds a role: its entries, appended to the log, are its replies."""

import asyncio
import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.models.base import Message
from moot.protocols.chaired.outside import refused
from tests.kit import clock
from tests.kit.chaired import ABSENT, GOOD, QUOTE, VIEW, config_of, hold, model_of, of_type, ordinary, rulings
from tests.kit.chaired import turn as turn_of
from tests.kit.command import moot as command
from tests.kit.duels import assert_sound
from tests.kit.waiting import PATIENCE, patience, until

SOURCE = [{"url": GOOD, "title": "Trams", "accessed": "2026-01-01"}]


def entry(phase: str, kind: str, content: str, **more: Any) -> dict[str, Any]:
    return {"phase": phase, "speaker": "promoter", "type": kind, "content": content, **more}


def asked(*questions: str) -> str:
    return json.dumps({"questions": [{"to": "promoter", "question": question} for question in questions]})


STEPS = [
    entry("opening", "opening_statement", "I open from outside. [1]", sources=SOURCE),
    entry("rebuttal", "rebuttal", "I answer from outside. [1]", sources=SOURCE, rebuttal_to=4),
    entry("closing", "closing_statement", "I close from outside."),
]


async def append_in_time(folder: Path, steps: list[dict[str, Any]]) -> None:
    """Append each entry as soon as it is taken."""
    await until(lambda: bool(moot.list_runs(str(folder))))
    [run] = moot.list_runs(str(folder))

    def is_taken(step: dict[str, Any]) -> bool:
        try:
            moot.append_outside(run, **step)
        except moot.ConfigError:
            return False
        return True

    for step in steps:
        await until(partial(is_taken, step))


async def with_agent(
    folder: Path, steps: list[dict[str, Any]], roles: dict[str, str], **settings: Any
) -> tuple[moot.Result, moot.Run]:
    model = model_of()
    config = config_of(folder, roles=roles, **settings)
    agent = asyncio.create_task(append_in_time(folder / "runs", steps))
    async with patience():
        result = await moot.run(config, models={model.name: model})
    agent.cancel()
    return result, moot.find_run(result.run)


@pytest.mark.parametrize("name", ["external", "external/ada"])
def test_a_debate_is_held_with_a_promoter_from_outside(tmp_path: Path, name: str) -> None:
    result, run = asyncio.run(with_agent(tmp_path, STEPS, {"promoter": name}))
    assert (result.status, result.reason) == ("done", None)
    own = [one for one in run.entries() if one.speaker == "promoter" and not one.outside]
    assert [(one.type, one.content) for one in own] == [(step["type"], step["content"]) for step in STEPS]
    assert own[1].rebuttal_to_seq == 4
    assert [one.url for one in own[0].sources] == [GOOD]
    # Its sources are checked like anybody's.
    assert {one.target_seq for one in of_type(run, "verification_result")} >= {own[0].seq, own[1].seq}
    assert rulings(run) == []
    assert_sound(run)


def test_one_that_does_not_come_loses_its_turn_and_the_debate_goes_on(tmp_path: Path) -> None:
    result, run = asyncio.run(with_agent(tmp_path, [], {"promoter": "external"}, wait_minutes=0.005))
    assert result.status == "done"
    assert [data.about for data in rulings(run)] == ["struck"] * 3
    assert "no usable reply within 0.3 seconds" in rulings(run)[0].failure
    assert_sound(run)


def test_a_source_without_a_title_has_that_of_its_page(tmp_path: Path) -> None:
    untitled = [{"url": GOOD, "title": "", "accessed": ""}]
    steps = [STEPS[0] | {"sources": untitled}, *STEPS[1:]]
    _, run = asyncio.run(with_agent(tmp_path, steps, {"promoter": "external"}))
    own = [one for one in run.entries() if one.speaker == "promoter" and not one.outside]
    assert [(one.url, one.title) for one in own[0].sources] == [(GOOD, "Trams")]


def test_an_audience_from_outside(tmp_path: Path) -> None:
    steps = [
        entry("rebuttal", "audience_question", asked("Why?", "word " * 59 + "so?"), speaker="audience"),
        entry("system", "audience_conclusion", VIEW, speaker="audience"),
    ]

    async def run() -> tuple[moot.Result, moot.Run]:
        return await with_agent(tmp_path, steps, {"audience": "external"})

    _, held = asyncio.run(run())
    official = [one for one in held.entries() if one.speaker == "audience" and not one.outside]
    assert [(one.type, one.content.strip()) for one in official] == [
        ("audience_question", "Why?"),
        ("audience_question", "word " * 59 + "so?"),
        ("audience_conclusion", VIEW.strip()),
    ]


def reply_at(call: str) -> str:
    """What the kit's model says at that place, as a program would write it."""
    asked = moot.Request(call, call.partition("/")[0], (Message("user", QUOTE),))
    said = ordinary(asked)
    more: dict[str, Any] = {}
    if call.endswith("/decision"):
        more = {"new_points": [], "stronger": "neither"}
    if call.endswith("/assessment"):
        more = {"reasons_for": "neither"}
    return json.dumps(said | more) if isinstance(said, dict) else str(said)


def questions(folder: Path) -> str:
    """Those that wait in the runs of a folder."""
    return "".join(file.read_text("utf-8") for file in folder.glob("*/waiting.json"))


async def answer_in_time(folder: Path, *roles: str) -> None:
    """Answer every question to these roles, whichever waits."""
    seen = ""
    while True:
        await until(lambda seen=seen: questions(folder) not in ("", seen))  # type: ignore[misc]
        seen = questions(folder)
        [run] = moot.list_runs(str(folder))
        for role in roles:
            turn = moot.next_turn(run, role)
            if turn.due is not None and turn.due.call is not None:
                answer: dict[str, Any] = {
                    "phase": turn.due.phase,
                    "speaker": role,
                    "type": "answer",
                    "call": turn.due.call,
                }
                moot.append_outside(run, content=reply_at(turn.due.call), **answer)


JUDGING = ("chair", "verifier", "reporter", "assessor")


@pytest.mark.parametrize("roles", [("verifier",), JUDGING], ids=" ".join)
def test_an_outside_agent_holds_any_role(tmp_path: Path, roles: tuple[str, ...]) -> None:
    async def held() -> moot.Result:
        model, config = model_of(), config_of(tmp_path, roles=dict.fromkeys(roles, "external"))
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
        turn = moot.next_turn(runs[0], "verifier")
        assert turn.due is not None
        assert (turn.yours, turn.due.call, turn.due.types) == (True, call, ("answer",))
        assert "Trams carry four thousand people an hour." in turn.due.asked
        assert "supports" in (turn.due.schema or {})["properties"]
        shown = await asyncio.to_thread(command, "log", "next", str(runs[0].path), "--role", "verifier", "--json")
        assert (shown.code, json.loads(shown.out)["call"]) == (0, call)
        good: dict[str, Any] = {
            "phase": "opening",
            "speaker": "verifier",
            "type": "answer",
            "call": call,
            "content": reply_at(call),
        }
        changes: list[tuple[dict[str, Any], str]] = [
            ({"call": "verifier@nowhere/check"}, "no question 'verifier@nowhere/check' waits"),
            ({"call": None}, "no question None waits"),
            ({"speaker": "reporter"}, "the reporter is held by scripted/replies"),
            ({"content": "It supports it."}, "JSON is asked for"),
            ({"content": '{"supports": "supports"}'}, "quote is missing"),
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


ALL = dict.fromkeys(("promoter", "detractor", "audience"), "external")
OPENINGS = [
    entry(
        "opening",
        "opening_statement",
        "As nobody else ever knew. [1]",
        sources=[{"url": ABSENT, "title": "T", "accessed": ""}],
    ),
    entry("opening", "opening_statement", "The detractor opens. [1]", sources=SOURCE, speaker="detractor"),
]


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    """A debate that has come to its rounds and waits for its promoter there; one entry is redacted."""
    folder = tmp_path_factory.mktemp("waiting")

    async def interrupted() -> None:
        model = model_of()
        held = asyncio.create_task(moot.run(config_of(folder, roles=ALL), models={model.name: model}))
        await append_in_time(folder / "runs", OPENINGS)
        [run] = moot.list_runs(str(folder / "runs"))
        await until(lambda: bool(of_type(run, "redaction")) and moot.next_turn(run, "promoter").yours)
        held.cancel()
        with pytest.raises(asyncio.CancelledError):
            await held

    asyncio.run(interrupted())
    [run] = moot.list_runs(str(folder / "runs"))
    return run


def good() -> dict[str, Any]:
    return entry("rebuttal", "rebuttal", "I answer. [1]", sources=SOURCE, rebuttal_to=5)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"phase": "closing", "type": "closing_statement"}, "not closing_statement"),
        ({"phase": "closing"}, "in its phase rebuttal, not closing"),
        ({"phase": "verdict"}, "has no phase 'verdict'"),
        ({"type": "conclusion"}, "may append"),
        ({"type": "opening_statement"}, "not opening_statement"),
        ({"speaker": "judge"}, "not of the cast"),
        ({"speaker": "reporter", "type": "note"}, "may append nothing"),
        ({"rebuttal_to": 99}, "no such entry"),
        ({"rebuttal_to": 3}, "entry 3 has been redacted"),
        ({"sources": []}, "rule 11"),
        ({"content": "It was 93 [= 31 × 3]. [1]"}, "a computation does not hold: no sentence with a source has 31"),
        ({"rebuttal_to": None}, "rule 4"),
        ({"content": "word " * 301 + "[1]"}, "rule 4"),
        ({"content": "See https://made-up.example/x. [1]"}, "rule 12"),
        ({"type": "source_challenge", "target": 5, "rebuttal_to": None, "content": "No."}, "rule 15"),
        ({"sources": SOURCE * 9}, "it has 9 sources, and 8 are the most"),
        ({"speaker": "detractor"}, "not the detractor's turn, but that of the promoter"),
        ({"speaker": "audience", "type": "audience_question", "content": asked("Why?")}, "not the audience's turn"),
        ({"speaker": "chair", "type": "ruling"}, "the chair is held by scripted/replies"),
        ({"speaker": "chair", "type": "redaction", "target": 3}, "the chair is held by"),
        ({"speaker": "verifier", "type": "verification_result", "target": 3}, "the verifier is held by"),
    ],
)
def test_what_is_refused(waiting: moot.Run, changes: dict[str, Any], words: str) -> None:
    before = len(waiting.entries())
    with pytest.raises(moot.ConfigError, match=words):
        moot.append_outside(waiting, **(good() | changes))
    assert len(waiting.entries()) == before


@pytest.mark.parametrize(
    ("kind", "content", "words"),
    [
        ("audience_question", "Why?", "questions are given as"),
        ("audience_question", asked("word " * 61), "rule 4"),
        ("audience_question", asked("A?", "B?", "C?"), "rule 3"),
        ("audience_question", asked("What of https://made-up.example/x?"), "rule 12"),
        ("audience_question", asked("Why?"), None),
        ("audience_conclusion", "Short.", "it has 1 words, and 200 to 400 are wanted"),
    ],
)
def test_what_an_audience_may_say(waiting: moot.Run, kind: str, content: str, words: str | None) -> None:
    fields: dict[str, Any] = {"urls": (), "rebuttal_to": None, "target": None}
    why = refused(waiting.entries(), phase="rebuttal", speaker="audience", type=kind, content=content, **fields)
    assert (why is None) if words is None else (words in (why or ""))


def test_a_turn_of_a_role_that_a_model_holds_is_refused(tmp_path: Path) -> None:
    run, _ = hold(tmp_path)
    end = entry("system", "audience_conclusion", VIEW, speaker="audience")
    with pytest.raises(moot.ConfigError, match="the audience is held by scripted/replies; `--role audience=external`"):
        moot.append_outside(run, **end)
    with pytest.raises(moot.ConfigError, match="is held by"):
        moot.next_turn(run, "promoter")


def test_a_waiting_agent_is_told_what_is_asked(waiting: moot.Run) -> None:
    turn = moot.next_turn(waiting, "promoter")
    assert turn.yours
    assert turn.due is not None
    assert (turn.due.phase, turn.due.types[:2]) == ("rebuttal", ("new_point", "rebuttal"))
    for words in ("Trams are better than cars.", "rebuttal (at most 300 words)", "entry #5", "Entry 3 of the promoter"):
        assert words in turn.due.asked
    assert "As nobody else ever knew" not in turn.due.asked
    assert moot.next_turn(waiting, "detractor").why == "it is the turn of the promoter"
    shown = command("log", "next", str(waiting.path), "--role", "promoter")
    assert (shown.code, shown.out.splitlines()[0]) == (0, "phase: rebuttal")
    other = command("log", "next", str(waiting.path), "--role", "audience", "--json")
    assert (other.code, json.loads(other.out)) == (
        1,
        {"role": "audience", "yours": False, "why": "it is the turn of the promoter"},
    )


def test_what_is_allowed_gets_its_seq_and_one_waits_at_a_time(waiting: moot.Run, tmp_path: Path) -> None:
    waiting = moot.Run(shutil.copytree(waiting.path, tmp_path / waiting.name))
    before = len(waiting.entries())
    assert moot.append_outside(waiting, **good()) == before
    with pytest.raises(moot.ConfigError, match=f"entry {before} of the promoter waits to be taken"):
        moot.append_outside(waiting, **good())
    assert moot.next_turn(waiting, "promoter").why == f"entry {before} of the promoter waits to be taken"


def test_what_was_appended_while_nobody_ran_it_is_taken_up_on_resuming(tmp_path: Path) -> None:
    async def interrupted() -> None:
        model = model_of()
        config = config_of(tmp_path, roles={"promoter": "external"})
        waiting = asyncio.create_task(moot.run(config, models={model.name: model}))
        await append_in_time(tmp_path / "runs", STEPS[:1])
        [run] = moot.list_runs(str(tmp_path / "runs"))
        await until(lambda: any("Round 1" in one.content for one in run.entries()))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    async def taken_up(run: moot.Run) -> moot.Result:
        model = model_of()
        agent = asyncio.create_task(append_in_time(tmp_path / "runs", STEPS[2:]))
        async with patience():
            result = await moot.resume(run, models={model.name: model})
        agent.cancel()
        return result

    asyncio.run(interrupted())
    [run] = moot.list_runs(str(tmp_path / "runs"))
    moot.append_outside(run, **STEPS[1])
    assert asyncio.run(taken_up(run)).status == "done"
    own = [one.content for one in run.entries() if one.speaker == "promoter" and not one.outside]
    assert own == [step["content"] for step in STEPS]
    assert_sound(run)
