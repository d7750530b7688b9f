"""Servers over one database, and workers that run their debates: whoever follows them anywhere sees no difference."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from threading import Timer
from typing import Any

import httpx
import psycopg
import pytest

import moot
from moot import queue as job_queue
from moot.database import runs as postgresql
from moot.errors import NotReady
from moot.memory.store import open_store
from moot.queue import serving as queued
from moot.service import live
from moot.service.host import Host
from moot.service.live import NotAsked
from moot.service.news import Ended, News, Quiet, Written
from tests.kit.arenas import CAST, TASK
from tests.kit.command import refused
from tests.kit.duels import CAST as DEBATERS
from tests.kit.duels import assert_sound, calls_of
from tests.kit.endpoint import FakeEndpoint
from tests.kit.servers import Site, following, serving
from tests.kit.waiting import AT_ONCE, PATIENCE, until, wait_until
from tests.kit.workers import workers

TURNS = 2
ENTRIES = 4 * TURNS + 5
SMALL = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": TURNS, "claim": "It is so."}}
NOTE: dict[str, Any] = {"phase": "opening", "speaker": "a guest", "type": "note"}
TAKES_OVER = ("-q", "--takeover", "1")
HALF = 7
"""Answers after which a debate has five entries and is not at its end."""


@pytest.fixture(autouse=True)
def _workers_take_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queued, "SECONDS_TO_STOP", PATIENCE)
    monkeypatch.setattr(postgresql, "SECONDS_TO_TAKE", PATIENCE)
    monkeypatch.setattr(live, "SECONDS_TO_FIND", PATIENCE)


def duel(**settings: Any) -> moot.RunConfig:
    given = {**DEBATERS, "model": "fake/model", "turns": TURNS, "claim": "It is so.", **settings}
    return moot.configure("duel", topic="Is it so?", **given)


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
async def a_host(url: str, **settings: Any) -> AsyncIterator[Host]:
    host = Host(url, **{"queue": url, **settings})
    await host.open()
    try:
        yield host
    finally:
        await host.close()


@asynccontextmanager
async def two_hosts(url: str, **settings: Any) -> AsyncIterator[tuple[Host, Host, FakeEndpoint]]:
    """Two hosts over one database, and a model endpoint."""
    async with FakeEndpoint() as endpoint, a_host(url, **settings) as one, a_host(url, **settings) as other:
        yield one, other, endpoint


async def heard(host: Host, name: str, after: int = -1) -> list[News]:
    return [one async for one in host.follow(name, after)]


async def until_written(host: Host, name: str, count: int) -> None:
    async for news in host.follow(name):
        if isinstance(news, Written) and news.entry.seq + 1 >= count:
            return


def seqs(news: list[News]) -> list[int]:
    return [one.entry.seq for one in news if isinstance(one, Written)]


async def sound(host: Host, name: str) -> moot.Run:
    run = await host.found(name)
    await asyncio.to_thread(assert_sound, run)
    return run


def followed(site: Site, client: httpx.Client, path: str) -> list[tuple[str, Any]]:
    """All events until the stream ends, as it does when nobody runs the debate for too long."""
    too_long = Timer(PATIENCE, lambda: site.do(site.host.close()))
    too_long.start()
    try:
        return following(client, path)
    finally:
        too_long.cancel()


def test_two_servers_and_a_worker_over_http(database: str) -> None:
    secret = "s3cret-and-long"
    url = database.replace("moot@", f"moot:{secret}@")
    with serving(url, queue=url) as one, one.client() as client, serving(url) as other, other.client() as reader:
        started = client.post("/api/runs", json=SMALL).json()
        name = started["name"]
        # It waits for a worker, and everybody can look at it, and take part.
        for path in ("/", f"/runs/{name}", f"/api/runs/{name}/entries", f"/api/runs/{name}"):
            for asked in (client, reader):
                assert asked.get(path, follow_redirects=True).status_code == 200
        assert [asked.get(f"/api/runs/{name}").json()["status"] for asked in (client, reader)] == ["running"] * 2
        assert [asked.get("/api/runs").json()["runs"][0]["status"] for asked in (client, reader)] == ["running"] * 2
        assert [asked.get(f"/api/runs/{name}").json()["here"] for asked in (client, reader)] == [True, False]
        assert "not running here" in reader.post(f"/api/runs/{name}/cancel").json()["error"]
        assert "already running" in reader.post(f"/api/runs/{name}/resume").json()["error"]
        one.endpoint.hold(HALF)
        with workers(database, one.endpoint, 1, *TAKES_OVER):
            site_of = {client: one, reader: other}
            wait_until(lambda: len(reader.get(f"/api/runs/{name}/entries").json()["entries"]) >= 5)
            note = {"speaker": "a guest", "type": "note", "content": "May I?"}
            seq = reader.post(f"/api/runs/{name}/entries", json=note).json()["seq"]
            assert [asked.get(f"/api/runs/{name}/entries").json()["entries"][seq]["content"] for asked in site_of] == [
                "May I?"
            ] * 2
            choice = client.get(f"/api/runs/{name}").json()["cast"][0]["name"]
            assert client.post(f"/runs/{name}/vote", data={"choice": choice, "voter": "Kim"}).status_code == 303
            votes = [asked.get(f"/api/runs/{name}").json()["reader_votes"] for asked in (client, reader)]
            assert votes == [{"Kim": choice}] * 2
            one.endpoint.let_go()
            found = [followed(site, asked, started["follow"]) for asked, site in site_of.items()]
        for events in found:
            assert [data["seq"] for kind, data in events if kind == "entry"] == list(range(ENTRIES + 2))
            assert events[-1] == ("ended", {"status": "done", "reason": None})
        assert one.endpoint.count == calls_of(TURNS)
        pages = []
        for asked in (client, reader):
            assert asked.get(f"/api/runs/{name}/verify").json()["ok"]
            detail = asked.get(f"/api/runs/{name}").json()
            assert detail["result"]["status"] == detail["status"] == "done"
            assert asked.get("/api/runs").json()["runs"][0]["headline"] == detail["summary"]["headline"]
            for path in ("", "/read?check=1", "/watch", "/watch?entry=4", "/as/A", "/contest"):
                answer = asked.get(f"/runs/{name}{path}")
                assert answer.status_code in (200, 404, 422), path
                pages.append(answer.text)
            pages += [asked.get(f"/api/runs/{name}/export/{form}").text for form in ("html", "md", "json")]
            pages += [asked.get("/").text, repr(detail)]
    run = moot.find_run(name, database)
    assert run.place.read("report.md")
    assert_sound(run)
    told = repr([found, pages])
    assert "Is it so?" in told
    assert secret not in told
    assert "postgresql" not in told


async def test_cancelled_at_one_and_taken_up_at_the_other(database: str) -> None:
    async with two_hosts(database) as (one, other, endpoint):
        endpoint.hold(HALF)
        name = await one.start(duel())
        with workers(database, endpoint, 1, *TAKES_OVER):
            follower = asyncio.create_task(heard(one, name))
            await until_written(one, name, 5)
            await other.cancel(name)
            first = await follower
            assert first[-1] == Ended("interrupted", "stopped from outside")
            with pytest.raises(NotAsked):
                await one.cancel(name)
            result = (await sound(one, name)).result()
            assert result
            assert result["status"] == "interrupted"
            endpoint.let_go()
            last = await one.append(name, **{**NOTE, "phase": "verdict"}, content="Go on!")
            assert await other.resume(name, max_calls=100) == name
            second = await heard(one, name, seqs(first)[-1])
            assert seqs(first) + seqs(second) == list(range(ENTRIES + 1))
            assert [one.entry.seq for one in second if isinstance(one, Written) and one.entry.outside] == [last]
            assert second[-1] == Ended("done", None)
            # Only calls that were under way when it was stopped are made again.
            assert endpoint.count <= calls_of(TURNS) + 2
        await sound(one, name)


async def test_cancelled_when_its_worker_has_died(database: str) -> None:
    async with two_hosts(database) as (one, other, endpoint):
        endpoint.hold(HALF)
        name = await one.start(duel())
        with workers(database, endpoint, 1, *TAKES_OVER) as [worker]:
            await until_written(one, name, 3)
            worker.kill()
            worker.wait()
            stopping = asyncio.create_task(other.cancel(name))
            with workers(database, endpoint, 1, *TAKES_OVER):
                await stopping
                first = await heard(one, name)
                assert first[-1] == Ended("interrupted", "it stopped before it came to a result")
                endpoint.let_go()
                await one.resume(name)
                assert seqs(await heard(one, name)) == list(range(ENTRIES))
        await sound(one, name)


async def test_what_workers_finish_is_remembered(database: str, tmp_path: Any) -> None:
    memory = str(tmp_path / "memory.db")

    def agents() -> set[str]:
        with suppress(moot.ConfigError), open_store(memory, create=False) as store:
            return {one.agent for one in store.leaderboard()}
        return set()

    async with two_hosts(database, memory=memory) as (one, _, endpoint):
        async with working(database, endpoint):
            name = await one.start(moot.configure("arena", topic=TASK, seed=1, model="fake/model", **CAST))
            assert (await heard(one, name))[-1] == Ended("done", None)
        await until(lambda: agents() == {f"{name} · fake/model" for name in ("Ada", "Bo", "Cy")})


async def test_a_database_that_is_away_is_told_without_its_address(
    server: str, database: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOOT_RECONNECT", str(AT_ONCE))  # it does not come back by itself
    name = database.partition("?")[0].rpartition("/")[2]

    def let_in(whether: bool) -> None:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {whether}".encode())
            ending = "SELECT pg_terminate_backend(pid, 900000) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(ending, [name])

    async with two_hosts(database) as (one, _, endpoint):
        first = await one.start(duel())
        following = one.follow(first, beat=0.01)
        assert isinstance(await anext(following), Quiet)
        let_in(False)
        with pytest.raises(NotReady, match="cannot be used now") as told:
            await one.start(duel())
        assert name not in str(told.value)
        with pytest.raises((moot.MootError, OSError)) as lost:
            await one.found(first)
        assert one.message_for(lost.value) == "the database of the runs cannot be used now; try again later"
        await until(lambda: "the database of the runs is away" in caplog.text)
        let_in(True)
        async with working(database, endpoint):
            assert seqs([one async for one in following]) == list(range(ENTRIES))


def test_a_server_without_its_database_does_not_start(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "a queue is a PostgreSQL database" in refused("serve", "--queue", "here", "--out", "here")
    assert "keep their runs in its database" in refused("serve", "--queue", "postgresql:///moot", "--out", "here")
    for option in ("--queue", "--out"):
        said = refused("serve", option, "postgresql://moot:s3cret-and-long@/moot?host=/nonexistent")
        assert "cannot be reached" in said
        assert "s3cret" not in said
