import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

import moot
from moot import queue as job_queue
from tests.kit.duels import assert_sound, calls_of, full_script, small_config


def scripted(tmp_path: Path, turns: int = 2) -> str:
    """The name of a model whose replies any worker on this machine finds in a file."""
    file = tmp_path / "replies.yaml"
    file.write_text(yaml.safe_dump(full_script(turns)), "utf-8")
    return f"scripted/{file}"


def debates(tmp_path: Path, count: int, **settings: Any) -> dict[str, moot.RunConfig]:
    model = scripted(tmp_path)
    return {f"d{number}": small_config("unused", seed=number, model=model, **settings) for number in range(count)}


async def worked(url: str) -> None:
    await job_queue.work(url, until_idle=True)


async def test_submitting_again_adds_only_what_is_missing(database: str, tmp_path: Path) -> None:
    assert await job_queue.submit(database, "trial", debates(tmp_path, 2)) == 2
    assert await job_queue.submit(database, "trial", debates(tmp_path, 4)) == 2
    assert await job_queue.submit(database, "other", debates(tmp_path, 2)) == 2
    assert await job_queue.submit(database, "trial", {}) == 0
    await worked(database)
    assert await job_queue.submit(database, "trial", debates(tmp_path, 4)) == 0
    assert len([one async for one in job_queue.follow(database, "trial", every=0.05)]) == 4
    assert len(moot.list_runs(database)) == 6


async def test_limits_hold_and_more_of_them_let_a_debate_go_on(database: str, tmp_path: Path) -> None:
    watch = job_queue.Watch(database, "trial")
    await job_queue.submit(database, "trial", debates(tmp_path, 2), limits={"d1": {"max_calls": 4}}, reports=True)
    await worked(database)
    first = {one.debate: one for one in await watch.new()}
    assert (first["d0"].status, first["d1"].status, first["d1"].calls) == ("done", "limit", 4)
    assert "the limit of 4 calls" in (first["d1"].reason or "")
    assert first["d0"].run.place.read("report.md")
    await job_queue.resubmit(database, "trial", "d1", {"max_calls": 40})
    assert await watch.new() == []
    await worked(database)
    [again] = await watch.new()
    assert (again.debate, again.status, again.calls) == ("d1", "done", calls_of(2))
    await asyncio.to_thread(assert_sound, again.run)
    with pytest.raises(moot.ConfigError, match="no debate 'd9'"):
        await job_queue.resubmit(database, "trial", "d9", {})


async def test_what_cannot_be_run_fails_with_its_reason(database: str) -> None:
    """Such as a model that only the submitting process knows."""
    await job_queue.submit(database, "trial", {"bad": small_config("unused", model="mine/model")})
    await worked(database)
    standing = await job_queue.progress(database, "trial")
    assert standing.ended == {"failed": 1}
    assert "mine/model" in standing.failed["bad"]


async def test_files_are_read_when_a_debate_is_submitted_and_not_again(database: str, tmp_path: Path) -> None:
    missing = small_config("unused", model="scripted/no-such-file.yaml")
    with pytest.raises(moot.ConfigError, match="cannot be read"):
        await job_queue.submit(database, "trial", {"bad": missing})
    known = debates(tmp_path, 2)
    assert await job_queue.submit(database, "trial", known) == 2
    (tmp_path / "replies.yaml").unlink()
    assert await job_queue.submit(database, "trial", known) == 0


async def test_cancelled_before_it_began(database: str, tmp_path: Path) -> None:
    await job_queue.submit(database, "trial", debates(tmp_path, 3))
    assert await job_queue.cancel(database, "trial") == 3
    await worked(database)
    assert (await job_queue.progress(database, "trial")).ended == {"cancelled": 3}
    await job_queue.resubmit(database, "trial", "d0", {})
    await worked(database)
    assert (await job_queue.progress(database, "trial")).ended == {"cancelled": 2, "done": 1}


async def test_the_password_is_not_in_the_queue(database: str, tmp_path: Path) -> None:
    secret = "s3cret-and-long"
    address = database.replace("moot@", f"moot:{secret}@")
    await job_queue.submit(address, "trial", debates(tmp_path, 1))
    await worked(address)
    with psycopg.connect(database) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE tablename LIKE 'moot%'")
        ]
        rows = [connection.execute(f"SELECT t::text FROM {table} t".encode()).fetchall() for table in tables]
        documents = connection.execute("SELECT content FROM moot_documents").fetchall()
    assert len(tables) > 5
    assert secret not in repr(rows) + repr(documents)
