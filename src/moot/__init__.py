"""moot stages structured debates between language models and leaves a decision that can be audited.

    import asyncio, moot

    result = asyncio.run(moot.duel("Should we rewrite the billing service in Rust?", model="openai/gpt-5"))
    print(result.outcome.winner, result.run)

A debate runs in a folder of its own; `find_run` opens it again, `resume` takes it up where it stopped.
"""

from typing import Any

from moot.config import Options, RunConfig, configure, parse_roles
from moot.debate import Replay, fork, rebuild, replay, resume, run
from moot.doctor import Check, diagnose
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
from moot.exporting import export
from moot.journal import Record
from moot.models.base import Message, Model, ModelReply, Request, Usage
from moot.models.registry import ProviderInfo, describe_providers
from moot.models.scripted import open_demo
from moot.models.weights import on_download
from moot.outside import append_outside
from moot.planning import Plan, plan
from moot.protocols import PROTOCOLS
from moot.result import Result
from moot.runs import Run, find_run, list_runs
from moot.schemas import schemas
from moot.text import printable
from moot.verifying import Verification, verify
from moot.views import seen_by


async def duel(
    topic: str | None = None,
    *,
    follow: Follower | None = None,
    models: dict[str, Model] | None = None,
    reports: bool = True,
    **settings: Any,
) -> Result:
    """Two debaters and a judge on a topic. `settings` are the keys of a debate file: model, turns, premise, …"""
    return await run(configure("duel", topic=topic, **settings), follow=follow, models=models, reports=reports)


__all__ = [
    "PROTOCOLS",
    "Answered",
    "Asked",
    "CallFailed",
    "Check",
    "ConfigError",
    "Entry",
    "Event",
    "Follower",
    "LimitReached",
    "Message",
    "Model",
    "ModelError",
    "ModelReply",
    "MootError",
    "NotReady",
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
    "configure",
    "describe_providers",
    "diagnose",
    "duel",
    "export",
    "find_run",
    "fork",
    "list_runs",
    "on_download",
    "open_demo",
    "parse_roles",
    "plan",
    "printable",
    "rebuild",
    "replay",
    "resume",
    "run",
    "schemas",
    "seen_by",
    "verify",
]
