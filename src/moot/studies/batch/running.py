"""Runs a batch: many debates in one event loop, within one budget, resumed where they stopped.

An `Executor` runs the debates: the local one in this module, or one that hands them to remote workers.
"""

import asyncio
import operator
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Protocol

from moot.engine.define.config import Options
from moot.engine.define.registry import get_protocol
from moot.engine.define.study import PLAIN, Study
from moot.engine.outcome.result import Result, spent_on
from moot.engine.play.casting import Casting
from moot.engine.play.limits import Limits, Spending
from moot.engine.staging.replay import RecordedModel
from moot.engine.staging.runs import Run
from moot.errors import MootError, ServerFault
from moot.models.base import Model
from moot.models.calling import ready
from moot.models.pool import pool
from moot.models.registry import ModelSettings, open_model
from moot.plugins.extras import require
from moot.record.events import Answered, Event, Follower
from moot.studies.batch.budget import Need, Planner, SharedBudget, charge, each, need_of, share_as_limits
from moot.studies.batch.folder import Batch, ItemState, Ledger
from moot.studies.batch.items import Item, spread
from moot.studies.batch.progress import BatchEvent, Began, Called, Finished, Listener, Progress
from moot.studies.batch.rows import Row, row_of
from moot.studies.limits import store_limits
from moot.studies.runner import run_or_resume

MANY = 100
"""Debates at a time. A debate spends nearly all its time waiting for models, so this many keep an endpoint busy."""


class Executor(Protocol):
    """Runs the debates of a batch."""

    async def run(self, batch: Batch, items: Sequence[Item], budget: SharedBudget, notify: Listener) -> None:
        """Run each of these items, or resume it, and report its events to `notify`; the end comes last.

        No debate may begin or continue without `budget.hold`. Returns when all debates have ended or the budget allows
        no further one. If cancelled, it leaves runs that can be resumed.
        """


Play = Callable[[Batch, Item, Mapping[str, Any], Follower], Awaitable[Result]]
"""Begins or resumes the debate of an item with these limits, and returns its result."""


@dataclass(frozen=True, slots=True)
class LocalExecutor:
    """Runs debates in this event loop, `concurrency` at a time. `models` are your own models by name; `play` holds a
    debate, by default in this process."""

    concurrency: int = MANY
    models: Mapping[str, Model] | None = None
    play: Play | None = None

    async def run(self, batch: Batch, items: Sequence[Item], budget: SharedBudget, notify: Listener) -> None:
        carries = batch.carries
        slots, planner = asyncio.Semaphore(1 if carries else self.concurrency), Planner()
        states = batch.states()
        tasks: set[asyncio.Task[None]] = set()
        faults: list[BaseException] = []

        def over(task: asyncio.Task[None]) -> None:
            tasks.discard(task)
            slots.release()
            if not task.cancelled() and (fault := task.exception()) is not None:
                faults.append(fault)

        try:
            # Keep the pool open between debates, so that connections are reused.
            async with pool():
                await self._check_models(batch, items)
                for item in items:
                    await slots.acquire()
                    if faults:
                        break
                    state = counted(batch, item, states.get(item.id))
                    whole = carried(batch, item) if carries else item
                    debate = _Debate(batch, whole, state, budget, notify, self.play or self._play)
                    if not await debate.may_begin(planner):
                        slots.release()
                        if budget.reached:
                            break
                        continue
                    task = asyncio.create_task(debate.run())
                    tasks.add(task)
                    task.add_done_callback(over)
                if tasks and not faults:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            left = list(tasks)
            for task in left:
                task.cancel()
            # Let every debate write its result before continuing, however it ended.
            await asyncio.gather(*left, return_exceptions=True)
        if faults:
            raise faults[0]

    async def _check_models(self, batch: Batch, items: Sequence[Item]) -> None:
        """Raise if a model cannot answer, for example without a key: once, instead of failing every debate. A debate
        without a valid config is reported as its own failure later."""
        opened = set(self.models or {})
        for item in items if self.play is None else ():
            try:
                config = item.configured(batch.runs / item.id)
            except MootError:
                continue
            options = config.options
            casting = Casting(RecordedModel.by_name, options.model, options.roles)
            parts = config.protocol.roles(config.debate)
            casts = [casting.cast(part.key, part.name or part.key, part.model)[1] for part in parts]
            casts += [[named] if isinstance(named, str) else named for named in options.roles.values()]
            # A model with fallbacks may be missing, and a script is read by each debate.
            alone = {names[0] for names in casts if len(names) == 1 and not names[0].startswith("scripted/")}
            settings = ModelSettings(options.timeout, options.concurrency, options.prices, rate=options.rate)
            for name in sorted(alone - opened):
                with suppress(ServerFault):  # an outage is a failure of its debates, and may be over soon
                    await ready(open_model(name, settings), retries=0)
            opened |= alone

    async def _play(self, batch: Batch, item: Item, limits: Mapping[str, Any], follow: Follower) -> Result:
        place = batch.runs / item.id
        return await run_or_resume(place, item.configured(place), limits, follow=follow, models=self.models)


def carried(batch: Batch, item: Item) -> Item:
    """The item with what the batch has accepted before it, in the order of the file."""
    study = get_protocol(item.config["protocol"]).get(Study) or PLAIN
    known = {key: state.row for key, state in batch.states().items()}
    earlier = takewhile(lambda other: other.id != item.id, batch.items())
    accepted = [other.config for other in earlier if (row := known.get(other.id)) is not None and row.accepted]
    return item.model_copy(update={"config": study.carry(item.config, accepted)}) if study.carry else item


@dataclass(slots=True)
class _Debate:
    """One debate of the batch, from its share of the budget to its row."""

    batch: Batch
    item: Item
    state: ItemState
    budget: SharedBudget
    notify: Listener
    play: Play
    need: Need = field(default_factory=lambda: Need(Spending(), Spending()))
    share: Spending = field(default_factory=Spending)
    options: Options = field(default_factory=lambda: Options.model_validate({}))
    found: Run | None = None

    async def may_begin(self, planner: Planner) -> bool:
        """Reserve the debate's share of the budget. False if nothing is left, or if the debate cannot be run at all;
        the latter is reported as its end."""
        limits, planned = self.budget.limits, None
        try:
            config = self.item.configured(self.batch.runs / self.item.id)
            self.options = config.options
            if (limits.max_calls, limits.max_tokens, limits.max_cost) != (None, None, None):
                planned = await planner.plan(config)
        except MootError as error:
            self._end(Row.without_result(self.item, self._begun(), "failed", str(error)), self._paid(), settled=False)
            return False
        if planned is not None:
            # A budget that cannot be kept is not the fault of this debate: it ends the batch.
            self.need = need_of(planned, self.options.limits, limits)
        share = await self.budget.hold(self.item.id, self.need.besides(self._paid()))
        if share is None:
            return False
        self.share = share
        return True

    async def run(self) -> None:
        """Run the debate, with a larger share of the budget if it needs more than planned."""
        extended = False
        while True:
            paid = self._paid()
            limits = share_as_limits(self.share, paid, self.options, self.budget)
            self.notify(Began(self.item))
            result, fault, clock = None, "", time.monotonic()
            try:
                result = await self.play(self.batch, self.item, limits, self._follow)
            except MootError as error:
                fault = str(error)
            finally:
                charged = self._charged(result)
                await self.budget.settle(self.item.id, each(operator.sub, charged, paid))
            self.state = replace(self.state, charged=charged)
            if result is None:
                self._end(Row.without_result(self.item, self._begun(), "failed", fault), charged, settled=False)
                return
            wants_more = result.status == "limit" and not self._own_limit(limits, time.monotonic() - clock)
            # A resumed debate may have used what was planned for it before, and then makes no call in its first share.
            if wants_more and (charged != paid or not extended or self.budget.minutes_left == 0):
                least = Spending(1, 1, 0.0)
                share = await self.budget.hold(self.item.id, Need(least, self.need.most), again=True)
                if share is not None:
                    self.share, extended = share, True
                    continue
            begun = self._begun()
            row = row_of(self.item, result, begun.entries() if begun else [])
            self._end(row, charged, settled=not wants_more)
            return

    def _follow(self, event: Event) -> None:
        if isinstance(event, Answered):
            self.notify(Called(self.item, event.usage))

    def _end(self, row: Row, charged: Spending, *, settled: bool) -> None:
        self.notify(Finished(self.item, row, charged, settled))

    def _begun(self) -> Run | None:
        """The run of this debate, if it exists."""
        if self.found is None:
            self.found = self.batch.run_of(self.item)
        return self.found

    def _paid(self) -> Spending:
        """What the debate has been charged so far."""
        return self.state.charged or Spending()

    def _charged(self, result: Result | None) -> Spending:
        begun = self._begun()
        if begun is None:
            return Spending()
        if result is None:
            return charged_for(begun, self.options)
        return charge(result.spent, begun.records, self.options)

    def _own_limit(self, limits: Mapping[str, Any], seconds: float) -> bool:
        """Whether the debate stopped at its own limit, so that a larger budget would not help."""
        own = self.options.limits
        if own.max_minutes is not None and seconds >= own.max_minutes * 60:
            return True
        same = all(limits.get(name) == getattr(own, name) for name in ("max_calls", "max_tokens", "max_cost"))
        return same and self.budget.minutes_left != 0


async def run_batch(
    batch: Batch,
    executor: Executor | None = None,
    *,
    limits: Limits | None = None,
    retry_failed: bool = False,
    follow: Callable[[BatchEvent, Progress], None] | None = None,
) -> Progress:
    """Run the unfinished debates of a batch, within its budget or within `limits`, which are then its budget.

    Each debate is written to the ledger when it ends. Failed debates are left alone, unless they could not begin or
    `retry_failed` is set.
    """
    require("studies")  # for the statistics; checked before anything is paid
    with batch.hold() as ledger:
        if limits is not None:
            store_limits(batch.path, limits)
        items, states = batch.items(), batch.states()
        states = {item.id: counted(batch, item, states.get(item.id)) for item in items}
        budget = SharedBudget(batch.budget.limits, spent=_total(states.values()))
        progress, todo = Progress(len(items)), []
        for item in items if batch.carries else spread(items):
            state = states[item.id]
            if state.settled and state.row and not (retry_failed and state.row.status == "failed"):
                progress.count(state.row.status)
            else:
                todo.append(item)

        def note(event: BatchEvent) -> None:
            _write(ledger, event)
            progress.take(event)
            if follow:
                follow(event, progress)

        await (executor or LocalExecutor()).run(batch, todo, budget, note)
        progress.reached, progress.raised = budget.reached, budget.raised
        return progress


def _write(ledger: Ledger, event: BatchEvent) -> None:
    match event:
        case Began(item=item):
            ledger.began(item)
        case Finished(row=row, charged=charged, settled=settled):
            ledger.ended(row, charged, settled=settled)


def counted(batch: Batch, item: Item, state: ItemState | None) -> ItemState:
    """The state of an item, including what an unfinished run has cost so far."""
    found = state or ItemState()
    if found.settled:
        return found
    begun = batch.run_of(item)
    options = Options.model_validate({key: item.config[key] for key in Options.model_fields if key in item.config})
    return replace(found, charged=charged_for(begun, options) if begun else Spending())


def charged_for(run: Run, options: Options) -> Spending:
    """The charge for a run without a result."""
    records = run.records()
    return charge(spent_on(records), lambda: records, options)


def _total(states: Iterable[ItemState]) -> Spending:
    total = Spending()
    for state in states:
        total.add(state.charged or Spending())
    return total
