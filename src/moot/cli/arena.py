"""The command that has several agents work on a task, and decides between their proposals."""

import asyncio
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.afterwards import AFTER_OPTIONS, Afterwards
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
from moot.cli.pulse import read_pulse
from moot.cli.stage import PLANNING, stage

USUAL_TEAM = 3
MOST_TRENDING = 5
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
        "--pool",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Choose the agents from this file (YAML), by their ratings in --memory and at most two of a model family.",
    ),
    click.option(
        "--team", type=click.IntRange(2, 26), metavar="N", help="How many to choose from the --pool.  [default: 3]"
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
        "--pulse",
        "feeds",
        multiple=True,
        metavar="FEED",
        help="Hand the agents what an RSS, Atom or JSON feed talks about; without a TASK, debate it. Repeatable.",
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
@with_options(AFTER_OPTIONS)
@with_options(RUN_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def arena(
    task: str | None,
    files: tuple[Path, ...],
    feeds: tuple[str, ...],
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
    afterwards = Afterwards.out_of(settings)
    chosen = _agents(settings, afterwards.memory)
    topic = topic_text(task)
    context = [{"title": str(path), "text": read(path)} for path in files]
    if feeds:
        stories, trending = _trending(feeds)
        topic = topic or (None if settings["file"] else stories[0])
        context += trending
    given = {"topic": topic, **chosen, **settings_of(**settings)}
    config = moot.configure("arena", context=context or None, **given)
    afterwards = afterwards.fit_for(config)
    if recall is not None and (recalled := _recalled(config, afterwards.memory, recall)):
        config = moot.configure("arena", context=[*config.debate.model_dump()["context"], *recalled], **given)
    return stage(config, Output.of(as_json, quiet, display), afterwards.for_new(settings["out"]))


def _trending(feeds: tuple[str, ...]) -> tuple[list[str], list[dict[str, Any]]]:
    """What the feeds talk about, as questions, and as texts for the agents."""
    from moot.pulse import as_context

    found = read_pulse(feeds, MOST_TRENDING)
    if not found.stories:
        raise moot.ConfigError("there is nothing in these feeds")
    return [story.question for story in found.stories], as_context(found.stories)


def _agents(settings: dict[str, Any], memory: str | None) -> dict[str, Any]:
    """Who takes part, as a debate file would say it: a number, a list, or a choice of a pool, which is told."""
    agents, named, pool, team = (settings.pop(key) for key in ("agents", "named", "pool", "team"))
    if sum([agents is not None, bool(named), pool is not None]) > 1:
        raise moot.ConfigError("give either --agents, a number, or --agent for each of them, or a --pool")
    if team is not None and pool is None:
        raise moot.ConfigError("--team says how many to choose, and needs a --pool to choose from")
    if pool is None:
        if (odd := next((pair for pair in named if not all(map(str.strip, pair.partition("=")))), None)) is not None:
            raise moot.ConfigError(f"an agent is given as NAME=MODEL, not {odd!r}")
        if len(named) == 1:
            raise moot.ConfigError(f"an arena takes at least two agents, and --agent {named[0]} is one; give it again")
        listed = [{"name": name, "model": models} for name, models in moot.parse_roles(named).items()]
        return {"agents": listed or agents}
    from moot.teams import choose_team

    options = moot.configure("arena", topic="-", **settings_of(settings["model"], settings["roles"])).options
    found = choose_team(pool, team or USUAL_TEAM, memory, model=options.model, roles=options.roles)
    for line in found.selection:
        click.echo(moot.printable(line), err=True)
    return {"agents": found.agents, "selection": found.selection}


def _recalled(config: moot.RunConfig, memory: str | None, most: int) -> list[dict[str, Any]]:
    """What the memory has to say to the task, as texts for the agents. That it has nothing is told."""
    if memory is None:
        raise moot.ConfigError("--recall needs --memory, or MOOT_MEMORY, to look in")
    from moot.remembering import recall

    planned = click.get_current_context().meta.get(PLANNING)
    found = asyncio.run(recall(config.debate.model_dump()["topic"], memory, most, of_use=not planned))
    if not found:
        click.echo("moot: nothing that the memory holds bears on this task, so nothing is recalled", err=True)
    return found


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
