"""Addresses that proposals cite are looked up, on a web of its own."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.arena.payloads import HollowChallenge, SourcesChecked
from moot.testing import Scripted, ScriptedModel
from tests.kit import clock
from tests.kit.arenas import CAST, HOLLOW, TASK, outcome, payloads, plain_reply, proposal, revision
from tests.kit.duels import assert_sound
from tests.kit.pages import SENTENCE, running


def debated(folder: Path, **settings: Any) -> tuple[moot.Result, dict[str, int], str]:
    """Ada cites a page that is there, and quotes it; Bo one that is gone; Cy one that may not be read."""

    async def debate() -> tuple[moot.Result, dict[str, int], str]:
        async with running() as web:
            said = {
                "ada": f"Close the streets: {web.url('/good')} says “{SENTENCE}”",
                "bo": f"Open the streets: {web.url('/status/404')}.",
                "cy": f"Dig tunnels: {web.url('/status/403')} has it.",
            }

            def reply(request: moot.Request) -> Scripted:
                part = request.agent.partition("@")[0]
                match request.key.split("/")[1:]:
                    case ["propose", *_]:
                        return proposal(f"{HOLLOW} {said[part]}", said[part][:12])
                    case ["revise", *_]:
                        return {**revision(f"{HOLLOW} {said[part]}"), "decision": said[part][:12]}
                return plain_reply(request)

            model = ScriptedModel(reply)
            given: dict[str, Any] = {
                "model": model.name,
                "out": str(folder),
                "seed": 1,
                "revision_rounds": 1,
                **CAST,
                **settings,
            }
            result = await moot.arena(TASK, models={model.name: model}, **given)
            return result, dict(web.asked), web.url("")

    return clock.run(debate())


@pytest.mark.usefixtures("reports_are_read")
def test_what_is_cited_is_looked_up_once_and_counts_if_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOOT_ALLOW_LOOPBACK_FETCH", "1")
    result, asked, base = debated(tmp_path, check_sources=True, trickster=True, convergence_threshold=0.1)
    assert result.status == "done", result.reason
    (found,) = payloads(result, SourcesChecked)
    assert {one.url.removeprefix(base): one.found for one in found.sources} == {
        "/good": True,
        "/status/404": False,
        "/status/403": None,
    }
    assert asked == {"/good": 1, "/status/404": 2, "/status/403": 1}, "what seems not to exist is looked at twice"
    evidence = outcome(result).evidence
    assert {name: (one.sources, one.absent) for name, one in evidence.items()} == {
        "Ada": (1, 0),
        "Bo": (0, 1),
        "Cy": (1, 0),
    }
    assert evidence["Ada"].quality > evidence["Bo"].quality
    assert "sources_absent" in [flag.code for flag in result.flags]
    gaps = [gap for one in payloads(result, HollowChallenge) for asked in one.questions for gap in asked.gaps]
    assert f"cites {base}/status/404, which does not exist" in gaps
    assert "Evidence of the proposals" in (Path(result.run) / "report.md").read_text("utf-8")
    assert_sound(moot.find_run(result.run))


def test_nothing_is_looked_up_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_ALLOW_LOOPBACK_FETCH", "1")
    result, asked, _ = debated(tmp_path)
    assert (asked, payloads(result, SourcesChecked)) == ({}, [])
    assert "sources_absent" not in [flag.code for flag in result.flags]
