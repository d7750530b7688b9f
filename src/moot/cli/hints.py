"""Hints for continuing a stopped debate: the command to type, with the limit to raise."""

import asyncio
import math
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import moot
from moot.engine.define.exporter import NO_GRAPH
from moot.engine.define.plugin_option import plugin_option

LEAST_MINUTES = 5.0
AMPLE = 1.5
"""A plan does not include anything that depends on replies: repeated requests, checks for agreement."""
_COUNTED = ("max_calls", "max_tokens", "max_cost")
"""The limits that count over the complete run."""


def command(*words: str) -> str:
    """The command line for this command, with the name that the program was called by."""
    return f"{called()} {shlex.join(words)}"


def resuming(protocol: str | None, run: str, *options: str) -> str:
    """The command line that resumes a run of that protocol, if it is known."""
    return command(*plugin_option(*([protocol] if protocol else [])), "resume", run, *options)


@contextmanager
def hinting_at_extraction(run: moot.Run) -> Iterator[None]:
    """Say of a run without an argument graph how to make one, with the place of the run."""
    try:
        yield
    except moot.ConfigError as error:
        if error.key != NO_GRAPH:
            raise
        way = command(*plugin_option(run.config.protocol.name), "argue", "extract", run.address)
        raise moot.ConfigError(f"{run.name} has no argument graph yet; make one: {way}") from None


def called() -> str:
    """`moot` if it is on the path; otherwise the command that starts the same program from here."""
    start, known = Path(sys.argv[0]), shutil.which("moot")
    if start.parts[-2:] == ("moot", "__main__.py"):
        return "moot" if known else "python -m moot"
    if start.name != "moot" or (known and Path(known).resolve() == start.resolve()):
        return "moot"
    # The script at the root of a checkout starts the program in the environment next to it.
    script = start.absolute().parent.parent.parent / "moot"
    found = script if start.parts[-3:-1] == (".venv", "bin") and script.is_file() else start.absolute()
    here = Path.cwd()
    return shlex.quote(f"./{found.relative_to(here)}" if found.is_relative_to(here) else str(found))


def raised_limits(result: moot.Result, config: moot.RunConfig) -> list[str]:
    """Options that let a run finish that was stopped by a limit.

    The limit that stopped it is at least doubled; every other limit below the plan is raised to the plan.
    """
    options = config.options
    found: list[str] = []
    for name, needed in _planned(config).items():
        limit = getattr(options, name)
        if limit is None:
            continue
        reached = result.limit == name
        if reached or limit < needed:
            found += [f"--{name.replace('_', '-')}", _figure(max(needed, 2 * limit * reached))]
    if options.max_minutes is not None and result.limit == "max_minutes":
        found += ["--max-minutes", _figure(max(LEAST_MINUTES, 2 * options.max_minutes))]
    return found


def _planned(config: moot.RunConfig) -> dict[str, float]:
    """The cost of the complete debate with replies of maximal length; empty if it is unknown."""
    try:
        plan = asyncio.run(moot.plan(config))
    except moot.MootError:  # for example, a folder of evidence no longer exists
        return dict.fromkeys(_COUNTED, 0.0)
    tokens = plan.bound.input + plan.bound.output
    cost = AMPLE * (plan.bound.cost or 0.0)
    return {"max_calls": math.ceil(AMPLE * plan.calls), "max_tokens": math.ceil(AMPLE * tokens), "max_cost": cost}


def _figure(value: float) -> str:
    """The value, rounded up so that it is enough."""
    if value == int(value):
        return str(int(value))
    return f"{math.ceil(value * 10_000) / 10_000:.4f}".rstrip("0")
