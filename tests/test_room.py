"""The room by itself: order, work beside the script, stopping, and facts from a journal that cannot be trusted."""

import asyncio
from typing import Any

import pytest

from moot.agent import Agent
from moot.calls import Question
from moot.casting import Casting
from moot.entry import Draft, now
from moot.errors import MootError, RunDamaged
from moot.journal import Journal, Record
from moot.prompt import Template
from moot.room import Reply, Room
from moot.testing import ScriptedModel

ASK = Template(full="{what}")
SYSTEM = Template(full="You are a test.")()


class Slow:
    """A caller whose replies take as many ticks of the event loop as the prompt says, and fail where it says so."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.stopped = False

    async def ready(self, agents: Any) -> None:
        pass

    def stop(self) -> None:
        self.stopped = True

    async def pay(self, question: Question) -> Record:
        self.asked.append(question.key)
        what = question.messages(small=False)[0][-1].content
        for _ in range(int(what.split()[0])):
            await asyncio.sleep(0)
        if "fail" in what:
            raise MootError(f"no reply at {question.key}")
        return question.answered("test/model", small=False, reply=f"reply {question.key}", started=now())


def room_with(caller: Slow, records: list[Record] | None = None) -> tuple[Room, list[Draft]]:
    written: list[Draft] = []

    def write(draft: Draft) -> None:
        draft.seq = len(written) + 1
        written.append(draft)

    model = ScriptedModel({}, name="test/model")
    casting = Casting(lambda name: model, model="test/model")
    return Room(write=write, journal=Journal(None, records or []), caller=caller, casting=casting, seed=1), written


def agent(room: Room, name: str) -> Agent:
    return room.agent(name, name, SYSTEM)


async def say(room: Room, who: Agent, at: str, ticks: int, more: str = "") -> Reply:
    reply = await room.ask(who, ASK(what=f"{ticks} {more}"), at)
    room.emit("note", who, reply, phase="test")
    return reply


def test_entries_are_in_script_order_whatever_order_replies_come_in() -> None:
    async def script(room: Room) -> None:
        first, second, third = (agent(room, name) for name in "xyz")
        late = room.aside(say(room, first, "1", 9))
        await room.together(say(room, second, "2", 5), say(room, third, "3", 1))
        room.emit("note", "moot", "between", phase="test")
        await late
        await room.together(*(say(room, who, "4", 3 - index) for index, who in enumerate((first, second, third))))

    caller = Slow()
    room, written = room_with(caller)
    asyncio.run(room.play(script(room)))
    assert [draft.call or draft.content for draft in written] == ["x/1", "y/2", "z/3", "between", "x/4", "y/4", "z/4"]
    assert room.longest_chain == 2


def test_an_aside_nobody_awaits_is_waited_for_and_so_is_what_it_starts() -> None:
    async def outer(room: Room, who: Agent, inner: Agent) -> None:
        await say(room, who, "1", 1)
        room.aside(say(room, inner, "2", 5))

    async def script(room: Room) -> None:
        room.aside(outer(room, agent(room, "x"), agent(room, "y")))

    room, written = room_with(Slow())
    asyncio.run(room.play(script(room)))
    assert [draft.call for draft in written] == ["x/1", "y/2"]


def test_a_failure_beside_the_script_stops_it_and_keeps_what_was_under_way() -> None:
    async def script(room: Room) -> None:
        bad, good = agent(room, "x"), agent(room, "y")
        room.aside(say(room, bad, "1", 1, "fail"))
        for number in range(5):
            await say(room, good, str(number), 4)

    caller = Slow()
    room, written = room_with(caller)
    with pytest.raises(MootError, match="no reply at x/1"):
        asyncio.run(room.play(script(room)))
    assert sorted(caller.asked) == ["x/1", "y/0"], "the call under way ends, and no other begins"
    assert caller.stopped
    assert written == [], "what stands after the failure in the script is not written"


def test_asking_an_agent_twice_at_once_or_at_one_place_is_a_mistake() -> None:
    async def at_once(room: Room) -> None:
        who = agent(room, "x")
        await room.together(say(room, who, "1", 3), say(room, who, "2", 1))

    async def same_place(room: Room) -> None:
        who = agent(room, "x")
        await say(room, who, "1", 0)
        await say(room, who, "1", 0)

    for script, says in ((at_once, "while still answering"), (same_place, "twice")):
        room, _ = room_with(Slow())
        with pytest.raises(RuntimeError, match=says):
            asyncio.run(room.play(script(room)))


@pytest.mark.parametrize("value", [9, -1, "0", None, [0]])
def test_a_draw_that_cannot_have_been_is_damage(value: object) -> None:
    room, _ = room_with(Slow(), [Record(key="draw/x", started=now(), kind="fact", value=value)])
    with pytest.raises(RunDamaged, match="draw/x"):
        room.draw("x", ["a", "b"])


@pytest.mark.parametrize("value", [7, "text", [1], None, {"a": 1}])
def test_texts_that_cannot_have_been_are_damage(value: object) -> None:
    record = Record(key="fact/x", started=now(), kind="fact", value=value)
    room, _ = room_with(Slow(), [record])
    with pytest.raises(RunDamaged, match="fact/x"):
        room.fact("x", list)


def test_cancelling_leaves_no_work_behind() -> None:
    async def script(room: Room) -> None:
        for name in "xyz":
            room.aside(say(room, agent(room, name), "1", 50))
        await say(room, agent(room, "w"), "1", 50)

    async def cancelled(ticks: int) -> None:
        room, _ = room_with(Slow())
        task = asyncio.create_task(room.play(script(room)))
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    for ticks in range(1, 8):
        asyncio.run(cancelled(ticks))
