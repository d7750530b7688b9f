"""The MCP endpoint of the server. Its library takes as long to load as the server itself, so the first request for it
loads it."""

import asyncio

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from moot.service.host import Host


class Assistants:
    """Answers assistants, as an ASGI application. Close it in the loop that it answered in."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._ready: asyncio.Future[Starlette] | None = None
        self._running: asyncio.Task[None] | None = None
        self._leave = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._ready))
        # Shielded: others wait for it too, and this client may leave.
        application = await asyncio.shield(self._ready)
        # Only its routes: what is wrong is told as everywhere on this server.
        await application.router(scope, receive, send)

    async def close(self) -> None:
        """End all sessions."""
        self._leave.set()
        if self._running is not None:
            await self._running

    async def _run(self, ready: "asyncio.Future[Starlette]") -> None:
        """Load the application and keep its sessions. They have to end in the task that began them, so not in one of a
        request."""
        try:
            application = await asyncio.to_thread(_application, self._host)
            async with application.router.lifespan_context(application):
                ready.set_result(application)
                await self._leave.wait()
        except Exception as error:  # whatever prevents it is told to those who wait
            if ready.done():
                raise
            ready.set_exception(error)


def _application(host: Host) -> Starlette:
    from moot.mcp.server import make_application

    return make_application(host)
