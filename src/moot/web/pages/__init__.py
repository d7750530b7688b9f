"""The pages, each in the module of its name. A page is a template filled on the server; scripts only add to it."""

from fastapi import APIRouter

from moot.web.pages import (
    afterwards,
    ballots,
    compare,
    contest,
    gallery,
    moving_cards,
    read,
    seen,
    start,
    style,
    take_part,
    versions,
    votes,
    watch,
)

router = APIRouter(include_in_schema=False)
for _module in (
    style,
    gallery,
    moving_cards,
    read,
    afterwards,
    votes,
    seen,
    ballots,
    versions,
    contest,
    compare,
    start,
    watch,
    take_part,
):
    router.include_router(_module.router)
