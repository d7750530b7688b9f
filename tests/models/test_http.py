import asyncio
import gc
import json
import threading
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from moot import errors
from moot.models import http
from moot.models.http import DONE, Endpoint, get_json, post_events, post_json
from moot.models.pool import pool
from tests.kit.endpoint import CUT, HANG, HTML, JUNK, RESET, FakeEndpoint, Fault, fail, rate_limited, say
from tests.kit.waiting import AT_ONCE, PATIENCE, until

KEY = "sk-very-secret-0123456789"
PATH = "/chat/completions"
QUESTION: Mapping[str, Any] = {"messages": []}


def endpoint_at(url: str, **settings: Any) -> Endpoint:
    headers = {"Authorization": f"Bearer {KEY}"}
    return Endpoint(url, headers, KEY, "FAKE_API_KEY", **settings)


def until_done(event: dict[str, Any]) -> bool:
    return event is DONE


async def post(endpoint: Endpoint, *, streaming: bool) -> None:
    if streaming:
        await post_events(endpoint, PATH, {**QUESTION, "stream": True}, "fake", until_done)
    else:
        await post_json(endpoint, PATH, QUESTION, "fake")


def failure(fault: Fault, *, streaming: bool = False) -> errors.ModelError:
    """What comes of a request that meets this fault. Only one that is never answered is given up soon."""
    settings = {"timeout": AT_ONCE} if fault == HANG else {}

    async def run() -> errors.ModelError:
        async with FakeEndpoint(faults=[fault]) as fake:
            with pytest.raises(errors.ModelError) as caught:
                await post(endpoint_at(fake.url, **settings), streaming=streaming)
            return caught.value

    return asyncio.run(run())


KINDS: list[tuple[Fault, type[errors.ModelError], str, bool]] = [
    (rate_limited(), errors.RateLimited, "fewer requests (429: slow down)", True),
    (fail(500), errors.ServerFault, "server error (500: it went wrong)", True),
    (fail(529, code="overloaded_error"), errors.ServerFault, "(529", True),
    (fail(408), errors.TimedOut, "gave up waiting", True),
    (fail(401), errors.Unauthorised, "the key in FAKE_API_KEY", False),
    (fail(403), errors.Unauthorised, "FAKE_API_KEY for fake (403", False),
    (fail(403, "your input was flagged"), errors.Refused, "grounds of policy", False),
    (fail(400, "bad", "content_filter"), errors.Refused, "grounds of policy", False),
    (fail(404), errors.Rejected, "has no model “fake”", False),
    (fail(400, "no such field"), errors.Rejected, "(400: no such field)", False),
    (fail(402), errors.Rejected, "out of credit", False),
    (fail(429, "quota", "insufficient_quota"), errors.Rejected, "out of credit", False),
    (fail(400, "Your credit balance is too low"), errors.Rejected, "out of credit", False),
    (fail(413), errors.ContextOverflow, "longer than fake", False),
    (HTML, errors.NotAReply, "Sign in to the network", True),
    (JUNK, errors.NotAReply, "does not answer in HTTP", True),
    (RESET, errors.ServerFault, "broke the connection", True),
    (HANG, errors.TimedOut, f"no answer within {AT_ONCE} s", True),
]


@pytest.mark.parametrize("streaming", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize(("fault", "kind", "words", "retry"), KINDS)
def test_each_failure_is_told_apart(
    fault: Fault, kind: type[errors.ModelError], words: str, retry: bool, streaming: bool
) -> None:
    error = failure(fault, streaming=streaming)
    assert type(error) is kind
    assert words in str(error)
    assert "127.0.0.1" in str(error)
    assert error.retry is retry


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"error": "model not found, try pulling it first"}', "try pulling it first"),
        ('[{"error": {"code": 400, "message": "API key not valid", "status": "X"}}]', "API key not valid"),
        ('{"object": "error", "message": "from vLLM", "code": 400}', "from vLLM"),
        ('{"error": {"message": "Provider error", "metadata": {"raw": "upstream"}}}', "Provider error: upstream"),
        ("plain words", "plain words"),
        ("", "(400)"),
        ("[" * 100_000, "(400: [[["),
    ],
)
def test_error_bodies_of_many_servers(body: str, words: str) -> None:
    assert words in str(failure(Fault("status", body, status=400)))


def test_a_refused_connection_asks_whether_the_server_runs() -> None:
    async def run() -> str:
        async with FakeEndpoint() as fake:
            url = fake.url
        with pytest.raises(errors.ServerFault) as caught:
            await post(endpoint_at(url), streaming=False)
        return str(caught.value)

    assert "is the server running?" in asyncio.run(run())


def waits(headers: Mapping[str, str], body: str = "{}") -> float | None:
    return failure(Fault("status", body, status=429, headers=headers)).retry_after


def test_retry_after_in_every_form() -> None:
    assert waits({"Retry-After": "7"}) == 7
    assert waits({"Retry-After": "1.5"}) == 1.5
    assert waits({"retry-after-ms": "250", "Retry-After": "1"}) == 0.25
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2 * PATIENCE), usegmt=True)
    assert PATIENCE < (waits({"Retry-After": soon}) or 0) <= 2 * PATIENCE
    assert waits({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert waits({}, '[{"error": {"details": [{"retryDelay": "23s"}]}}]') == 23
    for garbage in ("soon", "-5", "nan", "inf"):
        assert waits({"Retry-After": garbage}) is None
    assert waits({}) is None
    assert failure(fail(503, headers={"Retry-After": "3"})).retry_after == 3


def chain(error: BaseException) -> list[BaseException]:
    """The error and everything that hangs on it."""
    found: list[BaseException] = []
    link: BaseException | None = error
    while link is not None:
        found.append(link)
        link = link.__cause__ or link.__context__
    return found


@pytest.mark.parametrize("streaming", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize(
    "fault",
    [
        *(fail(status, f"your key {KEY} is bad") for status in (400, 401, 402, 403, 404, 413, 429, 500)),
        Fault("status", f"<html>{KEY}</html>"),
        Fault("status", f'{{"error": {{"message": "{KEY}"}}}}'),
        Fault("status", f'data: {{"error": {{"message": "{KEY}"}}}}\n\n'),
        fail(401, "Incorrect API key provided: sk-ver*****6789."),
        fail(302, headers={"Location": f"http://127.0.0.1:9/?key={KEY}"}),
        JUNK,
        RESET,
        CUT,
        HANG,
    ],
)
def test_the_key_is_in_no_error(fault: Fault, streaming: bool) -> None:
    error = failure(fault, streaming=streaming)
    texts = [text for link in chain(error) for text in (str(link), repr(link), repr(link.args))]
    texts.append("".join(traceback.format_exception(error)))
    for text in texts:
        assert KEY not in text
        assert "6789" not in text


def test_what_a_server_says_is_shown_on_one_short_line() -> None:
    text = str(failure(fail(400, "red \x1b[31m alert\n\nnext\u202e line " + "long " * 500)))
    assert "red [31m alert next line long" in text
    assert len(text) < 500
    assert text.isprintable()


async def test_redirects_are_not_followed() -> None:
    async with FakeEndpoint() as other:
        redirect = fail(307, headers={"Location": other.url + PATH})
        async with FakeEndpoint(faults=[redirect]) as fake:
            with pytest.raises(errors.Rejected) as caught:
                await post(endpoint_at(fake.url), streaming=False)
        words, asked = str(caught.value), other.count
    assert "sends requests on to another address (307)" in words
    assert asked == 0


def test_a_body_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LARGEST_BODY", 1000)
    for streaming in (False, True):
        error = failure(say("word " * 1000), streaming=streaming)
        assert type(error) is errors.NotAReply
    monkeypatch.setattr(http, "LARGEST_BODY", 10_000_000)
    monkeypatch.setattr(http, "LARGEST_EVENT", 100)
    assert "too large" in str(failure(Fault("status", "data: " + "x" * 1000), streaming=True))


def streamed(data: str) -> Fault:
    return Fault("status", f"data: {data}\n\n")


TOO_LONG = [
    "This model's maximum context length is 8192 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit",
    "the request exceeds the available context size, try increasing it",
    "the input length exceeds the context length",
    "The input token count (40000) exceeds the maximum number of tokens allowed",
]
# llama.cpp behind Ollama: the error of one wrapped into the text of the other, under a 500
WRAPPED = json.dumps({"error": json.dumps({"error": {"type": "exceed_context_size_error"}})})


@pytest.mark.parametrize(
    ("fault", "streaming", "kind"),
    [
        (CUT, False, errors.ServerFault),
        (CUT, True, errors.CutStream),
        *((fail(400, words), False, errors.ContextOverflow) for words in TOO_LONG),
        (fail(400, "no", "context_length_exceeded"), False, errors.ContextOverflow),
        (Fault("status", WRAPPED, status=500), False, errors.ContextOverflow),
        (
            streamed('{"type": "error", "error": {"type": "rate_limit_error", "message": "x"}}'),
            True,
            errors.RateLimited,
        ),
        (streamed('{"error": {"type": "overloaded_error", "message": "busy"}}'), True, errors.ServerFault),
        (streamed('{"error": {"code": 401, "message": "who"}}'), True, errors.Unauthorised),
        (streamed("{broken"), True, errors.NotAReply),
        (Fault("status", '{"error": {"code": 503}}'), False, errors.ServerFault),
        (Fault("status", '["no", "object"]'), False, errors.NotAReply),
    ],
)
def test_errors_that_no_status_tells(fault: Fault, streaming: bool, kind: type[errors.ModelError]) -> None:
    assert type(failure(fault, streaming=streaming)) is kind


async def test_events_in_every_spelling() -> None:
    events: list[dict[str, Any]] = []
    body = ': hello\r\n\r\nevent: x\r\ndata: {"n": 1}\r\n\r\ndata:{"n": 2}\nid: 3\n\ndata: [DONE]'

    def receive(event: dict[str, Any]) -> bool:
        events.append(event)
        return event is DONE

    async with FakeEndpoint(faults=[Fault("status", body)]) as fake:
        await post_events(endpoint_at(fake.url), PATH, QUESTION, "fake", receive)
    assert events == [{"n": 1}, {"n": 2}, DONE]


async def test_the_pool_keeps_connections_and_closes_them_with_the_last_user() -> None:
    async with FakeEndpoint() as fake:
        endpoint = endpoint_at(fake.url)

        async def debate() -> None:
            async with pool():
                for _ in range(3):
                    await post(endpoint, streaming=False)
                    await post(endpoint, streaming=True)

        async with pool():
            async with pool(), asyncio.TaskGroup() as debates:
                fake.hold()
                for _ in range(5):
                    debates.create_task(debate())
                await until(lambda: fake.held == 5)
                fake.let_go()
            assert fake.accepted == 5  # one for each call under way at once, not one for each call
            await get_json(endpoint, "/models", "fake")
            assert fake.accepted == 5
        await until(lambda: not fake.connections)
    gc.collect()  # an unclosed session would warn here


async def test_a_cancelled_call_leaves_nothing_open() -> None:
    async with FakeEndpoint(faults=[HANG, HANG]) as fake:
        calls = [asyncio.create_task(post(endpoint_at(fake.url), streaming=flag)) for flag in (False, True)]
        await until(lambda: fake.count == 2)
        for call in calls:
            call.cancel()
        assert await asyncio.gather(*calls, return_exceptions=True)
        await until(lambda: not fake.connections)
    gc.collect()


def test_every_event_loop_has_a_pool_of_its_own() -> None:
    outcomes: list[int] = []
    all_wait = threading.Barrier(3)

    async def run() -> None:
        async with FakeEndpoint() as fake, pool():
            fake.hold()
            async with asyncio.TaskGroup() as calls:
                for _ in range(4):
                    calls.create_task(post(endpoint_at(fake.url), streaming=False))
                await until(lambda: fake.held == 4)
                await asyncio.to_thread(all_wait.wait, PATIENCE)
                fake.let_go()
            outcomes.append(fake.count)

    threads = [threading.Thread(target=asyncio.run, args=(run(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [4, 4, 4]


def test_the_limit_is_shared_by_all_models_at_an_address() -> None:
    async def run() -> int:
        async with FakeEndpoint() as fake, pool():
            fake.hold()
            async with asyncio.TaskGroup() as calls:
                for endpoint in [endpoint_at(fake.url, concurrency=3) for _ in range(4)]:
                    for flag in (False, True) * 2:
                        calls.create_task(post(endpoint, streaming=flag))
                await until(lambda: fake.held == 3)
                fake.let_go()
            assert fake.count == 16
            return fake.max_in_flight

    assert asyncio.run(run()) == 3


async def test_proxies_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeEndpoint() as proxy, FakeEndpoint() as local:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        await post(endpoint_at(local.url), streaming=False)
        assert (proxy.count, local.count) == (0, 1)  # this machine is not reached through a proxy
        await post(endpoint_at("http://models.example/v1"), streaming=False)
        assert proxy.heads[0][":path"] == "http://models.example/v1/chat/completions"
