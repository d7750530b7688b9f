"""The leaderboard: ratings of agents, from the memory of this server."""

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.engine.define.capabilities import Remembers
from moot.engine.define.registry import all_protocols
from moot.memory.database import NoMemoryYet
from moot.memory.store import Standing, open_store
from moot.present import Table

router = APIRouter()


@router.get("/leaderboard")
async def leaderboard(request: Request) -> Response:
    memory: str | None = request.app.state.memory
    standings: list[Standing] = []
    fault = None
    if memory is not None:
        try:
            standings = await asyncio.to_thread(_standings, memory)
        except moot.MootError as error:
            fault = str(error)
    # In a thread: the first time, this loads all protocols.
    found = await asyncio.to_thread(lambda: [one.protocol for one in all_protocols()])
    shown: Response = request.app.state.page(
        request,
        "memory/leaderboard.html.jinja",
        has_memory=memory is not None,
        rated=[protocol for protocol in found if protocol.get(Remembers)],
        fault=fault,
        table=_table(standings) if standings else None,
    )
    return shown


def _standings(memory: str) -> list[Standing]:
    try:
        with open_store(memory, create=False) as store:
            return store.leaderboard()
    except NoMemoryYet:
        return []  # it is made by the first debate that is remembered


def _table(standings: list[Standing]) -> Table:
    rows = [[standing.agent, *standing.cells] for standing in standings]
    return Table(["Agent", "Elo", "Strength", "95 % interval", "Games", "Calibration (Brier)"], rows)
