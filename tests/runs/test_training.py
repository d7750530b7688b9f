"""Runs as data for training: conversations as they were sent, and pairs that a judge or a vote bears."""

import json
from pathlib import Path
from typing import Any

import pytest

import moot as api
from moot.engine.define.preferences import from_ballots
from moot.models.scripted import open_demo
from moot.protocols.council import Ranking
from moot.record.journal import conversations
from tests.kit.arenas import arena
from tests.kit.chaired import config_of, model_of
from tests.kit.command import empty_place, moot, refused
from tests.kit.duels import ahead, duel, play
from tests.kit.shelf import demo_config, demonstrated


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return empty_place(tmp_path, monkeypatch)


def exported(form: str, run: Any, *options: str) -> tuple[list[dict[str, Any]], str]:
    ended = moot("export", str(run), "--to", form, *options)
    assert ended.code == 0, ended.err
    return [json.loads(line) for line in ended.out.splitlines()], ended.err


def test_conversations_are_those_that_were_sent() -> None:
    result, model = duel("runs")
    found, told = exported("chat", result.run, "--private")
    assert {one["agent"] for one in found} == {"Ada", "Bo", "Kim"}
    assert f"{len(found)} conversations of 1 run" in told
    requests = {record.key: request for record, request in conversations(result.stored.records())}
    [ada] = [one for one in found if one["part"] == "A"]
    last = [record for record in result.stored.records() if record.agent == "A"][-1]
    sent = [{"role": one.role, "content": one.content} for one in requests[last.key]]
    assert ada["messages"] == [*sent, {"role": "assistant", "content": last.reply}]
    assert [one["role"] for one in ada["messages"][:3]] == ["system", "user", "assistant"]
    assert (ada["model"], ada["protocol"], ada["topic"]) == (model.name, "duel", "Is it so?")


def test_private_thoughts_are_left_out_unless_they_are_asked_for() -> None:
    result, _ = duel("runs")
    private = [entry.content for entry in result.stored.entries() if entry.to != "all"]
    assert private
    public, whole = (
        json.dumps(exported("chat", result.run, *more)[0], ensure_ascii=False) for more in ([], ["--private"])
    )
    for text in private:
        assert text not in public
        assert text in whole
    assert "Statement 1, by A." in public
    thoughtful, _ = demonstrated("socratic", "runs")
    lines, _ = exported("chat", thoughtful.run)
    assert lines
    assert not any(
        '"thought"' in one["content"] for line in lines for one in line["messages"] if one["role"] == "assistant"
    )
    assert '\\"thought\\"' in json.dumps(exported("chat", thoughtful.run, "--private")[0])
    assert "--private is for --to chat" in refused("export", str(result.run), "--to", "md", "--private")


@pytest.mark.parametrize(
    "form",
    [
        "```json\n{}\n```",
        "This is my answer: {}",
        "{{'Thought': 'SECRET', 'question': 'Is it always so?'}}",
        '{{"question": "Is it always so?", "thought": "SECRET",}}',
        '{{"inner": {{"thought": "SECRET"}}, "question": "Is it always so?"}}',
    ],
)
def test_no_thought_is_told_however_a_reply_writes_it(form: str) -> None:
    """The engine takes all of these, or asks again: neither makes a thought public."""
    proper = {"thought": "SECRET", "question": "Is it always so?"}
    result, _ = demonstrated("socratic", "runs", {"questioner/question/1": [form.format(json.dumps(proper)), proper]})
    assert "SECRET" in json.dumps(exported("chat", result.run, "--private")[0])
    public = json.dumps(exported("chat", result.run)[0])
    assert "Is it always so?" in public
    assert "SECRET" not in public


def test_nobody_preferred_what_a_demonstration_says() -> None:
    result, _ = demonstrated("council", "runs")
    pairs, told = exported("preferences", result.run)
    assert pairs == []
    assert "of a demonstration" in told


def test_a_verdict_prefers_the_case_of_the_winner() -> None:
    result, _ = duel("runs", ahead(4), turns=4)
    [pair], told = exported("preferences", result.run)
    assert (pair["chosen_from"], pair["rejected_from"], pair["by"]) == ("Ada", "Bo", "Kim")
    said = {
        name: [one.content for one in result.stored.entries() if (one.type, one.speaker) == ("turn", name)]
        for name in ("Ada", "Bo")
    }
    assert pair["prompt"] == [{"role": "user", "content": "Is it so?"}]
    assert pair["chosen"] == [{"role": "assistant", "content": "\n\n".join(said["Ada"])}]
    assert pair["rejected"] == [{"role": "assistant", "content": "\n\n".join(said["Bo"])}]
    assert "left out" not in told


@pytest.mark.parametrize(
    ("replies", "settings", "told"),
    [
        ({"judge@verdict/confirm": "Both."}, {}, "1 of an unstable verdict"),
        ({"judge@verdict/extract": {"winner": "Ada", "scores": {"Ada": 5, "Bo": 6}}}, {}, "1 of an unstable verdict"),
        ({"judge@verdict/extract": {"winner": "Ada", "scores": {"Ada": 7, "Bo": 7}}}, {}, "1 of which neither was"),
        ({}, {"max_calls": 12}, "1 of a debate that is not finished"),
    ],
)  # fmt: skip
def test_what_nobody_bears_is_left_out_and_counted(replies: Any, settings: Any, told: str) -> None:
    result, _ = duel("runs", replies, **settings)
    pairs, said = exported("preferences", result.run)
    assert pairs == []
    assert f"pairs left out: {told}" in said


def test_votes_prefer_proposals_and_answers() -> None:
    script = open_demo("council")
    script.name = "scripted/replies"
    council = play(demo_config("council", "runs", model=script.name), script)
    pairs, _ = exported("preferences", council.run)
    texts = {entry.speaker: entry.content for entry in council.stored.entries() if entry.type == "answer"}
    assert pairs
    for pair in pairs:
        assert pair["by"] == "votes"
        assert pair["votes"][0] > pair["votes"][1]
        assert pair["chosen"][0]["content"] == texts[pair["chosen_from"]]
    orders = {one.speaker: one.data.order for one in council.stored.entries() if isinstance(one.data, Ranking)}
    for pair in pairs:
        one, other = pair["chosen_from"], pair["rejected_from"]
        counted = [order for voter, order in orders.items() if voter not in (one, other)]
        assert pair["votes"] == [
            sum(order.index(a) < order.index(b) for order in counted) for a, b in ((one, other), (other, one))
        ]
    voted, _ = arena(Path("runs"))
    found, told = exported("preferences", voted.run)
    assert [(one["chosen_from"], one["rejected_from"], one["votes"]) for one in found] == [
        ("Ada", "Bo", [1, 0]),
        ("Ada", "Cy", [1, 0]),
    ], "everybody votes for Ada, and nobody votes on a pair with an own proposal"
    assert "pairs left out: 1 of which neither was preferred" in told


def test_equal_votes_and_own_votes_make_no_pair() -> None:
    texts = {"A": "a", "B": "b", "C": "c"}
    found = from_ballots("?", texts, {"A": ["A", "B", "C"], "B": ["B", "A", "C"], "C": ["A"]})
    assert [(one.chosen, one.rejected, one.votes) for one in found.pairs] == [
        ("a", "b", (1, 0)),
        ("a", "c", (1, 0)),
        ("b", "c", (1, 0)),
    ]
    assert from_ballots("?", texts, {"A": ["A"], "B": ["B"], "C": ["C"]}).pairs == []
    assert from_ballots("?", {"A": "a", "B": "b"}, {"X": ["A"], "Y": ["B"]}).ties == 1


def test_the_chair_prefers_a_case_and_the_rules_prefer_none() -> None:
    cases = {"promoter_case": "A.", "detractor_case": "B.", "answer": "It is so."}
    reasons = [{"reason": "It is so.", "rests_on": [3]}]
    decision = {**cases, "because": reasons, "stronger": "detractor", "outcome": "negative_wins"}
    result = play(config_of(Path().absolute(), out="runs"), model_of({"chair@conclusion/decision": decision}))
    [pair], _ = exported("preferences", result.run)
    assert (pair["chosen_from"], pair["rejected_from"], pair["by"]) == ("detractor", "promoter", "chair")
    draw = play(config_of(Path().absolute(), out="runs"), model_of())
    assert exported("preferences", draw.run)[0] == []


def test_a_folder_of_runs_is_exported_together() -> None:
    duel("all/one", ahead())
    duel("all/two/runs", {"judge@verdict/confirm": "Both."})
    damaged, _ = duel("all/three")
    (api.find_run(damaged.run).path / "config.yaml").write_text("moot: [", "utf-8")
    pairs, told = exported("preferences", "all")
    assert len(pairs) == 1
    assert "1 pairs of 3 runs" in told
    assert "pairs left out: 1 of an unstable verdict" in told
    assert "is left out" in told
    assert moot("export", "all", "--to", "chat", "-o", "chat.jsonl").out == ""
    assert len(Path("chat.jsonl").read_text("utf-8").splitlines()) == 2 * len(
        exported("chat", api.list_runs("all/one")[0].path)[0]
    )
