"""Pages as HTML: one frame and one stylesheet for all, with the templates of the report inside. All text is escaped
unless it is marked as safe."""

import re
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader
from markupsafe import Markup

from moot.report.page import environment_of
from moot.service.host import Host
from moot.text.maps import CSS
from moot.web.gallery_index import Shelf
from moot.web.study_index import Studies


def host_of(request: Request) -> Host:
    """The debates of this server."""
    host: Host = request.app.state.host
    return host


def shelf_of(request: Request) -> Shelf:
    """The cards of all debates of this server; one index for all pages, since it caches what it reads."""
    state = request.app.state
    if getattr(state, "shelf", None) is None:
        state.shelf = Shelf(host_of(request))
    shelf: Shelf = state.shelf
    return shelf


def studies_of(request: Request) -> Studies:
    """The batches and evaluations of this server, with what was read of them."""
    state = request.app.state
    if getattr(state, "studies", None) is None:
        state.studies = Studies(host_of(request))
    studies: Studies = state.studies
    return studies


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A template of the web pages or of the report, filled with these values and those of the frame."""
    acting = not request.app.state.read_only
    text = environment().get_template(template).render(path=request.url.path, acting=acting, **values)
    return HTMLResponse(text, status)


def sorry(request: Request, status: int, title: str, text: str) -> HTMLResponse:
    """An error page with the reason."""
    return page(request, "sorry.html.jinja", status=status, title=title, text=text)


@cache
def environment() -> Environment:
    """The templates of the pages and, behind them, those of the report; `report/…` are the report's own in any case.
    A map has its styles in the page's own stylesheet."""
    report = PackageLoader("moot", "report")
    own, studies = PackageLoader("moot", "web/templates"), PackageLoader("moot", "studies")
    loader = ChoiceLoader([own, report, PrefixLoader({"report": report, "studies": studies})])
    made = environment_of(loader, html=True)
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
