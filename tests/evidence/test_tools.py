"""Tools of others: search services, the guarded fetcher, and servers from the registry."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import moot
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, small_config
from tests.kit.lookups import NOTHING, TEXT, declare, duel, made, prompt_at, script, wish
from tests.kit.pages import SENTENCE, running
from tests.kit.waiting import turns


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", ["searxng", "brave", "tavily", "exa"])
def test_search_services(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    seen: list[tuple[str, Any, dict[str, str]]] = []
    page = {"title": "Bridges", "url": "https://example.com/b", "content": TEXT, "description": TEXT, "text": TEXT}

    async def answer(request: web.Request) -> web.StreamResponse:
        seen.append((request.path, dict(request.query) or await request.json(), dict(request.headers)))
        if "broken" in str(seen[-1][1]):
            return web.Response(status=429, text="the key sk-search is over its quota")
        results = {"results": [page, "odd", *[page] * 9]}
        body = json.dumps({"web": results} if kind == "brave" else results).encode()
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for start in range(0, len(body), 500):  # as it comes over a real network, in pieces
            await response.write(body[start : start + 500])
            await turns(5)
        return response

    async def run() -> tuple[moot.Result, ScriptedModel]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            address = f"http://127.0.0.1:{runner.addresses[0][1]}"
            given = {"searxng": address} if kind == "searxng" else {kind: "SEARCH_KEY", "at": address}
            declare({"search": given})
            model = ScriptedModel(replies)
            config = small_config(Path("runs"), tools=["search"])
            return await moot.run(config, models={model.name: model}), model
        finally:
            await runner.cleanup()

    monkeypatch.setenv("SEARCH_KEY", "sk-search")
    replies = script(A__plan__lookup__1=wish(("search", {"query": "cables"}), ("search", {"query": "broken"})))
    replies |= {"A/plan/lookup/2": NOTHING}
    result, model = asyncio.run(run())
    assert result.status == "done", result.reason
    assert [one.error for one in made(result)] == [None, f"{kind} answered 429"]
    assert f"Bridges, https://example.com/b:\n{TEXT}" in prompt_at(model, "A/plan/lookup/2")
    assert ("sk-search" in str(seen[0][2])) is (kind != "searxng")
    files = moot.find_run(result.run).path.iterdir()
    assert not any("sk-search" in file.read_text("utf-8") for file in files), "keys are in no file"


def test_the_time_by_a_server_of_others() -> None:
    declare({"time": {"run": [sys.executable, "-m", "mcp_server_time"]}})
    wanted = wish(("time__convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}))
    result, model = duel(script(A__plan__lookup__1=wanted) | {"A/plan/lookup/2": NOTHING}, ["time"])
    assert "T21:00:00+09:00" in prompt_at(model, "A/plan/lookup/2")
    assert_sound(moot.find_run(result.run))


def test_a_page_by_the_guarded_fetcher(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> tuple[moot.Result, ScriptedModel]:
        async with running() as site:
            wanted = wish(("fetch", {"url": site.url("/good")}), ("fetch", {"url": "file:///etc/passwd"}))
            model = ScriptedModel(script(A__plan__lookup__1=wanted) | {"A/plan/lookup/2": NOTHING})
            config = small_config(Path("runs"), tools=["fetch"])
            return await moot.run(config, models={model.name: model}), model

    monkeypatch.setenv("MOOT_ALLOW_LOOPBACK_FETCH", "1")
    result, model = asyncio.run(run())
    first, second = made(result)
    assert SENTENCE in prompt_at(model, "A/plan/lookup/2")
    assert first.error is None and second.error is not None
    monkeypatch.delenv("MOOT_ALLOW_LOOPBACK_FETCH")
    result, _ = asyncio.run(run())
    assert all(one.error is not None for one in made(result)), "no machine of the owner's network is called"
