"""moot itself: whole runs with log, journal, fsync and result; as in large experiments, reports are left for later."""

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from measure import Duel, Order, main

import moot

TOPIC = "Is remote work better than work in an office?"
TURNS = 6


@asynccontextmanager
async def contestant(order: Order, *, reports: bool = False) -> AsyncIterator[Duel]:
    os.environ |= {"FAKE_BASE_URL": order.url, "FAKE_API_KEY": "none"}
    with tempfile.TemporaryDirectory() as folder:

        async def duel(number: int) -> None:
            # The bound on calls under way is there to spare a server; here it would only bound the measurement.
            result = await moot.duel(
                f"{TOPIC} ({number})",
                model="fake/fake",
                turns=TURNS,
                no_frame=True,  # the fake endpoint cannot say what a question means
                out=folder,
                concurrency=2 * order.many,
                reports=reports,
            )
            if result.status != "done":
                raise RuntimeError(f"{result.run}: {result.status}, {result.reason}")

        async with moot.connections():  # as the others keep theirs
            yield duel


if __name__ == "__main__":
    main(contestant)
