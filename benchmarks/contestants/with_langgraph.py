"""LangGraph: a graph with one node for each call, compiled once; histories are its state, nothing is checkpointed."""
# mypy: disable-error-code="import-not-found"

import operator
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from measure import Duel, Order, main
from script import Call, Script, load


class Histories(TypedDict):
    A: Annotated[list[Any], operator.add]
    B: Annotated[list[Any], operator.add]
    judge: Annotated[list[Any], operator.add]


@asynccontextmanager
async def contestant(order: Order) -> AsyncIterator[Duel]:
    script = load(order.script)
    model = ChatOpenAI(model="fake", base_url=order.url, api_key="none", use_responses_api=False)
    graph = compiled(script, model)

    async def duel(_number: int) -> None:
        start = {agent: [SystemMessage(text)] for agent, text in script.systems.items()}
        await graph.ainvoke(start, {"recursion_limit": 2 * len(script.calls)})

    yield duel


def compiled(script: Script, model: Any) -> Any:
    graph = StateGraph(Histories)
    for call in script.calls:
        graph.add_node(name(call.key), node(call, model))
        graph.add_edge([name(need) for need in call.needs] or START, name(call.key))
    graph.add_edge(name(script.calls[-1].key), END)
    return graph.compile()


def node(call: Call, model: Any) -> Callable[[Any], Awaitable[dict[str, Any]]]:
    async def ask(state: Any) -> dict[str, Any]:
        prompt = HumanMessage(call.prompt)
        reply = await model.ainvoke([*state[call.agent], prompt])
        return {call.agent: [prompt, reply]}

    return ask


def name(key: str) -> str:
    return key.replace("/", "_")


if __name__ == "__main__":
    main(contestant)
