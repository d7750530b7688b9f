"""DBOS: the calls of a duel as steps of a workflow, taken from a queue by worker processes.

    python with_dbos.py work DATABASE EXECUTOR AT_A_TIME     a worker; says when it is ready, and goes on until killed
    python with_dbos.py submit DATABASE COUNT                submits so many, waits for all, prints the seconds

The endpoint is in FAKE_BASE_URL. A duel makes 30 calls, of which 19 form the longest chain; the others run beside it.
"""
# mypy: disable-error-code="import-not-found, no-any-return, misc"

import asyncio
import os
import sys
import time

import aiohttp
from dbos import DBOS, DBOSClient, DBOSConfig

CHAIN, BESIDE = 19, 11
QUEUE = "duels"
TEXT = "The motion stands, for three reasons that nobody has answered so far. " * 4


class Session:
    """One for the whole process, opened by the first call."""

    opened: aiohttp.ClientSession | None = None


async def ask(duel: int, number: int) -> str:
    if Session.opened is None:
        Session.opened = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
    messages = [{"role": "user", "content": f"{duel}/{number}: {TEXT}"}]
    body = {"model": "fake", "messages": messages}
    async with Session.opened.post(f"{os.environ['FAKE_BASE_URL']}/chat/completions", json=body) as answer:
        document = await answer.json()
    return str(document["choices"][0]["message"]["content"])


async def duel(number: int) -> int:
    made = 0
    for place in range(CHAIN):
        calls = [step(number, place)] + ([step(number, 100 + place)] if place < BESIDE else [])
        made += len(await asyncio.gather(*calls))
    return made


step = DBOS.step(name="ask")(ask)
workflow = DBOS.workflow(name="duel")(duel)


async def work(database: str, executor: str, at_a_time: int) -> None:
    config: DBOSConfig = {
        "name": "duels",
        "system_database_url": database,
        "executor_id": executor,
        "application_version": "1",
        "log_level": "ERROR",
    }
    DBOS(config=config)
    DBOS.launch()
    await DBOS.register_queue_async(QUEUE, worker_concurrency=at_a_time, polling_interval_sec=0.1)
    print("working", file=sys.stderr, flush=True)
    await asyncio.Event().wait()


async def submit(database: str, count: int) -> None:
    client = DBOSClient(system_database_url=database)
    started = time.perf_counter()
    handles = [
        await client.enqueue_async({"queue_name": QUEUE, "workflow_name": "duel", "app_version": "1"}, number)
        for number in range(count)
    ]
    made = [await handle.get_result() for handle in handles]
    assert set(made) == {CHAIN + BESIDE}
    print(time.perf_counter() - started)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["work", database, executor, at_a_time]:
            asyncio.run(work(database, executor, int(at_a_time)))
        case ["submit", database, count]:
            asyncio.run(submit(database, int(count)))
