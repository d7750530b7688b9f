"""moot stages structured debates between language models and leaves a decision that can be audited.

    import asyncio, moot

    result = asyncio.run(moot.duel("Should we rewrite the billing service in Rust?", model="openai/gpt-5"))
    print(result.outcome.winner, result.run)

A debate runs in a folder of its own; `find_run` opens it again, `resume` takes it up where it stopped.
"""

from typing import TYPE_CHECKING

from moot.plugins.lazy import lazy as _lazy

if TYPE_CHECKING:
    from moot.engine.config import Options, RunConfig, configure, parse_roles
    from moot.engine.exporter import Exporter, register_exporter
    from moot.engine.outside import append_outside, next_turn
    from moot.engine.plan import Plan, plan
    from moot.engine.replay import Replay, replay
    from moot.engine.result import Result
    from moot.engine.run import fork, result_of
    from moot.engine.runs import Run, find_run, list_runs
    from moot.errors import (
        CallFailed,
        ConfigError,
        LimitReached,
        ModelError,
        MootError,
        NotReady,
        ReplayDivergence,
        ReportFailed,
        RunBusy,
        RunDamaged,
        SecrecyBreach,
    )
    from moot.models.base import Message, Model, ModelReply, Request, Usage
    from moot.models.pool import connections
    from moot.models.registry import ProviderInfo, describe_providers
    from moot.models.scripted import open_demo
    from moot.models.weights import on_download
    from moot.protocols.panel.callers import OnAccept, summarise_panels
    from moot.record.entry import Entry, Source
    from moot.record.events import Answered, Asked, Event, Follower, Retried, Started, Streamed, Wrote
    from moot.record.journal import Record
    from moot.runs.contest import Contested, contest
    from moot.runs.debates import arena, chaired, duel, panel, persuasion, rebuild, resume, run
    from moot.runs.doctor import Check, diagnose
    from moot.runs.export import GRAPHS, export
    from moot.runs.extract import Extraction, extract
    from moot.runs.seen import seen_by
    from moot.runs.verify import Verification, verify
    from moot.studies.evaluate import evaluate
    from moot.studies.rejudge import judge_agreement, rejudge, rejudging_of
    from moot.text import printable

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
    "ReportFailed",
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
    "next_turn",
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
    "seen_by",
    "summarise_panels",
    "verify",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.engine.config": ("Options", "RunConfig", "configure", "parse_roles"),
            "moot.runs.contest": ("Contested", "contest"),
            "moot.engine.run": ("fork", "result_of"),
            "moot.studies.evaluate": ("evaluate",),
            "moot.runs.debates": (
                "run",
                "resume",
                "rebuild",
                "arena",
                "duel",
                "chaired",
                "panel",
                "persuasion",
            ),
            "moot.runs.doctor": ("Check", "diagnose"),
            "moot.record.entry": ("Entry", "Source"),
            "moot.errors": (
                "CallFailed",
                "ConfigError",
                "LimitReached",
                "ModelError",
                "MootError",
                "NotReady",
                "ReplayDivergence",
                "ReportFailed",
                "RunBusy",
                "RunDamaged",
                "SecrecyBreach",
            ),
            "moot.record.events": ("Answered", "Asked", "Event", "Follower", "Retried", "Started", "Streamed", "Wrote"),
            "moot.engine.exporter": ("Exporter", "register_exporter"),
            "moot.runs.export": ("GRAPHS", "export"),
            "moot.runs.extract": ("Extraction", "extract"),
            "moot.record.journal": ("Record",),
            "moot.models.base": ("Message", "Model", "ModelReply", "Request", "Usage"),
            "moot.models.pool": ("connections",),
            "moot.models.registry": ("ProviderInfo", "describe_providers"),
            "moot.models.scripted": ("open_demo",),
            "moot.models.weights": ("on_download",),
            "moot.engine.outside": ("append_outside", "next_turn"),
            "moot.engine.plan": ("Plan", "plan"),
            "moot.protocols.panel.callers": ("OnAccept", "summarise_panels"),
            "moot.studies.rejudge": ("judge_agreement", "rejudge", "rejudging_of"),
            "moot.engine.replay": ("Replay", "replay"),
            "moot.engine.result": ("Result",),
            "moot.engine.runs": ("Run", "find_run", "list_runs"),
            "moot.text": ("printable",),
            "moot.runs.verify": ("Verification", "verify"),
            "moot.runs.seen": ("seen_by",),
        },
    )
