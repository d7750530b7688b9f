"""The stylesheets of the report and of argument maps, which the pages build on, and the script of the report. In the
report and in a map they are inline, which these pages do not allow."""

from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from moot.engine.define.registry import protocol_names
from moot.report.page import replay_script
from moot.text.maps import CSS as MAP_CSS
from moot.web.pages.rendering import installed, slug

router = APIRouter()


@router.get("/report.css")
async def report_css() -> Response:
    return Response(_text(), media_type="text/css", headers={"Cache-Control": "max-age=300"})


@router.get("/replay.js")
async def replay_js() -> Response:
    return Response(replay_script(), media_type="text/javascript", headers={"Cache-Control": "max-age=300"})


@router.get("/protocols.css")
async def protocols_css() -> Response:
    """Rules that show the form fields of a protocol only while it is chosen."""
    rules = []
    for name in map(slug, protocol_names()):
        chosen = f"form:has(#way-{name}:checked)"
        rules.append(f"{chosen} .for-{name} {{ display: revert; }}\n{chosen} .roles.for-{name} {{ display: grid; }}\n")
    return Response("".join(rules), media_type="text/css")


@cache
def _text() -> str:
    """All in one file: a page appears when its stylesheets are there, and one comes sooner than two."""
    sheets = [files("moot.report") / "page.css"]
    if installed("studies"):
        sheets.append(files("moot.studies") / "study.css")
    own = files("moot.web") / "static" / "moot.css"
    return "".join(sheet.read_text("utf-8") for sheet in sheets) + MAP_CSS + own.read_text("utf-8")
