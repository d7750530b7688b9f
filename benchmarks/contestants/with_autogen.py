"""AutoGen: three assistant agents, which keep their own histories, asked one call at a time."""
# mypy: disable-error-code="import-not-found"

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelInfo
from autogen_ext.models.openai import OpenAIChatCompletionClient
from measure import Duel, Order, main
from script import Call, follow, load


@asynccontextmanager
async def contestant(order: Order) -> AsyncIterator[Duel]:
    script = load(order.script)
    about = ModelInfo(
        vision=False,
        function_calling=False,
        json_output=False,
        structured_output=False,
        family="unknown",
    )
    client = OpenAIChatCompletionClient(model="fake", base_url=order.url, api_key="none", model_info=about)

    async def duel(_number: int) -> None:
        agents = {
            agent: AssistantAgent(agent, model_client=client, system_message=text)
            for agent, text in script.systems.items()
        }

        async def ask(call: Call) -> None:
            await agents[call.agent].run(task=call.prompt)

        await follow(script, ask)

    yield duel
    await client.close()


if __name__ == "__main__":
    main(contestant)
