"""Nobody sees what is not theirs: a canary in every reply, looked for in every request of everybody else, and in all
that is made for others to read."""

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import moot
from moot.deliver.delivery import as_text
from moot.engine.define.shipped import OFFERED
from moot.engine.outcome.material import gather
from moot.engine.play.agent import part_of
from moot.engine.play.exchanges import SUMMARISE
from moot.models.scripted import open_demo
from moot.pipelines.documents import DOCUMENTS
from moot.publish.folder import publish
from moot.testing import Scripted, ScriptedModel
from moot.web.plain_text import outcome_to_text, paragraphs
from tests.kit.assistants import call, served
from tests.kit.chaired import config_of, model_of
from tests.kit.examples import examples
from tests.kit.shelf import demo_config

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


PLANTED = re.compile(r"zq\d+q")


@dataclass
class Planting:
    """A model with a canary in every text that it gives, but for a quotation or a choice."""

    inner: moot.Model
    count: int = 0
    name: str = field(init=False)
    small: bool = False
    context_window: int | None = None

    def __post_init__(self) -> None:
        self.name = self.inner.name

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Any = None) -> moot.ModelReply:
        del on_text
        given = await self.inner.reply(request)
        if request.schema is not None:
            planted = json.dumps(self._planted(json.loads(given.text), request.schema, request.schema))
        else:
            planted = given.text if request.key.endswith("confirm") else self._marked(given.text)
        return replace(given, text=planted)

    def _marked(self, text: str) -> str:
        self.count += 1
        return f"{text} zq{self.count}q"

    def _planted(self, value: Any, schema: dict[str, Any], root: dict[str, Any]) -> Any:
        if "$ref" in schema:
            return self._planted(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
        if "anyOf" in schema and value is not None:
            return self._planted(value, schema["anyOf"][0], root)
        if isinstance(value, dict):
            inner = schema.get("properties", {})
            kept = ("quote", "claim", "url", "choice")
            return {
                key: one if key in kept else self._planted(one, inner.get(key, {}), root) for key, one in value.items()
            }
        if isinstance(value, list):
            return [self._planted(one, schema.get("items", {}), root) for one in value]
        bound = {"enum", "const", "pattern", "maxLength"} & schema.keys()
        return self._marked(value) if isinstance(value, str) and (not bound or bound == {"maxLength"}) else value


def shown_to_others(run: moot.Run, folder: Path) -> Iterator[tuple[str, str]]:
    """All that is made of a debate for people who did not hold it."""
    asyncio.run(publish([run], folder / "site"))
    yield "the site", "".join(path.read_text("utf-8") for path in (folder / "site").iterdir())
    for form in (*DOCUMENTS, "brief", "brief-json", "adr"):
        yield form, asyncio.run(moot.export(run, form))
    result = asyncio.run(moot.result_of(run))
    paragraph = paragraphs(run.config.protocol)
    said = map(paragraph, run.entries())
    yield "a chat", "".join(said) + outcome_to_text(gather(run, result), "https://here.example")
    yield "a delivery", as_text(run, result, "key")
    told: dict[str, str] = {}

    async def ask() -> None:
        async with served(run.path.parent) as client:
            told["an assistant that follows"] = str(await call(client, "follow_debate", run=run.name))
            told["the report for assistants"] = str(await client.read_resource(f"moot://runs/{run.name}/report.md"))

    asyncio.run(ask())
    yield from told.items()


@pytest.mark.parametrize("protocol", OFFERED)
def test_what_nobody_was_told_is_in_nothing_that_is_made_for_others(protocol: str, tmp_path: Path) -> None:
    """An answer may say why: what its summary has is public."""
    model = Planting(model_of({}) if protocol == "chaired" else open_demo(protocol))
    out = tmp_path / "runs"
    config = config_of(tmp_path, out=str(out)) if protocol == "chaired" else demo_config(protocol, out)
    result = asyncio.run(moot.run(config, models={model.name: model}))
    assert result.status == "done", result.reason
    run = result.stored
    public = set(PLANTED.findall(result.summary.model_dump_json()))
    for entry in run.entries():
        if entry.to == "all":
            public |= set(PLANTED.findall(entry.model_dump_json()))
    assert public
    for face, text in shown_to_others(run, tmp_path):
        assert set(PLANTED.findall(text)) <= public, face
