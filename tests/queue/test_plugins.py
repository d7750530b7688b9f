"""Debates by a plug-in on a queue whose workers have not all got it."""

import asyncio
import os
from pathlib import Path

import pytest

import moot
from moot import queue as job_queue
from moot.engine.define.registry import load_file
from tests.kit.command import Said, moot_alone
from tests.kit.endpoint import FakeEndpoint
from tests.kit.tutorial import write_hands
from tests.kit.waiting import PATIENCE


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test plugs in is not there in the next."""
    monkeypatch.setattr("moot.engine.define.registry._registered", {})


def test_a_debate_waits_for_a_worker_that_has_its_plug_in(database: str, tmp_path: Path) -> None:
    path, other = write_hands(tmp_path), tmp_path / "other" / "hands.py"
    other.parent.mkdir()
    other.write_text(path.read_text("utf-8") + "\n# Another version.\n", "utf-8")
    load_file(path)
    topics = ("One?", "Two?")
    debates = {topic: moot.configure("hands", topic=topic, model="fake/model", seed=1) for topic in topics}

    async def go() -> None:
        async with FakeEndpoint() as endpoint, asyncio.timeout(PATIENCE):
            environment = {**os.environ, "FAKE_BASE_URL": endpoint.url, "MOOT_QUEUE": database}

            async def worked(*words: str) -> Said:
                command = (*words, "worker", "-q", "--until-idle", "--concurrency", "1")
                ended = await asyncio.to_thread(lambda: moot_alone(*command, env=environment))
                assert ended.code == 0, ended
                return ended

            await job_queue.submit(database, "trial", debates)
            for words, why in (
                ((), "the protocol 'hands' is not installed here; it is from hands.py"),
                (("--plugin", str(other)), "the run was begun with hands.py ("),
            ):
                # What was put back is taken again after a moment.
                while not (ended := await worked(*words)).err:
                    pass
                assert f"is left to other workers: {why}" in ended.err
                assert ended.err.count("\n") == 1, "once, and not for every debate"
                standing = await job_queue.progress(database, "trial")
                assert (standing.waiting, standing.running, standing.ended) == (2, 0, {})
                assert endpoint.count == 0
            while (await job_queue.progress(database, "trial")).waiting:
                assert (await worked("--plugin", str(path))).err == ""
            assert (await job_queue.progress(database, "trial")).ended == {"done": 2}

    asyncio.run(go())
