"""Every protocol in every face: the same headline and the same flags."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import moot
from moot.config import load_options
from moot.engine.protocol import RESERVED
from moot.engine.registry import OFFERED, get_protocol
from moot.protocols import Flag, Protocol, Room, Summary, Template, introduce, register
from tests.kit.contract import faults_of


@pytest.mark.parametrize("name", OFFERED)
def test_every_face_shows_the_same(name: str, tmp_path: Path) -> None:
    assert faults_of(get_protocol(name), tmp_path) == []


class Config(BaseModel):
    topic: str


class Outcome(BaseModel):
    topic: str


async def play(room: Room, config: Config) -> None:
    agent = room.agent("a", "Ada", Template("You answer.")())
    await introduce(room, "half", config.topic, [agent])
    room.emit("answer", agent, await room.ask(agent, Template("{topic}")(topic=config.topic), "answer"), phase="answer")


def half_done(**parts: Any) -> Protocol:
    whole: dict[str, Any] = {
        "name": "half",
        "about": "One agent answers.",
        "config": Config,
        "play": play,
        "outcome": lambda entries: Outcome(topic=entries[0].content),
        "outcome_model": Outcome,
    }
    return Protocol(**(whole | parts))


def test_a_half_done_protocol_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(outcome: Any, entries: Any) -> Summary:
        raise KeyError("winner")

    monkeypatch.setattr("moot.engine.registry._registered", {})
    half = half_done(summary=broken, about="")
    register(half)
    faults = faults_of(half, tmp_path)
    assert "it has no `about`" in faults
    assert any("could not sum up its debate: KeyError: 'winner'" in fault for fault in faults)


def test_a_protocol_with_the_least_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.registry._registered", {})
    flag = Flag(code="nothing_weighed", text="Nobody weighed the answer.")
    least = half_done(summary=lambda outcome, entries: Summary(headline="Ada answered", flags=[flag]))
    register(least)
    assert faults_of(least, tmp_path) == []


def test_a_failing_renderer_costs_the_report_and_never_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.engine.registry._registered", {})

    def broken(material: Any) -> dict[str, str]:
        raise ZeroDivisionError("in a plug-in")

    model = moot.testing.ScriptedModel({"a/answer": "So."})
    config = moot.RunConfig(
        half_done(documents=broken),
        load_options(model=model.name, out=str(tmp_path), seed=1),
        Config(topic="Is it so?"),
    )
    result = asyncio.run(moot.run(config, models={model.name: model}))
    assert result.status == "done"
    run = result.stored
    assert run.result() == result.document()
    assert "ZeroDivisionError: in a plug-in" in (run.path / "report.md").read_text("utf-8")


def test_what_every_result_says_is_no_field_of_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.registry._registered", {})
    assert {*moot.Result.model_fields, "flags"} - {"outcome"} == RESERVED

    class Overriding(Outcome):
        status: str

    with pytest.raises(moot.ConfigError, match="has a field `status`, which every result has"):
        register(half_done(outcome_model=Overriding))


@pytest.mark.parametrize("name", ["Half", "two words", "", "../up", "half.py", "9", "x" * 50])
def test_a_name_that_is_none_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.registry._registered", {})
    with pytest.raises(moot.ConfigError, match="lower-case letters"):
        register(half_done(name=name))
