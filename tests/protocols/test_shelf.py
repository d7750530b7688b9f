"""The protocols of the shelf: one short file each, written as anybody would write one."""

import asyncio
import json
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import SHELF
from moot.engine.define.study import Study
from moot.engine.play.structured import instance_of
from moot.studies.batch import LocalExecutor, create_batch, read_batch, run_batch
from moot.studies.evaluate import Design
from moot.studies.evaluate.dataset import Item
from moot.studies.evaluate.debates import contender
from moot.testing import Scripted, ScriptedModel

DOCS = Path(__file__).parents[2] / "docs"
LONGEST = 400
"""Newcomers copy these files, so they are formatted like everything else, and have the same room."""
IMPORTED = re.compile(r"^(?:from|import) (\S+)", re.MULTILINE)


@pytest.mark.parametrize("name", SHELF)
def test_it_is_one_short_file_over_the_public_api(name: str) -> None:
    found = find_spec(f"moot.protocols.{name}")
    assert found is not None and found.origin is not None
    source = Path(found.origin).read_text("utf-8")
    assert source.count("\n") <= LONGEST
    own = {name.split(".")[1] for name in IMPORTED.findall(source) if name.startswith("moot.")}
    assert own <= {"api", "present", "stats", "text"}
    assert import_module(f"moot.protocols.{name}").PROTOCOL.about == SHELF[name]
    assert f"(#{name.replace('_', '-')})" in (DOCS / "shelf.md").read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in SHELF if get_protocol(name).keys.seats])
def test_each_of_several_models_has_a_seat(name: str, tmp_path: Path) -> None:
    models = ["scripted/one", "scripted/two", "scripted/three", "scripted/four"]
    config = moot.configure(name, topic="Is it so?", model=models, out=str(tmp_path))
    seats = list(asyncio.run(moot.plan(config)).models.values())
    assert [[one] for one in models] == seats[:4]
    assert all(model == models[:1] for model in seats[4:]), "nobody else has one of its own"
    frozen = config.content()
    assert (frozen["models"], frozen["model"]) == (models, models[0])


def test_no_model_is_left_without_a_seat() -> None:
    three = ["scripted/one", "scripted/two", "scripted/three"]
    with pytest.raises(moot.ConfigError, match="3 models do not fit into 2 seats"):
        moot.configure("council", topic="Is it so?", model=three, agents=2)
    with pytest.raises(moot.ConfigError, match="2 models are not enough: it takes 3 participants"):
        moot.configure("delphi", topic="How many?", model=three[:2])
    assert moot.configure("delphi", topic="How many?", model=three[:2], agents=4).debate.agents == 4  # type: ignore[attr-defined]


def test_several_models_are_fallbacks_elsewhere(tmp_path: Path) -> None:
    config = moot.configure("duel", topic="Is it so?", model=["scripted/one", "scripted/two"], out=str(tmp_path))
    assert config.options.model == ["scripted/one", "scripted/two"]


ANSWERING = ("council", "multiagent", "delphi", "hats")
"""Those that answer a question; the others decide between two answers."""


def test_an_evaluation_can_ask_all_of_them() -> None:
    assert all((study := get_protocol(name).get(Study)) and study.asking for name in SHELF)


@pytest.mark.parametrize("name", ANSWERING)
def test_it_can_be_asked_what_has_an_answer(name: str, tmp_path: Path) -> None:
    """An evaluation asks it like every other design, and finds the answer in what it comes to."""
    question = Item(1, "q", "What is two and two?", ("4",), "number")
    one = contender(name)
    config = one.config(question, 1, ("4", "5"), {"model": "scripted/none", "out": str(tmp_path)})
    assert (config.topic, config.content()["answer_form"]) == (question.task, question.form)
    outcome = get_protocol(name).outcome_model
    assert one.read(outcome.model_construct(answer="4"), question, ()).answer == "4"
    assert one.read(outcome.model_construct(answer=None), question, ()).undecided


QUESTION = Item(1, "q", "Is it so?", ("yes",), "boolean", context="It is so, as the keeper wrote.")
CHOSEN: dict[str, list[tuple[dict[str, Any], str | None]]] = {
    "oxford": [({"carried": True}, "yes"), ({"carried": False}, "no"), ({"carried": None}, None)],
    "socratic": [
        ({"verdict": "upheld", "thesis": ""}, "yes"),
        ({"verdict": "withdrawn", "thesis": ""}, "no"),
        ({"verdict": "amended", "thesis": "Only on Mondays.\n\nANSWER: no"}, "no"),
        ({"verdict": None, "thesis": None}, None),
    ],
    "redteam": [({"plan": "It is, after all.\n\nANSWER: no"}, "no"), ({"plan": None}, None)],
    "oversight": [
        ({"answer": "no", "alone": "yes"}, "no"),
        ({"answer": None, "alone": None}, None),
    ],
}
"""What outcomes mean where “yes” is the first of the two answers."""


@pytest.mark.parametrize("name", CHOSEN)
def test_it_can_be_asked_which_of_two_answers_is_right(name: str, tmp_path: Path) -> None:
    one = contender(name)
    config = one.config(QUESTION, 1, ("yes", "no"), {"model": "scripted/none", "out": str(tmp_path)})
    assert "Is it so?" in config.topic
    for fields, answer in CHOSEN[name]:
        outcome = get_protocol(name).outcome_model.model_construct(**fields)
        said = one.read(outcome, QUESTION, ("yes", "no"))
        assert (said.answer, said.undecided) == (answer, answer is None)


def test_the_judge_of_an_oversight_must_not_see_the_context(tmp_path: Path) -> None:
    one = contender("oversight")
    config = one.config(QUESTION, 1, ("yes", "no"), {"model": "scripted/none", "out": str(tmp_path)})
    assert "keeper" not in config.topic and config.content()["passage"] == QUESTION.context


def test_an_evaluation_has_the_judge_with_and_without_debate(tmp_path: Path) -> None:
    file = tmp_path / "quiz.jsonl"
    file.write_text('{"question": "Is it so?", "context": "It is so.", "answer": "yes"}\n')
    model = ScriptedModel(lambda request: instance_of(request.schema or {}), name="scripted/any")
    found = asyncio.run(
        moot.evaluate(
            file,
            ["oversight"],
            Design(baselines=(), seed=1),
            models={model.name: model},
            model=model.name,
            out=tmp_path / "out",
        )
    )
    assert {row.method: row.calls for row in found.rows} == {"oversight": 11, "oversight/first": 1}
    judges = [one for one in model.requests if one.agent.startswith("judge")]
    assert not any("It is so." in message.content for one in judges for message in one.messages)


def test_a_seat_is_given_to_a_model_alone(tmp_path: Path) -> None:
    """A role overrides the model of a seat."""
    model = ScriptedModel({}, name="scripted/none")
    config = moot.configure(
        "council",
        topic="Is it so?",
        model=["scripted/a", "scripted/b"],
        roles={"member-2": model.name},
        out=str(tmp_path),
    )
    assert asyncio.run(moot.plan(config)).models["Member 2"] == [model.name]


def always_four(request: moot.Request) -> Scripted:
    """Whoever is asked says 4, in whatever form it is asked for."""
    if request.schema is None:
        return "Two and two.\n\nANSWER: 4"
    made: dict[str, Any] = instance_of(request.schema)
    return made | {
        key: value
        for key, value in {
            "answer": "4",
            "in_full": "4",
            "low": 4,
            "high": 4,
            "estimate": 4,
            "ranking": ["A", "B", "C"],
        }.items()
        if key in made
    }


def test_an_evaluation_compares_them_at_equal_budgets(tmp_path: Path) -> None:
    file = tmp_path / "quiz.jsonl"
    file.write_text("".join(f'{{"question": "What is {n} less than {n + 4}?", "answer": 4}}\n' for n in (1, 2)))
    names = [name for name in SHELF if name != "oversight"]
    model = ScriptedModel(always_four, name="scripted/four")
    found = asyncio.run(
        moot.evaluate(
            file,
            names,
            Design(baselines=["single"], seed=1),
            models={model.name: model},
            model=model.name,
            out=tmp_path / "out",
        )
    )
    right = {row.method: row.answer for row in found.rows if row.grade == "right"}
    assert right.keys() >= {*names, "single"}
    asked = {one.messages[-1].content for one in model.requests if one.key.endswith(("/answer", "/answer/0"))}
    assert len(asked) == 2, "members, agents and single models are asked each question in the same words"
    alike = {one.debate: one.not_debated for one in found.debated if not one.debated}
    assert alike.keys() == {"oxford", "socratic", "redteam"}, "equal first answers leave nothing to debate"


def test_a_batch_has_their_answers_with_and_without_debate(tmp_path: Path) -> None:
    """The judge alone, the first majority and the first median are what would have been answered without a debate."""
    asked: list[dict[str, Any]] = [
        {"protocol": "oversight", "topic": "Was there oil?", "right": "No", "passage": "There was none.", "rounds": 1},
        {"protocol": "multiagent", "topic": "What is two and two?", "rounds": 1, "answer": "4"},
        {"protocol": "delphi", "topic": "How many are two and two?", "rounds": 2, "answer": "4", "unit": "apples"},
    ]
    file = tmp_path / "many.jsonl"
    file.write_text("".join(json.dumps({"model": "scripted/any", "seed": 1, **one}) + "\n" for one in asked))
    model = ScriptedModel(second_thoughts, name="scripted/any")
    batch = create_batch(read_batch(file), tmp_path / "batch")
    asyncio.run(run_batch(batch, LocalExecutor(3, {model.name: model})))
    found = {row.protocol: row for row in batch.rows()}
    assert [row.status for row in found.values()] == ["done"] * 3
    for row in found.values():
        assert (row.first_correct, row.correct, row.changed_by_debate) == (False, True, True), row.protocol
    with pytest.raises(moot.ConfigError, match="`answer` is 'Perhaps'"):
        file.write_text(json.dumps({**asked[0], "model": "scripted/any", "answer": "Perhaps"}))
        create_batch(read_batch(file), tmp_path / "other")
    with pytest.raises(moot.ConfigError, match="`answer` is 'four'; it should be a number"):
        file.write_text(json.dumps({**asked[2], "model": "scripted/any", "answer": "four"}))
        create_batch(read_batch(file), tmp_path / "words")


def second_thoughts(request: moot.Request) -> Scripted:
    """Wrong at first, right after somebody was heard."""
    made: dict[str, Any] = instance_of(request.schema or {})
    text = request.messages[-1].content
    first = "Nobody has argued" in text or (
        "is round" not in text and request.agent.split("-")[0] in ("agent", "expert")
    )
    number = 4 if not first or request.agent.endswith("-2") else 5
    choice = "A" if ("A: Yes" in text) is first else "B"
    own = {"answer": str(number), "low": number, "high": number, "estimate": number, "choice": choice}
    own["moved_by"] = "The others."
    if request.schema is None:
        return f"So it is.\n\nANSWER: {number}"
    return made | {key: value for key, value in own.items() if key in request.schema["properties"]}


@pytest.mark.parametrize("name", ["council", "hats", "oversight", "redteam", "socratic"])
def test_a_small_model_is_asked_for_a_reason_and_the_answer_alone(name: str, tmp_path: Path) -> None:
    """The other parts of a brief would be filled with anything."""
    model = ScriptedModel(lambda request: instance_of(request.schema) if request.schema else "So it is.", small=True)
    config = moot.configure(name, topic="It is so.", model=model.name, seed=1, out=str(tmp_path))
    result = asyncio.run(moot.run(config, models={model.name: model}, reports=False))
    assert result.status == "done", result.reason
    shapes = [one.schema for one in model.requests if one.schema and "because" in one.schema["properties"]]
    assert all(not {"objection", "agreed", "would_change_it", "next"} & {*one["required"]} for one in shapes)
    assert all(one["properties"]["because"]["items"] == {"type": "string"} for one in shapes)
    assert shapes or name == "redteam", "red has nothing left to check where nothing is mended"
