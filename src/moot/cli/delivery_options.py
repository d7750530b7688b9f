"""The steps after a debate, according to the options: delivery, then memory."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
from click.core import ParameterSource

import moot
from moot.cli.hints import command
from moot.cli.notes import tell
from moot.cli.options import runs_folder
from moot.engine.define.capabilities import Remembers
from moot.engine.define.plugin_option import plugin_option

ORIGIN = click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="WHERE",
    envvar="MOOT_ORIGIN",
    help="Deliver the result there, once: a file, or https://…. Repeatable.",
)
WORKFLOW = click.option(
    "--workflow",
    "workflows",
    multiple=True,
    metavar="COMMAND",
    help="Hand the result to a command, once. Repeatable.",
)
REMEMBER = click.option(
    "--memory",
    metavar="WHERE",
    envvar="MOOT_MEMORY",
    help="Remember the outcome in an SQLite file, or postgresql://….",
)
DELIVERY_OPTIONS = [ORIGIN, WORKFLOW]
AFTER_OPTIONS = [*DELIVERY_OPTIONS, REMEMBER]


@dataclass(frozen=True, slots=True)
class Afterwards:
    """The steps to take with the result of a finished debate."""

    origins: Sequence[str] = ()
    workflows: Sequence[str] = ()
    memory: str | None = None

    @classmethod
    def out_of(cls, settings: dict[str, Any]) -> "Afterwards":
        """Take these settings from a command's settings; ConfigError, before anything is spent, for anything that
        cannot work."""
        found = cls(settings.pop("origins"), settings.pop("workflows"), settings.pop("memory", None))
        if found.origins or found.workflows:
            from moot.deliver import check_places

            check_places(found.origins, found.workflows)
        return found

    def fit_for(self, config: moot.RunConfig) -> "Afterwards":
        """The same for this debate. Some protocols are not remembered, even if a variable asks for it in all
        commands."""
        if self.memory is None or config.protocol.get(Remembers) is not None:
            self._check_memory()
            return self
        if click.get_current_context().get_parameter_source("memory") is ParameterSource.COMMANDLINE:
            raise moot.ConfigError(f"a memory keeps nothing of a {config.protocol.name}")
        return replace(self, memory=None)

    def for_new(self, out: str | None) -> Callable[[moot.Result], None]:
        """For a run that does not exist yet, in the folder from the option."""

        def after(result: moot.Result) -> None:
            # The result has the database address without its password, so it cannot be used to reach the run.
            database, _, name = result.run.rpartition("#")
            self.happen(moot.find_run(name if "://" in database else result.run, runs_folder(out)), result)

        return after

    def _check_memory(self) -> None:
        if self.memory is not None:
            from moot.memory.remember import check_memory

            check_memory(self.memory)

    def happen(self, run: moot.Run, result: moot.Result) -> None:
        """Take the steps one after the other. A failure is reported and does not stop the others."""
        faults = []
        for step in (self._deliver, self._remember):
            try:
                step(run, result)
            except (moot.MootError, OSError) as error:
                faults.append(error)
        for fault in faults[1:]:
            tell(str(fault))
        if faults:
            raise faults[0]

    def _deliver(self, run: moot.Run, result: moot.Result) -> None:
        deliver(run, result, self.origins, self.workflows)

    def _remember(self, run: moot.Run, result: moot.Result) -> None:
        if self.memory is None:
            return
        from moot.cli.memory import tell_unrated
        from moot.memory.remember import debate_id, remember

        try:
            new = asyncio.run(remember(run, result, self.memory))
        except moot.MootError as error:
            again = command(*plugin_option(result.protocol), "memory", "add", run.address)
            raise moot.ConfigError(f"the debate is done, but {error}. To try again: {again}") from error
        told = "is remembered" if new else "was remembered before"
        tell(f"the debate {told} as {debate_id(run)[:12]}")
        tell_unrated(run, self.memory)


def deliver(
    run: moot.Run, result: moot.Result, origins: Sequence[str], workflows: Sequence[str], *, again: bool = False
) -> bool:
    """Hand on the result and report on stderr; True if everything succeeded."""
    if not origins and not workflows:
        return True
    from moot.deliver import deliver as delivered

    reports = asyncio.run(delivered(run, result, origins, workflows, again=again))
    for report in reports:
        tell(report.words())
    return all(report.well for report in reports)
