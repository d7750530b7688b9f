"""Jobs that ask for what is on their worker's disk."""

import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest

import moot
from moot import queue as job_queue
from tests.kit.duels import small_config
from tests.kit.persuasions import CAST, TOPIC
from tests.kit.waiting import PATIENCE

SECRET = "the-content-of-a-file-of-the-worker"


async def failed(url: str, config: moot.RunConfig, files: list[Path], limits: dict[str, Any]) -> str:
    """Why the debate came to nothing."""
    async with asyncio.timeout(PATIENCE):
        await job_queue.submit(url, "trial", {"one": config}, limits={"one": limits})
        await job_queue.work(url, until_idle=True, files=files)
        standing = await job_queue.progress(url, "trial")
    assert standing.ended == {"failed": 1}
    return standing.failed["one"]


@pytest.mark.parametrize("kind", ["evidence", "script", "weights", "role", "link", "parent"])
def test_a_job_names_no_file_of_the_worker(database: str, tmp_path: Path, kind: str) -> None:
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    allowed.mkdir()
    other.mkdir()
    file = other / "secret.yaml"
    file.write_text(f"A/plan: {SECRET}", "utf-8")
    (allowed / "link.yaml").symlink_to(file)
    configs: dict[str, Any] = {
        "evidence": lambda: moot.configure("persuasion", topic=TOPIC, evidence=[str(other)], model="fake/one", **CAST),
        "script": lambda: small_config("unused", model=f"scripted/{file}"),
        "weights": lambda: small_config("unused", model=f"embedded/{file}"),
        "role": lambda: small_config("unused", model="fake/one", roles={"judge": f"scripted/{file}"}),
        "link": lambda: small_config("unused", model=f"scripted/{allowed}/link.yaml"),
        "parent": lambda: small_config("unused", model=f"scripted/{allowed}/../other/secret.yaml"),
    }
    why = asyncio.run(failed(database, configs[kind](), [allowed], {}))
    assert "not for jobs to use" in why
    with psycopg.connect(database) as connection:
        kept = connection.execute("SELECT content FROM moot_documents UNION ALL SELECT line FROM moot_lines").fetchall()
    assert SECRET.encode() not in b"".join(one for (one,) in kept)


@pytest.mark.parametrize("model", ["human/ada", "external/ada"])
def test_a_job_asks_nobody_at_the_worker(database: str, model: str) -> None:
    assert "cannot be asked by a worker" in asyncio.run(failed(database, small_config("unused", model=model), [], {}))


def test_a_job_changes_only_limits_and_models(database: str) -> None:
    config = small_config("unused", model="fake/one")
    assert "which only its config can" in asyncio.run(failed(database, config, [], {"out": "/tmp"}))
