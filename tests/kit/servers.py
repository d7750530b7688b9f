"""Real servers on this machine: moot's own under uvicorn in a thread, a fake model endpoint beside it, ready runs."""

import asyncio
import json
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import httpx
from fastapi import FastAPI

import moot
from moot.engine.define.shipped import SHELF
from moot.service.host import Host
from moot.service.live import NotAsked
from moot.web.app import make_app
from moot.web.serving import bind, serve
from tests.kit.arenas import arena
from tests.kit.chaired import hold
from tests.kit.duels import staged
from tests.kit.endpoint import FakeEndpoint, Faults
from tests.kit.panels import panel
from tests.kit.persuasions import persuade
from tests.kit.shelf import demonstrated
from tests.kit.waiting import PATIENCE

MODEL = "fake/one"
TOKEN = "a-token-of-the-tests-0123456789"
T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """A server under test. `client` is for its base URL; `host` and `app` are its own, in another thread."""

    url: str
    app: FastAPI
    endpoint: FakeEndpoint
    loop: asyncio.AbstractEventLoop

    @property
    def host(self) -> Host:
        host: Host = self.app.state.host
        return host

    def client(self, **settings: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE, **settings)

    def do(self, work: Any) -> Any:
        """Have a coroutine done in the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def stop(self, name: str) -> None:
        """Stop a debate, unless it has just ended by itself."""
        with suppress(NotAsked):
            self.do(self.host.cancel(name))


@contextmanager
def serving(
    out: Path | str,
    *,
    faults: Faults = (),
    latency: float = 0.0,
    gap: float = 0.0,
    models: Mapping[str, moot.Model] | None = None,
    environment: Mapping[str, str] | None = None,
    **settings: Any,
) -> Iterator[Site]:
    """Serve that folder or database. Whoever is given no model speaks through the fake endpoint, which answers as
    FakeEndpoint does with `faults`, `latency` and `gap`; `settings` are those of `Host` and `make_app`."""
    started, stop = threading.Event(), threading.Event()
    found: list[Site] = []
    failed: list[BaseException] = []

    async def run() -> None:
        async with FakeEndpoint(latency, faults, gap=gap, model="one") as endpoint:
            os.environ["FAKE_BASE_URL"] = endpoint.url
            places = ("memory", "at_most", "queue", "public_url")
            host = Host(out, models=models, **{key: settings.pop(key) for key in places if key in settings})
            app = make_app(host, **settings)
            listening = bind("127.0.0.1", 0)
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            found.append(Site(url, app, endpoint, asyncio.get_running_loop()))
            await serve(app, listening, ready=started.set, stop=stop.is_set)

    def work() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            failed.append(error)
            started.set()

    with ExitStack() as exits:
        exits.enter_context(patch.dict(os.environ, {"MOOT_MODEL": MODEL, **(environment or {})}))
        thread = threading.Thread(target=work, name="moot-serving")
        thread.start()
        try:
            assert started.wait(PATIENCE)
            assert not failed, failed
            yield found[0]
        finally:
            stop.set()
            thread.join(PATIENCE)
    assert not failed, failed
    assert not thread.is_alive()


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port that nobody else is given: it is bound here, and a server may listen on it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@contextmanager
def endpoint() -> Iterator[FakeEndpoint]:
    """A model server in a thread of its own, which outlives whoever is killed."""
    ready, stop = threading.Event(), threading.Event()
    server = FakeEndpoint(recording=False, model="llama3.2")

    async def serve() -> None:
        async with server:
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        stop.set()
        thread.join()


def following(client: httpx.Client, path: str, headers: Mapping[str, str] | None = None) -> list[tuple[str, Any]]:
    """All events until the stream ends: what kind each is, and its data."""
    with client.stream("GET", path, headers=dict(headers or {})) as stream:
        assert stream.status_code == 200, stream.read()
        return events_in("".join(stream.iter_text()))


def events_in(text: str) -> list[tuple[str, Any]]:
    """The events of a stream. Where one has an id it must be that of its entry."""
    found = []
    for block in text.split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n") if not line.startswith(":")]
        fields = {name: value for name, _, value in lines}
        if "event" in fields:
            data = json.loads(fields["data"])
            assert fields.get("id", str(data.get("seq"))) == str(data.get("seq"))
            found.append((fields["event"], data))
    return found


def elsewhere(work: Callable[[], T]) -> T:
    """Have this done in a thread of its own: Playwright keeps the event loop of this one busy."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def copied(runs: Mapping[str, moot.Run], folder: Path) -> dict[str, moot.Run]:
    """These runs once more in that folder, for tests that change them."""
    made: dict[str, moot.Run] = {}
    for name, run in runs.items():
        # Those of several folders that began in the same second have the same name.
        taken = (folder / run.name).exists()
        place = folder / (f"{run.name}-{len(made)}" if taken else run.name)
        made[name] = moot.Run(shutil.copytree(run.path, place))
    return made


def ready_runs(folder: Path) -> dict[str, moot.Run]:
    """A finished run of each protocol, by its name."""
    packs = folder.parent / "packs"
    packs.mkdir(parents=True, exist_ok=True)
    return {
        "duel": staged(folder),
        "panel": moot.find_run(panel(folder)[0].run),
        "persuasion": moot.find_run(persuade(folder)[0].run),
        "arena": moot.find_run(arena(folder)[0].run),
        "chaired": hold(packs, out=str(folder))[0],
        **{name: moot.find_run(demonstrated(name, folder)[0].run) for name in SHELF},
    }
