"""Commands that keep a folder of runs in order: tags, the bin, and reports that are made again."""

import asyncio

import click

import moot
from moot.cli.hints import command
from moot.cli.notes import tell
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.run_names import LATEST_RUN, RUN
from moot.errors import ReportFailed
from moot.runs.bin import binned, discard, restore
from moot.runs.tags import set_tags, tags_of
from moot.text import printable


@click.command()
@RUN
@click.argument("tags", metavar="[TAG]…", nargs=-1)
@click.option("--remove", multiple=True, metavar="TAG", help="Remove this tag. Repeatable.")
@OUT
@JSON
def tag(name: str, tags: tuple[str, ...], remove: tuple[str, ...], out: str | None, as_json: bool) -> int:
    """Tag a run, or list its tags.

    Tags are in tags.json in the run folder and do not change the record. `moot list --tag TAG` finds tagged runs.
    """
    run = moot.find_run(name, runs_folder(out))
    known = tags_of(run)
    if absent := next((one for one in remove if one not in known), None):
        raise moot.ConfigError(f"{run.name} has no tag {absent!r}")
    if tags or remove:
        known = set_tags(run, [*(one for one in known if one not in remove), *tags])
    if as_json:
        print_json({"run": run.address, "tags": list(known)})
    else:
        click.echo(printable("\n".join(known) or f"{run.name} has no tags."))
    return 0


@click.command("bin")
@click.argument("name", metavar="[RUN]", required=False)
@click.option("--restore", "back", is_flag=True, help="Restore RUN from the bin.")
@OUT
def bin_(name: str | None, back: bool, out: str | None) -> int:
    """Move a run to the bin, or list the bin.

    The bin is the folder .bin beside the runs. moot never empties it; delete the folder to remove the runs for good.
    """
    folder = runs_folder(out)
    if name is None:
        if back:
            raise click.UsageError("Say which RUN to restore.")
        for run in binned(folder):
            click.echo(printable(run.name))
        if not binned(folder):
            click.echo("The bin is empty.")
        return 0
    if back:
        click.echo(printable(f"{restore(name, folder).name} is back."))
        return 0
    gone = discard(moot.find_run(name, folder))
    again = command("runs", "bin", gone.name, "--restore", *(("--out", out) if out else ()))
    click.echo(printable(f"{gone.name} is in the bin. To undo: {again}"))
    return 0


@click.command()
@LATEST_RUN
@OUT
@JSON
def report(name: str, out: str | None, as_json: bool) -> int:
    """Rebuild the result and the reports of a run.

    Writes result.json, report.md and report.html from config, log and journal.
    """
    run = moot.find_run(name, runs_folder(out))
    failed = None
    left = run.config.protocol.missing if run.place.read("report.md") is not None else ""
    try:
        asyncio.run(moot.rebuild(run))
    except ReportFailed as error:
        failed = error
    if left:
        tell(f"the report is left as it is: {left}")
    if as_json:
        print_json(run.result())
    elif made := [one for one in ("report.html", "report.md") if failed is None or one not in failed.faults]:
        click.echo(f"{run.address}/{made[0]}")
    if failed is not None:
        raise failed
    return 0
