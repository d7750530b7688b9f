"""Many duels at once in this process, their runs in a folder or in PostgreSQL; prints what they took as JSON."""

import asyncio
import json
import resource
import sys
import time

import moot

TOPIC = "Is remote work better than work in an office?"
TURNS = 6


async def play(out: str, many: int) -> dict[str, float]:
    async def one(number: int) -> None:
        result = await moot.duel(
            f"{TOPIC} ({number})",
            model="fake/fake",
            turns=TURNS,
            no_frame=True,
            out=out,
            concurrency=2 * many,
            seed=1,
            reports=False,
        )
        assert result.status == "done", result.reason

    await one(0)  # imports and connections are no part of it
    before, started = used(), time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(many)))
    return {"seconds": time.perf_counter() - started, "cpu": used() - before}


def used() -> float:
    """CPU seconds of this process; who waits for the disk on its behalf is not in it."""
    taken = resource.getrusage(resource.RUSAGE_SELF)
    return taken.ru_utime + taken.ru_stime


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(sys.argv[1], int(sys.argv[2])))))
