"""Debates of a server that the workers of a queue run: everybody who follows them here sees no difference."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

import httpx
import psycopg
import pytest

import moot
from moot import queue as job_queue
from moot.errors import NotReady
from moot.record.stores.postgresql import all_runs
from moot.service import mirroring
from moot.service.host import Awaiting, Ended, Host, News, Written
from moot.testing.endpoint import FakeEndpoint
from tests.kit.command import read_until, refused, spawn
from tests.kit.duels import ADA, BO, KIM, assert_sound, calls_of
from tests.kit.servers import Site, events_in, following, serving
from tests.kit.waiting import PATIENCE, until

TURNS = 2
ENTRIES = 4 * TURNS + 5
SMALL = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": TURNS}}
HALF = 7
"""Answers after which a debate has five entries and is not at its end."""


@pytest.fixture(autouse=True)
def _workers_take_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "SECONDS_TO_STOP", PATIENCE)


def duel(**settings: Any) -> moot.RunConfig:
    cast: dict[str, Any] = {"debaters": [ADA, BO], "judge": KIM, "model": "fake/model", "turns": TURNS}
    return moot.configure("duel", topic="Is it so?", **(cast | settings))


@contextmanager
def a_worker(url: str, endpoint: FakeEndpoint) -> "Iterator[subprocess.Popen[bytes]]":
    environment = {**os.environ, "FAKE_BASE_URL": endpoint.url, "MOOT_QUEUE": url}
    worker = spawn("worker", "-q", "--takeover", "1", env=environment, stderr=subprocess.DEVNULL)
    try:
        yield worker
    finally:
        worker.kill()
        worker.communicate()


@asynccontextmanager
async def working(url: str, endpoint: FakeEndpoint) -> AsyncIterator[None]:
    """A worker in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAKE_BASE_URL", endpoint.url)
        worker = asyncio.create_task(job_queue.work(url, grace=0))
        try:
            yield
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


@asynccontextmanager
async def a_host(folder: Path, queue: str) -> AsyncIterator[Host]:
    host = Host(folder, queue=queue)
    await host.open()
    try:
        yield host
    finally:
        await host.close()


def at_host(folder: Path, queue: str, do: Callable[[Host, FakeEndpoint], Coroutine[Any, Any, None]]) -> None:
    """Do that with a host and a model endpoint."""

    async def hosted() -> None:
        async with asyncio.timeout(PATIENCE), FakeEndpoint() as endpoint, a_host(folder, queue) as host:
            await do(host, endpoint)

    asyncio.run(hosted())


async def heard(host: Host, name: str, after: int = -1) -> list[News]:
    return [one async for one in host.follow(name, after)]


async def until_written(host: Host, name: str, count: int) -> None:
    async for news in host.follow(name):
        if isinstance(news, Written) and news.entry.seq + 1 >= count:
            return


def seqs(news: list[News]) -> list[int]:
    return [one.entry.seq for one in news if isinstance(one, Written)]


def assert_copied(run: moot.Run, queue: str) -> None:
    """What is here is sound, and is what is there."""
    assert_sound(run)
    (there,) = (one for one in all_runs(queue) if one.name.rpartition("-")[0].endswith(run.name.lower()))
    for file in ("log.jsonl", "calls.jsonl"):
        content = run.place.read(file)
        assert content
        assert content == b"".join(line + b"\n" for line in there.read_lines(file))
    assert list(run.path.glob("*.torn-*")) == []
    assert not (run.path / ".elsewhere").exists()


def followed(site: Site, client: httpx.Client, path: str) -> list[tuple[str, Any]]:
    """All events until the stream ends, as it does when nobody runs the debate for too long."""
    too_long = Timer(PATIENCE, lambda: site.do(site.host.close()))
    too_long.start()
    try:
        return following(client, path)
    finally:
        too_long.cancel()


def test_a_debate_over_http_is_run_by_a_worker(database: str, tmp_path: Path) -> None:
    secret = "s3cret-and-long"
    with serving(tmp_path, queue=database.replace("moot@", f"moot:{secret}@")) as site, site.client() as client:
        started = client.post("/api/runs", json=SMALL).json()
        name = started["name"]
        # It waits for a worker, and everybody can look at it.
        for path in ("/", f"/runs/{name}", f"/api/runs/{name}/entries"):
            assert client.get(path, follow_redirects=True).status_code == 200
        assert client.get(f"/api/runs/{name}").json()["status"] == "running"
        note = {"speaker": "a guest", "type": "note", "content": "May I?"}
        assert "once it has ended" in client.post(f"/api/runs/{name}/entries", json=note).json()["error"]
        with a_worker(database, site.endpoint):
            found = followed(site, client, started["follow"])
        assert [data["seq"] for kind, data in found if kind == "entry"] == list(range(ENTRIES))
        assert found[-1] == ("ended", {"status": "done", "reason": None})
        assert site.endpoint.count == calls_of(TURNS)
        assert client.get(f"/api/runs/{name}/verify").json()["ok"]
        detail = client.get(f"/api/runs/{name}").json()
        assert detail["result"]["status"] == detail["status"] == "done"
        pages = [client.get(path).text for path in (f"/api/runs/{name}/export/html", f"/runs/{name}", "/")]
        assert_copied(site.host.find(name), database)
        assert client.post(f"/api/runs/{name}/entries", json=note).json() == {"seq": ENTRIES}
    run = moot.Run(tmp_path / name)
    assert run.place.read("report.md")
    assert_sound(run)
    kept = [path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) > 5
    told = repr([found, detail, pages, kept])
    assert "Is it so?" in told
    assert secret not in told
    assert "postgresql" not in told


def test_a_worker_that_is_killed_is_not_noticed(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        endpoint.hold(2 * HALF)
        names = [await host.start(duel()) for _ in range(3)]
        followers = [asyncio.create_task(heard(host, name)) for name in names]
        with a_worker(database, endpoint) as first:
            await until(lambda: endpoint.held >= len(names))
            first.kill()
            endpoint.let_go()
            with a_worker(database, endpoint):
                for follower in followers:
                    news = await follower
                    assert seqs(news) == list(range(ENTRIES))
                    assert news[-1] == Ended("done", None)
        assert host.under_way == []
        for name in names:
            await asyncio.to_thread(assert_copied, host.find(name), database)

    at_host(tmp_path, database, do)


@contextmanager
def a_server(folder: Path, queue: str, endpoint: FakeEndpoint) -> "Iterator[tuple[subprocess.Popen[bytes], str]]":
    environment = {**os.environ, "MOOT_QUEUE": queue, "MOOT_MODEL": "fake/model", "FAKE_BASE_URL": endpoint.url}
    server = spawn("serve", "--port", "0", "--out", str(folder), env=environment)
    too_long = Timer(PATIENCE, server.kill)
    too_long.start()
    try:
        assert server.stderr is not None
        yield server, read_until(server.stderr, "Serving").strip().rpartition(" ")[2]
    finally:
        too_long.cancel()
        server.kill()
        server.communicate()


def test_a_server_that_is_killed_goes_on_where_it_was(database: str, tmp_path: Path) -> None:
    """The worker does not wait for it; and what was cut off within a line is mended."""

    async def go() -> None:
        async with asyncio.timeout(PATIENCE), FakeEndpoint() as endpoint:
            endpoint.hold(HALF)
            with a_worker(database, endpoint):
                await asyncio.to_thread(work, endpoint)
            assert endpoint.count == calls_of(TURNS)

    def work(endpoint: FakeEndpoint) -> None:
        with (
            a_server(tmp_path, database, endpoint) as (server, url),
            httpx.Client(base_url=url, timeout=PATIENCE) as client,
        ):
            name = client.post("/api/runs", json=SMALL).json()["name"]
            with client.stream("GET", f"/api/runs/{name}/follow") as stream, suppress(httpx.RemoteProtocolError):
                text = ""
                for piece in stream.iter_text():
                    text += piece
                    if "id: 4\n" in text:
                        server.kill()
        before = [data["seq"] for kind, data in events_in(text.rpartition("\n\n")[0]) if kind == "entry"]
        run = moot.Run(tmp_path / name)
        assert run.result() is None
        endpoint.let_go()
        for file in (run.log_path, run.journal_path):
            file.write_bytes(file.read_bytes()[:-7])
        with a_server(tmp_path, database, endpoint) as (_, url), httpx.Client(base_url=url, timeout=PATIENCE) as client:
            found = following(client, f"/api/runs/{name}/follow", {"Last-Event-ID": str(before[-1])})
            after = [data["seq"] for kind, data in found if kind == "entry"]
            assert before + after == list(range(ENTRIES))
            assert client.get(f"/api/runs/{name}").json()["status"] == "done"
        for torn in run.path.glob("*.torn-*"):
            torn.unlink()
        assert_copied(run, database)

    asyncio.run(go())


def test_what_ended_while_there_was_no_server_is_fetched(database: str, tmp_path: Path) -> None:
    async def go() -> None:
        async with asyncio.timeout(PATIENCE), FakeEndpoint() as endpoint:
            async with a_host(tmp_path, database) as host:
                name = await host.start(duel())
            # Nobody wrote an end, since it has not come to one.
            assert moot.Run(tmp_path / name).result() is None
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("FAKE_BASE_URL", endpoint.url)
                await job_queue.work(database, until_idle=True)
            async with a_host(tmp_path, database) as host:
                assert host.under_way == [name]
                assert seqs(await heard(host, name)) == list(range(ENTRIES))
                await asyncio.to_thread(assert_copied, host.find(name), database)
            async with a_host(tmp_path, database) as host:
                assert host.under_way == []

    asyncio.run(go())


def test_cancelled_and_taken_up_again(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        endpoint.hold(HALF)
        name = await host.start(duel())
        with a_worker(database, endpoint):
            follower = asyncio.create_task(heard(host, name))
            await until_written(host, name, 5)
            await host.cancel(name)
            first = await follower
            assert first[-1] == Ended("interrupted", "stopped from outside")
            run = host.find(name)
            result = run.result()
            assert result
            assert result["status"] == "interrupted"
            endpoint.let_go()
            await asyncio.to_thread(assert_copied, run, database)
            # What is said here meanwhile is said there, too, when it goes on.
            last = await host.append(name, phase="verdict", speaker="a guest", type="note", content="Go on!")
            assert await host.resume(name, max_calls=100) == name
            second = await heard(host, name, seqs(first)[-1])
            assert seqs(first) + seqs(second) == list(range(ENTRIES + 1))
            assert [one.entry.content for one in second if isinstance(one, Written) and one.entry.seq == last] == [
                "Go on!"
            ]
            assert second[-1] == Ended("done", None)
            # Only calls that were under way when it was stopped are made again.
            assert endpoint.count <= calls_of(TURNS) + 2
        await asyncio.to_thread(assert_copied, run, database)

    at_host(tmp_path, database, do)


def test_cancelled_when_its_worker_has_died(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        endpoint.hold(HALF)
        name = await host.start(duel())
        with a_worker(database, endpoint) as worker:
            await until_written(host, name, 3)
            worker.kill()
            worker.wait()
            stopping = asyncio.create_task(host.cancel(name))
            with a_worker(database, endpoint):
                await stopping
                first = await heard(host, name)
                assert first[-1] == Ended("interrupted", "stopped from outside")
                endpoint.let_go()
                await host.resume(name)
                assert seqs(await heard(host, name)) == list(range(ENTRIES))
        await asyncio.to_thread(assert_copied, host.find(name), database)

    at_host(tmp_path, database, do)


def test_cancelled_when_no_worker_is_left(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "SECONDS_TO_STOP", 0.3)

    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        endpoint.hold(HALF)
        name = await host.start(duel())
        with a_worker(database, endpoint) as worker:
            await until_written(host, name, 3)
            worker.kill()
            worker.wait()
        endpoint.let_go()
        await host.cancel(name)
        assert (await heard(host, name))[-1] == Ended("interrupted", "stopped from outside")
        with pytest.raises(moot.RunBusy, match="told to stop"):
            await host.resume(name)
        # The next worker finds that nobody has it.
        with a_worker(database, endpoint):
            while True:
                with suppress(moot.RunBusy):
                    await host.resume(name)
                    break
                await asyncio.sleep(0.2)
            assert seqs(await heard(host, name)) == list(range(ENTRIES))
        await asyncio.to_thread(assert_copied, host.find(name), database)

    at_host(tmp_path, database, do)


def test_cancelled_before_a_worker_had_it(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        name = await host.start(duel())
        await host.cancel(name)
        assert (await heard(host, name)) == [Ended("interrupted", "stopped from outside")]
        await host.resume(name)
        async with working(database, endpoint):
            assert seqs(await heard(host, name)) == list(range(ENTRIES))
        await asyncio.to_thread(assert_copied, host.find(name), database)

    at_host(tmp_path, database, do)


def test_a_limit_is_kept_and_a_larger_one_goes_on(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        async with working(database, endpoint):
            name = await host.start(duel(max_calls=5))
            first = await heard(host, name)
            assert isinstance(first[-1], Ended)
            assert first[-1].status == "limit"
            assert endpoint.count == 5
            await host.resume(name, max_calls=calls_of(TURNS))
            second = await heard(host, name, seqs(first)[-1])
        assert seqs(first) + seqs(second) == list(range(ENTRIES))
        assert endpoint.count == calls_of(TURNS)
        await asyncio.to_thread(assert_copied, host.find(name), database)

    at_host(tmp_path, database, do)


def test_a_person_takes_part_here(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        for config in (duel(roles={"B": "human/Robin"}), duel(debaters=[ADA, {**BO, "type": "human"}])):
            name = await host.start(config)
            async for news in host.follow(name):
                if isinstance(news, Awaiting) and news.questions:
                    live = host.live(name)
                    assert live is not None
                    live.answer(news.questions[0].key, "I am here.")
                last = news
            assert last == Ended("done", None)
        assert all_runs(database) == []

    at_host(tmp_path, database, do)


def test_a_file_of_a_machine_is_not_named_by_a_guest(database: str, tmp_path: Path) -> None:
    """Whoever runs a debate elsewhere would not refuse it, so nobody there is asked."""

    async def do(host: Host, _: FakeEndpoint) -> None:
        with pytest.raises(moot.ConfigError, match="cannot be asked for from here"):
            await host.start(duel(model="embedded", roles={"judge": ["scripted/replies.yaml", "fake/model"]}))
        assert all_runs(database) == []

    at_host(tmp_path, database, do)


def test_what_no_worker_can_run_ends_with_its_reason(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        name = await host.start(duel(model="nobody-has-heard-of/it"))
        async with working(database, endpoint):
            news = await heard(host, name)
        assert isinstance(news[-1], Ended)
        assert news[-1].status == "failed"
        assert "nobody-has-heard-of" in (news[-1].reason or "")
        assert (await heard(host, name)) == news, "who comes later is told the same"

    at_host(tmp_path, database, do)


def test_a_copy_that_was_altered_is_not_gone_on_with(database: str, tmp_path: Path) -> None:
    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        async with working(database, endpoint):
            name = await host.start(duel(max_calls=5))
            await heard(host, name)
            run = host.find(name)
            lines = run.log_path.read_bytes().splitlines(keepends=True)
            run.log_path.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b"A", b"B")]))
            with pytest.raises(moot.RunDamaged, match="fetched anew"):
                await host.resume(name, max_calls=100)
            run.log_path.unlink()
            await host.resume(name, max_calls=100)
            assert seqs(await heard(host, name)) == list(range(ENTRIES))
        await asyncio.to_thread(assert_copied, run, database)

    at_host(tmp_path, database, do)


def test_a_queue_that_is_away_is_told_without_its_address(
    server: str, database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = database.partition("?")[0].rpartition("/")[2]

    def let_in(whether: bool) -> None:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {whether}".encode())
            ending = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(ending, [name])

    async def do(host: Host, endpoint: FakeEndpoint) -> None:
        first = await host.start(duel())
        let_in(False)
        with pytest.raises(NotReady, match="cannot be used now") as told:
            await host.start(duel())
        assert name not in str(told.value)
        await until(lambda: "the queue is away" in caplog.text)
        let_in(True)
        async with working(database, endpoint):
            assert seqs(await heard(host, first)) == list(range(ENTRIES))

    at_host(tmp_path, database, do)


def test_a_server_without_its_queue_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "a queue is a PostgreSQL database" in refused("serve", "--queue", "here")
    said = refused("serve", "--queue", "postgresql://moot:s3cret-and-long@/moot?host=/nonexistent")
    assert "cannot be reached" in said
    assert "s3cret" not in said
