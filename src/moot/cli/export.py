"""The command that prints a debate as one document."""

import asyncio
import warnings
from pathlib import Path

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import OUT, put_text, runs_folder
from moot.cli.run_names import LATEST_RUN
from moot.runs.export import GRAPHS


@click.command()
@LATEST_RUN
@click.option(
    "--to",
    "form",
    metavar="FORM",
    required=True,
    help="Format: md, html, json; brief, brief-json, adr; comment, junit, sarif, annotations, findings; for argument "
    f"graphs {', '.join(GRAPHS)}; or one from a plug-in.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file instead of stdout."
)
@OUT
def export(name: str, form: str, output: Path | None, out: str | None) -> int:
    """Print a debate as one document.

    md and html are the reports; json is config, log, journal and result together. brief (Markdown) and brief-json are
    the answer and its reasons; adr is a decision record (MADR 4.0). comment, junit, sarif, annotations and findings
    (JSON) are for pipelines. The other formats are for the argument graph: some debates have one, for others
    `moot argue extract` makes one.
    """
    with warnings.catch_warnings(record=True) as lost:
        warnings.simplefilter("always")
        run = moot.find_run(name, runs_folder(out))
        running = run.busy
        text = asyncio.run(moot.export(run, form))
    if running:
        tell("this debate is still running; this is how far it had come")
    for one in lost:
        tell(str(one.message))
    put_text(text, output)
    return 0
