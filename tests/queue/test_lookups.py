"""Jobs that have documents and look things up: with the tools that the worker allows, each asked once."""

import asyncio
import json
from pathlib import Path

import pytest

import moot
from moot import queue as job_queue
from moot.record.payloads import Given, Lookup
from tests.kit import warm
from tests.kit.duels import assert_sound, small_config
from tests.kit.killed_lookups import both_look_up
from tests.kit.lookups import TEXT, declare
from tests.kit.pages import pdf
from tests.kit.waiting import PATIENCE


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the server of the worker notes its calls."""
    file = tmp_path / "calls.txt"
    monkeypatch.setenv("CALLS", str(file))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return file


def server() -> list[str]:
    """The command of the server with all tools."""
    return [warm.python(), "-m", "tests.kit.mcp_server"]


def debate(tmp_path: Path) -> moot.RunConfig:
    script, paper = tmp_path / "replies.yaml", tmp_path / "paper.pdf"
    script.write_text(json.dumps(both_look_up()), "utf-8")
    paper.write_bytes(pdf(TEXT))
    documents = [str(paper), {"title": "Notes", "text": "Repairs would cost four million."}]
    found = small_config("unused", model=f"scripted/{script}", tools=["all"], documents=documents)
    paper.unlink()
    return found


async def work(database: str) -> job_queue.QueueProgress:
    async with asyncio.timeout(PATIENCE):
        await job_queue.work(database, until_idle=True)
        return await job_queue.progress(database, "trial")


def run_in(database: str) -> moot.Run:
    [name] = [one.name for one in moot.list_runs(database)]
    return moot.find_run(name, database)


def test_a_job_looks_things_up_once_though_it_is_interrupted(database: str, tmp_path: Path, calls: Path) -> None:
    declare({"all": {"run": server(), "env": ["CALLS"], "guests": True}})
    job = debate(tmp_path)

    async def go() -> None:
        await job_queue.submit(database, "trial", {"one": job}, limits={"one": {"max_calls": 3}})
        for more in (7, 100):
            standing = await work(database)
            assert standing.ended == {"limit": 1}, standing.failed
            await job_queue.resubmit(database, "trial", "one", {"max_calls": more})
        standing = await work(database)
        assert standing.ended == {"done": 1}, standing.failed

    asyncio.run(go())
    run = run_in(database)
    entries = run.entries()
    asked = [f"echo {entry.data.asked}" for entry in entries if isinstance(entry.data, Lookup)]
    assert len(calls.read_text("utf-8").splitlines()) == len(asked) == len(set(asked)) > 1
    given = [(one.document, one.characters) for entry in entries if isinstance(one := entry.data, Given)]
    assert given == [("D1", len(TEXT)), ("D2", 32)]
    assert_sound(run)


@pytest.mark.parametrize("declared", [False, True])
def test_a_worker_runs_no_tool_that_it_does_not_allow(
    database: str, tmp_path: Path, calls: Path, declared: bool
) -> None:
    declare({"all": {"run": server(), "env": ["CALLS"], "guests": True}})
    job = debate(tmp_path)
    declare({"all": {"run": server()}} if declared else {})
    asyncio.run(job_queue.submit(database, "trial", {"one": job}))
    standing = asyncio.run(work(database))
    assert standing.ended == {"failed": 1} and "tool" in standing.failed["one"]
    assert not calls.exists()
