"""The shared budget of a batch. A share is reserved for each debate before it begins, so the budget is never exceeded.

A debate treats its share like any other limit. The unused part is returned when it ends.
"""

import asyncio
import hashlib
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from moot.engine.define.config import Options, RunConfig
from moot.engine.define.study import PLAIN, Study
from moot.engine.outcome.stored import Spent
from moot.engine.play.limits import Limits, Spending
from moot.engine.staging.plan import Estimate, Plan, plan
from moot.engine.staging.run import already_spent
from moot.errors import ConfigError
from moot.record.journal import Record
from moot.studies.batch.items import Item
from moot.studies.limits import raised
from moot.text.figures import dollars

COUNTED = ("calls", "tokens", "cost")
MARGIN = 1.25
"""Factor over the upper bound of the plan, which does not include repeated requests."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a debate may use (`most`), and what must be available before it begins (`least`): its typical use."""

    least: Spending
    most: Spending

    @classmethod
    def of(cls, planned: Plan) -> "Need":
        low, high = planned.typical, planned.bound
        most = Spending(
            math.ceil(planned.calls * MARGIN),
            math.ceil((high.input + high.output) * MARGIN),
            (high.cost or 0.0) * MARGIN,
        )
        return cls(each(min, Spending(planned.calls, low.input + low.output, low.cost or 0.0), most), most)

    def besides(self, paid: Spending) -> "Need":
        """What is still needed after this much was paid."""
        return Need(*(each(lambda one, other: max(0, one - other), own, paid) for own in (self.least, self.most)))


@dataclass(slots=True)
class SharedBudget:
    """`spent` is the cost of all debates so far, `held` the share reserved for each running debate. Minutes count from
    when this process started or resumed the batch."""

    limits: Limits
    spent: Spending = field(default_factory=Spending)
    held: dict[str, Spending] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    reached: str | None = None
    raised: str = ""
    """The option that lets it go on."""
    _waiting: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def hold(self, name: str, need: Need, *, again: bool = False) -> Spending | None:
        """Reserve what a debate may use, and wait for other debates to end if necessary. None if too little is left;
        then `reached` says why. A debate that asks `again`, because it needs more than planned, is served first."""
        async with self._changed:
            self._waiting += again
            try:
                while True:
                    left = self._left()
                    if self._too_late():
                        return None
                    if _short_of(need.most, left) is None and (again or not self._waiting):
                        share = need.most
                    elif self.held or (self._waiting and not again):
                        await self._changed.wait()
                        continue
                    elif (short := _short_of(need.least, left)) is None:
                        share = each(min, need.most, left)
                    else:
                        self._reach(short, need)
                        return None
                    self.held[name] = share
                    return share
            finally:
                self._waiting -= again
                self._changed.notify_all()

    async def settle(self, name: str, cost: Spending) -> None:
        """Record that the debate ended or stopped, and what it cost since its last `hold`."""
        async with self._changed:
            self.held.pop(name, None)
            self.spent.add(cost)
            self._changed.notify_all()

    @property
    def minutes_left(self) -> float | None:
        if self.limits.max_minutes is None:
            return None
        return max(0.0, self.limits.max_minutes - (time.monotonic() - self.started) / 60)

    def _too_late(self) -> bool:
        if self.minutes_left == 0.0:
            self.reached = f"{self.limits.max_minutes:g} minutes have passed"
            self.raised = raised("max_minutes", self.limits.max_minutes or 0)
        return self.minutes_left == 0.0

    def _left(self) -> Spending:
        limits, taken = self.limits, Spending(self.spent.calls, self.spent.tokens, self.spent.cost)
        for held in self.held.values():
            taken.add(held)
        return Spending(*(_rest(getattr(limits, f"max_{name}"), getattr(taken, name)) for name in COUNTED))

    def _reach(self, short: str, need: Need) -> None:
        limits, spent, limit = self.limits, self.spent, f"max_{short}"
        self.raised = raised(limit, getattr(limits, limit), getattr(spent, short) + getattr(need.most, short))
        self.reached = {
            "calls": f"{spent.calls:,} of {limits.max_calls or 0:,} calls are made, and no further debate fits in",
            "tokens": f"{spent.tokens:,} of {limits.max_tokens or 0:,} tokens are used, and no further debate fits in",
            "cost": f"{dollars(spent.cost)} of ${limits.max_cost or 0:g} is spent, and no further debate fits in",
        }[short]


def share_as_limits(share: Spending, paid: Spending, options: Options, budget: SharedBudget) -> dict[str, Any]:
    """The limits of a debate with this share on top of what it has paid, and with its own limits."""
    limits, minutes = budget.limits, budget.minutes_left
    found = {"max_minutes": _least(options.max_minutes, minutes)}
    for name in COUNTED:
        left = None if getattr(limits, f"max_{name}") is None else getattr(paid, name) + getattr(share, name)
        found[f"max_{name}"] = _least(getattr(options, f"max_{name}"), left)
    return {key: value for key, value in found.items() if value is not None}


def charge(spent: Spent, records: Callable[[], Sequence[Record]], options: Options) -> Spending:
    """What a debate is charged. If a model reported no usage, this is the most that its calls may have used. The debate
    counts the same way towards its own limits. `records` are only read in that case."""
    if spent.input is None or spent.output is None or spent.cost is None:
        return already_spent(records(), options)
    return Spending(spent.calls, spent.input + spent.output, spent.cost)


class Planner:
    """Plans debates. Debates that differ only in their seed and drew the same cast are planned once."""

    def __init__(self) -> None:
        self._known: dict[bytes, Plan] = {}

    async def plan(self, config: RunConfig) -> Plan:
        whole = config.debate.model_dump_json() + config.options.model_dump_json(exclude={"seed", "out"})
        lots = (config.protocol.get(Study) or PLAIN).lots(config.debate, config.seed)
        key = hashlib.sha256(f"{config.protocol.name}{whole}{lots}".encode()).digest()
        if key not in self._known:
            self._known[key] = await plan(config)
        return self._known[key]


class BatchPlan(BaseModel):
    """The plans of all debates together. `dearest` is the bound of a single debate; a price is null if the price of one
    of the models is unknown. `models` is the number of debates in which each model speaks."""

    debates: int
    calls: int
    models: dict[str, int]
    typical: Estimate
    bound: Estimate
    dearest: Estimate


async def plan_batch(items: Sequence[Item]) -> BatchPlan:
    """Estimate what these debates will use. Calls no model and writes no file."""
    planner = Planner()
    plans = [await planner.plan(item.configured(Path("runs"))) for item in items]
    models: Counter[str] = Counter()
    for one in plans:
        models.update({name for names in one.models.values() for name in names})
    return BatchPlan(
        debates=len(plans),
        calls=sum(one.calls for one in plans),
        models=dict(sorted(models.items())),
        typical=Estimate.sum([one.typical for one in plans]),
        bound=Estimate.sum([one.bound for one in plans]),
        dearest=max((one.bound for one in plans), key=lambda bound: (bound.cost or 0.0, bound.input + bound.output)),
    )


def need_of(planned: Plan, own: Limits, shared: Limits) -> Need:
    """What a debate with this plan and these limits needs from a budget; ConfigError if the budget could not be
    kept."""
    if shared.max_cost is not None and planned.bound.cost is None:
        models = ", ".join(sorted({name for names in planned.models.values() for name in names}))
        raise ConfigError(
            f"a batch's `max_cost` cannot be kept: the price of one of these is unknown: {models}. "
            "Give it under `prices:`, or limit calls or tokens instead."
        )
    need = Need.of(planned)
    # Spending counts whole numbers; infinity means no limit and never leaves this module.
    ceiling = Spending(*(_least(getattr(own, f"max_{name}"), math.inf) for name in COUNTED))
    return Need(each(min, need.least, ceiling), each(min, need.most, ceiling))


def _rest(limit: float | None, taken: float) -> Any:
    return math.inf if limit is None else max(0, limit - taken)


def _least(*values: Any) -> Any:
    return min((value for value in values if value is not None), default=None)


def _short_of(spending: Spending, other: Spending) -> str | None:
    """The first of calls, tokens and cost that is larger in `one` than in `other`."""
    return next((name for name in COUNTED if getattr(spending, name) > getattr(other, name)), None)


def each(of: Callable[[Any, Any], Any], one: Spending, other: Spending) -> Spending:
    return Spending(*(of(getattr(one, name), getattr(other, name)) for name in COUNTED))
