"""A further question to a debate of any kind: its agents are told what it came to, and the new log says so."""

import asyncio
import json
from pathlib import Path

import pytest

import moot
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.record.payloads import Given
from tests.kit.command import empty_place, refused
from tests.kit.command import moot as command
from tests.kit.contract import MODEL, TOPIC, answers_anything
from tests.kit.duels import assert_sound, staged
from tests.kit.shelf import briefed, demonstrated

FURTHER = "And what if the river floods?"


@pytest.mark.parametrize("name", OFFERED)
def test_everybody_is_told_what_a_debate_of_any_kind_came_to(name: str, tmp_path: Path) -> None:
    subject, model = get_protocol(name).subject.key, answers_anything()
    config = moot.configure(name, **{subject: TOPIC}, model=MODEL, seed=1, out=str(tmp_path))
    first = asyncio.run(moot.run(config, models={MODEL: model}, reports=False))
    before = model.requests.copy()
    further = moot.follow_up(first.stored, FURTHER, out=str(tmp_path), seed=1)
    result = asyncio.run(moot.run(further, models={MODEL: model}))
    assert result.status == "done", result.reason
    headline = first.summary.headline.rstrip(".")[1:]
    for request in model.requests[len(before) :]:
        assert headline in request.messages[0].content and TOPIC in request.messages[0].content, request.key
    assert not any("earlier debate" in one.messages[0].content for one in before)
    header, given = result.stored.entries()[:2]
    assert FURTHER in header.content
    assert isinstance(given.data, Given) and given.data.source == f"run {first.stored.name}"
    again = moot.find_run(result.run)
    assert again.config.options.documents == further.options.documents
    assert_sound(again)
    assert headline in (again.path / "report.md").read_text("utf-8")


def test_what_an_earlier_debate_says_is_a_quotation(tmp_path: Path) -> None:
    """Whoever wrote the verdict cannot end the fence around it."""
    run = staged(tmp_path)
    further = moot.follow_up(run, FURTHER, out=str(tmp_path))
    (given,) = further.options.documents
    model = answers_anything()
    config = moot.follow_up(run, FURTHER, model=MODEL, out=str(tmp_path), turns=2)
    asyncio.run(moot.run(config, models={MODEL: model}, reports=False))
    told = model.requests[0].messages[0].content
    mark = told.partition(">>>")[0][-8:]
    assert told.count(f"<<<end {mark}>>>") == 1 and mark not in given.text


def test_the_claim_belongs_to_the_old_question_and_the_rest_is_kept(tmp_path: Path) -> None:
    run = staged(tmp_path)
    further = moot.follow_up(run, FURTHER).content()
    old = run.config.content()
    assert old["claim"] == "It is so." and further.get("claim") is None
    assert further["topic"] == FURTHER
    assert (further["turns"], further["debaters"], further["model"]) == (old["turns"], old["debaters"], old["model"])
    assert moot.follow_up(run, FURTHER, model="fake/other").options.model == "fake/other"


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    command("demo", "council", "--instant")
    assert "no run" in refused("again", "nothing", FURTHER)
    assert "Missing argument" in refused("again", "latest")
    script = Path("replies.yaml")
    ranking = {**dict.fromkeys("ABC", "Alike."), "ranking": ["A", "B", "C"]}
    script.write_text(
        json.dumps(
            {
                **{f"member-{n}/answer": "Then rename it." for n in (1, 2, 3)},
                **{f"member-{n}@rank/ranking": ranking for n in (1, 2, 3)},
                "chairman/final": briefed("Rename it.", follows="A", in_full="Yes."),
            }
        )
    )
    ended = json.loads(command("again", "latest", FURTHER, "-m", "scripted/replies.yaml", "--json").out)
    assert (ended["protocol"], ended["brief"]["answer"]) == ("council", "Rename it.")
    assert ended["spent"]["calls"] == 7
    assert "The outcome of an earlier debate" in command("show", ended["run"]).out


def test_what_belongs_to_the_old_question_is_not_kept(tmp_path: Path) -> None:
    """The right answer of one question is not that of another, and neither is a required one."""
    overseen, _ = demonstrated("oversight", tmp_path)
    old, further = overseen.stored.config.content(), moot.follow_up(overseen.stored, FURTHER).content()
    assert old["right"] == old["other"]
    assert not any(further.get(key) == old[key] for key in ("right", "one", "other"))
    assert further["passage"] == old["passage"], "the text is what both questions are about"
    told = moot.follow_up(overseen.stored, FURTHER).options.documents[0].text
    assert "Right" not in told and "100%" not in told, "a judge of the same text is not told who was right about it"
    assert not any(line.strip() in told for line in old["passage"].splitlines() if line.strip())
    agreed, _ = demonstrated("multiagent", tmp_path, require=["Day 8"])
    assert not moot.follow_up(agreed.stored, FURTHER).content().get("require")
    panel = moot.configure("panel", idea="Let us move.\n", truth="accept", model=MODEL, seed=1, out=str(tmp_path))
    decided = asyncio.run(moot.run(panel, models={MODEL: answers_anything()}, reports=False))
    further = moot.follow_up(decided.stored, FURTHER).content()
    assert "submitted" in decided.stored.config.content()
    assert not further.keys() & {"truth", "submitted"}
