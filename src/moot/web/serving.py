"""Serving the application until it is stopped."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

LOOK_EVERY = 0.05
SECONDS_TO_LEAVE = 10
MOST_CONNECTIONS = 1000


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 means any free port. OSError if it is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


async def serve(
    app: FastAPI,
    listening: socket.socket,
    *,
    ready: Callable[[], None] = lambda: None,
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Serve requests until a signal arrives or `stop` returns true; `ready` is called when it has started. Running
    debates are stopped at the end and can be resumed."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        # No header of a proxy is trusted: permissions do not depend on the client's address.
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=SECONDS_TO_LEAVE,
    )
    server = uvicorn.Server(config)
    leaving = asyncio.create_task(_watch(app, server, ready, stop))
    try:
        await server.serve(sockets=[listening])
    finally:
        leaving.cancel()


async def _watch(app: FastAPI, server: uvicorn.Server, ready: Callable[[], None], stop: Callable[[], bool]) -> None:
    """Stop the debates when the server is stopping: it waits for its followers, and they wait for the debates to
    end."""
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(LOOK_EVERY)
    ready()
    while not server.should_exit:
        if stop():
            server.should_exit = True
        await asyncio.sleep(LOOK_EVERY)
    await app.state.host.close()
