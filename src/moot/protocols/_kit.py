"""What scripts of several protocols do in the same way."""

import re
from collections.abc import Collection, Mapping, Sequence

from moot.engine.agent import Agent, flags_of
from moot.engine.room import Room
from moot.record.entry import Draft
from moot.record.payloads import Header, Member, Side
from moot.text.sentences import sentences

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
SMALL_PATIENCE = 10
"""A small model runs on this machine, and its few threads are shared by all: it is slow, not lost."""
LONGEST_INTRODUCTION = 160
"""Characters; a longer sentence would be all that a small model heeds."""
HUMAN_PATIENCE = 3600.0
"""Seconds for a person, who has to read before writing."""


def member(agent: Agent, role: str, personality: str, colour: str, side: Side | None = None) -> Member:
    """An agent as the header introduces it."""
    return Member(
        id=agent.id,
        name=agent.name,
        role=role,
        side=side,
        personality=personality,
        colour=colour,
        models=agent.cast_as,
    )


def introduction(name: str, personality: str) -> str:
    """Who somebody is, in a sentence, for models that take no more: the first of their personality."""
    first = next((one.text for one in sentences(personality)), "")
    if len(first) > LONGEST_INTRODUCTION:
        first = ""
    return first if first.startswith(f"You are {name}") else f"You are {name}. {first}".strip()


def patience(agent: Agent, seconds: float) -> float:
    """How long an agent is waited for where the config says `seconds`."""
    if any(name.startswith("human/") for name in agent.cast_as):
        return max(HUMAN_PATIENCE, seconds)
    return seconds * (SMALL_PATIENCE if agent.model.small else 1)


def parts_of(names: Sequence[str], otherwise: str, taken: Collection[str] = ()) -> list[str]:
    """A part in the script for each name: in lower case, in letters that a key may have, and none that is `taken`."""
    parts: list[str] = []
    for number, name in enumerate(names, 1):
        part = re.sub(r"\W+", "-", name.casefold()).strip("-") or otherwise
        clashes = part in parts or part.split("-")[0] in taken
        parts.append(f"{otherwise}-{number}-{part}" if clashes else part)
    return parts


async def introduce(
    room: Room,
    protocol: str,
    topic: str,
    agents: Sequence[Agent],
    *,
    role: str | Mapping[str, str] = "debater",
    judge: Agent | None = None,
    personalities: Mapping[str, str] | None = None,
    details: Mapping[str, str] | None = None,
) -> Draft:
    """Make sure that everybody can answer, and write the header: what is debated, and by whom.

    `role` is what the agents are, as readers are told, for all of them or by the id of each; batches count the wins of
    debaters and proposers. `judge` is the one of the agents who decides; a reader is told when it is of the same kind
    as those it judges.
    """
    await room.ready(*agents)
    cast = [
        member(
            agent,
            "judge" if agent is judge else role if isinstance(role, str) else role.get(agent.id, "debater"),
            (personalities or {}).get(agent.id, ""),
            COLOURS[place % len(COLOURS)],
        )
        for place, agent in enumerate(agents)
    ]
    flags = room.flags(lambda: flags_of(agents, judge))
    header = Header(protocol=protocol, topic=topic, details=dict(details or {}), cast=cast, flags=flags)
    return room.emit("header", "moot", topic, phase="setup", data=header)
