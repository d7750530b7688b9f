"""The script that speaks: strict about what it foresees and what is left of it."""

import asyncio
import json
from pathlib import Path

import pytest
import yaml

import moot as api
from moot.errors import ConfigError, Rejected, ServerFault
from moot.models.base import Message, Request
from moot.models.scripted import ScriptedModel, scripted_model
from tests.kit.command import moot, write_debate
from tests.kit.duels import full_script, play, small_config, take_up

pytestmark = pytest.mark.usefixtures("place")


def ask(model: ScriptedModel, key: str, attempt: int = 1) -> str:
    return asyncio.run(model.reply(Request(key, "A", (Message("user", "What?"),), attempt=attempt))).text


def test_a_reply_is_a_text_or_an_object() -> None:
    model = ScriptedModel({"a": "Text – “so”.", "b": {"score": 7, "why": "für"}})
    assert ask(model, "a") == "Text – “so”."
    assert json.loads(ask(model, "b")) == {"score": 7, "why": "für"}
    assert [request.key for request in model.requests] == ["a", "b"]


def test_a_list_is_one_reply_for_each_time() -> None:
    fault = ServerFault("down")
    model = ScriptedModel({"a": ["first", fault, "third"]})
    assert ask(model, "a") == "first"
    with pytest.raises(ServerFault, match="down"):
        ask(model, "a", attempt=2)
    assert ask(model, "a", attempt=2) == "third"
    with pytest.raises(Rejected, match="the script has 3 replies at a, and it was asked once more"):
        ask(model, "a", attempt=3)


def test_text_is_streamed_as_it_is() -> None:
    pieces: list[str] = []
    text = "Two  words\nand a line. "
    model = ScriptedModel({"a": text}, words_per_second=10_000)
    asyncio.run(model.reply(Request("a", "A", (Message("user", "What?"),)), pieces.append))
    assert len(pieces) == 5
    assert "".join(pieces) == text.rstrip()


def test_a_missing_reply_stops_the_debate_and_names_the_call() -> None:
    file = write_debate()
    whole = full_script(2)
    Path("replies.yaml").write_text(yaml.safe_dump({key: whole[key] for key in whole if key != "B/turn/2"}), "utf-8")
    ended = moot("run", str(file), "--json")
    assert ended.code == 1
    document = json.loads(ended.out)
    assert document["status"] == "failed"
    assert document["reason"] == "Bo did not answer at B/turn/2: the script has no reply at B/turn/2"
    Path("replies.yaml").write_text(yaml.safe_dump(whole), "utf-8")
    assert moot("resume", "latest").code == 0


def test_a_reply_that_nobody_asks_for_fails_the_debate_and_is_named() -> None:
    file = write_debate()
    Path("replies.yaml").write_text(yaml.safe_dump(full_script(2) | {"A/turn/3": "Never said."}), "utf-8")
    ended = moot("run", str(file), "--json")
    assert ended.code == 1
    assert "A/turn/3" in json.loads(ended.out)["reason"]
    assert "A/turn/3" in moot("run", str(file)).out


def test_what_was_answered_before_an_interruption_counts_as_used(tmp_path: Path) -> None:
    stopped = play(small_config(tmp_path, max_calls=5), ScriptedModel(full_script(2)))
    assert stopped.status == "limit"
    done = take_up(api.find_run(stopped.run), ScriptedModel(full_script(2)), max_calls=100)
    assert done.status == "done", done.reason


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("A/plan: 5", "the reply at 'A/plan' must be a text, a mapping, or a list of these"),
        ("A/plan: [x, 5]", "the reply at 'A/plan'"),
        ("A/plan:", "the reply at 'A/plan'"),
        ("- x", "must be a mapping"),
        ("", "must be a mapping"),
        ("A/plan: *x", "aliases"),
        ("A/plan: x\nA/plan: y", "stands twice"),
    ],
)
def test_scripts_that_make_no_sense(content: str, words: str, place: Path) -> None:
    (place / "replies.yaml").write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=r"replies\.yaml") as caught:
        scripted_model("replies.yaml")
    assert words in str(caught.value)
