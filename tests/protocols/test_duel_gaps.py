"""A duel goes on where a model says nothing or declines, and stops only where nothing would be left to judge."""

from pathlib import Path

import pytest

import moot
from moot.errors import EmptyReply, ModelError, Refused
from moot.protocols.duel.payloads import Score, Turn, Verdict
from moot.record.payloads import Gap, Irregular, Switch
from moot.testing import ScriptedModel
from tests.kit.duels import Replies, assert_sound, duel, full_script, play, small_config, take_up
from tests.kit.runs import entries

SILENT = pytest.mark.parametrize("failure", [EmptyReply("no text"), Refused("policy")], ids=["empty", "refused"])
PRIVATE = [
    "A/plan",
    "B/plan",
    "A/think/1",
    "B/think/2",
    "judge/evaluate/1",
    "judge/deliberate",
    "judge@verdict/confirm",
]
SORRY = "I'm sorry, but I can't assist with that."
CARS = "Private cars take 40 % of the room that people need."


def codes(result: moot.Result) -> set[str]:
    return {flag.code for flag in result.flags}


def verdict(result: moot.Result) -> Verdict:
    data = entries(result)[-1].data
    assert isinstance(data, Verdict), result.reason
    return data


def switched(result: moot.Result) -> list[str]:
    return [entry.data.agent for entry in entries(result) if isinstance(entry.data, Switch)]


@SILENT
@pytest.mark.parametrize("key", PRIVATE)
def test_private_words_that_are_missing_are_a_gap(tmp_path: Path, key: str, failure: ModelError) -> None:
    script = full_script(4) | {key: failure}
    if key == "judge/deliberate":  # then name and figures cannot be read from it
        script |= {f"judge/{what}": script.pop(f"judge@verdict/{what}") for what in ("confirm", "extract")}
    result = play(small_config(tmp_path, 4), ScriptedModel(script))
    assert verdict(result).winner == "Ada"
    [gap] = [entry for entry in entries(result) if isinstance(entry.data, Gap)]
    assert isinstance(gap.data, Gap) and (gap.data.call, gap.to) == (key, [])
    assert "replies_missing" in codes(result)
    assert any(str(failure) in one.reason for one in result.failures)
    assert_sound(moot.find_run(result.run))


@SILENT
def test_a_later_statement_that_is_missing_is_neither_quoted_nor_scored(tmp_path: Path, failure: ModelError) -> None:
    script = full_script(4) | {"A/turn/3": failure}
    del script["judge/evaluate/3"], script["judge/score/3"]
    result = play(small_config(tmp_path, 4), ScriptedModel(script))
    assert verdict(result).winner == "Ada"
    turns = [entry for entry in entries(result) if isinstance(entry.data, Turn)]
    assert turns[2].content == "(Ada made no statement at this turn.)"
    assert {"statements_missing", "replies_missing"} <= codes(result)
    assert [one.data.turn for one in entries(result) if isinstance(one.data, Score)] == [1, 2, 4]
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize("key", ["judge/score/2", "judge@verdict/extract", "judge/announce"])
def test_what_the_judge_does_not_give_is_missing_and_the_verdict_stands(tmp_path: Path, key: str) -> None:
    result, _ = duel(tmp_path, {key: Refused("policy")})
    assert verdict(result).winner == "Ada"
    assert any("policy" in one.reason for one in result.failures)
    assert_sound(moot.find_run(result.run))


def test_a_judge_that_never_answers_leaves_a_debate_without_a_winner(tmp_path: Path) -> None:
    script = {key.replace("@verdict", ""): reply for key, reply in full_script(2).items()}
    script |= {key: Refused("policy") for key in script if key.startswith("judge")}
    result = play(small_config(tmp_path, 2), ScriptedModel(script))
    assert (verdict(result).winner, verdict(result).scores) == (None, {"Ada": None, "Bo": None})
    assert entries(result)[-1].content == "(Kim gave no answer.)"


@pytest.mark.parametrize("key", ["A/turn/1", "B/turn/2"])
def test_without_the_first_statement_of_each_there_is_no_debate(tmp_path: Path, key: str) -> None:
    result, _ = duel(tmp_path, {key: Refused("policy")}, turns=4)
    assert result.status == "failed" and "policy" in (result.reason or "")
    assert take_up(moot.find_run(result.run), ScriptedModel(full_script(4))).status == "done"


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({"A/plan": Refused("policy")}, {}, "Statement 1, by A.\nIn two lines."),
        ({"A/turn/1": SORRY, "A/turn/1/declined": {"argues": False}}, {"A/turn/1": ["not asked", CARS]}, CARS),
    ],
    ids=["a refusal", "a soft refusal"],
)
def test_a_fallback_model_comes_before_a_gap(tmp_path: Path, first: Replies, second: Replies, kept: str) -> None:
    models = [
        ScriptedModel({**full_script(2), **replies}, name=f"scripted/{n}") for n, replies in enumerate((first, second))
    ]
    result = play(small_config(tmp_path, model=[model.name for model in models]), *models)
    assert verdict(result).winner == "Ada"
    assert not [entry for entry in entries(result) if isinstance(entry.data, Gap)]
    assert switched(result) == ["Ada"]
    assert kept in [entry.content for entry in entries(result)]
    assert_sound(moot.find_run(result.run))


def test_whoever_declines_twice_has_not_opened(tmp_path: Path) -> None:
    asked = {f"A/turn/1/declined{again}": {"argues": False} for again in ("", "-again")}
    result, _ = duel(tmp_path, {"A/turn/1": [SORRY, SORRY], **asked})
    assert result.status == "failed" and "declined to make a statement" in (result.reason or "")
    assert [one.data.codes for one in entries(result) if isinstance(one.data, Irregular)] == [["declined"]]
    assert_sound(moot.find_run(result.run))


def test_a_short_statement_stands_when_its_author_says_so(tmp_path: Path) -> None:
    short = "Nein, denn ich müsste dafür zahlen."
    result, model = duel(tmp_path, {"B/turn/2": short, "B/turn/2/declined": {"argues": True}})
    assert "A/turn/1/declined" not in {request.key for request in model.requests}, "a figure is an answer"
    assert short in [entry.content for entry in entries(result)]


@pytest.mark.parametrize(
    "sorry",
    ["Sorry, can't help with that.", "This request cannot be fulfilled.", "申し訳ありませんが、お手伝いできません。"],
)
def test_a_refusal_in_any_words_is_asked_about(tmp_path: Path, sorry: str) -> None:
    again = "Whoever repairs 3 roofs a day needs a van, and so private cars."
    replies: Replies = {"B/turn/2": [sorry, again], "B/turn/2/declined": {"argues": False}, "A/turn/1": CARS}
    result, _ = duel(tmp_path, replies, topic="Should cities ban private cars?")
    assert verdict(result).winner == "Ada"
    assert sorry not in [entry.content for entry in entries(result)]
