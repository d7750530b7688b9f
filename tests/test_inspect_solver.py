"""Inspect's own tasks, run by the real package on its mock model, answered by debates."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.kit.waiting import PATIENCE

pytestmark = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="the extra `inspect` is not installed")

# In a process of its own: the package takes seconds to import, and warns about itself.
EVALUATION = r'''
import json, re
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import choice, match
from inspect_ai.solver import prompt_template, system_message, use_tools
from inspect_ai.tool import tool
from moot.inspect_solver import moot_solver
from moot.engine.play.structured import instance_of

DECISIONS = {"France": "ANSWER: Paris", "Spain": "ANSWER: none of them"}
SCHEMA = re.compile(r"JSON Schema:\n(.*)", re.DOTALL)

def reply(messages, tools, tool_choice, config):
    """An arena's agents decide on what the question says, and agree; a duel's judge is for blue."""
    whole = "\n".join(message.text for message in messages)
    asked = SCHEMA.search(messages[-1].text)
    blue = re.search(r"(\w+) holds this answer: B\) blue", whole)
    text = blue[1] if blue else "It is so."
    if asked is not None:
        value = instance_of(json.loads(asked[1]))
        said = [decision for name, decision in DECISIONS.items() if name in whole]
        known = {"decision": said[0] if said else "I cannot say.", "same": "yes", "winner": text}
        text = json.dumps({key: known.get(key, default) for key, default in value.items()})
    output = ModelOutput.from_content("mockllm", text)
    # Left to count tokens by itself, the mock model fetches a table from the network.
    output.usage = ModelUsage(input_tokens=60, input_tokens_cache_read=30, output_tokens=10, total_tokens=100)
    return output

capitals = [Sample(input=f"Capital of {land}?", target=city) for land, city in
            {"France": "Paris", "Spain": "Madrid", "Peru": "Lima"}.items()]
colours = [Sample(input="Colour of the sky?", choices=["red", "blue"], target="B"),
           Sample(input="Colour of blood?", choices=["red", "blue"], target="A")]
tasks = [
    Task(name="arena", dataset=capitals, solver=moot_solver("arena", out="runs"), scorer=match()),
    Task(name="short", dataset=colours[:1], solver=moot_solver("duel", out="runs", max_calls=3), scorer=choice()),
    Task(name="duel", dataset=colours, solver=moot_solver("short.yaml", out="runs"), scorer=choice()),
    Task(
        name="chain",
        dataset=capitals[:1],
        solver=[
            system_message("You are a geographer of note."),
            prompt_template("Think hard. {prompt}"),
            moot_solver("arena", out="chained", revision_rounds=1, max_extra_rounds=0),
        ],
        scorer=match(),
    ),
]
model = get_model("mockllm/model", custom_outputs=reply)
found = {}
for log in eval(tasks, model=model, log_dir="logs", display="none"):
    assert log.status == "success", log.error
    found[log.eval.task] = {
        "accuracy": log.results.scores[0].metrics["accuracy"].value,
        "tokens": log.stats.model_usage["mockllm/model"].total_tokens,
        "samples": [
            {
                "completion": one.output.completion,
                "moot": one.metadata["moot"],
                "calls": len([event for event in one.events if event.event == "model"]),
            }
            for one in log.samples
        ],
    }

@tool
def look_up():
    async def execute(word: str):
        """Look a word up.

        Args:
            word: The word.
        """
        return word
    return execute

picture = ChatMessageUser(content=[ContentText(text="What is this?"), ContentImage(image="data:image/png;base64,AA==")])
unread = [
    Task(name="picture", dataset=[Sample(input=[picture], target="x")], solver=moot_solver("arena", out="unread")),
    Task(name="tools", dataset=capitals[:1], solver=[use_tools(look_up()), moot_solver("arena", out="unread")]),
    Task(name="silent", dataset=[Sample(input=[ChatMessageSystem(content="Hm.")], target="x")],
         solver=moot_solver("arena", out="unread")),
]
logs = eval(unread, model=model, log_dir="logs", display="none")
found["refused"] = {log.eval.task: log.error.message for log in logs}
print(json.dumps(found))
'''


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inspect")


@pytest.fixture(scope="module")
def found(place: Path) -> dict[str, Any]:
    (place / "short.yaml").write_text("protocol: duel\nturns: 2\n", "utf-8")
    command = [sys.executable, "-c", EVALUATION]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    logs: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return logs


def test_a_task_is_answered_by_an_arena(found: dict[str, Any]) -> None:
    arena = found["arena"]
    assert arena["accuracy"] == pytest.approx(1 / 3)
    france, spain, peru = arena["samples"]
    assert france["completion"].endswith("\n\nANSWER: Paris")
    assert france["moot"]["answer"] == "Paris"
    assert spain["completion"].endswith("ANSWER: none of them")
    assert peru["completion"].splitlines()[-1].endswith(", but its answer cannot be read")
    assert peru["moot"]["outcome"] == "unparsable"


def test_choices_are_marked_for_the_choice_scorer(found: dict[str, Any]) -> None:
    duel = found["duel"]
    assert duel["accuracy"] == 0.5
    assert [sample["moot"]["answer"] for sample in duel["samples"]] == ["B", "B"]
    assert duel["samples"][0]["completion"].endswith("ANSWER: B")


def test_a_debate_that_reaches_its_limit_has_no_answer_and_is_no_error(found: dict[str, Any]) -> None:
    (sample,) = found["short"]["samples"]
    assert (sample["moot"]["outcome"], sample["moot"]["answer"], sample["moot"]["calls"]) == ("undecided", None, 3)
    assert sample["completion"] == "No answer: the budget ran out: the limit of 3 calls is reached"


@pytest.mark.parametrize("task", ["arena", "duel"])
def test_every_call_is_inspects_and_is_journalled(found: dict[str, Any], place: Path, task: str) -> None:
    for sample in found[task]["samples"]:
        (run,) = sample["moot"]["runs"]
        journal = (place / run / "calls.jsonl").read_text("utf-8").splitlines()
        replies = [one for one in map(json.loads, journal) if one["kind"] == "reply"]
        assert len(replies) == sample["moot"]["calls"] == sample["calls"] > 5
        assert {one["model"] for one in replies} == {"mockllm/model"}
        # What Inspect counts as read from a cache is part of what was read.
        assert {(one["usage"]["input"], one["usage"]["cached"], one["usage"]["output"]) for one in replies} == {
            (90, 30, 10)
        }
    assert sum(sample["moot"]["tokens"] for sample in found[task]["samples"]) == found[task]["tokens"]


def test_what_earlier_solvers_say_is_part_of_the_question(found: dict[str, Any], place: Path) -> None:
    assert found["chain"]["accuracy"] == 1.0
    run = Path(found["chain"]["samples"][0]["moot"]["runs"][-1])
    config = (place / run / "config.yaml").read_text("utf-8")
    assert "Think hard. Capital of France?" in config
    assert "system: You are a geographer of note." in config
    assert "revision_rounds: 1" in config, "settings go to their protocol"


def test_what_a_debate_cannot_read_is_refused(found: dict[str, Any], place: Path) -> None:
    told = found["refused"]
    assert "a debate reads texts and calls no tools, but the sample has image" in told["picture"]
    assert "but the sample has tools" in told["tools"]
    assert "the sample has no user message" in told["silent"]
    assert not (place / "unread").exists()
