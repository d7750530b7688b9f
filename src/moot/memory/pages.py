"""The leaderboard: ratings of agents, from the memory of this server."""

import asyncio
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.engine.define.capabilities import Remembers
from moot.engine.define.registry import all_protocols
from moot.memory.database import NoMemoryYet
from moot.memory.store import Standing, open_store
from moot.present import Table
from moot.text import clip, printable
from moot.web.pages.rendering import page

WIDTH, LEFT, RIGHT = 640, 170, 24
ROW, TOP, AXIS = 30, 8, 30
STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000)
MOST_TICKS = 6

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Whisker:
    """A strength and its interval, in the units of the drawing."""

    name: str
    label: str
    y: float
    x: float
    low: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Chart:
    width: float
    height: float
    left: float
    right: float
    bottom: float
    whiskers: list[Whisker]
    ticks: list[tuple[str, float]]
    middle: float


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
    return page(
        request,
        "memory/leaderboard.html.jinja",
        has_memory=memory is not None,
        rated=[protocol for protocol in found if protocol.get(Remembers)],
        fault=fault,
        chart=drawn(standings),
        table=_table(standings) if standings else None,
    )


def _standings(memory: str) -> list[Standing]:
    try:
        with open_store(memory, create=False) as store:
            return store.leaderboard()
    except NoMemoryYet:
        return []  # it is made by the first debate that is remembered


def drawn(standings: list[Standing]) -> Chart | None:
    """A dot and a line for each strength, the strongest on top. None if there are no ratings."""
    fitted = sorted(
        ((one.agent, one.fit) for one in standings if one.fit is not None), key=lambda pair: -pair[1].rating
    )
    if not fitted:
        return None
    least, most = min(fit.low for _, fit in fitted), max(fit.high for _, fit in fitted)
    step = next((one for one in STEPS if (most - least) / one <= MOST_TICKS), STEPS[-1])
    first, last = int(least // step) * step, -int(-most // step) * step
    span = WIDTH - LEFT - RIGHT

    def place(rating: float) -> float:
        return round(LEFT + span * (rating - first) / max(1, last - first), 1)

    whiskers = [
        Whisker(
            name=name,
            label=clip(" ".join(printable(name).split()), 16),
            y=TOP + ROW * number + ROW / 2,
            x=place(fit.rating),
            low=place(fit.low),
            high=place(fit.high),
            told=f"{fit.rating:.0f}, from {fit.low:.0f} to {fit.high:.0f}",
        )
        for number, (name, fit) in enumerate(fitted)
    ]
    bottom = TOP + ROW * len(fitted)
    ticks = [(str(rating), place(rating)) for rating in range(first, last + 1, step)]
    return Chart(WIDTH, bottom + AXIS, LEFT, WIDTH - RIGHT, bottom, whiskers, ticks, place(1500))


def _table(standings: list[Standing]) -> Table:
    rows = [
        [
            one.agent,
            f"{one.elo:.0f}",
            "" if one.fit is None else f"{one.fit.rating:.0f}",
            "" if one.fit is None else f"{one.fit.low:.0f} to {one.fit.high:.0f}",
            str(one.games),
            "too few votes" if one.brier is None else f"{one.brier:.3f}",
        ]
        for one in standings
    ]
    return Table(["Agent", "Elo", "Strength", "95 % interval", "Games", "Calibration (Brier)"], rows)
