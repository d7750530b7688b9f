"""Staging the runs of an evaluation: each in a folder of its own, all of them out of one purse.

A run that is done is read and not played again; one that stopped is taken up, and no reply on record is paid twice.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from moot.calls import PayingCaller
from moot.casting import Casting
from moot.config import Options, RunConfig, checked
from moot.errors import CallFailed, ConfigError, LimitReached, ModelError, NotReady
from moot.evaluation.answers import PROTOCOL as ANSWERS
from moot.evaluation.answers import AnswersConfig
from moot.evaluation.dataset import Item
from moot.evaluation.debates import form_of
from moot.journal import Record, conversations, read_journal
from moot.ledgers import Ledger
from moot.limits import Budget, Limits, Spending, spent, token_bound
from moot.models.base import Model, ModelReply, OnText, Request, Usage
from moot.models.prices import Price, worst_cost
from moot.models.registry import ModelSettings, open_model
from moot.result import Result, Status, fold, vouched_for
from moot.room import Room
from moot.runs import Run, create_run, list_runs


@dataclass(slots=True)
class Purse:
    """What all runs of an evaluation may spend together. `refusal` says why no more may be, once that is so."""

    budget: Budget
    prices: Mapping[str, Price]
    refusal: LimitReached | None = None


@dataclass(frozen=True, slots=True)
class Metered:
    """A model whose calls are paid for out of the purse."""

    inner: Model
    purse: Purse

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def small(self) -> bool:
        return self.inner.small

    @property
    def context_window(self) -> int | None:
        return self.inner.context_window

    async def ready(self) -> None:
        if self.purse.budget.limits.max_cost is not None and self._worst_cost(1, 1) is None:
            raise ConfigError(
                f"--max-cost cannot be kept: the price of {self.name} is unknown. "
                "Give it under `prices:` in moot.yaml, or limit calls or tokens instead."
            )
        await self.inner.ready()

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        tokens = token_bound(request.messages)
        cost = self._worst_cost(tokens, request.max_tokens) or 0.0
        try:
            async with self.purse.budget.reserve(tokens + request.max_tokens, cost) as room:
                reply = await self.inner.reply(request, on_text)
                room.settle(reply.usage)
                return reply
        except LimitReached as error:
            self.purse.refusal = error
            raise
        except ModelError as error:
            self.purse.budget.charge(error.usage)
            raise

    def _worst_cost(self, tokens: int, reply_tokens: int) -> float | None:
        return worst_cost(self.name, tokens, reply_tokens, self.purse.prices)


@dataclass(slots=True)
class Stage:
    """Where the runs of one evaluation are staged. `given` are models of the caller's own, by name."""

    options: Options
    purse: Purse
    given: Mapping[str, Model]
    _opened: dict[str, Model] = field(default_factory=dict)

    def model(self, name: str) -> Model:
        """Each model is opened once for the whole evaluation."""
        if name not in self._opened:
            options = self.options
            settings = ModelSettings(options.timeout, options.concurrency, options.prices)
            self._opened[name] = Metered(self.given.get(name) or open_model(name, settings), self.purse)
        return self._opened[name]

    async def debate(self, place: Path, config: RunConfig, max_tokens: int | None = None) -> Result:
        """Stage this run below `place`, or take up the one that is there; it may use so many tokens."""
        limits = {"max_calls": None, "max_tokens": max_tokens, "max_cost": None, "max_minutes": None, "out": str(place)}
        config = replace(config, options=config.options.model_copy(update=limits))
        run = _run_at(place, config)  # not in a thread, which would go on making it after an interrupt
        known = vouched_for(run)
        if known is not None and known["status"] == "done":
            return fold(run, "done", None, known["longest_chain"])
        try:
            return await self._play(run, config)
        except (ConfigError, NotReady):
            # Nothing was said and nothing spent: leave no empty run behind.
            if not run.entries():
                run.place.remove()
            raise

    async def answers(self, place: Path, item: Item, seed: int, voices: Mapping[str, list[str]]) -> Result:
        """Independent answers of these speakers, each with its models."""
        speakers = [{"name": name, "model": models} for name, models in voices.items()]
        content = {"topic": item.task, "form": form_of(item), "speakers": speakers}
        options = self.options.model_copy(update={"model": None, "roles": {}, "seed": seed})
        return await self.debate(place, RunConfig(ANSWERS, options, checked(AnswersConfig, content, "answers")))

    async def _play(self, run: Run, config: RunConfig) -> Result:
        status: Status = "done"
        reason = None
        options = config.options
        with run.hold(), closing(run.open_journal()) as journal, closing(run.open_log()) as log:
            budget = Budget(options.limits, spending(journal.records, options))
            caller = PayingCaller(journal, budget, options.max_reply_tokens, config.seed, options.prices)
            casting = Casting(self.model, options.model, options.roles)
            room = Room(
                write=Ledger(log, None).write, journal=journal, caller=caller, casting=casting, seed=config.seed
            )
            try:
                await room.play(config.protocol.play(room, config.debate))
            except LimitReached as error:
                status, reason = "limit", str(error)
            except CallFailed as error:
                status, reason = "failed", str(error)
            await log.synced()
            result = fold(run, status, reason, room.longest_chain, (log.entries, journal.records))
            document = json.dumps(result.document(), ensure_ascii=False, indent=2) + "\n"
            await asyncio.to_thread(run.write, "result.json", document)
        return result


def open_purse(options: Options, folder: Path) -> Purse:
    """The purse of an evaluation, with what its runs have spent so far taken out."""
    total = Spending()
    for journal in folder.glob("runs/**/calls.jsonl"):
        total.add(spending(read_journal(journal), options))
    limits = Limits(options.max_calls, options.max_tokens, options.max_cost, options.max_minutes)
    return Purse(Budget(limits, total), options.prices)


def spending(records: Sequence[Record], options: Options) -> Spending:
    """What these replies and failed attempts cost; where a model did not say, what a reply may have cost at most."""
    total = Spending()
    requests = {id(record): request for record, request in conversations(records)}
    for record in records:
        if record.kind == "reply":
            tokens = token_bound(requests[id(record)])
            cost = worst_cost(record.model or "", tokens, options.max_reply_tokens, options.prices) or 0.0
            total.add(spent(record.usage or Usage(), Spending(1, tokens + options.max_reply_tokens, cost)))
        elif record.usage is not None:
            total.add(replace(spent(record.usage, Spending()), calls=0))
    return total


def _run_at(place: Path, config: RunConfig) -> Run:
    """The run below that place, as it was or new. Its config is the one it is asked with: were that another than at
    first, the journal would show it."""
    found = list_runs(str(place))
    return Run(found[0].path, config) if found else create_run(config)
