"""Many people at one host: whoever follows is told everything once and in order, whenever they come."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.memory.store import open_store
from moot.service.host import Host, NoSuchRun, TooManyDebates
from moot.service.live import NotAsked
from moot.service.news import Awaiting, Ended, News, Speaking, Written
from moot.testing import ScriptedModel
from tests.kit.arenas import CAST, TASK, script_of
from tests.kit.duels import MODEL, GatedModel, full_script, replied, small_config
from tests.kit.waiting import PATIENCE, until

TURNS = 2
ENTRIES = 4 * TURNS + 5
BEFORE_B = 7
"""Replies before B's first turn: two plans, thought and statement of A, evaluation and score, a thought of B."""


@asynccontextmanager
async def hosted(out: Path | str, *models: moot.Model, at_most: int = 8) -> AsyncIterator[Host]:
    """A host of these models."""
    host = Host(out, at_most, {model.name: model for model in models})
    try:
        yield host
    finally:
        await host.close()


async def heard(news: AsyncIterator[News]) -> list[News]:
    return [one async for one in news]


def written(news: list[News]) -> list[int]:
    return [one.entry.seq for one in news if isinstance(one, Written) and not one.again]


async def test_a_debate_whose_folder_is_deleted_asks_nobody_any_more(tmp_path: Path) -> None:
    deleted = asyncio.Event()
    model = GatedModel(ScriptedModel(full_script(TURNS)), {"B/turn/2": deleted.is_set})
    async with hosted(tmp_path, model) as host:
        name = await host.start(small_config(tmp_path, TURNS))
        following = asyncio.create_task(heard(host.follow(name)))
        await until(lambda: len(replied(host.find(name))) == BEFORE_B)
        shutil.rmtree(tmp_path / name)
        asked = len(model.inner.requests)
        deleted.set()
        ended = (await following)[-1]
        assert isinstance(ended, Ended)
        assert (ended.status, "gone" in str(ended.reason)) == ("failed", True)
        assert len(model.inner.requests) <= asked + 1  # the one that was under way
        assert host.under_way == []
        with pytest.raises(NoSuchRun):
            await host.cancel(name)


async def test_a_person_is_asked_and_answers(out: str) -> None:
    script = {key: reply for key, reply in full_script(TURNS).items() if not key.startswith("B/")}
    async with hosted(out, ScriptedModel(script)) as host:
        name = await host.start(small_config(out, TURNS, roles={"Bo": "human/Robin"}))
        seen, spoken = [], []
        async for news in host.follow(name, seat="Bo"):
            seen.append(news)
            if isinstance(news, Speaking):
                spoken.append(news.agent)
            if isinstance(news, Awaiting) and news.questions:
                (question,) = news.questions
                assert (question.person, question.agent, question.schema) == ("Robin", "Bo", None)
                found = host.live(name)
                assert found is not None
                with pytest.raises(moot.ConfigError, match="empty"):
                    found.answer(question.key, "  ")
                with pytest.raises(NotAsked):
                    found.answer("A/plan", "I am not she.")
                found.answer(question.key, f"Robin at {question.key}.")
        said = {one.entry.call: one.entry.content for one in seen if isinstance(one, Written)}
        assert said["B/turn/2"] == "Robin at B/turn/2."
        # From Bo's seat there is nothing of what Ada or the judge think, neither written nor while they think it.
        assert "Ada plans" not in str(seen)
        assert "Thought 1 of A." not in str(seen)
        assert set(spoken) == {"Bo"}
        assert seen[-1] == Ended("done", None)
        everything = await heard(host.follow(name))
        assert "Ada plans" in str(everything)


async def test_who_came_while_another_process_had_the_run_is_asked_once_it_is_ours(out: str) -> None:
    script = {key: reply for key, reply in full_script(TURNS).items() if not key.startswith("B/")}
    async with hosted(out, ScriptedModel(script)) as host:
        name = await host.start(small_config(out, TURNS, roles={"Bo": "human/Robin"}))
        async for news in host.follow(name):
            if isinstance(news, Awaiting) and news.questions:
                break
        await host.cancel(name)
        found = host.find(name)
        with found.hold():
            following = host.follow(name)
            told = [await anext(following) for _ in found.entries()]
        await host.resume(name)
        async for news in following:
            told.append(news)
            if isinstance(news, Awaiting) and news.questions:
                break
        assert written(told) == list(range(len(found.entries())))
        assert isinstance(told[-1], Awaiting)
        assert [one.person for one in told[-1].questions] == ["Robin"]


@dataclass(frozen=True)
class Broken:
    """A model with a fault in it: neither one of the network's nor one that moot knows."""

    error: Exception
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        raise self.error


async def test_what_went_wrong_is_told_without_paths(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = f"{tmp_path}/debates/secret"
    async with hosted(tmp_path, Broken(KeyError(secret))) as host:
        with suppress(KeyError):
            news = await heard(host.follow(await host.start(small_config(tmp_path, TURNS))))
            assert isinstance(news[-1], Ended)
            assert news[-1].status == "failed"
            assert "KeyError" in str(news[-1].reason)
            assert secret not in str(news)
        assert host.message_for(OSError(28, "No space left on device", secret)) == "No space left on device"
        assert host.message_for(moot.RunDamaged(f"{tmp_path}/x/log.jsonl: line 3 is not JSON")) == (
            "x/log.jsonl: line 3 is not JSON"
        )
    assert secret in caplog.text, "whoever runs the server can look it up"


async def test_what_is_appended_from_outside_is_told_in_its_place(out: str) -> None:
    open_gates = asyncio.Event()
    model = GatedModel(ScriptedModel(full_script(TURNS)), {"judge/deliberate": open_gates.is_set})
    async with hosted(out, model) as host:
        name = await host.start(small_config(out, TURNS))
        following = asyncio.create_task(heard(host.follow(name)))
        await until(lambda: len(host.find(name).entries()) == 4 * TURNS + 3)
        fields: dict[str, Any] = {"phase": "opening", "type": "note", "content": "Hear, hear."}
        seq = await host.append(name, speaker="Robin", **fields)
        # Another program may append as well, of which nobody tells the host.
        moot.append_outside(host.find(name), speaker="Kiran", **fields)
        open_gates.set()
        news = await following
        assert written(news) == list(range(ENTRIES + 2))
        notes = {one.entry.seq: one.entry.speaker for one in news if isinstance(one, Written) and one.entry.outside}
        assert notes == {seq: "Robin", seq + 1: "Kiran"}


async def test_what_speaks_against_a_debate_is_told_to_who_starts_it(out: str) -> None:
    async with hosted(out) as host:
        with pytest.raises(moot.ConfigError, match="no provider"):
            await host.start(small_config(out, TURNS, model="nowhere/model"))
        assert host.under_way == []
    assert moot.list_runs(out) == []


async def test_only_so_many_debates_at_once(out: str) -> None:
    model = GatedModel(ScriptedModel(full_script(TURNS)), {"A/turn/1": lambda: False})
    async with hosted(out, model, at_most=1) as host:
        name = await host.start(small_config(out, TURNS))
        with pytest.raises(TooManyDebates, match="1 debates"):
            await host.start(small_config(out, TURNS))
        with pytest.raises(moot.ConfigError, match="already running"):
            await host.resume(name)
        await host.cancel(name)
        await host.start(small_config(out, TURNS))


async def test_a_finished_arena_is_remembered(tmp_path: Path) -> None:
    memory = str(tmp_path / "memory.db")
    model = script_of(None)
    host = Host(tmp_path / "debates", models={model.name: model}, memory=memory)
    name = await host.start(moot.configure("arena", topic=TASK, seed=1, model=model.name, **CAST))
    await asyncio.wait_for(heard(host.follow(name)), PATIENCE)
    await host.close()
    with open_store(memory) as store:
        agents = {one.agent.partition(" · ")[0] for one in store.leaderboard()}
        assert agents == {"Ada", "Bo", "Cy"}
