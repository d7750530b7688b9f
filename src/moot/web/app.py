"""The web application: the debates of a folder or a database, its routes, and the guard in front of them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

import moot
from moot.engine.define.registry import protocol_names
from moot.errors import MissingExtra
from moot.plugins.extras import require
from moot.plugins.features import offered, routers
from moot.service.host import MOST_AT_ONCE, Host
from moot.web import api, chat, errors, responses
from moot.web.assistants import Assistants
from moot.web.gallery_index import Shelf
from moot.web.pages import router as pages
from moot.web.security import MOST_FOLLOWERS, Followers, Guard

TITLE = "moot"
ABOUT = """Structured debates between language models: started, followed, taken part in, read and contested.

Every error is `{"error": "…"}`; those of `/v1` have the shape that OpenAI's clients expect. Where the server has a
token, it goes into `Authorization: Bearer …`."""
_made: dict[str, Any] = {}


def make_app(
    out: Path | str,
    *,
    token: str | None = None,
    memory: str | None = None,
    at_most: int = MOST_AT_ONCE,
    hosts: Sequence[str] = (),
    models: Mapping[str, moot.Model] | None = None,
    queue: str | None = None,
    read_only: bool = False,
) -> FastAPI:
    """The application over the runs in that folder or PostgreSQL database. `hosts` are further host names of the
    server, besides loopback and bare addresses. `memory` is where debates are remembered, `at_most` the number of
    debates at once; `models` are your own models by name. With a `queue`, the same database, its workers run the
    debates. If `read_only` is set, nobody can start or change anything."""
    protocol_names()  # what is wrong with a plug-in is said now, to whoever starts the server
    host = Host(out, at_most, models, memory, queue)
    assistants = Assistants(host)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await host.open()
            yield
        finally:
            await assistants.close()
            await host.close()

    # The pages that FastAPI has for its documentation load scripts from elsewhere, so there are none.
    app = FastAPI(
        title=TITLE,
        description=ABOUT,
        version="1",
        # FastAPI would make its document in the event loop, where followers wait for it.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        # A trace would hold whole addresses, and the first one of a browser has the token in it.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.host = host
    app.state.memory = memory
    app.state.shelf = Shelf(host)
    app.state.collections = [collection(host) for collection in offered("collection")]
    app.state.read_only = read_only
    app.state.followers = Followers(MOST_FOLLOWERS)
    errors.handle(app)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    app.add_route("/api/openapi.json", lambda _: JSONResponse(app.openapi()), include_in_schema=False)
    for router in (api.router, chat.router, responses.router, pages, *routers()):
        app.include_router(router)
    if _has_mcp():
        app.router.routes.append(Route("/mcp", assistants))
    app.mount("/static", StaticFiles(packages=[("moot.web", "static")]), name="static")
    guard = {"token": token, "hosts": tuple(hosts), "followers": app.state.followers, "read_only": read_only}
    app.add_middleware(Guard, **guard)
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, which is the same for every application and takes a while to make. FastAPI takes for
    granted that a wrong request is answered with 422; OpenAI's API, and so what is under /v1, answers 400."""
    if not _made:
        document = FastAPI.openapi(app)
        for path, operations in document["paths"].items():
            for operation in operations.values() if path.startswith("/v1/") else ():
                operation["responses"].pop("422", None)
        _made.update(document)
    return _made


def _has_mcp() -> bool:
    try:
        require("mcp")
    except MissingExtra:
        return False
    return True
