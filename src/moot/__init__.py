"""moot stages structured debates between language models and leaves a decision that can be audited.

    import asyncio, moot

    result = asyncio.run(moot.duel("Should we rewrite the billing service in Rust?", model="openai/gpt-5"))
    print(result.outcome.winner, result.run)

A debate runs in a folder of its own; `find_run` opens it again, `resume` takes it up where it stopped.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moot.config import Options, RunConfig, configure, parse_roles
from moot.contesting import Contested, contest
from moot.debate import fork, result_of
from moot.debate import rebuild as _rebuild
from moot.debate import resume as _resume
from moot.debate import run as _run
from moot.doctor import Check, diagnose
from moot.engine.registry import DEFAULT as _DEFAULT
from moot.entry import Entry, Source
from moot.errors import (
    CallFailed,
    ConfigError,
    LimitReached,
    ModelError,
    MootError,
    NotReady,
    ReplayDivergence,
    RunBusy,
    RunDamaged,
    SecrecyBreach,
)
from moot.events import Answered, Asked, Event, Follower, Retried, Started, Streamed, Wrote
from moot.exporting import GRAPHS, Exporter, export, register_exporter
from moot.extracting import Extraction, extract
from moot.journal import Record
from moot.models.base import Message, Model, ModelReply, Request, Usage
from moot.models.pool import connections
from moot.models.registry import ProviderInfo, describe_providers
from moot.models.scripted import open_demo
from moot.models.weights import on_download
from moot.outside import append_outside
from moot.planning import Plan, plan
from moot.protocols.panel.callers import OnAccept, summarise_panels
from moot.protocols.panel.callers import hand_on as _hand_on
from moot.rejudging import judge_agreement, rejudge, rejudging_of
from moot.replaying import Replay, replay
from moot.report import documents as _documents
from moot.result import Result
from moot.runs import Run, find_run, list_runs
from moot.schemas import schemas
from moot.text import printable
from moot.verifying import Verification, verify
from moot.views import seen_by

if TYPE_CHECKING:
    from moot.evaluation import Evaluation


async def run(config: RunConfig, *, reports: bool = True, **how: Any) -> Result:
    """Stage a new debate in a new folder. A debate that stops early is a result too: see its status.

    `how` is `follow`, who hears of it; `models`, models of your own by the names that the config calls them; and
    `desk`, where people are asked. Without `reports` only the result is written, for those who run thousands;
    `rebuild` makes them later.
    """
    return await _run(config, finish=_documents if reports else None, **how)


async def resume(folder: Run, *, reports: bool = True, **how: Any) -> Result:
    """Take up a run where it stopped. No reply on record is asked for again.

    `how` is as for `run`, and also other limits, or other models for what is still to be said.
    """
    return await _resume(folder, finish=_documents if reports else None, **how)


async def rebuild(folder: Run) -> Result:
    """Write the result and the reports anew from config, log and journal."""
    return await _rebuild(folder, _documents)


async def arena(
    topic: str | None = None,
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    reports: bool = True,
    **settings: Any,
) -> Result:
    """Agents propose, criticise, revise, vote and are judged. `settings` are a debate file's keys: agents, vote, …"""
    return await run(configure("arena", topic=topic, **settings), follow=follow, models=models, reports=reports)


async def duel(
    topic: str | None = None,
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    reports: bool = True,
    **settings: Any,
) -> Result:
    """Two debaters and a judge on a topic. `settings` are the keys of a debate file: model, turns, premise, …"""
    return await run(configure("duel", topic=topic, **settings), follow=follow, models=models, reports=reports)


async def chaired(
    topic: str | None = None,
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    reports: bool = True,
    **settings: Any,
) -> Result:
    """Seven roles on a topic, with sources that are checked. `settings` are the keys of a debate file: max_rounds, …"""
    return await run(configure("chaired", topic=topic, **settings), follow=follow, models=models, reports=reports)


async def evaluate(
    dataset: Path | str,
    protocols: Sequence[str] = (_DEFAULT,),
    *,
    models: Mapping[str, Model] | None = None,
    **settings: Any,
) -> "Evaluation":
    """Put the questions of a JSONL file to debates and to baselines at equal token budgets: did debating pay?

    `settings` are those of `moot.evaluation.evaluate`: baselines, match, limit, budget, out, model, max_cost, …
    """
    from moot.evaluation import evaluate

    return await evaluate(dataset, protocols, models=models, **settings)


async def panel(
    idea: str | Mapping[str, Any] | None = None,
    *,
    on_accept: OnAccept | None = None,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    reports: bool = True,
    **settings: Any,
) -> Result:
    """Five personas decide about an idea, a text or a document. `settings` are the keys of a debate file: kind, …

    `on_accept` is called, and awaited if it is asynchronous, with the idea as it was accepted and the result, when the
    required decision carried or, if none is required, the one that lets the idea pass.
    """
    config = configure("panel", idea=idea, **settings)
    result = await run(config, follow=follow, models=models, reports=reports)
    if on_accept is not None:
        await _hand_on(result, on_accept)
    return result


async def persuasion(
    topic: str | None = None,
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    reports: bool = True,
    **settings: Any,
) -> Result:
    """A formal dialogue on a proposition. `settings` are the keys of a debate file: rounds, perspective, evidence, …"""
    return await run(configure("persuasion", topic=topic, **settings), follow=follow, models=models, reports=reports)


__all__ = [
    "GRAPHS",
    "Answered",
    "Asked",
    "CallFailed",
    "Check",
    "ConfigError",
    "Contested",
    "Entry",
    "Event",
    "Exporter",
    "Extraction",
    "Follower",
    "LimitReached",
    "Message",
    "Model",
    "ModelError",
    "ModelReply",
    "MootError",
    "NotReady",
    "OnAccept",
    "Options",
    "Plan",
    "ProviderInfo",
    "Record",
    "Replay",
    "ReplayDivergence",
    "Request",
    "Result",
    "Retried",
    "Run",
    "RunBusy",
    "RunConfig",
    "RunDamaged",
    "SecrecyBreach",
    "Source",
    "Started",
    "Streamed",
    "Usage",
    "Verification",
    "Wrote",
    "append_outside",
    "arena",
    "chaired",
    "configure",
    "connections",
    "contest",
    "describe_providers",
    "diagnose",
    "duel",
    "evaluate",
    "export",
    "extract",
    "find_run",
    "fork",
    "judge_agreement",
    "list_runs",
    "on_download",
    "open_demo",
    "panel",
    "parse_roles",
    "persuasion",
    "plan",
    "printable",
    "rebuild",
    "register_exporter",
    "rejudge",
    "rejudging_of",
    "replay",
    "result_of",
    "resume",
    "run",
    "schemas",
    "seen_by",
    "summarise_panels",
    "verify",
]
