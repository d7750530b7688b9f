"""The room by itself: order, work beside the script, stopping, and facts from a journal that cannot be trusted."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from pydantic import BaseModel

from moot.engine.play.agent import Agent
from moot.engine.play.calls import Caller, PlannedCall
from moot.engine.play.casting import Casting
from moot.engine.play.exchanges import Reply
from moot.engine.play.prompt import Template
from moot.engine.play.room import Room, Setup
from moot.engine.play.structured import Failure, Shape
from moot.errors import CallFailed, MootError, RunDamaged
from moot.record.entry import Draft, now
from moot.record.journal import Journal, Record, conversations
from moot.testing import ScriptedModel
from tests.kit.waiting import turns

ASK = Template(full="{what}")
SYSTEM = Template(full="You are a test.")()


class Slow(Caller):
    """A caller whose replies take as many ticks of the event loop as the prompt says, and fail where it says so."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.stopped = False
        self.journal = Journal(None, [])

    async def learn(self, shape: type[Shape], key: str, find: Callable[[], Awaitable[Shape]]) -> Shape:
        self.asked.append(key)
        return await find()

    def stop(self) -> None:
        self.stopped = True

    async def pay(self, question: PlannedCall) -> Record:
        self.asked.append(question.key)
        what = question.messages(small=False)[-1].content
        await turns(int(what.split()[0]) if what[0].isdigit() else 0)
        if "fail" in what:
            raise MootError(f"no reply at {question.key}")
        if "broken" in what:
            raise CallFailed(question.key, question.agent.name, "the model is broken")
        if "for ever" in what:
            await asyncio.Event().wait()
        shaped = '{"number": "seven"}' if "in words" in what else '{"number": 7}'
        reply = f"reply {question.key}" if question.schema is None else shaped
        record = question.answered("test/model", small=False, reply=reply, started=now())
        self.journal.note(record)
        return record


class Number(BaseModel):
    number: int


def room_with(caller: Slow, records: list[Record] | None = None) -> tuple[Room, list[Draft]]:
    written: list[Draft] = []
    journal = caller.journal = Journal(None, records or [])

    def write(draft: Draft) -> None:
        draft.number = len(written)
        written.append(draft)

    model = ScriptedModel({}, name="test/model")
    casting = Casting(lambda name: model, model="test/model")
    return Room(Setup(1), write=write, journal=journal, caller=caller, casting=casting), written


def played(script: Callable[[Room], Coroutine[Any, Any, None]], caller: Slow | None = None) -> tuple[Room, list[Draft]]:
    room, written = room_with(caller or Slow())
    asyncio.run(room.play(script(room)))
    return room, written


def agent(room: Room, name: str) -> Agent:
    return room.agent(name, name, SYSTEM)


async def say(room: Room, who: Agent, at: str, ticks: int, more: str = "") -> Reply:
    reply = await room.ask(who, ASK(what=f"{ticks} {more}"), at)
    room.emit("note", who, reply, phase="test")
    return reply


def test_entries_are_in_script_order_whatever_order_replies_come_in() -> None:
    async def script(room: Room) -> None:
        first, second, third = (agent(room, name) for name in "xyz")
        late = room.start(say(room, first, "1", 9))
        await room.together(say(room, second, "2", 5), say(room, third, "3", 1))
        room.emit("note", "moot", "between", phase="test")
        await late
        await room.together(*(say(room, who, "4", 3 - index) for index, who in enumerate((first, second, third))))

    room, written = played(script)
    assert [draft.call or draft.content for draft in written] == ["x/1", "y/2", "z/3", "between", "x/4", "y/4", "z/4"]
    assert room.longest_chain == 2


def test_a_fresh_agent_knows_nothing_and_leaves_no_trace() -> None:
    async def script(room: Room) -> None:
        one = agent(room, "x")
        await say(room, one, "1", 0, "first")
        await say(room, one.fresh("look"), "2", 0, "a look")
        await say(room, one, "3", 0, "last")

    caller = Slow()
    _, written = played(script, caller)
    assert [draft.call for draft in written] == ["x/1", "x@look/2", "x/3"]
    requests = {
        record.key: [one.content for one in request] for record, request in conversations(caller.journal.records)
    }
    assert requests["x@look/2"] == ["You are a test.", "0 a look"]
    assert requests["x/3"] == ["You are a test.", "0 first", "reply x/1", "0 last"]


def test_an_aside_nobody_awaits_is_waited_for_and_so_is_what_it_starts() -> None:
    async def outer(room: Room, who: Agent, inner: Agent) -> None:
        await say(room, who, "1", 1)
        room.start(say(room, inner, "2", 5))

    async def script(room: Room) -> None:
        room.start(outer(room, agent(room, "x"), agent(room, "y")))

    _, written = played(script)
    assert [draft.call for draft in written] == ["x/1", "y/2"]


def test_a_failure_beside_the_script_stops_it_and_keeps_what_was_under_way() -> None:
    async def script(room: Room) -> None:
        bad, good = agent(room, "x"), agent(room, "y")
        room.start(say(room, bad, "1", 1, "fail"))
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
            room.start(say(room, agent(room, name), "1", 50))
        await say(room, agent(room, "w"), "1", 50)

    async def cancelled(ticks: int) -> None:
        room, _ = room_with(Slow())
        task = asyncio.create_task(room.play(script(room)))
        await turns(ticks)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    for ticks in range(1, 8):
        asyncio.run(cancelled(ticks))


def test_background_work_holds_nothing_up_and_stands_where_it_is_awaited() -> None:
    seqs: list[int | None] = []

    async def script(room: Room) -> None:
        work = room.start_background(say(room, agent(room, "x"), "1", 9))
        await say(room, agent(room, "y"), "2", 1)
        seqs.append(room.emit("note", "moot", "meanwhile", phase="test").seq)
        await work
        await work
        room.emit("note", "moot", "after", phase="test")

    room, written = played(script)
    assert [draft.call or draft.content for draft in written] == ["y/2", "meanwhile", "x/1", "after"]
    assert seqs == [1], "an entry has its number as soon as it is emitted"
    assert room.longest_chain == 1


def test_background_work_that_nobody_awaits_is_a_mistake() -> None:
    async def script(room: Room) -> None:
        room.start_background(say(room, agent(room, "x"), "1", 1))

    room, _ = room_with(Slow())
    with pytest.raises(RuntimeError, match="background work"):
        asyncio.run(room.play(script(room)))


@pytest.mark.parametrize(
    ("what", "reason"), [("0 broken", "the model is broken"), ("0 for ever", "within 0.05 seconds")]
)
def test_an_agent_that_is_late_or_broken_is_a_failure_on_record(what: str, reason: str) -> None:
    async def ask(room: Room, found: list[object]) -> None:
        who = agent(room, "x")
        found.append(await room.ask_for(Number, who, ASK(what="0"), "1", patience=60))
        found.append(await room.ask_for(Number, who, ASK(what=what), "2", patience=0.05))
        found.append(await room.ask_for(Number, who, ASK(what="0"), "3", patience=60))

    caller, first, again = Slow(), list[object](), list[object]()
    room, _ = room_with(caller)
    asyncio.run(room.play(ask(room, first)))
    assert [type(one) for one in first] == [Number, Failure, Number]
    assert isinstance(first[1], Failure) and reason in first[1].reason
    replayed = Slow()
    room, _ = room_with(replayed, caller.journal.records)
    asyncio.run(room.play(ask(room, again)))
    assert again == first
    assert replayed.asked == [], "what was given up on is not asked again"


def test_what_the_script_does_not_accept_goes_back_with_the_reason() -> None:
    async def script(room: Room, found: list[object], wrong: list[str | None]) -> None:
        verdicts = iter(wrong)
        found.append(await room.ask_for(Number, agent(room, "x"), ASK(what="0"), "1", accept=lambda _: next(verdicts)))

    for wrong, kind in ((["too small", None], Number), (["too small"] * 2, Failure)):
        found: list[object] = []
        caller = Slow()
        room, _ = room_with(caller)
        asyncio.run(room.play(script(room, found, [*wrong])))
        assert isinstance(found[0], kind)
        assert "too small" in (caller.journal.records[1].sent or [])[0].content


def test_what_was_learned_is_not_asked_for_again() -> None:
    async def find() -> Number:
        return Number(number=5)

    async def script(room: Room, found: list[Number]) -> None:
        found.append(await room.learn(Number, "page", find))

    caller, found = Slow(), list[Number]()
    room, _ = room_with(caller)
    asyncio.run(room.play(script(room, found)))
    again = Slow()
    room, _ = room_with(again, caller.journal.records)
    asyncio.run(room.play(script(room, found)))
    assert found == [Number(number=5)] * 2
    assert (caller.asked, again.asked) == (["world/page"], [])
    room, _ = room_with(Slow(), [Record(key="world/page", started=now(), kind="fact", value={"number": "x"})])
    with pytest.raises(RunDamaged, match="world/page"):
        asyncio.run(room.play(script(room, found)))


def test_the_clock_goes_on_where_it_stood_and_is_the_same_when_read_again() -> None:
    record = Record(key="clock/1", started=now(), kind="fact", value=12.5)
    room, _ = room_with(Slow(), [record])
    assert room.minutes("1") == 12.5
    later = room.minutes("2")
    assert 12.5 <= later < 13.5
    assert room.minutes("2") == later
    for value in (-1.0, "soon", None):
        room, _ = room_with(Slow(), [Record(key="clock/1", started=now(), kind="fact", value=value)])
        with pytest.raises(RunDamaged, match="clock/1"):
            room.minutes("1")


def test_only_so_many_are_under_way_at_a_time_and_order_is_kept() -> None:
    under_way: list[int] = []
    now_running = 0

    async def one(room: Room, who: Agent, ticks: int) -> None:
        nonlocal now_running
        now_running += 1
        under_way.append(now_running)
        await say(room, who, "1", ticks)
        now_running -= 1

    async def script(room: Room) -> None:
        agents = [agent(room, name) for name in "vwxyz"]
        await room.together(*(one(room, who, 9 - index) for index, who in enumerate(agents)), at_most=2)

    _, written = played(script)
    assert max(under_way) == 2
    assert [draft.call for draft in written] == ["v/1", "w/1", "x/1", "y/1", "z/1"]


def test_side_by_side_a_request_is_out_before_the_next_is_put_into_words() -> None:
    seen: list[str] = []

    def go_out(name: str) -> None:
        seen.append(f"{name} is out")
        if name == "b":
            answers.set()

    async def one(name: str) -> None:
        seen.append(f"{name} is worded")
        asyncio.get_running_loop().call_soon(go_out, name)
        await answers.wait()
        seen.append(f"{name} is answered")

    async def script(room: Room) -> None:
        await room.together(one("a"), one("b"))

    answers = asyncio.Event()
    played(script)
    assert seen == ["a is worded", "a is out", "b is worded", "b is out", "a is answered", "b is answered"]


def test_a_shuffle_is_on_record_and_cannot_be_anything() -> None:
    caller = Slow()
    room, _ = room_with(caller)
    order = room.shuffled("labels", "abcdefgh")
    assert sorted(order) == list("abcdefgh")
    again, _ = room_with(Slow(), caller.journal.records)
    assert again.shuffled("labels", "abcdefgh") == order
    for value in ([0, 0, 1], [0, 1], "012", None, [2, 1, "0"]):
        room, _ = room_with(Slow(), [Record(key="draw/labels", started=now(), kind="fact", value=value)])
        with pytest.raises(RunDamaged, match="draw/labels"):
            room.shuffled("labels", "abc")


def test_how_a_reply_was_read_is_on_record_and_stays_the_same() -> None:
    found: list[Number | Failure] = []

    async def script(room: Room) -> None:
        for at, what in (("1", "0 in words"), ("2", "0 in digits")):
            found.append(await room.ask_for(Number, agent(room, f"x{at}"), ASK(what=what), at))

    caller = Slow()
    played(script, caller)
    notes = {key: fact.value for key, fact in caller.journal.facts.items() if key.startswith("read/")}
    assert notes == {"read/x1/1": ["number: 'seven' for a number"]}
    assert found == [Number(number=7)] * 2
