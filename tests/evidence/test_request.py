"""The last rung by itself: it connects to no address but those it was given, and to those only if they are fit."""

import asyncio

from moot.evidence.addresses import Target
from moot.evidence.pages import Problem
from moot.evidence.request import Answer, get
from tests.kit.pages import Web, running


def asked(host: str, addresses: list[str], *, allow_loopback: bool) -> tuple[Answer | Problem, Web]:
    async def run() -> tuple[Answer | Problem, Web]:
        async with running() as web:
            target = Target("http", host, web.port, "/good")
            answer = await get(target, addresses, agent="a", most_bytes=10_000, allow_loopback=allow_loopback)
            return answer, web

    return asyncio.run(run())


def test_the_given_address_is_called() -> None:
    answer, web = asked("site.example", ["127.0.0.1"], allow_loopback=True)
    assert isinstance(answer, Answer)
    assert answer.status == 200
    assert web.asked == {"/good": 1}


def test_an_address_that_is_not_fit_is_not() -> None:
    answer, web = asked("site.example", ["127.0.0.1"], allow_loopback=False)
    assert isinstance(answer, Problem)
    assert not web.asked


def test_an_address_in_the_url_is_no_way_round() -> None:
    """A bare address is never resolved, so only the check at the socket can stop it."""
    answer, web = asked("127.0.0.1", ["127.0.0.2"], allow_loopback=True)
    assert isinstance(answer, Problem)
    assert not web.asked
