"""moot stages structured debates between language models and leaves a decision that can be audited.

    import asyncio, moot

    result = asyncio.run(moot.duel("Should we rewrite the billing service in Rust?", model="openai/gpt-5"))
    print(result.outcome.winner, result.run)

`moot.sync.duel(…)` does the same without `asyncio`, in scripts and notebooks. A debate runs in a folder of its own;
`find_run` opens it again, `resume` takes it up where it stopped.
"""

from typing import TYPE_CHECKING

from moot.plugins.lazy import lazy as _lazy

if TYPE_CHECKING:
    from moot.engine.config import RunConfig, configure
    from moot.engine.finding import find_run
    from moot.engine.outside import append_outside, next_turn
    from moot.engine.plan import plan
    from moot.engine.replay import replay
    from moot.engine.result import Result
    from moot.engine.run import fork, result_of
    from moot.engine.runs import Run, list_runs
    from moot.errors import (
        ConfigError,
        MootError,
        NotReady,
        RunBusy,
        RunDamaged,
    )
    from moot.models.base import Message, Model, ModelReply, Request, Usage
    from moot.models.pool import connections
    from moot.record.entry import Entry
    from moot.record.events import Event, Follower
    from moot.runs import sync
    from moot.runs.contest import contest
    from moot.runs.debates import rebuild, resume, run
    from moot.runs.export import export
    from moot.runs.extract import extract
    from moot.runs.follow_up import follow_up
    from moot.runs.frames import frame
    from moot.runs.seen import seen_by
    from moot.runs.verify import verify
    from moot.runs.ways import (
        arena,
        chaired,
        council,
        delphi,
        duel,
        hats,
        multiagent,
        oversight,
        oxford,
        panel,
        persuasion,
        redteam,
        socratic,
    )
    from moot.studies.evaluate import evaluate
    from moot.studies.rejudge import judge_agreement, rejudge

__all__ = [
    "ConfigError",
    "Entry",
    "Event",
    "Follower",
    "Message",
    "Model",
    "ModelReply",
    "MootError",
    "NotReady",
    "Request",
    "Result",
    "Run",
    "RunBusy",
    "RunConfig",
    "RunDamaged",
    "Usage",
    "append_outside",
    "arena",
    "chaired",
    "configure",
    "connections",
    "contest",
    "council",
    "delphi",
    "duel",
    "evaluate",
    "export",
    "extract",
    "find_run",
    "follow_up",
    "fork",
    "frame",
    "hats",
    "judge_agreement",
    "list_runs",
    "multiagent",
    "next_turn",
    "oversight",
    "oxford",
    "panel",
    "persuasion",
    "plan",
    "rebuild",
    "redteam",
    "rejudge",
    "replay",
    "result_of",
    "resume",
    "run",
    "seen_by",
    "socratic",
    "sync",
    "verify",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.engine.config": (
                "RunConfig",
                "configure",
            ),
            "moot.runs.contest": ("contest",),
            "moot.runs.follow_up": ("follow_up",),
            "moot.engine.run": ("fork", "result_of"),
            "moot.studies.evaluate": ("evaluate",),
            "moot.runs.debates": (
                "run",
                "resume",
                "rebuild",
            ),
            "moot.runs.ways": (
                "arena",
                "chaired",
                "council",
                "delphi",
                "duel",
                "hats",
                "multiagent",
                "oversight",
                "oxford",
                "panel",
                "persuasion",
                "redteam",
                "socratic",
            ),
            "moot.runs.frames": ("frame",),
            "moot.runs": ("sync",),
            "moot.record.entry": ("Entry",),
            "moot.errors": (
                "ConfigError",
                "MootError",
                "NotReady",
                "RunBusy",
                "RunDamaged",
            ),
            "moot.record.events": (
                "Event",
                "Follower",
            ),
            "moot.runs.export": ("export",),
            "moot.runs.extract": ("extract",),
            "moot.models.base": ("Message", "Model", "ModelReply", "Request", "Usage"),
            "moot.models.pool": ("connections",),
            "moot.engine.outside": ("append_outside", "next_turn"),
            "moot.engine.plan": ("plan",),
            "moot.studies.rejudge": (
                "judge_agreement",
                "rejudge",
            ),
            "moot.engine.replay": ("replay",),
            "moot.engine.result": ("Result",),
            "moot.engine.finding": ("find_run",),
            "moot.engine.runs": ("Run", "list_runs"),
            "moot.runs.verify": ("verify",),
            "moot.runs.seen": ("seen_by",),
        },
    )
