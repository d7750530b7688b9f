"""A panel's run: taken up wherever it stopped, nobody shown what is not theirs, forked, and told apart when altered."""

import asyncio
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import take_up
from tests.kit.panels import IDEA, PANELLISTS, labels, outcome, panel, plain, rules, script_of

CANARY = re.compile(r"canary\[([^\]]+)\]")
MODIFY: dict[str, Any] = labels(*["modify"] * 4) | rules("modify", modifications_required=["Make it small."])


@pytest.mark.usefixtures("reports_are_read")
def test_a_limit_keeps_what_there_is(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, max_calls=6)
    assert result.status == "limit"
    assert (outcome(result).decision, outcome(result).rounds_taken) == (None, 2)
    run = moot.find_run(result.run)
    assert "No decision yet" in (run.path / "report.html").read_text("utf-8")
    assert take_up(run, ScriptedModel(plain), max_calls=9).status == "done"


def test_nobody_is_sent_what_is_not_theirs(tmp_path: Path) -> None:
    """A position may be read by the others in the rounds after its own (or, in round 1, later in it); no private
    reply, no reply of the panel on another version, and no failed try ever leaves its author."""
    tries: Counter[str] = Counter()

    def script(request: moot.Request) -> Scripted:
        tries[request.key] += 1
        canary = f"canary[{request.key}#{tries[request.key]}]"
        if request.key.startswith("pragmatist/") and tries[request.key] == 1:
            return f"no JSON, but a {canary}"
        reply = script_of(MODIFY)(request)
        assert isinstance(reply, dict)
        field = next(name for name in ("claim", "reasoning", "idea") if name in reply)
        return {**reply, field: f"{reply[field]} {canary}", "unasked": f"canary[{request.key}/unasked#1]"}

    model = ScriptedModel(script)
    given: Any = {"model": model.name, "models": {model.name: model}, "out": str(tmp_path), "seed": 1, "full": True}
    result = asyncio.run(moot.panel(IDEA, **given))
    assert outcome(result).decision == "accept"
    assert len(outcome(result).revisions) == 2
    heard = set()
    for request in model.requests:
        for message in request.messages:
            for key in CANARY.findall(message.content):
                agent, place, attempt = key.partition("/")[0], key.partition("/")[2], key.rpartition("#")[2]
                if agent == request.agent:
                    continue
                heard.add((request.key, key))
                if agent == "reviser":
                    assert "@2" in request.agent
                    continue
                assert agent.partition("@")[2] == request.agent.partition("@")[2], "another version's panel"
                assert "unasked" not in key
                assert attempt == ("2" if agent == "pragmatist" else "1")
                assert place.startswith("round/")
                assert is_earlier(agent, int(place.split("/")[1].partition("#")[0]), request.key)
    assert ("advocate/round/1", "critic/round/1#1") in heard
    assert ("validator@2/rule/2", "innovator@2/round/2#1") in heard


def is_earlier(agent: str, number: int, reader: str) -> bool:
    who, step, at = reader.split("/")
    if step != "round":
        return number <= int(at)
    before = PANELLISTS.index(agent.partition("@")[0]) < PANELLISTS.index(who.partition("@")[0])
    return number < int(at) or (number == int(at) == 1 and before)
