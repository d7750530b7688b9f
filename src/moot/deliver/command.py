"""The command that sends a result, or continues an interrupted delivery."""

import asyncio

import click

import moot
from moot.cli.options import OUT, runs_folder
from moot.cli.run_names import RUN
from moot.deliver.debating import deliver as delivered
from moot.deliver.delivery import check_places


@click.command()
@RUN
@click.argument("places", metavar="WHERE…", nargs=-1, envvar="MOOT_DELIVER", required=True)
@click.option("--again", is_flag=True, help="Send again, even to places that have (or may have) received it.")
@OUT
def deliver(name: str, places: tuple[str, ...], again: bool, out: str | None) -> int:
    """Send the result of a finished debate.

    WHERE is a file, an https:// URL, or exec:COMMAND. Each place gets the result once, even if you run the command
    again. If an earlier attempt was cut off and may have arrived, the command says so, and --again sends it anyway. The
    exit code is 1 if something did not arrive.
    """
    check_places(places)
    run = moot.find_run(name, runs_folder(out))
    result = asyncio.run(moot.result_of(run))
    return 0 if asyncio.run(delivered(run, result, places, again=again)) else 1
