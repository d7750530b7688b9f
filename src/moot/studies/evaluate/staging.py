"""Stages the runs of an evaluation: each in its own folder, all within one budget.

A finished run is read and not repeated. A stopped run is resumed, and replies on record are not paid again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from moot.engine.define.config import Options, RunConfig, checked
from moot.engine.define.sampling import for_everybody
from moot.engine.outcome.result import Result
from moot.engine.play.limits import Budget, Spending
from moot.engine.staging.run import already_spent
from moot.models.base import Model
from moot.protocols.answers import PROTOCOL as ANSWERS
from moot.protocols.answers import AnswersConfig
from moot.record.journal import read_journal
from moot.studies.evaluate.dataset import Item
from moot.studies.runner import run_or_resume


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the runs of one evaluation are staged. `budget` is what they may spend together; `models` are the caller's
    models by name."""

    options: Options
    budget: Budget
    models: Mapping[str, Model]

    async def debate(self, place: Path, config: RunConfig, max_tokens: int | None = None) -> Result:
        """Stage this run below `place`, or resume the existing one, with at most `max_tokens`."""
        limits = {} if max_tokens is None else {"max_tokens": max_tokens}
        return await run_or_resume(place, config, limits, models=self.models, within=self.budget)

    async def answers(
        self,
        place: Path,
        item: Item,
        seed: int,
        voices: Mapping[str, list[str]],
        max_tokens: int | None = None,
        revisions: int = 0,
    ) -> Result:
        """Independent answers of these speakers, each with its models, and so many revisions by themselves."""
        speakers = [{"name": name, "model": models} for name, models in voices.items()]
        content = {"topic": item.task, "form": item.form, "speakers": speakers, "revisions": revisions}
        own = {"model": None, "roles": {}, "seed": seed, "sampling": for_everybody(self.options.sampling)}
        options = self.options.model_copy(update=own)
        config = RunConfig(ANSWERS, options, checked(AnswersConfig, content, ANSWERS.name))
        return await self.debate(place, config, max_tokens)


def open_budget(options: Options, folder: Path) -> Budget:
    """The budget of an evaluation, reduced by what its runs have spent so far."""
    total = Spending()
    for journal in folder.glob("runs/**/calls.jsonl"):
        total.add(already_spent(read_journal(journal), options))
    return Budget(options.limits, total, scope="over the whole evaluation")
