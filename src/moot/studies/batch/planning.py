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
    for plan in plans:
        models.update({name for names in plan.models.values() for name in names})
    return BatchPlan(
        debates=len(plans),
        calls=sum(plan.calls for plan in plans),
        models=dict(sorted(models.items())),
        typical=Estimate.sum([plan.typical for plan in plans]),
        bound=Estimate.sum([plan.bound for plan in plans]),
        dearest=max((plan.bound for plan in plans), key=lambda bound: (bound.cost or 0.0, bound.input + bound.output)),
    )
