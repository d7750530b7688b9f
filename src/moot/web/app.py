"""The web application: the debates of a folder or a database, its routes, and the guard in front of them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from moot.engine.define.registry import protocol_names
from moot.errors import MissingExtra
from moot.plugins.features import MissingFeature, add_parts, needed
from moot.service.host import Host
from moot.web import api, chat, errors, health
from moot.web.pages import (
    afterwards,
    compare,
    contest,
    gallery,
    read,
    rendering,
    seen,
    start,
    style,
    take_part,
    watch,
)
from moot.web.security import MOST_FOLLOWERS, Guard, Places

PAGES = (
    style,
    gallery,
    read,
    afterwards,
    seen,
    contest,
    compare,
    start,
    watch,
    take_part,
)
TITLE = "moot"
ABOUT = """Structured debates between language models: started, followed, taken part in, read and contested.

Every error is `{"error": "…"}`; those of `/v1` have the shape that OpenAI's clients expect. Where the server has a
token, it goes into `Authorization: Bearer …`."""


def make_app(host: Host, *, token: str | None = None, hosts: Sequence[str] = (), read_only: bool = False) -> FastAPI:
    """The application over the debates of this host. `hosts` are further host names of the server, besides loopback and
    bare addresses. If `read_only` is set, nobody can start or change anything."""
    protocol_names()  # what is wrong with a plug-in is said now, to whoever starts the server
    assistants = _assistants(host)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await host.open()
            yield
        finally:
            if assistants is not None:
                await assistants.close()
            await host.close()

    # The pages that FastAPI has for its documentation load scripts from elsewhere, so there are none.
    app = FastAPI(
        title=TITLE,
        description=ABOUT,
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        # A trace would hold whole addresses, and the first one of a browser has the token in it.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.host = host
    app.state.memory = host.memory
    app.state.page = rendering.page
    app.state.read_only = read_only
    app.state.followers = Places(MOST_FOLLOWERS)
    errors.handle(app)
    _include_routes(app)
    if assistants is not None:
        app.router.routes.append(Route("/mcp", assistants))
    app.mount("/static", StaticFiles(packages=[("moot.web", "static")]), name="static")
    guard = {"token": token, "hosts": tuple(hosts), "followers": app.state.followers, "read_only": read_only}
    app.add_middleware(Guard, **guard, public_url=host.public_url)
    return app


def _include_routes(app: FastAPI) -> None:
    """The API, the pages, and what features bring."""
    for module in (api, chat, health):
        app.include_router(module.router)
    for page in PAGES:
        app.include_router(page.router, include_in_schema=False)
    add_parts("routers", lambda router: app.include_router(router, include_in_schema=False))


def _assistants(host: Host) -> Any:
    """The endpoint for assistants; None if that feature, or what it needs, is not installed."""
    try:
        return needed("endpoint", "/mcp", "mcp")(host)
    except (MissingExtra, MissingFeature):
        return None
