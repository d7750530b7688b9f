"""Pages as HTML: one frame and one stylesheet for all, with the templates of the report inside. All text is escaped
unless it is marked as safe."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from moot.plugins.features import features
from moot.report.page import environment_of
from moot.service.host import Host
from moot.text.maps import CSS
from moot.web.gallery_index import Shelf

CHUNK = 16_384
"""Characters of a long page that are sent at a time."""
CUT = '<p class="flag" role="alert">The rest of this page could not be made. The log of the server says why.</p>'


def host_of(request: Request) -> Host:
    """The debates of this server."""
    host: Host = request.app.state.host
    return host


def shelf_of(request: Request) -> Shelf:
    """The cards of all debates of this server; one index for all pages, since it caches what it reads."""
    shelf: Shelf = request.app.state.shelf
    return shelf


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A template of the web pages or of the report, filled with these values and those of the frame."""
    return HTMLResponse(environment().get_template(template).render(**_frame(request), **values), status)


def long_page(request: Request, template: str, *, status: int = 200, **values: Any) -> StreamingResponse:
    """The same, sent while it is being made: the browser asks for the stylesheets before the end of it is there."""
    chunks = in_chunks(environment().get_template(template).generate(**_frame(request), **values))
    head = next(chunks)  # a fault in it is answered as one
    return StreamingResponse(chain([head], chunks), status, media_type="text/html")


def _frame(request: Request) -> dict[str, Any]:
    return {"path": request.url.path, "acting": not request.app.state.read_only, "links": _links()}


@cache
def _links() -> dict[str, str]:
    """What the pages of features are called in the menu, by path."""
    return {path: label for feature in features() for path, label in feature.links.items()}


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
    except Exception:
        if least:
            yield "".join([*waiting, CUT])
        raise


def sorry(request: Request, status: int, title: str, text: str) -> HTMLResponse:
    """An error page with the reason."""
    return page(request, "sorry.html.jinja", status=status, title=title, text=text)


@cache
def environment() -> Environment:
    """The templates of the pages and, behind them, those of the report; with the name of a room, `report/…`, its own.
    A map has its styles in the page's own stylesheet."""
    rooms = [PackageLoader("moot", folder) for folder in ("web/templates", "report", "")]
    made = environment_of(ChoiceLoader(rooms), html=True)
    made.filters |= {"slug": slug, "drawing": unstyled}
    return made


def unstyled(picture: str) -> Markup:
    """An argument map for the middle of a page, which has the map's styles in its own stylesheet. A group and not an
    image: what is in an image cannot be reached by keyboard."""
    picture = picture.replace(f"<style>{CSS}</style>\n", "", 1).replace('role="img"', 'role="group"', 1)
    return Markup(picture)  # noqa: S704 (drawn by moot, with every text in it escaped)


def slug(text: str) -> str:
    """A text as a part of a class or an id."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or f"x{text.encode().hex()}"
