"""Estimates what a batch will use, before anything is spent."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from moot.engine.staging.plan import Estimate
from moot.studies.batch.budget import Planner
from moot.studies.batch.items import Item


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
        typical=_sum([one.typical for one in plans]),
        bound=_sum([one.bound for one in plans]),
        dearest=max((one.bound for one in plans), key=lambda one: (one.cost or 0.0, one.input + one.output)),
    )


def _sum(estimates: Sequence[Estimate]) -> Estimate:
    costs = [one.cost for one in estimates if one.cost is not None]
    return Estimate(
        input=sum(one.input for one in estimates),
        output=sum(one.output for one in estimates),
        cost=round(sum(costs), 6) if len(costs) == len(estimates) else None,
    )
