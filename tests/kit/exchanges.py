"""Requests to models over HTTP, answered by the fake server."""

import asyncio
from collections.abc import Callable
from typing import Any

from moot.models.anthropic import Anthropic
from moot.models.base import Message, ModelReply, Request
from moot.models.http import Endpoint
from moot.models.openai_compatible import OpenAICompatible
from tests.kit.endpoint import FakeEndpoint, Faults
from tests.kit.waiting import PATIENCE

REQUEST = Request("duel/1", "ada", (Message("system", "You are Ada."), Message("user", "Is it so?")))


def ignore(piece: str) -> None:
    pass


def model_at(url: str, name: str = "test/fake", **settings: Any) -> Anthropic | OpenAICompatible:
    """A model at the fake server's address, which speaks the format that its name asks for."""
    provider, _, model = name.partition("/")
    if provider == "anthropic":
        headers = {"x-api-key": "key", "anthropic-version": "2023-06-01"}
        endpoint = Endpoint(url.removesuffix("/v1"), headers, "key", "ANTHROPIC_API_KEY", timeout=PATIENCE)
        return Anthropic(name, model, endpoint, **settings)
    endpoint = Endpoint(url, {"Authorization": "Bearer key"}, "key", "TEST_API_KEY", timeout=PATIENCE)
    return OpenAICompatible(name, model, endpoint, **settings)


def exchange(
    faults: Faults = (),
    asked: Request = REQUEST,
    *,
    on_text: Callable[[str], None] | None = None,
    times: int = 1,
    name: str = "test/fake",
    **settings: Any,
) -> tuple[ModelReply, FakeEndpoint]:
    """The last reply to the request, and the server with what it saw."""

    async def run() -> tuple[ModelReply, FakeEndpoint]:
        async with FakeEndpoint(faults=faults) as fake:
            model = model_at(fake.url, name, **settings)
            replies = [await model.reply(asked, on_text) for _ in range(times)]
            return replies[-1], fake

    return asyncio.run(run())
