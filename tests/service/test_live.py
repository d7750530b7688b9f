"""Followers of one debate: each is told everything once and in order, and what they have in common is made once."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.models.base import Message, Request, Usage
from moot.record.events import Answered, Asked, Retried, Started, Streamed, Wrote
from moot.service.live import MOST_SHARED, Live
from moot.service.news import Awaiting, News, NewsBatch, Silent, Speaking, Written, one_by_one
from moot.web.following import LARGEST_PIECE, event_of, pieces_of
from tests.kit.chaired import hold
from tests.kit.waiting import run, turns

KEYS = {"a/turn/1": "Ada", "b/turn/1": "Bo"}


Held = tuple[moot.Run, list[moot.Entry]]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Held:
    found = hold(tmp_path_factory.mktemp("held"))[0]
    return found, found.entries()


def begun(held: Held) -> Live:
    found, entries = held
    live = Live(lambda _: found)
    live.hear(Started(str(found.path)))
    live.hear(Wrote(entries[0]))
    return live


async def caught_up(live: Live, *followers: AsyncGenerator[NewsBatch, None]) -> None:
    for one in followers:
        await anext(one)


async def test_a_seat_shares_only_with_its_own(held: Held) -> None:
    live = begun(held)
    live.hear(Streamed("a/turn/1", "Ada", "secret"))
    live.hear(Streamed("b/turn/1", "Bo", "mine"))
    everybody, *seats = live.batches(), live.batches(seat="Bo"), live.batches(seat="Bo")
    await caught_up(live, everybody, *seats)
    live.hear(Streamed("a/turn/1", "Ada", " plan"))
    live.hear(Streamed("b/turn/1", "Bo", " own"))
    whole, one, other = [await anext(follower) for follower in (everybody, *seats)]
    assert one is other and one is not whole
    assert [news.text for news in one.news if isinstance(news, Speaking)] == [" own"]
    assert [news.text for news in whole.news if isinstance(news, Speaking)] == [" plan", " own"]


async def test_those_who_come_to_a_debate_that_waits_leave_nothing_behind(held: Held) -> None:
    live = begun(held)
    for number in range(100):
        for seat in (None, f"Seat {number}"):
            following = live.batches(-1 if seat is None else number, seat, 3600.0)
            waiting = asyncio.create_task(_all(following))
            await turns(5)
            waiting.cancel()
            await asyncio.wait([waiting])
    assert len(live._batches) <= MOST_SHARED
    assert len(live._places) <= MOST_SHARED
    assert live._waiting == {}


async def _all(following: AsyncGenerator[NewsBatch, None]) -> list[NewsBatch]:
    return [batch async for batch in following]


async def test_a_question_comes_after_the_entries_that_it_is_about(held: Held) -> None:
    _, entries = held
    live = Live(lambda _: held[0], settle=lambda: None)
    live.hear(Started("here"))
    live.hear(Wrote(entries[0]))
    following = one_by_one(live.batches())
    assert isinstance(await anext(following), Written)
    live.hear(Wrote(entries[1]))  # not settled yet
    request = Request("a/turn/1", "Ada", (Message("user", "What do you say?"),))
    answer = asyncio.create_task(live.answered("Robin", request))
    told = [await anext(following), await anext(following)]
    assert isinstance(told[0], Written) and told[0].entry.seq == 1
    assert isinstance(told[1], Awaiting) and [one.person for one in told[1].questions] == ["Robin"]
    late = one_by_one(live.batches(after=1))
    assert await anext(late) == told[1]
    live.answer("a/turn/1", "So.")
    assert await answer == "So."
    assert await anext(following) == await anext(late) == Awaiting([])


@dataclass
class Heard:
    """What one follower makes of what it is told."""

    seqs: list[int] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    over: list[str] = field(default_factory=list)

    def hear(self, news: News) -> None:
        if isinstance(news, Written):
            self.seqs.append(news.entry.seq)
        elif isinstance(news, Speaking):
            known = self.texts.get(news.key, "")
            assert news.start in (0, len(known))
            self.texts[news.key] = known[: news.start] + news.text
        elif isinstance(news, Silent):
            self.over.append(self.texts.pop(news.key))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("follow"), st.sampled_from([None, "Ada", "Bo"])),
        st.tuples(st.sampled_from(["ask", "stream", "retry", "answer"]), st.sampled_from(sorted(KEYS))),
        st.tuples(st.sampled_from(["write", "pause", "wake"]), st.none()),
    ),
    max_size=40,
)


@given(steps=STEPS)
def test_whatever_happens_followers_hear_the_same_once_and_in_order(
    held: Held, steps: list[tuple[str, str | None]]
) -> None:
    run(_play(held, steps))


class Course:
    """A debate that goes as it is told to, and what was said in it."""

    def __init__(self, held: Held) -> None:
        self.live = begun(held)
        self.entries = held[1]
        self.count = 1
        self.said: dict[str, str] = {}
        self.followers: list[tuple[str | None, Heard, asyncio.Task[None]]] = []

    async def step(self, number: int, what: str, of: str | None) -> None:
        if what == "follow":
            heard = Heard()
            self.followers.append((of, heard, asyncio.create_task(self._follow(heard, of))))
        elif what == "write" and self.count < len(self.entries):
            self.live.hear(Wrote(self.entries[self.count]))
            self.count += 1
        elif what == "pause":
            await self.settle()
        elif what == "wake":
            self.live._change()
        elif of is not None:
            self._speak(number, what, of)

    def _speak(self, number: int, what: str, key: str) -> None:
        agent, piece = KEYS[key], f"{number} "
        if what == "ask":
            self.live.hear(Asked(key, agent, "m"))
            self.said[key] = ""
        elif what == "stream" and key in self.said:
            self.live.hear(Streamed(key, agent, piece))
            self.said[key] += piece
        elif what == "retry" and key in self.said:
            self.live.hear(Retried(key, agent, "m", "Overloaded", "again", 0.0))
            self.said[key] = ""
        elif what == "answer" and key in self.said:
            self.live.hear(Answered(key, agent, "m", Usage()))
            del self.said[key]

    async def settle(self) -> None:
        await turns(6)

    async def _follow(self, heard: Heard, seat: str | None) -> None:
        async for news in one_by_one(self.live.batches(seat=seat, beat=3600.0)):
            heard.hear(news)


async def _play(held: Held, steps: list[tuple[str, str | None]]) -> None:
    course = Course(held)
    for number, (what, of) in enumerate(steps):
        await course.step(number, what, of)
    course.live._change()
    await course.settle()
    for seat, heard, _ in course.followers:
        assert heard.texts == {key: text for key, text in course.said.items() if seat in (None, KEYS[key])}
    course.live.end("done", None)
    await asyncio.gather(*(task for _, _, task in course.followers))
    written = course.entries[: course.count]
    for seat, heard, _ in course.followers:
        assert heard.seqs == [one.seq for one in written if seat is None or one.to == "all" or seat in one.to]
        assert heard.texts == {}


def test_what_is_long_is_sent_in_pieces_and_what_is_short_together(held: Held) -> None:
    _, entries = held
    short = NewsBatch((Silent("a/turn/1"), Silent("b/turn/1")))
    assert list(pieces_of(short)) == [b"".join(map(event_of, short.news))]
    assert pieces_of(short)[0] is pieces_of(short)[0]
    long = NewsBatch(tuple(Speaking("a/turn/1", "Ada", "is speaking", 0, "x" * 1000) for _ in range(40)))
    assert max(map(len, pieces_of(long))) < LARGEST_PIECE
    assert list(pieces_of(long)) == list(map(event_of, long.news))
    everything = NewsBatch(tuple(map(Written, entries)))
    assert b"".join(pieces_of(everything)) == b"".join(map(event_of, everything.news))
