"""Staging the runs of an evaluation: each in a folder of its own, all of them within one budget.

A run that is done is read and not played again; one that stopped is taken up, and no reply on record is paid twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from moot.engine.config import Options, RunConfig, checked
from moot.engine.limits import Budget, Spending
from moot.engine.result import Result, fold, vouched_for
from moot.engine.run import already_spent, resume, run
from moot.engine.runs import list_runs
from moot.models.base import Model
from moot.protocols.answers import PROTOCOL as ANSWERS
from moot.protocols.answers import AnswersConfig
from moot.record.journal import read_journal
from moot.studies.evaluate.dataset import Item


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the runs of one evaluation are staged. `budget` is what they may spend together; `models` are the caller's
    own, by name."""

    options: Options
    budget: Budget
    models: Mapping[str, Model]

    async def debate(self, place: Path, config: RunConfig, max_tokens: int | None = None) -> Result:
        """Stage this run below `place`, or take up the one that is there; it may use so many tokens."""
        limits = {"max_calls": None, "max_tokens": max_tokens, "max_cost": None, "max_minutes": None, "out": str(place)}
        config = replace(config, options=config.options.model_copy(update=limits))
        found = list_runs(str(place))
        if not found:
            return await run(config, models=self.models, within=self.budget)
        known = vouched_for(found[0])
        if known is not None and known["status"] == "done":
            return fold(found[0], "done", None, known["longest_chain"])
        # Whoever speaks is the same as before, or this would be another evaluation; how they are called may change.
        how = config.options.model_dump(include={"timeout", "concurrency", "rate", "max_reply_tokens", "prices"})
        return await resume(found[0], models=self.models, within=self.budget, **how)

    async def answers(
        self, place: Path, item: Item, seed: int, voices: Mapping[str, list[str]], max_tokens: int | None = None
    ) -> Result:
        """Independent answers of these speakers, each with its models."""
        speakers = [{"name": name, "model": models} for name, models in voices.items()]
        content = {"topic": item.task, "form": item.form, "speakers": speakers}
        options = self.options.model_copy(update={"model": None, "roles": {}, "seed": seed})
        config = RunConfig(ANSWERS, options, checked(AnswersConfig, content, ANSWERS.name))
        return await self.debate(place, config, max_tokens)


def open_budget(options: Options, folder: Path) -> Budget:
    """The budget of an evaluation, with what its runs have spent so far taken out."""
    total = Spending()
    for journal in folder.glob("runs/**/calls.jsonl"):
        total.add(already_spent(read_journal(journal), options))
    return Budget(options.limits, total, scope="over the whole evaluation")
