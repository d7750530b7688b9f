"""The floor: the calls of a duel by asyncio and aiohttp, with no engine around them and nothing kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from measure import Duel, Order, main
from script import Call, follow, load


@asynccontextmanager
async def contestant(order: Order) -> AsyncIterator[Duel]:
    script = load(order.script)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def duel(_number: int) -> None:
            histories = {agent: [{"role": "system", "content": text}] for agent, text in script.systems.items()}

            async def ask(call: Call) -> None:
                history = histories[call.agent]
                history.append({"role": "user", "content": call.prompt})
                document = {"model": "fake", "messages": history}
                async with session.post(f"{order.url}/chat/completions", json=document) as response:
                    answer = await response.json()
                history.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"]})

            await follow(script, ask)

        yield duel


if __name__ == "__main__":
    main(contestant)
