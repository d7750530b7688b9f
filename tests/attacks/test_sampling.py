"""Assistants that speak for a debate (`client/…`) and mean harm, or are broken: each costs only its own call."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client
from mcp.server.session import ServerSession
from mcp_types import CreateMessageRequestParams, CreateMessageResult, ImageContent, TextContent

import moot
from moot.errors import EmptyReply, ModelError, NotAReply, TimedOut
from moot.mcp.following import rounds_in
from moot.mcp.sampling import MOST_ROUNDS, ClientModel, Line
from moot.mcp.server import make_server
from moot.models import calling
from moot.models.base import LONGEST_TOKEN, Message, Request
from moot.service.host import Host
from tests.kit.assistants import call
from tests.kit.waiting import AT_ONCE, PATIENCE, run

ASKED = Request("A/turn/1", "A", (Message("user", "Speak."),))
KEY = "A/turn/1#1"
Tell = Callable[[Line], None]


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": {"type": "text", "text": text}, "model": "own", **more}


def asked_once(*answers: Any, timeout: float = PATIENCE) -> moot.ModelReply:
    """What one question comes to, when the assistant answers so, one after the other."""
    line = Line(cast(ServerSession, None), offered=True, at_any_time=False, timeout=timeout)

    async def go() -> moot.ModelReply:
        reply = asyncio.create_task(ClientModel("client/x", line).reply(ASKED))
        await line.asked()
        for one in answers:
            line.answered(one)
        try:
            return await reply
        finally:
            line.answered({KEY: said("Too late.")})
            assert not line.waiting and not line.answers

    return asyncio.run(go())


def test_only_the_first_answer_counts() -> None:
    other = {"other": said("Not asked."), "": said("")}
    assert asked_once(other, {KEY: said("First.")}, {KEY: said("Second.")}, {KEY: None}).text == "First."


def test_who_never_answers_costs_one_call() -> None:
    with pytest.raises(TimedOut, match="no answer within"):
        asked_once({"other": said("Not asked.")}, timeout=AT_ONCE)


ODD = [None, 1, "text", [], {}, [said("x")], {"role": "judge"}, said("x") | {"content": "x"}, said("x") | {"model": 1}]


@pytest.mark.parametrize("answer", ODD)
def test_an_answer_of_another_type_is_no_reply(answer: Any) -> None:
    with pytest.raises(NotAReply):
        asked_once({KEY: answer})


@pytest.mark.parametrize("text", ["", " \n ", "<think>only thoughts</think>", "<think>" * 1000])
def test_an_answer_without_words_is_no_reply(text: str) -> None:
    with pytest.raises(EmptyReply):
        asked_once({KEY: said(text)})


@pytest.mark.parametrize("piece", ["a", "<think>", "</think>", "{", "\ud800", "\n", "<"])
def test_a_huge_answer_is_read_to_its_end(piece: str) -> None:
    """What takes more than linear time does not come to an end with it."""
    with suppress(ModelError):
        asked_once({KEY: said("Words. " + piece * (1_000_000 // len(piece)))})


def test_the_name_of_its_model_is_a_short_line() -> None:
    name = asked_once({KEY: said("Words.", model="own\n\x1b[31m" + "x" * 1_000_000)}).answered_by
    assert name is not None and len(name) <= 200 and "\n" not in name


@pytest.mark.parametrize("state", ["", "#", "x", "run#-5", "run#9999999999999", f"run#{'9' * 9999}", "run#٣", "#1.5"])
def test_a_state_that_cannot_be_asks_no_more(state: str) -> None:
    assert rounds_in(state) == MOST_ROUNDS
    assert (rounds_in(None), rounds_in("run#3")) == (0, 3)


def huge(params: CreateMessageRequestParams) -> CreateMessageResult:
    content = TextContent(type="text", text="word " * 400_000)
    return CreateMessageResult(role="assistant", content=content, model="own")


def picture(params: CreateMessageRequestParams) -> CreateMessageResult:
    content = ImageContent(type="image", data="AAAA", mime_type="image/png")
    return CreateMessageResult(role="assistant", content=content, model="own")


@pytest.mark.parametrize(("answer", "mode"), [(huge, "legacy"), (huge, "auto"), (picture, "legacy")])
def test_a_debate_with_such_an_assistant_comes_to_an_end(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
    answer: Callable[[CreateMessageRequestParams], CreateMessageResult],
) -> None:
    monkeypatch.setattr(calling, "BASE_DELAY", 0.001)

    async def sample(context: object, params: CreateMessageRequestParams) -> CreateMessageResult:
        return answer(params)

    async def ask(client: Client) -> dict[str, Any]:
        start = {"protocol": "duel", "topic": "Is it so?", "model": "client/x"}
        settings = {"turns": 2, "max_calls": 4, "max_reply_tokens": 50}
        heard = {"run": (await call(client, "start_debate", **start, settings=settings))["run"], "last": -1}
        heard["status"] = "running"
        while heard["status"] == "running":
            heard |= await call(client, "follow_debate", run=heard["run"], after=heard["last"], seconds=10)
        return heard

    async def go() -> dict[str, Any]:
        host = Host(tmp_path)
        try:
            async with Client(make_server(host), mode=mode, sampling_callback=sample) as client:
                return await ask(client)
        finally:
            await host.close()

    heard = run(go())
    assert heard["status"] in ("limit", "failed"), heard
    debate = moot.find_run("latest", str(tmp_path))
    replies = [record for record in debate.records() if record.kind == "reply"]
    assert all(len(one.reply or "") <= 50 * LONGEST_TOKEN and one.finish_reason == "length" for one in replies)
    assert bool(replies) == (answer is huge)
