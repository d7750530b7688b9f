"""Debates with their reports: `moot.run` and related functions, and the shipped protocols as functions."""

from collections.abc import Mapping
from typing import Any

from moot.engine import run as engine_run
from moot.engine.config import RunConfig, configure
from moot.engine.documents import REPORTS
from moot.engine.result import Result
from moot.engine.runs import Run
from moot.models.base import Model
from moot.protocols.panel.callers import OnAccept, hand_on
from moot.record.events import Follower
from moot.report import documents


async def run(config: RunConfig, *, reports: bool = True, **how: Any) -> Result:
    """Stage a new debate in a new folder. A debate that stops early also has a result: see its status.

    `how` is `follow`, a listener for entries; `models`, your models by the names in the config; and `desk`, where
    people are asked. Without `reports` only the result is written, which saves time if you run thousands; `rebuild`
    makes the reports later.
    """
    return await engine_run.run(config, finish=documents if reports else None, **how)


async def resume(folder: Run, *, reports: bool = True, **how: Any) -> Result:
    """Continue a run where it stopped. No reply on record is asked for again.

    `how` is as for `run`, and also other limits, or other models for what is still to be said. Without `reports` none
    are made, but where there are some already.
    """
    # Reports that are there already would be taken for those of the new result.
    wanted = reports or folder.place.read(REPORTS[0]) is not None
    return await engine_run.resume(folder, finish=documents if wanted else None, **how)


async def rebuild(folder: Run) -> Result:
    """Write the result and the reports again from config, log and journal. ReportFailed lists the documents that
    failed, after all others are written."""
    result, failed = await engine_run.rebuild(folder, documents)
    if failed is not None:
        raise failed
    return result


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

    `on_accept` is called with the accepted idea and the result, and awaited if it is asynchronous, when the required
    decision was reached or, if none is required, the decision that lets the idea pass.
    """
    config = configure("panel", idea=idea, **settings)
    result = await run(config, follow=follow, models=models, reports=reports)
    if on_accept is not None:
        await hand_on(result, on_accept)
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
