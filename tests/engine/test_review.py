"""Findings of any protocol: the engine keeps the places that are in the subject, and no others."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

import moot
from moot.api import Entry, Protocol, Room, Template, TopicConfig, introduce
from moot.engine.define.capabilities import Reviews
from moot.present import Finding, Where
from moot.testing import ScriptedModel
from tests.kit.hands import registered
from tests.kit.shelf import demonstrated

PLAN = "Stop the service.\nCopy the files.\nStart it."


class Outcome(BaseModel):
    topic: str


async def play(room: Room, config: TopicConfig) -> None:
    await introduce(room, "checklist", config.topic, [room.agent("reader", "Reader", Template("You read.")())])


def findings(_: Outcome, __: Sequence[Entry]) -> list[Finding]:
    places = [Where(quote="Copy the files."), Where(quote="Delete the files."), Where(line=3), Where(line=9)]
    one = Finding(id="1", claim="Nobody checks the copy.", severity="grave", where=places, raised_by=["Reader"])
    return [one, one.model_copy(update={"id": "2", "where": [Where(file="plan.md")]})]


def test_a_protocol_of_a_plug_in_has_findings_at_places_that_are_checked(tmp_path: Path) -> None:
    checklist = Protocol(
        "checklist",
        "It checks.",
        TopicConfig,
        play,
        lambda _: Outcome(topic=PLAN),
        Outcome,
        capabilities=(Reviews(findings),),
    )
    model = ScriptedModel({})
    with registered(checklist):
        config = moot.configure("checklist", topic=PLAN, model=model.name, out=str(tmp_path))
        result = asyncio.run(moot.run(config, models={model.name: model}))
        comment = asyncio.run(moot.export(result.stored, "comment"))
    assert [str(one) for one in result.findings[0].where] == ["line 2", "line 3"]
    assert result.findings[1].place == "no place found"
    assert "- **line 2, line 3** grave: Nobody checks the copy." in comment


def test_attacks_of_a_red_team_are_findings(tmp_path: Path) -> None:
    attack = {"thought": "x", "quote": "nowhere in it", "attack": "It fails.", "severity": "grave", "change": "Wait."}
    result, _ = demonstrated("redteam", tmp_path, {"red/attack/1": attack})
    first = result.findings[0]
    assert (first.claim, first.change, first.place, first.state) == ("It fails.", "Wait.", "no place found", "mended")
    assert (first.raised_by, first.confirmed_by, first.blocks) == (["Red team"], ["Blue team"], True)
    assert [one.state for one in result.findings] == ["mended", "mended", "accepted"]
