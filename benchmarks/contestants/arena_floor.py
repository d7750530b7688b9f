"""The floor: the same calls as in moot's arena, in the same order, by aiohttp alone, with nothing kept or checked."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from measure import Duel, Order, main

TOGETHER = (5, 5, 5, 4, 5, 4, 5, 4, 5, 5, 2)
"""How many calls each step of the chain makes side by side."""
PROMPT = "word " * 2000
"""As long as a conversation is half-way through."""
SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("a", "b", "c", "d")},
    "required": ["a"],
}
"""The endpoint makes an object of it for every reply, as it does for moot's."""


@asynccontextmanager
async def contestant(order: Order) -> AsyncIterator[Duel]:
    shape = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}
    messages = [{"role": "user", "content": PROMPT}]
    body = json.dumps({"model": "fake", "messages": messages, "response_format": shape}).encode()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def call() -> None:
            headers = {"Content-Type": "application/json"}
            async with session.post(f"{order.url}/chat/completions", data=body, headers=headers) as answer:
                json.loads(await answer.read())

        async def arena(_: int) -> None:
            for count in TOGETHER:
                await asyncio.gather(*(call() for _ in range(count)))

        yield arena


if __name__ == "__main__":
    main(contestant)
