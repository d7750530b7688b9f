"""Material and participants: feeds and earlier decisions as documents, and a team from a pool."""

import asyncio
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import PLANNING, settings_of
from moot.cli.pulse import read_pulse
from moot.cli.ranges import Whole
from moot.engine.define.protocol import Protocol
from moot.plugins.files import REQUIRE
from moot.plugins.trust import check_own
from moot.text import printable

USUAL_TEAM = 3
MOST_TRENDING = 5
CONTEXT_OPTIONS = [
    click.option(
        "--pulse",
        "feeds",
        multiple=True,
        metavar="FEED",
        help="Hand the agents what an RSS, Atom or JSON feed talks about; without a topic, debate it. Repeatable.",
    ),
    click.option(
        "--recall",
        type=Whole(1, 3),
        metavar="N",
        help="Hand the agents so many earlier decisions from --memory that bear on the topic.",
    ),
]
TEAM_OPTIONS = [
    click.option(
        "--pool",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Choose the agents from this file (YAML), by their ratings in --memory and at most two of a model family.",
    ),
    click.option("--team", type=Whole(2, 26), metavar="N", help="How many to choose from the --pool.  [default: 3]"),
]


def takes_team(protocol: Protocol) -> bool:
    return {"agents", "selection"} <= protocol.config.model_fields.keys()


def take_team(settings: dict[str, Any], own: dict[str, Any], memory: str | None) -> dict[str, Any]:
    """The participants, if there is a pool to choose from; prints why they were chosen."""
    pool, team = (settings.pop(key) for key in ("pool", "team"))
    if pool is not None and "agents" in own:
        raise moot.ConfigError("give either the agents, or a --pool to choose them from", "agents")
    if team is not None and pool is None:
        raise moot.ConfigError("--team says how many to choose, and needs a --pool to choose from", "agents")
    if pool is None:
        return {}
    from moot.engine.define.layers import load_options
    from moot.memory.pools import choose_team

    if own.get(REQUIRE):
        check_own(pool, "the pool of a gate")
    options = load_options(**settings_of(settings["model"], settings["roles"]))
    found = choose_team(pool, team or USUAL_TEAM, memory, model=options.model, roles=options.roles)
    for line in found.selection:
        click.echo(printable(line), err=True)
    return {"agents": found.agents, "selection": found.selection}


def take_context(settings: dict[str, Any], topic: str | None) -> tuple[str | None, list[dict[str, Any]], int | None]:
    """The topic, which can come from a feed; documents from feeds; and the number of earlier decisions to recall."""
    feeds, recall = (settings.pop(key) for key in ("feeds", "recall"))
    texts: list[dict[str, Any]] = []
    if feeds:
        titles, trending = _trending(feeds)
        topic = topic or (None if settings["file"] else titles[0])
        texts += trending
    return topic, texts, recall


def recalled(topic: str, memory: str | None, most: int) -> list[dict[str, Any]]:
    """Memories about the topic, as documents. Says so if there are none."""
    if memory is None:
        raise moot.ConfigError("--recall needs --memory, or MOOT_MEMORY, to look in")
    from moot.memory.remember import recall

    planned = click.get_current_context().meta.get(PLANNING)
    found = asyncio.run(recall(topic, memory, most, of_use=not planned))
    if not found:
        told = "nothing in the memory is alike enough to this task, so nothing is recalled"
        tell(f"{told}; `moot knowledge search` looks for single words, too")
    return found


def _trending(feeds: tuple[str, ...]) -> tuple[list[str], list[dict[str, Any]]]:
    """The newest items of the feeds, as titles and as a document."""
    from moot.feeds import as_documents

    found = read_pulse(feeds, MOST_TRENDING)
    if not found.items:
        raise moot.ConfigError("there is nothing in these feeds")
    return [item.title for item in found.items], as_documents(found.items)
