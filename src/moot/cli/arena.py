"""The command that has several agents work on a task, and decides between their proposals."""

import asyncio
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.options import (
    FILE,
    MAX_INPUT_BYTES,
    OUTPUT_OPTIONS,
    RUN_OPTIONS,
    Output,
    decoded,
    settings_of,
    topic_text,
    with_options,
)
from moot.cli.stage import stage

RULES = ("majority", "supermajority", "unanimous", "weighted", "borda", "condorcet")
ARENA_OPTIONS = [
    click.option(
        "--agents",
        type=click.IntRange(2, 26),
        metavar="N",
        envvar="MOOT_AGENTS",
        help="How many of the shipped agents.  [default: 3]",
    ),
    click.option(
        "--agent",
        "named",
        multiple=True,
        metavar="NAME=MODEL",
        help="An agent and its model, instead of the shipped ones. Repeatable; a name again adds a fallback.",
    ),
    click.option(
        "--rounds",
        "revision_rounds",
        type=click.IntRange(1, 20),
        metavar="N",
        envvar="MOOT_ROUNDS",
        help="Rounds of revision before the last pass.  [default: 3]",
    ),
    click.option(
        "--vote",
        type=click.Choice(RULES),
        metavar="RULE",
        envvar="MOOT_VOTE",
        help=f"{', '.join(RULES[:-1])} or {RULES[-1]}.  [default: majority]",
    ),
    click.option(
        "--critique",
        type=click.Choice(["all", "ring", "random"]),
        metavar="WHOM",
        help="Whose proposals each agent criticises: all, the next one (ring) or two by lot (random).  [default: all]",
    ),
    click.option("--trickster", is_flag=True, default=None, help="Have agreement on thin evidence challenged."),
    click.option("--observer", is_flag=True, default=None, help="Have notes taken on how it is argued."),
    click.option(
        "--context",
        "files",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="A text file that all agents are handed. Repeatable.",
    ),
    click.option("--cheap", is_flag=True, default=None, help="Ask two agents first, and stop if they decide the same."),
    click.option(
        "--embeddings",
        metavar="MODEL",
        help="An endpoint's model to measure similarity by, instead of the shipped one.",
    ),
    click.option(
        "--memory",
        metavar="WHERE",
        envvar="MOOT_MEMORY",
        help="Remember the outcome in an SQLite file, or postgresql://….",
    ),
    click.option(
        "--recall",
        type=click.IntRange(1, 3),
        metavar="N",
        help="Hand the agents so many earlier decisions from --memory that bear on the task.",
    ),
    FILE,
]


@click.command()
@click.argument("task", required=False)
@with_options(ARENA_OPTIONS)
@with_options(RUN_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def arena(
    task: str | None,
    agents: int | None,
    named: tuple[str, ...],
    files: tuple[Path, ...],
    memory: str | None,
    recall: int | None,
    as_json: bool,
    quiet: bool,
    display: str | None,
    **settings: Any,
) -> int:
    """Have several agents work out a decision.

    They propose, criticise each other, revise and vote, and a judge scores what is left. TASK is a question or an
    assignment; `-` reads it from standard input.
    """
    if agents is not None and named:
        raise moot.ConfigError("give either --agents, a number, or --agent for each of them")
    team = [{"name": name, "model": models} for name, models in moot.parse_roles(named).items()]
    topic = topic_text(task)
    context = [{"title": str(path), "text": read(path)} for path in files]
    if recall is not None:
        context += _recalled(topic, memory, recall)
    config = moot.configure(
        "arena",
        topic=topic,
        agents=team or agents,
        context=context or None,
        **settings_of(**settings),
    )
    return stage(config, Output.of(as_json, quiet, display), None if memory is None else partial(_remember, memory))


def _recalled(topic: str | None, memory: str | None, recall: int) -> list[dict[str, Any]]:
    if topic is None or memory is None:
        raise moot.ConfigError("--recall needs a task on the command line, and --memory to look in")
    from moot.remembering import recall as recalled

    return asyncio.run(recalled(topic, memory, recall))


def _remember(memory: str, result: moot.Result) -> None:
    from moot.remembering import remember

    run = moot.find_run(result.run)
    try:
        asyncio.run(remember(run, result, memory))
    except moot.MootError as error:
        name = shlex.quote(str(run.path))
        raise moot.ConfigError(f"the debate is done, but {error}. To try again: moot memory add {name}") from error


def read(path: Path) -> str:
    """The text of a file that is to be handed to the agents."""
    try:
        with path.open("rb") as file:
            text = decoded(file.read(MAX_INPUT_BYTES + 1), str(path))
    except OSError as error:
        raise moot.ConfigError(f"{path} cannot be read: {error.strerror}") from error
    if not text.strip():
        raise moot.ConfigError(f"{path} is empty")
    return text
