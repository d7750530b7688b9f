"""Starting debates for an assistant and waiting for what is said in them, and for questions to the assistant itself."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from mcp.server.mcpserver import Context
from mcp_types import InputRequiredResult

import moot
from moot.engine.staging.plan import Plan
from moot.mcp.sampling import MOST_ROUNDS, ClientModel, Line, client_models
from moot.service.host import Ended, Host, Written
from moot.text import clip, one_line
from moot.text.prose import plural

READING = 30.0
"""The time limit for reading a finished debate, in seconds."""
MOST_ENTRIES = 200
COUNT_EVERY = 0.25
"""Seconds between two counts of the calls of a debate, at least."""
COUNTING_SHARE = 20
"""A count waits this many times as long as the last one took."""
LONGEST_MESSAGE = 200
MOST_TOTALS = 1000
Lines = dict[str, Line]
"""Ways to assistants through which debates speak, by run."""


@dataclass(frozen=True, slots=True)
class Total:
    """The calls that a debate is planned to take; `bound` if there may be fewer."""

    calls: int
    bound: bool

    @classmethod
    def of(cls, plan: Plan) -> "Total":
        return cls(plan.calls + plan.lookups, plan.lookups > 0)


@dataclass(slots=True)
class Served:
    """The debates of a host for assistants. `totals` are the planned calls by run, None if they cannot be planned."""

    host: Host
    lines: Lines = field(default_factory=dict)
    totals: dict[str, Total | None] = field(default_factory=dict)

    async def start(self, config: moot.RunConfig, ctx: Context, total: Total | None = None) -> str:
        line = Line.of(ctx, config.options.timeout)
        models = client_models(config, line)
        run = await self.host.start(config, models)
        self.keep_line(run, line if models else None)
        if total is not None:
            self._keep_total(run, total)
        return run

    def keep_line(self, run: str, line: Line | None) -> None:
        for over in self.lines.keys() - set(self.host.under_way):
            del self.lines[over]
        if line is not None and not line.at_any_time:
            self.lines[run] = line

    async def total(self, run: moot.Run) -> Total | None:
        """The calls that a run was planned to take."""
        if run.name not in self.totals:
            try:
                self._keep_total(run.name, Total.of(await planned(run.config)))
            except moot.MootError:
                self._keep_total(run.name, None)
        return self.totals[run.name]

    def _keep_total(self, run: str, total: Total | None) -> None:
        while len(self.totals) >= MOST_TOTALS:
            del self.totals[next(iter(self.totals))]
        self.totals[run] = total

    async def wait_answering(
        self, run: str, after: int, seconds: float, ctx: Context
    ) -> tuple[list[moot.Entry], Ended | None, InputRequiredResult | None]:
        """As `_wait`, or sooner with questions that the assistant is to answer in the same call."""
        line = self.lines.get(run)
        if line is None:
            return *await self._wait(run, after, seconds, ctx), None
        line.answered(ctx.input_responses or {})
        rounds = rounds_in(ctx.request_state) + 1
        waiting = asyncio.create_task(self._wait(run, after, seconds, ctx))
        asked = asyncio.create_task(line.asked())
        try:
            if rounds <= MOST_ROUNDS:
                await asyncio.wait([waiting, asked], return_when=asyncio.FIRST_COMPLETED)
                if not waiting.done():
                    return [], None, line.questions(f"{run}#{rounds}")
            return *await waiting, None
        finally:
            waiting.cancel()
            asked.cancel()

    async def _wait(self, run: str, after: int, seconds: float, ctx: Context) -> tuple[list[moot.Entry], Ended | None]:
        """The entries after `after` within that time, and how the debate ended if it did. Reports progress."""
        entries: list[moot.Entry] = []
        ended: Ended | None = None
        found = await self.host.found(run)
        over = not await asyncio.to_thread(self.host.running, found)
        progress = _Progress(found, await self.total(found), ctx)
        try:
            # A caller that does not wait also learns how a finished debate ended.
            async with (
                asyncio.timeout(max(seconds, READING) if over else seconds),
                aclosing(self.host.follow(run, after)) as news,
            ):
                async for one in news:
                    if isinstance(one, Ended):
                        ended = one
                        await progress.tell(one.status, last=True)
                    elif isinstance(one, Written) and not one.again:
                        entries.append(one.entry)
                        await progress.tell(f"{one.entry.speaker}: {one.entry.type}")
                        if len(entries) == MOST_ENTRIES:
                            break
        except TimeoutError:
            pass
        return entries, ended


def rounds_in(state: str | None) -> int:
    """How many times a call was answered with questions, by the state that its client sends back, whatever that is."""
    if state is None:
        return 0
    number = state.rpartition("#")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else MOST_ROUNDS


async def planned(config: moot.RunConfig, check: Callable[[str], None] | None = None) -> Plan:
    """The plan of a debate, made in a thread with its own event loop, so that other debates keep running in this
    one."""
    return await asyncio.to_thread(
        lambda: asyncio.run(moot.plan(config) if check is None else moot.plan(config, check=check))
    )


def check_model(host: Host, own: Mapping[str, ClientModel]) -> Callable[[str], None]:
    """A function that raises an error for a model that a debate of this assistant would be refused."""

    def check(name: str) -> None:
        if name in own:
            own[name].check()
        else:
            host.check_model(name)

    return check


@dataclass(slots=True)
class _Progress:
    """Reports how many of the planned calls have been answered. A report always says more than the one before."""

    run: moot.Run
    total: Total | None
    ctx: Context
    done: int = 0
    next: float = 0.0

    async def tell(self, what: str, *, last: bool = False) -> None:
        began = time.monotonic()
        if began < self.next and not last:
            return
        done = await asyncio.to_thread(_answered, self.run)
        self.next = time.monotonic() + max(COUNT_EVERY, COUNTING_SHARE * (time.monotonic() - began))
        if done <= self.done:
            return
        self.done = done
        # Some debates end before all that was planned, and replies that are asked for again come on top.
        total = None if self.total is None else max(done, 0 if last else self.total.calls)
        most = "at most " if self.total and self.total.bound and not last else ""
        of = "" if total is None else f" of {most}{total}"
        message = f"{clip(one_line(what), LONGEST_MESSAGE)} · {done}{of} {plural(total or done, 'call').split()[-1]}"
        await self.ctx.report_progress(done, total, message)


def _answered(run: moot.Run) -> int:
    """How many calls have been answered. One that was asked again counts once."""
    return len({record.key for record in run.records() if record.kind == "reply"})
