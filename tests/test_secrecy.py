"""Nobody sees what is not theirs: a canary in every reply, looked for in every request of everybody else."""

import asyncio
import re
import tempfile
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

import moot
from moot.engine.play.agent import part_of
from moot.engine.play.exchanges import SUMMARISE
from moot.testing import Scripted, ScriptedModel
from tests.kit.examples import examples

CANARY = re.compile(r"canary\[([^\]]+)\]")
DEBATER = {"personality": "p", "position": "q", "instructions": "i"}
JUDGE = {"name": "Kim", "personality": "p", "judging_criteria": "c"}


def owner(key: str) -> str:
    return part_of(key.partition("/")[0])


def is_public(key: str) -> bool:
    return bool(re.fullmatch(r"[AB]/turn/\d+", key))


@st.composite
def debates(draw: st.DrawFn) -> dict[str, Any]:
    """Duels of all kinds: with and without judge and claim, short forms, small windows, bad and doubled replies."""
    return {
        "turns": draw(st.integers(2, 5)),
        "claim": draw(st.sampled_from([None, "It is so."])),
        "judge": draw(st.sampled_from([None, JUDGE])),
        "small": draw(st.booleans()),
        "window": draw(st.sampled_from([None, 1500, 2200])),
        "bad": draw(st.sets(st.sampled_from(["judge/score/1", "judge/score/2", "judge@verdict/extract"]))),
        "words": draw(st.integers(1, 60)),
    }


def play(debate: dict[str, Any], folder: str) -> tuple[moot.Result, list[moot.Request]]:
    asked: dict[str, int] = {}

    def script(request: moot.Request) -> Scripted:
        asked[request.key] = asked.get(request.key, 0) + 1
        canary = f"canary[{request.key}]"
        words: int = debate["words"]
        if request.key in debate["bad"] and asked[request.key] < 3:
            return f"no JSON here, but a {canary}"
        match request.key.split("/"):
            case [_, "score", _]:
                return {"score": 5, "reasoning": canary}
            case [_, "frame"]:
                return {"question": "Is it so?", "kind": "open"}
            case [_, "extract"]:
                return {"winner": "Ada", "scores": {"Ada": 6, "Bo": 5}, "secret": canary}
            case [_, "confirm"]:
                return f"Ada {canary}"
            case _:
                return f"{canary} " + " ".join(f"word{number}" for number in range(words))

    model = ScriptedModel(script, small=debate["small"], context_window=debate["window"])
    cast = {"debaters": [{"name": "Ada", **DEBATER}, {"name": "Bo", **DEBATER}], "judge": debate["judge"]}
    result = asyncio.run(
        moot.duel(
            "Is it so?",
            claim=debate["claim"],
            turns=debate["turns"],
            model=model.name,
            models={model.name: model},
            out=folder,
            seed=1,
            max_reply_tokens=100,
            **cast,
        )
    )
    return result, model.requests


@examples(15)
@given(debates())
@example(
    {
        "turns": 5,
        "claim": None,
        "kind": "open",
        "judge": JUDGE,
        "small": False,
        "window": 1500,
        "bad": set(),
        "words": 42,
    }
)
def test_no_agent_is_sent_what_is_not_its_own(debate: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        result, requests = play(debate, folder)
        assert result.status == "done"
        heard = set()
        for request in requests:
            for message in request.messages:
                for key in CANARY.findall(message.content):
                    assert owner(key) == part_of(request.agent) or is_public(key), f"{request.key} was sent {key}"
                    heard.add((request.agent, key))
        # The net has to hold something: the other side's statements did arrive.
        assert ("B", "A/turn/1") in heard
        assert debate["judge"] is None or ("judge", "B/turn/2") in heard
        # Nor does the judge see a prompt that was written for a debater.
        # (but for the engine's own request for a summary, which is the same for everybody).
        own = {SUMMARISE().text("", small=small) for small in (True, False)}
        prompts = {
            message.content for one in requests if part_of(one.agent) != "judge" for message in one.messages
        } - own
        for request in requests:
            if part_of(request.agent) == "judge":
                assert not prompts & {message.content for message in request.messages}


@examples(10)
@given(debates())
def test_what_an_agent_saw_can_be_read_back_exactly(debate: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        result, requests = play(debate, folder)
        run = moot.find_run(result.run)
        for agent in ("A", "B", "judge")[: 3 if debate["judge"] else 2]:
            for entry in run.entries():
                if entry.call is None or owner(entry.call) != agent:
                    continue
                sent = [request for request in requests if request.key == entry.call][-1]
                assert moot.seen_by(run, agent, entry.seq)[:-1] == list(sent.messages)
        assert moot.verify(run).faults == []
        assert asyncio.run(moot.replay(run)).differences == []
