"""What features add to the commands that debate: options, and what follows from them before and after the debate."""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import moot
from moot.cli.notes import tell
from moot.cli.options import Output
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import plugin_faults
from moot.plugins.features import MissingFeature, built_in, offered
from moot.text import clip, one_line

Decorator = Callable[[Any], Any]


class Addition:
    """What one feature adds. It is made anew for each call of a command, from the settings that its options gave."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Take its own settings out of these, which lack those whose options were not offered; ConfigError, before
        anything is spent, for what cannot work."""

    @classmethod
    def options(cls, command: str, protocol: Protocol | None) -> Sequence[Decorator]:
        """Its options for a command: that of a protocol, or `run`, `resume` and `again`, which take debates of any."""
        del command, protocol
        return []

    def settings(self, protocol: Protocol | None, given: dict[str, Any]) -> dict[str, Any]:
        """Settings of the debate besides those that were given. The protocol is None if only a debate file names it."""
        del protocol, given
        return {}

    def fit(self, config: moot.RunConfig) -> moot.RunConfig:
        """The debate as it is held. ConfigError if this cannot be added to it."""
        return config

    def prepare(self) -> None:
        """Whatever has to be there before the debate begins. ConfigError if that cannot be."""

    def stage(self, config: moot.RunConfig, output: Output, additions: "Additions") -> int | None:
        """Hold the debate in another way, or under `moot plan` print its cost, and return the exit code; None to hold
        it as usual."""
        del config, output, additions
        return None

    def resume(
        self, name: str, folder: str, output: Output, changes: dict[str, Any], additions: "Additions"
    ) -> int | None:
        """Finish something that is not a run, by its name, and return the exit code; None if it does not exist."""
        del name, folder, output, changes, additions
        return None

    async def after(self, result: moot.Result) -> None:
        """What to do with the result, whatever its status; `result.stored` is the run."""
        del result


@cache
def _kinds() -> tuple[type[Addition], ...]:
    plugin_faults()  # also those of plug-in files; what is wrong with one is told where it is used
    kinds = offered("debating")
    if wrong := [kind for kind in kinds if not (isinstance(kind, type) and issubclass(kind, Addition))]:
        raise moot.ConfigError(
            f"a feature offers as `debating` what is no Addition: {clip(one_line(repr(wrong[0])), 200)}"
        )
    return tuple(kinds)


def addition_options(command: str, protocol: Protocol | None = None) -> list[Decorator]:
    """The options that features add to a command."""
    return [option for kind in _kinds() for option in kind.options(command, protocol)]


@dataclass(frozen=True, slots=True)
class Additions:
    """What all features add to one call of a command."""

    each: Sequence[Addition] = ()

    @classmethod
    def out_of(cls, settings: dict[str, Any]) -> Self:
        if "MOOT_MEMORY" in os.environ and built_in("memory") is None:
            tell(f"nothing is remembered: {MissingFeature('MOOT_MEMORY', 'memory')}")
        return cls([kind(settings) for kind in _kinds()])

    def settings(self, protocol: Protocol | None, given: dict[str, Any]) -> dict[str, Any]:
        added: dict[str, Any] = {}
        for addition in self.each:
            added |= addition.settings(protocol, given | added)
        return added

    def fit(self, config: moot.RunConfig) -> moot.RunConfig:
        for addition in self.each:
            config = addition.fit(config)
        return config

    def prepare(self) -> None:
        for addition in self.each:
            addition.prepare()

    def stage(self, config: moot.RunConfig, output: Output) -> int | None:
        codes = (addition.stage(config, output, self) for addition in self.each)
        return next((code for code in codes if code is not None), None)

    def resume(self, name: str, folder: str, output: Output, changes: dict[str, Any]) -> int | None:
        codes = (addition.resume(name, folder, output, changes, self) for addition in self.each)
        return next((code for code in codes if code is not None), None)

    def after(self, result: moot.Result) -> None:
        """Take the steps one after the other. A failure is reported and does not stop the others."""
        faults = []
        for addition in self.each:
            try:
                asyncio.run(addition.after(result))
            except (moot.MootError, OSError) as error:
                faults.append(error)
        for fault in faults[1:]:
            tell(str(fault))
        if faults:
            raise faults[0]
