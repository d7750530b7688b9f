"""Serving the application until it is stopped."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from moot.web.silence import Silent, protocol

LOOK_EVERY = 0.05
SECONDS_TO_LEAVE = 10
MOST_CONNECTIONS = 1000


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free. OSError when it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


async def serve(
    app: FastAPI,
    listening: socket.socket,
    *,
    ready: Callable[[], None] = lambda: None,
    stop: Callable[[], bool] = lambda: False,
    silent: Silent | None = None,
) -> None:
    """Answer requests until a signal comes, or `stop` says so; `ready` is called once it does. Debates under way are
    stopped at the end, and can be resumed. How long connections may be `silent` is as usual unless it is given."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        # A proxy is believed nothing: who asks plays no part in what is allowed.
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        http=protocol(silent or Silent()),
        timeout_graceful_shutdown=SECONDS_TO_LEAVE,
    )
    server = uvicorn.Server(config)
    leaving = asyncio.create_task(_watch(app, server, ready, stop))
    try:
        await server.serve(sockets=[listening])
    finally:
        leaving.cancel()


async def _watch(app: FastAPI, server: uvicorn.Server, ready: Callable[[], None], stop: Callable[[], bool]) -> None:
    """Once the server is to stop, stop the debates: it waits for its followers, and they for the end of these."""
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(LOOK_EVERY)
    ready()
    while not server.should_exit:
        if stop():
            server.should_exit = True
        await asyncio.sleep(LOOK_EVERY)
    await app.state.host.close()
