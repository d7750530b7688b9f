"""What memory adds to the commands that debate: a team chosen by its ratings, earlier decisions as documents, and the
debate remembered."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

import moot
from moot.cli.additions import Addition, Decorator
from moot.cli.hints import command
from moot.cli.notes import tell
from moot.cli.options import planning
from moot.cli.ranges import Whole
from moot.cli.sections import memory_option
from moot.engine.define.capabilities import Remembers
from moot.engine.define.config import with_documents
from moot.engine.define.plugin_option import plugin_option
from moot.engine.define.protocol import Protocol
from moot.plugins.files import REQUIRE
from moot.plugins.trust import check_own
from moot.text import printable

USUAL_TEAM = 3
REMEMBER = memory_option(
    "--memory",
    metavar="WHERE",
    envvar="MOOT_MEMORY",
    help="Remember the outcome in an SQLite file or postgresql://….",
)
RECALL_FROM = memory_option(
    "--memory", metavar="WHERE", envvar="MOOT_MEMORY", help="Recall from an SQLite file or postgresql://…."
)
RECALL = memory_option(
    "--recall",
    type=Whole(1, 3),
    metavar="N",
    help="Give the agents up to N related decisions from --memory.",
)
TEAM_OPTIONS = [
    memory_option(
        "--pool",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Choose the agents from this file (YAML) by their ratings in --memory, up to two per model family.",
    ),
    memory_option(
        "--team", type=Whole(2, 26), metavar="N", help="Number of agents to choose from --pool.  [default: 3]"
    ),
]


class Remembering(Addition):
    def __init__(self, settings: dict[str, Any]) -> None:
        self.memory: str | None = settings.pop("memory", None)
        self.recall: int | None = settings.pop("recall", None)
        self.pool: Path | None = settings.pop("pool", None)
        self.team: int | None = settings.pop("team", None)
        self.remembers = True
        if self.team is not None and self.pool is None:
            raise moot.ConfigError("--team says how many to choose, and needs a --pool to choose from", "agents")

    @classmethod
    def options(cls, command: str, protocol: Protocol | None) -> Sequence[Decorator]:
        if protocol is None:
            return [REMEMBER, *([RECALL] if command == "run" else [])]
        team = TEAM_OPTIONS if {"agents", "selection"} <= protocol.config.model_fields.keys() else []
        return [*team, RECALL, REMEMBER if protocol.get(Remembers) else RECALL_FROM]

    def settings(self, protocol: Protocol | None, given: dict[str, Any]) -> dict[str, Any]:
        """The participants, if there is a pool to choose from; prints why they were chosen."""
        del protocol
        if self.pool is None:
            return {}
        if "agents" in given:
            raise moot.ConfigError("give either the agents, or a --pool to choose them from", "agents")
        from moot.engine.define.layers import load_options
        from moot.memory.pools import choose_team

        if given.get(REQUIRE):
            check_own(self.pool, "the pool of a gate")
        options = load_options(model=given["model"], roles=given["roles"])
        found = choose_team(self.pool, self.team or USUAL_TEAM, self.memory, model=options.model, roles=options.roles)
        for line in found.selection:
            click.echo(printable(line), err=True)
        return {"agents": found.agents, "selection": found.selection}

    def fit(self, config: moot.RunConfig) -> moot.RunConfig:
        """With the earlier decisions. What is not remembered may still recall, and one variable is for all commands."""
        if self.memory is not None and config.protocol.get(Remembers) is None:
            self.remembers = False
            explicit = click.get_current_context().get_parameter_source("memory") is ParameterSource.COMMANDLINE
            if explicit and self.recall is None:
                raise moot.ConfigError(f"a memory keeps nothing of a {config.protocol.name}; --recall reads from it")
        if self.memory is not None and (self.remembers or self.recall is not None):
            from moot.memory.remember import check_memory

            check_memory(self.memory)
        if self.recall is None:
            return config
        found = recalled(config.topic, self.memory, self.recall)
        return with_documents(config, found) if found else config

    async def after(self, result: moot.Result) -> None:
        if self.memory is None or not self.remembers or result.status != "done":
            return
        from moot.memory.commands import tell_unrated
        from moot.memory.remember import debate_id, remember

        run = result.stored
        try:
            new = await remember(run, result, self.memory)
        except moot.MootError as error:
            again = command(*plugin_option(result.protocol), "memory", "add", run.address)
            raise moot.ConfigError(f"the debate is done, but {error}. To try again: {again}") from error
        told = "is remembered" if new else "was remembered before"
        tell(f"the debate {told} as {debate_id(run)[:12]}")
        tell_unrated(run, self.memory)


def recalled(topic: str, memory: str | None, most: int) -> list[dict[str, Any]]:
    """Memories about the topic, as documents. Says so if there are none."""
    if memory is None:
        raise moot.ConfigError("--recall needs --memory, or MOOT_MEMORY, to look in")
    from moot.memory.remember import recall

    found = asyncio.run(recall(topic, memory, most, of_use=not planning()))
    if not found:
        told = "nothing in the memory is alike enough to this task, so nothing is recalled"
        tell(f"{told}; `moot memory search` looks for single words, too")
    return found
