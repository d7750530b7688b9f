"""moot's arena: five agents and a judge through all nine rounds, with log, journal, fsync and result."""

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from measure import Duel, Order, main

import moot

LONGEST_CHAIN = 11
"""Eight rounds with calls, and the question whether all decide the same after each of the three revisions: the endpoint
says the same everywhere, so the proposals are alike, and it denies that they agree."""


@asynccontextmanager
async def contestant(order: Order) -> AsyncIterator[Duel]:
    os.environ |= {"FAKE_BASE_URL": order.url, "FAKE_API_KEY": "none"}
    with tempfile.TemporaryDirectory() as folder:

        async def arena(number: int) -> None:
            result = await moot.arena(
                f"How should we cut the build time? ({number})",
                agents=5,
                model="fake/fake",
                out=folder,
                max_extra_rounds=0,
                reports=False,
            )
            if (result.status, result.longest_chain) != ("done", LONGEST_CHAIN):
                raise RuntimeError(f"{result.run}: {result.status}, {result.reason}, {result.longest_chain} in a chain")

        async with moot.connections():  # as the others keep theirs
            yield arena


if __name__ == "__main__":
    main(contestant)
