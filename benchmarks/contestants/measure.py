"""What the process of every contestant does: some duels one after another, then many at once, with figures on stdout.

Needs nothing but the standard library: DBOS has an environment of its own.
"""

import argparse
import asyncio
import json
import resource
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

Duel = Callable[[int], Awaitable[None]]
"""Plays one whole duel; the number tells it from the others."""


@dataclass(frozen=True, slots=True)
class Order:
    """Where the model is, and how much to play. `script` is a file for `script.load`."""

    url: str
    script: Path
    singles: int
    many: int


def main(open_contestant: Callable[[Order], AbstractAsyncContextManager[Duel]]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--singles", type=int, required=True)
    parser.add_argument("--many", type=int, required=True)
    order = Order(**vars(parser.parse_args()))
    print(json.dumps(asyncio.run(_measured(order, open_contestant))))


async def _measured(
    order: Order, open_contestant: Callable[[Order], AbstractAsyncContextManager[Duel]]
) -> dict[str, float]:
    async with open_contestant(order) as duel:
        await duel(0)  # the first one imports, connects and fills caches
        walls = []
        for number in range(order.singles):
            began = time.perf_counter()
            await duel(number)
            walls.append(time.perf_counter() - began)
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(duel(number) for number in range(order.many)))
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "duels": 1 + order.singles + order.many,
        "single_seconds": statistics.median(walls),
        "many_seconds": wall,
        "many_cpu_seconds": cpu,
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6,
    }
