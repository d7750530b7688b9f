"""The pages, each in the module of its name. A page is a template filled on the server; scripts only add to it."""

from fastapi import APIRouter

from moot.plugins.features import built_in
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
    study,
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
    study,
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
if built_in("memory") is not None:
    from moot.web.pages import leaderboard

    router.include_router(leaderboard.router)
