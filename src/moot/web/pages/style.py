"""The stylesheets of the report and of argument maps, on which the pages' own stands. In the report and in a map they
are inline, which these pages do not allow."""

from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from moot.argument.style import CSS as MAP_CSS

router = APIRouter()


@router.get("/report.css")
async def report_css() -> Response:
    return Response(_text(), media_type="text/css", headers={"Cache-Control": "max-age=300"})


@cache
def _text() -> str:
    return (files("moot.report") / "page.css").read_text("utf-8") + MAP_CSS
