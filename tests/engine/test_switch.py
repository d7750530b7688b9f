"""Models that fail: the next one takes over and the log says so, or the debate stops and can be taken up again."""

import asyncio
from pathlib import Path

import pytest

import moot
from moot.engine.play.agent import part_of
from moot.errors import Rejected
from moot.record.payloads import Switch
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import assert_sound, calls_of, full_script, not_yet_paid, play, said, small_config, take_up

FIRST, SECOND = "scripted/first", "scripted/second"
NAMES = {"A": "Ada", "B": "Bo", "judge": "Kim"}
KEYS = list(full_script(2))


def failing(at: str) -> ScriptedModel:
    """A model that is gone for good when it is asked at that key."""
    script = full_script(2)
    script[at] = Rejected("the model is gone")
    return ScriptedModel(script, name=FIRST)


def reply_at(request: moot.Request) -> Scripted:
    reply = full_script(2)[request.key]
    assert not isinstance(reply, list)
    return reply


def switches(run: moot.Run) -> list[moot.Entry]:
    return [entry for entry in run.entries() if entry.type == "switch"]


@pytest.mark.parametrize("key", KEYS)
def test_the_next_model_takes_over(tmp_path: Path, key: str) -> None:
    part = part_of(key.split("/", maxsplit=1)[0])
    first, second = failing(key), ScriptedModel(reply_at, name=SECOND)
    result = play(small_config(tmp_path, model=[FIRST, SECOND]), first, second)
    run = moot.find_run(result.run)
    assert (result.status, result.spent.calls) == ("done", calls_of(2))
    own = [one for one in KEYS if one.startswith(part)]
    assert [request.key for request in second.requests] == own[own.index(key) :]
    assert [request.key for request in first.requests if part_of(request.agent) == part] == own[: own.index(key) + 1]
    [entry] = switches(run)
    assert entry.data == Switch(
        agent=NAMES[part],
        from_model=FIRST,
        to_model=SECOND,
        reason="Rejected: the model is gone",
        call=key,
        failed=FIRST,
    )
    assert entry.to == []
    # The entry tells of it, so the journal's record of the same failure is not told again.
    assert [(one.key, one.agent, one.reason) for one in result.failures] == [
        (f"seq {entry.seq}", NAMES[part], entry.content),
    ]
    assert_sound(run)
    assert said(asyncio.run(moot.replay(run)).entries) == said(run.entries())


@pytest.mark.parametrize("calls", range(calls_of(2)))
def test_who_has_switched_does_not_go_back(tmp_path: Path, calls: int) -> None:
    config = small_config(tmp_path, model=[FIRST, SECOND], max_calls=calls)
    run = moot.find_run(play(config, failing("judge/score/1"), ScriptedModel(reply_at, name=SECOND)).run)
    has_switched = bool(switches(run))
    first, second = ScriptedModel(reply_at, name=FIRST), ScriptedModel(reply_at, name=SECOND)
    assert take_up(run, first, second, max_calls=50).status == "done"
    assert has_switched == ("judge" not in {part_of(request.agent) for request in first.requests}) or calls == calls_of(
        2
    )
    assert len(switches(run)) == has_switched
    assert len(run.records()) == calls_of(2) + 1 + len([one for one in run.records() if one.kind == "failure"])
    assert_sound(run)


@pytest.mark.parametrize("key", KEYS)
def test_without_another_model_the_debate_stops_and_can_be_taken_up(tmp_path: Path, key: str) -> None:
    part = part_of(key.split("/", maxsplit=1)[0])
    result = play(small_config(tmp_path, model=FIRST), failing(key))
    run = moot.find_run(result.run)
    assert result.status == "failed"
    assert result.reason == f"{NAMES[part]} did not answer at {key}: the model is gone"
    assert [(one.key, one.agent, one.reason) for one in result.failures] == [
        (key, NAMES[part], f"{FIRST}: Rejected: the model is gone")
    ]
    assert switches(run) == []
    assert_sound(run)
    rest = ScriptedModel(not_yet_paid(full_script(2), run.records()), name=FIRST)
    finished = take_up(run, rest)
    assert (finished.status, finished.spent.calls) == ("done", calls_of(2))
    assert len(rest.requests) + result.spent.calls == calls_of(2)
    assert switches(run) == []
    # It did fail once, and the result goes on saying so.
    assert finished.failures == result.failures
    assert_sound(run)
