"""aragora-debate: five agents, three rounds of propose, critique and vote, none of them ended early."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from measure import Duel, Order, main


@asynccontextmanager
async def contestant(order: Order) -> AsyncIterator[Duel]:
    from aragora_debate import Arena, DebateConfig  # type: ignore[import-not-found]
    from aragora_debate.agents import OpenAIAgent  # type: ignore[import-not-found]

    os.environ |= {"OPENAI_BASE_URL": order.url, "OPENAI_API_KEY": "none"}
    agents = [OpenAIAgent(name, model="fake") for name in ("Ines", "Tomas", "Mei", "Noor", "Lars")]

    async def arena(number: int) -> None:
        config = DebateConfig(rounds=3, early_stopping=False, enable_convergence=False)
        await Arena(question=f"How should we cut the build time? ({number})", agents=agents, config=config).run()

    yield arena


if __name__ == "__main__":
    main(contestant)
