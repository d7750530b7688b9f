"""Staging debates: code shared by all commands that do so, and demo, plan, resume, fork."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import click

import moot
from moot.cli.additions import Additions, addition_options
from moot.cli.gate import REVISED_OPTION, WRITE, Gating, check_gate
from moot.cli.hints import command, raised_limits, resuming
from moot.cli.notes import tell
from moot.cli.options import (
    LIMIT_OPTIONS,
    MODEL_OPTIONS,
    OUT,
    PLANNING,
    Output,
    print_json,
    reader_left,
    runs_folder,
    settings_of,
    system_error,
    with_options,
    with_output,
)
from moot.cli.ranges import Whole
from moot.cli.run_names import RUN, gate_named
from moot.cli.sections import sectioned_command
from moot.engine.define.gate import gate_of
from moot.engine.define.registry import protocol_names
from moot.engine.define.shipped import DEFAULT, OFFERED
from moot.engine.outcome.result import vouched_for
from moot.errors import ModelError
from moot.models.registry import check_usable, keys_in_environment
from moot.record.events import Started
from moot.runs import demos
from moot.runs.gates import RepeatedGate, hold, open_gate
from moot.system import run_until_stopped
from moot.text import printable

T = TypeVar("T")
EXIT_CODES = {"done": 0, "failed": 1, "limit": 3, "interrupted": 130}
REQUIREMENT_MISSED = 100


DEMO_HELP = f"""Watch a hand-written example debate at reading speed.

PROTOCOL is one of {", ".join(OFFERED)}; without it, moot shows a {DEFAULT}.
"""


@click.command(help=DEMO_HELP)
@click.argument("name", required=False, metavar="[PROTOCOL]")
@click.option("--instant", is_flag=True, help="Show everything at once.")
@OUT
@with_output
def demo(name: str | None, instant: bool, out: str | None, output: Output) -> int:
    config, models = demos.demo(name or DEFAULT, out, None if instant else demos.READING)
    return drive(lambda follow: moot.run(config, follow=follow, models=models), output)


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("debate", nargs=-1, type=click.UNPROCESSED, metavar="[PROTOCOL|FILE.yaml|TOPIC] [OPTIONS]…")
@click.pass_context
def plan(ctx: click.Context, debate: tuple[str, ...]) -> Any:
    """Estimate calls, tokens and cost without starting the debate.

    Put `plan` before the arguments of a debate: `moot plan duel "…" --turns 4`, `moot plan
    examples/nuclear-power.yaml`, `moot plan batch FILE`. `moot plan eval DATASET --detect 5` says how many questions an
    evaluation needs.
    """
    group, args = ctx.find_root().command, list(debate)
    assert isinstance(group, click.Group)  # noqa: S101 (the command line's own root)
    first = args[0] if args else ""
    if first.endswith((".yaml", ".yml", ".py")):
        args = ["run", *args]
    elif first not in (*protocol_names(), "run", "batch", "eval"):
        args = [DEFAULT, *args]
    ctx.meta[PLANNING] = True
    found = group.get_command(ctx, args[0])
    assert found is not None  # noqa: S101 (it is one of those just named)
    with found.make_context(args[0], args[1:], parent=ctx) as inner:
        return inner.command.invoke(inner)


@sectioned_command()
@RUN
@with_options(MODEL_OPTIONS)
@with_options(LIMIT_OPTIONS)
@with_options(addition_options())
@with_options([REVISED_OPTION, WRITE])
@with_output
@OUT
def resume(name: str, out: str | None, output: Output, **settings: Any) -> int:
    """Continue a debate that stopped.

    Recorded replies are not paid for twice. RUN is the folder of a run or of a repeated gate, part of its name, or
    `latest`.
    """
    gating = Gating.out_of(settings)
    gating.prepare()
    if (gate := gate_named(name, runs_folder(out))) is not None:
        additions = Additions.out_of(settings)
        additions.fit(gate.config)
        check_gate(gate.config)
        changes = {key: value for key, value in settings_of(**settings).items() if value is not None}
        return hold_gate(gate, output, additions.for_new(out), gating, changes)
    found = moot.find_run(name, runs_folder(out))
    additions = Additions.out_of(settings)
    additions.fit(found.config)
    changes = settings_of(**settings)
    given = {key: value for key, value in changes.items() if value is not None}
    config = replace(found.config, options=found.config.options.model_copy(update=given))
    was_finished = (vouched_for(found) or {}).get("status") == "done"
    gating.check(config)
    if not was_finished:
        check_gate(config)

    def debate(follow: moot.Follower) -> Coroutine[Any, Any, moot.Result]:
        # A finished debate needs no key and no person any more. Its plug-ins and a model that is named now are checked.
        named = changes.get("model") or changes.get("roles")
        if was_finished and not named and not found.config.protocol.missing:
            found.config.check_plugins()
            return moot.rebuild(found)
        return moot.resume(found, follow=follow, **changes)

    code = drive(debate, output, lambda result: additions.after(found, result), config, gating)
    if was_finished and code in (0, REQUIREMENT_MISSED):
        told = f"moot: {found.name} is already finished"
        ways = {"To read it": "show", "To rebuild its report": "runs report"}
        lines = [told, *(f"{what}: {command(*how.split(), found.address)}" for what, how in ways.items())]
        click.echo(printable("\n".join(lines)), err=True)
    return code


@sectioned_command()
@RUN
@click.option(
    "--at", type=Whole(0), required=True, metavar="SEQ", help="Number of the last entry that both debates share."
)
@with_options(MODEL_OPTIONS)
@click.option("--seed", type=int, metavar="N", help="New seed for the rest of the debate.")
@with_options(LIMIT_OPTIONS)
@with_output
@OUT
def fork(name: str, at: int, out: str | None, output: Output, **settings: Any) -> int:
    """Branch a debate at one of its entries.

    The new run shares everything up to that entry, whose replies are not paid for twice.
    """
    folder = runs_folder(out)
    twin = moot.fork(moot.find_run(name, folder), at, out=folder, **settings_of(**settings))
    try:
        check_gate(twin.config)
        return drive(lambda follow: moot.resume(twin, follow=follow), output, config=twin.config)
    except (moot.ConfigError, ModelError):
        # No reply and no cost yet: leave no empty run behind.
        if not twin.entries():
            twin.place.remove()
        raise


def stage(
    config: moot.RunConfig,
    output: Output,
    afterwards: Callable[[moot.Result], None] | None = None,
    gating: Gating | None = None,
) -> int:
    """Run the debate, or under `moot plan` print its cost. `afterwards` is called if it finishes."""
    gating = gating or Gating()
    gating.check(config)
    if not click.get_current_context().meta.get(PLANNING):
        check_gate(config)
        gating.prepare()
        _say_which_keys_are_unused(config, output)
        if gating.repeat is not None:
            gate = open_gate(config, gating.repeat, gating.needed)
            return hold_gate(gate, output, afterwards, gating)
        return drive(lambda follow: moot.run(config, follow=follow), output, afterwards, config, gating)
    planned = gating.plan(config, check=check_usable)
    if output.as_json:
        print_json(planned.model_dump(mode="json"))
        return 0
    from moot.cli.tables import print_plan

    if gating.repeat is not None:
        click.echo(f"{gating.repeat} debates, one after the other:")
    print_plan(planned)
    return 0


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
    afterwards: Callable[[moot.Result], None] | None = None,
    config: moot.RunConfig | None = None,
    gating: Gating | None = None,
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
    if gating is not None:
        gating.write(result)
    if afterwards is not None and result.status == "done":
        afterwards(result)
    return exit_code(result)


def hold_gate(
    gate: RepeatedGate,
    output: Output,
    afterwards: Callable[[moot.Result], None] | None,
    gating: Gating,
    changes: dict[str, Any] | None = None,
) -> int:
    """Hold the debates of a repeated gate, print what all of them came to, and return the exit code."""
    ruling = watch(
        lambda follow: hold(gate, follow=follow, limits=changes), output, gate.config.protocol.name, str(gate.folder)
    )
    if isinstance(ruling, int):
        return ruling
    with suppress(BrokenPipeError, SystemExit):
        if output.as_json:
            print_json(ruling.document())
        else:
            from moot.cli.summary import print_ruling

            print_ruling(ruling)
    gating.write_ruling(ruling)
    for result in ruling.results:
        if afterwards is not None and result is not None and result.status == "done":
            afterwards(result)
    if ruling.passed:
        return 0
    stopped = next((one.status for one in ruling.results if one is not None and one.status != "done"), "limit")
    return EXIT_CODES[stopped] if ruling.open else REQUIREMENT_MISSED


def _print_result(result: moot.Result, output: Output, config: moot.RunConfig | None) -> None:
    if output.as_json:
        print_json(result.document())
        return
    from rich.console import Console

    from moot.cli.summary import print_summary

    raised = raised_limits(result, config) if config is not None and result.status == "limit" else []
    print_summary(result, Console(), raised)


def say_which_example(config: moot.RunConfig) -> None:
    """Before anything is spent, print the example that is debated if no subject was given."""
    topic = printable(config.topic)
    tell(f"No topic given, so moot debates the built-in example: {topic}")


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

    from moot.cli.display import open_display
    from moot.cli.download import show_downloads

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
