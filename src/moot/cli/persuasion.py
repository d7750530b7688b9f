"""Commands of the persuasion protocol: staging a dialogue, and contesting what came of it."""

from typing import Any

import click

import moot
from moot.cli.inspect import RUN
from moot.cli.options import (
    FILE,
    JSON,
    OUT,
    OUTPUT_OPTIONS,
    RUN_OPTIONS,
    Output,
    print_json,
    runs_folder,
    settings_of,
    topic_text,
    with_options,
)
from moot.cli.stage import say_which_example, stage

PERSUASION_OPTIONS = [
    click.option(
        "--rounds", type=click.IntRange(1), metavar="N", envvar="MOOT_ROUNDS", help="Rounds of argument.  [default: 2]"
    ),
    click.option(
        "--perspective", metavar="ROLE", envvar="MOOT_PERSPECTIVE", help="Whose viewpoint it is weighed from."
    ),
    click.option(
        "--evidence", multiple=True, metavar="PATH...",
        help="Folders or files, with their git history, for facts to cite. Repeatable.",
    ),
    FILE,
]  # fmt: skip
EDITS = [
    click.option("--reject", multiple=True, metavar="A5", help="Take an argument out, or a relation: A5:A1."),
    click.option(
        "--add",
        multiple=True,
        metavar="NAME=TEXT",
        help="Put an argument in; --attack, --undercut, --support relate it.",
    ),
    click.option("--attack", multiple=True, metavar="FROM:TO", help="Put a rebut in."),
    click.option("--undercut", multiple=True, metavar="FROM:TO", help="Put an undercut in."),
    click.option("--support", multiple=True, metavar="FROM:TO", help="Put a support in."),
    click.option("--weigh", multiple=True, metavar="A3=0.9", help="Give an argument another base score."),
]


@click.command()
@click.argument("topic", metavar="[PROPOSITION]", required=False)
@click.argument("paths", metavar="", nargs=-1)
@with_options(PERSUASION_OPTIONS)
@with_options(RUN_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def persuasion(
    topic: str | None,
    paths: tuple[str, ...],
    evidence: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    display: str | None,
    **settings: Any,
) -> int:
    """Stress-test a proposition in a formal dialogue.

    A proponent and an opponent move by rule, the moves build an argument graph, the graph is scored, and a moderator
    explains the outcome. PROPOSITION is a claim; `-` reads it from standard input. Without one, the shipped example is
    debated.
    """
    if paths and not evidence:
        raise click.UsageError(f"Got unexpected extra arguments ({' '.join(paths)})")
    given = settings_of(**settings) | {"evidence": [*evidence, *paths] or None}
    config = moot.configure("persuasion", topic=topic_text(topic), **given)
    if topic is None and settings["file"] is None:
        say_which_example(config)
    return stage(config, Output.of(as_json, quiet, display))


@click.command()
@RUN
@with_options(EDITS)
@OUT
@JSON
def contest(name: str, out: str | None, as_json: bool, **edits: tuple[str, ...]) -> int:
    """See a verdict move as its arguments change.

    Arguments and relations are rejected, added or weighed otherwise. RUN is a persuasion dialogue. No model is asked,
    and nothing in the run is changed. A relation is written A5:A1.
    """
    run = moot.find_run(name, runs_folder(out))
    contested = moot.contest(run, **{key: list(values) for key, values in edits.items()})
    if as_json:
        print_json(contested.document())
    else:
        click.echo(moot.printable(contested.summary))
    return 0
