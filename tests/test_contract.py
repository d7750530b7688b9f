"""Every protocol in every face: the same headline and the same flags."""

import asyncio
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from rich.console import Console

import moot
from moot import api
from moot.api import Payload, Protocol, Room, Template, introduce, register
from moot.cli.summary import print_summary
from moot.engine.define.capabilities import OwnDocuments
from moot.engine.define.layers import load_options
from moot.engine.define.plain import plain_summary
from moot.engine.define.protocol import RESERVED
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import BUILT_IN, OFFERED
from moot.present import Flag, Summary
from tests.kit.contract import MODEL, TOPIC, answers_anything, faults_of


@pytest.mark.parametrize("name", OFFERED)
def test_every_face_shows_the_same(name: str, tmp_path: Path) -> None:
    assert faults_of(get_protocol(name), tmp_path) == []


@pytest.mark.parametrize("name", OFFERED)
def test_documents_made_at_the_end_are_those_made_from_the_files(name: str, tmp_path: Path) -> None:
    """At its end, a debate is still in memory, and is not read again."""
    subject = {get_protocol(name).subject.key: TOPIC}
    config = moot.configure(name, **subject, model=MODEL, seed=1, out=str(tmp_path))
    run = asyncio.run(moot.run(config, models={MODEL: answers_anything()})).stored
    made = {one.name: one.read_bytes() for one in run.path.iterdir() if one.is_file()}
    asyncio.run(moot.rebuild(run))
    assert {one.name: one.read_bytes() for one in run.path.iterdir() if one.is_file()} == made
    assert "report.html" in made


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


def test_a_protocol_has_few_fields_and_capabilities_that_the_docs_explain() -> None:
    assert len(fields(Protocol)) <= 15
    page = (Path(__file__).parents[1] / "docs/protocols.md").read_text("utf-8")
    used = {type(one) for name in BUILT_IN for one in get_protocol(name).capabilities}
    assert [kind.__name__ for kind in used if f"`{kind.__name__}`" not in page] == []
    for names in (api.__all__, api.capabilities.__all__, api.studies.__all__):
        assert [name for name in names if f"`{name}`" not in page] == []
    for name in BUILT_IN:
        capabilities = get_protocol(name).capabilities
        assert len({type(one) for one in capabilities}) == len(capabilities), f"{name} has one of a kind"


def test_a_half_done_protocol_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(outcome: Any, entries: Any) -> Summary:
        raise KeyError("winner")

    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    half = half_done(summary=broken, about="")
    register(half)
    faults = faults_of(half, tmp_path)
    assert "it has no `about`" in faults
    assert any("could not sum up its debate: KeyError: 'winner' (test_contract.py, line " in fault for fault in faults)


def test_what_every_result_says_is_no_field_of_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    assert {*moot.Result.model_fields, "brief", "flags"} - {"outcome"} == RESERVED

    class Overriding(Outcome):
        status: str

    with pytest.raises(moot.ConfigError, match="has a field `status`, which every result has"):
        register(half_done(outcome_model=Overriding))


@pytest.mark.parametrize("name", ["Half", "two words", "", "../up", "half.py", "9", "x" * 50])
def test_a_name_that_is_none_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    with pytest.raises(moot.ConfigError, match="lower-case letters"):
        register(half_done(name=name))


class Odd(Outcome):
    model_config = {"arbitrary_types_allowed": True}

    what: Any = object()


class Hiding(Outcome):
    status: str = "limit"
    run: str = "/etc"


def writing(files: dict[str, Any]) -> dict[str, Any]:
    return {"capabilities": (OwnDocuments(lambda material: files),)}


@pytest.mark.parametrize(
    "parts",
    [
        {"summary": lambda outcome, entries: None},
        {"summary": lambda outcome, entries: "Ada answered"},
        {"summary": lambda outcome, entries: Summary.model_construct(headline=7)},
        {"summary": lambda outcome, entries: Summary(headline="half a \ud83d")},
        {"summary": lambda outcome, entries: Summary(headline="x", flags=[Flag(code="x", text="half a \ud83d")])},
        {"summary": lambda outcome, entries: dict[str, Any]()["half a \ud83d"]},
        {"outcome": lambda entries: {"topic": "x"}},
        {"outcome": lambda entries: None},
        {"outcome": lambda entries: Odd(topic="x")},
        {"outcome": lambda entries: Hiding(topic="x")},
        {"sections": lambda material: 1 / 0},
        {"sections": lambda material: [None]},
        {"lines": lambda: 1 / 0},
        {"lines": lambda: lambda entry: "a line"},
        writing({"config.yaml": "", "log.jsonl": "", "../out.txt": "x", "sub/x.md": "x"}),
        writing({"fine.md": b"bytes", "good.md": "text"}),
    ],
)
def test_nonsense_of_a_plug_in_costs_no_result(
    parts: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    model = moot.testing.ScriptedModel({"a/answer": "So."})
    options = load_options(model=model.name, out=str(tmp_path / "runs"), seed=1)
    config = moot.RunConfig(half_done(**parts), options, Config(topic="Is it so?"))
    result = asyncio.run(moot.run(config, models={model.name: model}))
    assert result.status == "done"
    assert result.stored.result() == result.document()
    assert (result.document()["run"], result.document()["status"]) == (result.run, "done")
    if "summary" in parts or "outcome" in parts:
        assert "summary_failed" in [flag.code for flag in result.flags]
    assert "Is it so?" in (result.stored.path / "report.html").read_text("utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"runs"}
    assert moot.verify(result.stored).faults == []
    assert terminal_of(result)


def terminal_of(result: moot.Result) -> str:
    console = Console(file=StringIO(), width=100, color_system=None)
    print_summary(result, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


class Weighed(Payload):
    weight: int


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (None, "introduces nobody"),
        ("other", "introduces itself as 'other': give `introduce` the name 'half'"),
        ("half", "add 'answer': Weighed to the `payloads`"),
    ],
)
def test_a_script_that_breaks_its_word_is_refused_before_anything_is_paid(
    name: str | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})

    async def unknown(room: Room, config: Config) -> None:
        agent = room.agent("a", "Ada", Template("You answer.")())
        if name is not None:
            await introduce(room, name, config.topic, [agent])
        reply = await room.ask(agent, Template("So?")(), "answer")
        if name is not None:
            room.emit("answer", agent, reply, phase="answer", data=Weighed(weight=1) if name == "half" else None)

    model = moot.testing.ScriptedModel({"a/answer": "So."})
    options = load_options(model=model.name, out=str(tmp_path / "runs"), seed=1)
    config = moot.RunConfig(half_done(play=unknown), options, Config(topic="Is it so?"))
    for staged in (moot.run(config, models={model.name: model}), moot.plan(config)):
        with pytest.raises(moot.ConfigError, match=told):
            asyncio.run(staged)
    assert model.requests == [] and not (tmp_path / "runs").exists()


def test_a_protocol_of_ones_own_takes_no_name_of_moots(tmp_path: Path) -> None:
    model = moot.testing.ScriptedModel({})
    options = load_options(model=model.name, out=str(tmp_path), seed=1)
    config = moot.RunConfig(half_done(name=OFFERED[0]), options, Config(topic="Is it so?"))
    with pytest.raises(moot.ConfigError, match="comes with moot"):
        asyncio.run(moot.run(config, models={model.name: model}))
    assert list(tmp_path.iterdir()) == []


def test_an_outcome_without_a_summary_is_listed_or_left_undecided() -> None:
    class Counted(BaseModel):
        topic: str
        ups: int
        votes: list[int]

    class Decided(BaseModel):
        decision: str | None

    counted = plain_summary(Counted(topic="So?", ups=2, votes=[1]), [])
    assert (counted.headline, counted.reached) == ("The protocol gives no summary", "Ups 2, votes ….")
    nothing = plain_summary(Decided(decision=None), [])
    assert (nothing.headline, nothing.decided) == ("Nothing was decided", False)
    assert plain_summary(Decided(decision="Tea"), []).headline == "Tea"


class Asked(BaseModel):
    question: str


async def answer(room: Room, config: Asked) -> None:
    await play(room, Config(topic=config.question))


def test_a_config_without_its_subject_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    with pytest.raises(moot.ConfigError, match=r"has no field `topic`.*add `topic: str` to it, or say which field"):
        register(half_done(config=Asked))
