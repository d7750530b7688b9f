"""The command that delivers a result, or continues an interrupted delivery."""

import asyncio

import click

import moot
from moot.cli.options import OUT, runs_folder
from moot.cli.run_names import RUN
from moot.deliver import check_places
from moot.deliver.debating import ORIGIN, WORKFLOW
from moot.deliver.debating import deliver as delivered


@click.command()
@RUN
@ORIGIN
@WORKFLOW
@click.option("--again", is_flag=True, help="Send again, even to places that have (or may have) received it.")
@OUT
def deliver(name: str, origins: tuple[str, ...], workflows: tuple[str, ...], again: bool, out: str | None) -> int:
    """Send the result of a finished debate.

    Each place gets it once, even if you run the command again. If an earlier attempt was cut off and may have arrived,
    the command says so, and --again sends it anyway. The exit code is 1 if something did not arrive.
    """
    if not origins and not workflows:
        raise moot.ConfigError("say where to: --origin WHERE, or --workflow COMMAND")
    check_places(origins, workflows)
    run = moot.find_run(name, runs_folder(out))
    result = asyncio.run(moot.result_of(run))
    if "-" in origins and result.status == "done":
        from rich.console import Console

        from moot.cli.summary import print_summary

        print_summary(result, Console())
    return 0 if asyncio.run(delivered(run, result, origins, workflows, again=again)) else 1
