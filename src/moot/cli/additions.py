"""What features add to the commands that debate: options, and what follows from them before and after the debate."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import moot
from moot.cli.notes import tell
from moot.cli.options import runs_folder
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import plugin_faults
from moot.plugins.features import offered
from moot.text import clip, one_line

Decorator = Callable[[Any], Any]


class Addition:
    """What one feature adds. It is made anew for each call of a command, from the settings that its options gave."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Take its own settings out of these, which lack those whose options were not offered; ConfigError, before
        anything is spent, for what cannot work."""

    @classmethod
    def options(cls, protocol: Protocol | None) -> Sequence[Decorator]:
        """Its options for the command of this protocol; for None, those of commands for runs and files of any."""
        del protocol
        return []

    def settings(self, protocol: Protocol, given: dict[str, Any]) -> dict[str, Any]:
        """Settings of the debate besides those that were given."""
        del protocol, given
        return {}

    def fit(self, config: moot.RunConfig) -> moot.RunConfig:
        """The debate as it is held. ConfigError if this cannot be added to it."""
        return config

    async def after(self, run: moot.Run, result: moot.Result) -> None:
        """What to do with the result."""
        del run, result


@cache
def _kinds() -> tuple[type[Addition], ...]:
    plugin_faults()  # also those of plug-in files; what is wrong with one is told where it is used
    kinds = offered("debating")
    if wrong := [kind for kind in kinds if not (isinstance(kind, type) and issubclass(kind, Addition))]:
        raise moot.ConfigError(
            f"a feature offers as `debating` what is no Addition: {clip(one_line(repr(wrong[0])), 200)}"
        )
    return tuple(kinds)


def addition_options(protocol: Protocol | None = None) -> list[Decorator]:
    """The options that features add to the command of this protocol, or to one for debates of any."""
    return [option for kind in _kinds() for option in kind.options(protocol)]


@dataclass(frozen=True, slots=True)
class Additions:
    """What all features add to one call of a command."""

    each: Sequence[Addition]

    @classmethod
    def out_of(cls, settings: dict[str, Any]) -> Self:
        return cls([kind(settings) for kind in _kinds()])

    def settings(self, protocol: Protocol, given: dict[str, Any]) -> dict[str, Any]:
        added: dict[str, Any] = {}
        for one in self.each:
            added |= one.settings(protocol, given | added)
        return added

    def fit(self, config: moot.RunConfig) -> moot.RunConfig:
        for one in self.each:
            config = one.fit(config)
        return config

    def for_new(self, out: str | None) -> Callable[[moot.Result], None]:
        """What to do with the result of a run that does not exist yet, in the folder from the option."""

        def after(result: moot.Result) -> None:
            # The result has the database address without its password, so it cannot be used to reach the run.
            database, _, name = result.run.rpartition("#")
            self.after(moot.find_run(name if "://" in database else result.run, runs_folder(out)), result)

        return after

    def after(self, run: moot.Run, result: moot.Result) -> None:
        """Take the steps one after the other. A failure is reported and does not stop the others."""
        faults = []
        for one in self.each:
            try:
                asyncio.run(one.after(run, result))
            except (moot.MootError, OSError) as error:
                faults.append(error)
        for fault in faults[1:]:
            tell(str(fault))
        if faults:
            raise faults[0]
