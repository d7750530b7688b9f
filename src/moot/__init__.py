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
    from moot.argument.contesting import contest as contest
    from moot.argument.extract import extract as extract
    from moot.engine.define.config import RunConfig as RunConfig
    from moot.engine.define.layers import configure as configure
    from moot.engine.outcome.result import Result as Result
    from moot.engine.staging.finding import find_run as find_run
    from moot.engine.staging.outside import append_outside as append_outside
    from moot.engine.staging.outside import next_question as next_question
    from moot.engine.staging.plan import plan as plan
    from moot.engine.staging.replay import replay as replay
    from moot.engine.staging.run import fork as fork
    from moot.engine.staging.run import result_of as result_of
    from moot.engine.staging.runs import Run as Run
    from moot.engine.staging.runs import list_runs as list_runs
    from moot.errors import ConfigError as ConfigError
    from moot.errors import MootError as MootError
    from moot.errors import NotReady as NotReady
    from moot.errors import RunBusy as RunBusy
    from moot.errors import RunDamaged as RunDamaged
    from moot.models.base import Message as Message
    from moot.models.base import Model as Model
    from moot.models.base import ModelReply as ModelReply
    from moot.models.base import Request as Request
    from moot.models.base import Usage as Usage
    from moot.models.pool import connections as connections
    from moot.record.entry import Entry as Entry
    from moot.record.events import Event as Event
    from moot.record.events import Follower as Follower
    from moot.runs import sync as sync
    from moot.runs.debates import rebuild as rebuild
    from moot.runs.debates import resume as resume
    from moot.runs.debates import run as run
    from moot.runs.export import export as export
    from moot.runs.follow_up import follow_up as follow_up
    from moot.runs.frames import frame as frame
    from moot.runs.questions import ask as ask
    from moot.runs.seen import seen_by as seen_by
    from moot.runs.verify import verify as verify
    from moot.runs.ways import arena as arena
    from moot.runs.ways import chaired as chaired
    from moot.runs.ways import council as council
    from moot.runs.ways import delphi as delphi
    from moot.runs.ways import duel as duel
    from moot.runs.ways import hats as hats
    from moot.runs.ways import multiagent as multiagent
    from moot.runs.ways import oversight as oversight
    from moot.runs.ways import oxford as oxford
    from moot.runs.ways import panel as panel
    from moot.runs.ways import persuasion as persuasion
    from moot.runs.ways import redteam as redteam
    from moot.runs.ways import socratic as socratic
    from moot.studies.evaluate import evaluate as evaluate
    from moot.studies.rejudge import rejudge as rejudge

    __all__: list[str]
else:  # a type checker would take any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.engine.define.config": "RunConfig",
            "moot.engine.define.layers": "configure",
            "moot.engine.staging.finding": "find_run",
            "moot.engine.staging.outside": "append_outside next_question",
            "moot.engine.staging.plan": "plan",
            "moot.engine.staging.replay": "replay",
            "moot.engine.outcome.result": "Result",
            "moot.engine.staging.run": "fork result_of",
            "moot.engine.staging.runs": "Run list_runs",
            "moot.errors": "ConfigError MootError NotReady RunBusy RunDamaged",
            "moot.models.base": "Message Model ModelReply Request Usage",
            "moot.models.pool": "connections",
            "moot.record.entry": "Entry",
            "moot.record.events": "Event Follower",
            "moot.runs": "sync",
            "moot.argument.contesting": "contest",
            "moot.runs.debates": "rebuild resume run",
            "moot.runs.export": "export",
            "moot.argument.extract": "extract",
            "moot.runs.follow_up": "follow_up",
            "moot.runs.frames": "frame",
            "moot.runs.questions": "ask",
            "moot.runs.seen": "seen_by",
            "moot.runs.verify": "verify",
            "moot.runs.ways": "arena chaired council delphi duel hats multiagent oversight oxford panel persuasion "
            "redteam socratic",
            "moot.studies.evaluate": "evaluate",
            "moot.studies.rejudge": "rejudge",
        },
    )
