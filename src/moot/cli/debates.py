"""The commands demo, plan, resume and fork."""

from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import click

import moot
from moot.cli.additions import Additions, addition_options
from moot.cli.hints import command
from moot.cli.notes import tell
from moot.cli.options import (
    LIMIT_OPTIONS,
    MODEL_OPTIONS,
    OUT,
    PLANNING,
    Output,
    runs_folder,
    settings_of,
    with_options,
    with_output,
)
from moot.cli.ranges import Whole
from moot.cli.run_names import RUN
from moot.cli.sections import sectioned_command
from moot.cli.stage import REQUIREMENT_MISSED, check_gate, drive
from moot.engine.define.registry import protocol_names
from moot.engine.define.shipped import DEFAULT, OFFERED
from moot.engine.outcome.result import vouched_for
from moot.errors import ModelError
from moot.runs import demos
from moot.text import printable

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
    examples/nuclear-power.yaml`, `moot plan batch FILE`. `moot plan eval DATASET` says how many questions an
    evaluation needs.
    """
    group, args = ctx.find_root().command, list(debate)
    assert isinstance(group, click.Group)  # noqa: S101 (the command line's own root)
    first, bare = args[0] if args else "", False
    if first.endswith((".yaml", ".yml", ".py")):
        args = ["run", *args]
    elif bare := first not in (*protocol_names(), "run", "batch", "eval"):
        args = [DEFAULT, *args]
    ctx.meta[PLANNING] = True
    found = group.get_command(ctx, args[0])
    assert found is not None  # noqa: S101 (it is one of those just named)
    with found.make_context(args[0], args[1:], parent=ctx) as inner:
        code = inner.command.invoke(inner)
    if bare:
        tell(f"This is the plan of a {DEFAULT}. Without `plan`, a model may choose another protocol for the question.")
    return code


@sectioned_command()
@RUN
@with_options(MODEL_OPTIONS)
@with_options(LIMIT_OPTIONS)
@with_options(addition_options("resume"))
@with_output
@OUT
def resume(name: str, out: str | None, output: Output, **settings: Any) -> int:
    """Continue a debate that stopped.

    Recorded replies are not paid for twice. RUN is the folder of a run or of a repeated gate, part of its name, or
    `latest`.
    """
    additions = Additions.out_of(settings)
    additions.prepare()
    folder, changes = runs_folder(out), settings_of(**settings)
    if (code := additions.resume(name, folder, output, changes)) is not None:
        return code
    found = moot.find_run(name, folder)
    additions.fit(found.config)
    given = {key: value for key, value in changes.items() if value is not None}
    config = replace(found.config, options=found.config.options.model_copy(update=given))
    was_finished = (vouched_for(found) or {}).get("status") == "done"
    if not was_finished:
        check_gate(config)

    def debate(follow: moot.Follower) -> Coroutine[Any, Any, moot.Result]:
        # A finished debate needs no key and no person any more. Its plug-ins and a model that is named now are checked.
        named = changes.get("model") or changes.get("roles")
        if was_finished and not named and not found.config.protocol.missing:
            found.config.check_plugins()
            return moot.rebuild(found)
        return moot.resume(found, follow=follow, **changes)

    code = drive(debate, output, config, additions)
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
