"""Staging debates: what all commands share that do so."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import click

import moot
from moot.cli.additions import Additions
from moot.cli.hints import resuming
from moot.cli.limits import raised_limits
from moot.cli.notes import tell
from moot.cli.options import (
    Output,
    planning,
    print_json,
    reader_left,
    system_error,
)
from moot.engine.define.gate import gate_of, requirement
from moot.engine.staging.plan import Plan
from moot.models.registry import check_usable, keys_in_environment
from moot.record.events import Started
from moot.system import run_until_stopped
from moot.text import printable

T = TypeVar("T")
EXIT_CODES = {"done": 0, "failed": 1, "limit": 3, "interrupted": 130}
REQUIREMENT_MISSED = 100
NO_ADDITIONS = Additions()
DEMONSTRATION = "embedded/smollm2"
_ALSO_CALLED = ("embedded", "embedded/", DEMONSTRATION)
_UNNAMED = "unnamed/model"
"""A placeholder for agents without a model, to find them."""


def stage(config: moot.RunConfig, output: Output, additions: Additions) -> int:
    """Run the debate, or under `moot plan` print its cost."""
    if not planning():
        check_gate(config)
        additions.prepare()
        _say_which_keys_are_unused(config, output)
    if (code := additions.stage(config, output)) is not None:
        return code
    if planning():
        return print_costs(asyncio.run(moot.plan(config, check=check_usable)), output)
    return drive(lambda follow: moot.run(config, follow=follow), output, config, additions)


def print_costs(plan: Plan, output: Output, heading: str = "") -> int:
    """Print what a debate would take."""
    if output.as_json:
        print_json(plan.model_dump(mode="json"))
        return 0
    from moot.cli.tables import print_plan

    if heading:
        click.echo(heading)
    print_plan(plan)
    return 0


def check_gate(config: moot.RunConfig) -> None:
    """ConfigError if the config has a requirement and no model is named, for example because a variable is missing: the
    demonstration model must not decide by default. If it is named explicitly, print a warning."""
    if not requirement(config.debate):
        return
    options = config.options.model_copy(update={"model": config.options.model or _UNNAMED})
    cast = asyncio.run(moot.plan(replace(config, options=options))).models
    if without := [name for name, models in cast.items() if _UNNAMED in models]:
        raise moot.ConfigError(
            f"--require needs a model that can judge. Roles without one: {', '.join(without)}. Choose one with -m or "
            "MOOT_MODEL and set its key (`moot models` lists them). To try the gate anyway: "
            f"-m {DEMONSTRATION}, which cannot judge."
        )
    if any(model in _ALSO_CALLED for models in cast.values() for model in models):
        tell(f"{DEMONSTRATION} cannot judge: whether it passes this gate means nothing.")


def _say_which_keys_are_unused(config: moot.RunConfig, output: Output) -> None:
    """If nobody chose a model and there is a key, print which flag would use it. moot spends nothing by itself."""
    if config.options.model is not None or config.options.roles or output.display not in ("full", "plain"):
        return
    if found := keys_in_environment():
        variable, example = found[0]
        tell(f"{variable} is set but not used. To use it (this costs money): -m {example}")


def drive(
    debate: Callable[[moot.Follower], Coroutine[Any, Any, moot.Result]],
    output: Output,
    config: moot.RunConfig | None = None,
    additions: Additions = NO_ADDITIONS,
) -> int:
    """Stage a debate with its progress on stderr, print its outcome on stdout, and return the exit code.

    With a config, the output for a debate stopped by a limit says which limit to raise.
    """
    result = watch(debate, output, config.protocol.name if config else None)
    if isinstance(result, int):
        return result
    # A missing reader gets no output, and the result is the same; SystemExit is rich's broken pipe.
    with suppress(BrokenPipeError, SystemExit):
        _print_result(result, output, config)
    additions.after(result)
    return exit_code(result)


def _print_result(result: moot.Result, output: Output, config: moot.RunConfig | None) -> None:
    if output.as_json:
        print_json(result.document())
        return
    from rich.console import Console

    from moot.cli.summary import print_summary

    raised = raised_limits(result, config) if config is not None and result.status == "limit" else []
    print_summary(result, Console(), raised)


def exit_code(result: moot.Result) -> int:
    """The exit code for this result."""
    gate = gate_of(result)
    if result.status == "done" and gate is not None and not gate.passed:
        return REQUIREMENT_MISSED
    return EXIT_CODES[result.status]


def watch(
    debate: Callable[[moot.Follower], Coroutine[Any, Any, T]],
    output: Output,
    protocol: str | None = None,
    folder: str | None = None,
) -> T | int:
    """Stage a debate with its progress on stderr. Without a result, return the exit code, after printing why and how
    to continue, which includes the protocol's plug-in file if it has one. `folder` is what is continued, if it is not
    the run."""
    from rich.console import Console

    from moot.cli.display import open_display, show_downloads

    started: list[str] = []
    console = Console(stderr=True)
    try:
        with show_downloads(console, output.display), open_display(output.display, console) as show:

            def follow(event: moot.Event) -> None:
                if isinstance(event, Started):
                    started.append(folder or event.run)
                show(event)

            return run_until_stopped(debate(follow))
    except KeyboardInterrupt:
        _say_how_to_go_on("Interrupted.", protocol, started)
        return 130
    except (BrokenPipeError, SystemExit) as error:
        if not reader_left(error):
            raise
        # The terminal is gone, so no message is possible; the debate can still be resumed.
        return 130
    except OSError as error:
        _say_how_to_go_on(f"Stopped by the system: {system_error(error)}.", protocol, started)
        return 1


def _say_how_to_go_on(why: str, protocol: str | None, started: list[str]) -> None:
    how = f" To continue: {resuming(protocol, started[0])}" if started else ""
    click.echo(printable(f"\n{why}{how}"), err=True)
