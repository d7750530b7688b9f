"""Jobs that ask for what is on their worker's disk, and jobs that bring all they need."""

import asyncio
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

import moot
from moot import queue as job_queue
from tests.kit.duels import full_script, small_config
from tests.kit.endpoint import FakeEndpoint
from tests.kit.persuasions import CAST, TOPIC
from tests.kit.waiting import patience, until

SECRET = "the-content-of-a-file-of-the-worker"


async def worked(url: str, models: list[str]) -> job_queue.QueueProgress:
    async with patience():
        await job_queue.work(url, until_idle=True, models=models)
        return await job_queue.progress(url, "trial")


def forged(url: str, config: moot.RunConfig, limits: dict[str, Any]) -> None:
    """A job as somebody who can write to the database makes it."""
    asyncio.run(job_queue.submit(url, "trial", {"one": config}, limits={"one": limits}))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE moot_debates SET material = '{}'")
        connection.execute("DELETE FROM moot_material")


def failed(url: str, models: list[str] | None = None) -> str:
    """Why the debate came to nothing."""
    standing = asyncio.run(worked(url, models or []))
    assert standing.ended == {"failed": 1}
    return standing.failed["one"]


def chaired(evidence: Path) -> moot.RunConfig:
    settings: dict[str, Any] = {"evidence": {"pack": str(evidence)}, "max_rounds": 1}
    return moot.configure("chaired", topic="Should it be so?", model="fake/one", seed=1, **settings)


def persuasion(evidence: Path) -> moot.RunConfig:
    settings: dict[str, Any] = {"evidence": [str(evidence)], "rounds": 1}
    return moot.configure("persuasion", topic=TOPIC, model="fake/one", seed=1, **settings, **CAST)


def scripted(folder: Path) -> moot.RunConfig:
    return small_config("unused", model=f"scripted/{folder / 'replies.yaml'}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "one.md").write_text(f"# We should rewrite it\n\nWe should rewrite it since {SECRET}.\n", "utf-8")
    (folder / "replies.yaml").write_text(yaml.safe_dump(full_script(2)), "utf-8")
    return folder


def stored(url: str) -> bytes:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT content FROM moot_documents UNION ALL SELECT line FROM moot_lines "
            "UNION ALL SELECT content FROM moot_material"
        )
        return b"".join(one for (one,) in rows)


@pytest.mark.parametrize("make", [chaired, persuasion, scripted])
def test_a_job_names_no_file_of_the_worker(
    database: str, folder: Path, make: Callable[[Path], moot.RunConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_BASE_URL", "http://127.0.0.1:9/v1")
    forged(database, make(folder), {})
    why = failed(database)
    assert "not sent along" in why or "opens none" in why
    assert SECRET.encode() not in stored(database)


def model_of(kind: str, file: Path, link: Path) -> dict[str, Any]:
    known: dict[str, dict[str, Any]] = {
        "weights": {"model": f"embedded/{file}"},
        "role": {"model": "fake/one", "roles": {"judge": f"scripted/{file}"}},
        "link": {"model": f"embedded/{link}"},
        "parent": {"model": f"embedded/{link.parent}/../{file.parent.name}/{file.name}"},
        "fallback": {"model": ["fake/one", f"embedded/{file}"]},
        "person": {"model": "human/ada"},
        "outside": {"model": "external/ada"},
    }
    return known[kind]


@pytest.mark.parametrize("kind", ["weights", "role", "link", "parent", "fallback", "person", "outside"])
@pytest.mark.parametrize("changed", [False, True])
def test_a_job_uses_no_model_that_is_a_file_or_a_person(
    database: str, folder: Path, kind: str, changed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_BASE_URL", "http://127.0.0.1:9/v1")
    (folder / "link.gguf").symlink_to(folder / "one.md")
    models = model_of(kind, folder / "replies.yaml", folder / "link.gguf")
    if changed:
        forged(database, small_config("unused", model="fake/one"), models)
    else:
        forged(database, small_config("unused", **models), {})
    why = failed(database)
    assert "opens none" in why or "cannot be asked by a worker" in why


def test_a_worker_has_its_own_list_of_models(database: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_BASE_URL", "http://127.0.0.1:9/v1")
    forged(database, small_config("unused", model="fake/one"), {})
    assert "not among the models" in failed(database, ["fake/two", "openai/*"])
    asyncio.run(job_queue.resubmit(database, "trial", "one", {"model": f"scripted/{folder / 'replies.yaml'}"}))
    assert "opens none" in failed(database, [f"scripted/{folder}/*"]), "a pattern opens no folder"
    asyncio.run(job_queue.resubmit(database, "trial", "one", {"model": f"scripted/{folder / 'replies.yaml'}"}))
    standing = asyncio.run(worked(database, [f"scripted/{folder / 'replies.yaml'}"]))
    assert standing.ended == {"done": 1}, "what the worker's owner has named is the owner's choice"


@pytest.mark.parametrize("make", [chaired, persuasion, scripted])
async def test_jobs_carry_content(
    database: str,
    tmp_path: Path,
    folder: Path,
    make: Callable[[Path], moot.RunConfig],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The files are gone before the worker comes, and the debate is the same as where they are."""
    async with FakeEndpoint() as endpoint, patience():
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        config = make(folder)
        options = config.options.model_copy(update={"out": str(tmp_path / "here")})
        here = await moot.run(moot.RunConfig(config.protocol, options, config.debate))
        await job_queue.submit(database, "trial", {"one": config, "two": config})
        shutil.rmtree(folder)
        await job_queue.work(database, until_idle=True)
        found = [one async for one in job_queue.follow(database, "trial")]
        there = next(one for one in found if one.debate == "one")
    assert there.status == here.status == "done", there.reason
    assert [entry.content for entry in there.run.entries()] == [
        entry.content for entry in moot.find_run(here.run).entries()
    ]
    assert make is scripted or SECRET.encode() in stored(database)
    with psycopg.connect(database) as connection:
        count = connection.execute("SELECT count(*) FROM moot_material").fetchone()
    assert count == (1,), "what many jobs carry is kept once"


def test_a_job_changes_only_limits_and_models(database: str) -> None:
    forged(database, small_config("unused", model="fake/one"), {"out": "/tmp"})
    assert "which only its config can" in failed(database)


BAD_JSON = {
    "deep": "[" * 2_000 + "]" * 2_000,
    "a long number": '{"seed": ' + "9" * 5_000 + "}",
    "a list": "[]",
    "a text": '"config"',
    "nothing": "null",
    "another kind": '{"moot": [], "protocol": {}}',
    "another protocol": '{"moot": {"schema": 2}, "protocol": "../../x", "topic": []}',
}


@pytest.mark.parametrize("column", ["config", "limits", "material"])
@pytest.mark.parametrize("kind", BAD_JSON)
def test_a_bad_job_fails_alone(database: str, folder: Path, column: str, kind: str) -> None:
    """The worker goes on, and so do the other jobs."""
    asyncio.run(job_queue.submit(database, "trial", {"one": scripted(folder), "two": scripted(folder)}))
    with psycopg.connect(database, autocommit=True) as connection:
        statement = f"UPDATE moot_debates SET {column} = %s::json WHERE debate = 'one'"
        connection.execute(statement.encode(), [BAD_JSON[kind]])
    standing = asyncio.run(worked(database, []))
    assert standing.ended["done"] >= 1
    assert sum(standing.ended.values()) == 2 or "protocol" in kind


def test_a_job_carries_only_so_much_altogether(database: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.queue.material.MOST_BYTES", 1000)
    asyncio.run(job_queue.submit(database, "trial", {"one": scripted(folder)}))
    with psycopg.connect(database, autocommit=True) as connection:
        for one in "ab":
            connection.execute("INSERT INTO moot_material VALUES (%s, %s)", [one, b"x" * 600])
        connection.execute("UPDATE moot_debates SET material = %s::json", ['{"a": "a", "b": "b"}'])
    standing = asyncio.run(worked(database, []))
    assert "may carry" in standing.failed["one"]


FORGED = {
    "garbage": b"\0\xff not JSON",
    "deep": b"[" * 100_000,
    "nothing": b"",
    "a verdict": b'{"seq": 0, "prev": "", "timestamp": "2026-01-01T00:00:00Z", "phase": "verdict", "speaker": "Kim", '
    b'"type": "verdict", "content": "Bo wins.", "to": "all", "data": null, "sources": []}',
}


@pytest.mark.parametrize("kind", FORGED)
def test_what_is_handed_over_for_a_log_is_an_entry_from_outside_or_nothing(
    database: str, folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> moot.Run:
        async with FakeEndpoint() as endpoint, patience():
            monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
            endpoint.hold(4)
            debate = asyncio.create_task(moot.run(small_config(database, model="fake/one")))
            await until(lambda: endpoint.held > 0)
            [run] = await asyncio.to_thread(moot.list_runs, database)
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("INSERT INTO moot_outside (run, draft) SELECT id, %s FROM moot_runs", [FORGED[kind]])
            note = partial(moot.append_outside, run, phase="opening", speaker="Zoe", type="note", content="A word.")
            await asyncio.to_thread(note)
            endpoint.let_go()
            assert (await debate).status == "done"
            return run

    run = asyncio.run(go())
    assert [entry.speaker for entry in run.entries() if entry.outside] == ["Zoe"]
    assert "Bo wins." not in [entry.content for entry in run.entries()]
    assert not moot.verify(run).faults
