"""Pages as HTML: one frame and one stylesheet for all, with the templates of the report inside. All text is escaped
unless it is marked as safe."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader
from markupsafe import Markup

from moot.plugins.features import BUILT_IN, built_in
from moot.report.page import environment_of
from moot.service.host import Host
from moot.service.shelf import RUNNING, UNREADABLE
from moot.text.maps import CSS

CHUNK = 16_384
"""Characters of a long page that are sent at a time."""
CUT = '<p class="flag" role="alert">The rest of this page could not be made. The log of the server says why.</p>'

STATUSES: dict[str, str] = {
    RUNNING: "under way",
    "done": "done",
    "limit": "at a limit",
    "failed": "failed",
    "interrupted": "stopped",
    UNREADABLE: "made by another version",
}
"""The status of a debate, as pages say it."""


def host_of(request: Request) -> Host:
    """The debates of this server."""
    host: Host = request.app.state.host
    return host


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A template of the web pages or of the report, filled with these values and those of the frame."""
    return HTMLResponse(environment().get_template(template).render(**_frame(request), **values), status)


def long_page(request: Request, template: str, *, status: int = 200, **values: Any) -> StreamingResponse:
    """The same, sent while it is being made: the browser asks for the stylesheets before the end of it is there."""
    chunks = in_chunks(environment().get_template(template).generate(**_frame(request), **values))
    head = next(chunks)  # a fault in it is answered as one
    return StreamingResponse(chain([head], chunks), status, media_type="text/html")


def _frame(request: Request) -> dict[str, Any]:
    return {
        "path": request.url.path,
        "acting": not request.app.state.read_only,
        "rates": installed("memory"),
        "statuses": STATUSES,
    }


def in_chunks(pieces: Iterator[str]) -> Iterator[str]:
    """The head of a page alone, and then pieces that are large enough to send."""
    waiting, size, least = [], 0, 0
    try:
        for piece in pieces:
            waiting.append(piece)
            size += len(piece)
            if size >= least and (least or "</head>" in piece):
                yield "".join(waiting)
                waiting, size, least = [], 0, CHUNK
        yield "".join(waiting)
    except Exception:  # whatever it was: a page that has begun cannot become an error page, and says that it is cut
        if least:
            yield "".join([*waiting, CUT])
        raise


def sorry(request: Request, status: int, title: str, text: str) -> HTMLResponse:
    """An error page with the reason."""
    return page(request, "sorry.html.jinja", status=status, title=title, text=text)


@cache
def environment() -> Environment:
    """The templates of the pages and, behind them, those of the report; `report/…` are the report's own in any case,
    and `NAME/…` those of a feature. A map has its styles in the page's own stylesheet."""
    rooms = {name: PackageLoader("moot", name) for name in ("report", "studies", "memory") if installed(name)}
    loader = ChoiceLoader([PackageLoader("moot", "web/templates"), rooms["report"], PrefixLoader(rooms)])
    made = environment_of(loader, html=True)
    made.filters |= {"slug": slug, "drawing": unstyled}
    return made


def installed(room: str) -> bool:
    """Whether this room is there: it is in the kernel, or its feature was not left out."""
    return room not in BUILT_IN or built_in(room) is not None


def unstyled(picture: str) -> Markup:
    """An argument map for the middle of a page, which has the map's styles in its own stylesheet. A group and not an
    image: what is in an image cannot be reached by keyboard."""
    picture = picture.replace(f"<style>{CSS}</style>\n", "", 1).replace('role="img"', 'role="group"', 1)
    return Markup(picture)  # noqa: S704 (drawn by moot, with every text in it escaped)


def slug(text: str) -> str:
    """A text as a part of a class or an id."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or f"x{text.encode().hex()}"
