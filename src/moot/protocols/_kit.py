"""Helpers for the scripts of several protocols."""

import re
from collections.abc import Collection, Mapping, Sequence

from moot.engine.agent import Agent, flags_of
from moot.engine.room import Room
from moot.record.entry import Draft
from moot.record.payloads import Header, Member, Side
from moot.text.sentences import sentences

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
SMALL_PATIENCE = 10
"""The factor by which small models are given more time: they run on this machine and share a few threads, so they are
slow."""
LONGEST_INTRODUCTION = 160
"""Characters; a small model would pay attention to nothing but a longer sentence."""
HUMAN_PATIENCE = 3600.0
"""Seconds for a person, who has to read before writing."""


def member(agent: Agent, role: str, personality: str, colour: str, side: Side | None = None) -> Member:
    """An agent as introduced in the header."""
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
    """One sentence about an agent, for small models: the first sentence of its personality."""
    first = next((one.text for one in sentences(personality)), "")
    if len(first) > LONGEST_INTRODUCTION:
        first = ""
    return first if first.startswith(f"You are {name}") else f"You are {name}. {first}".strip()


def patience(agent: Agent, seconds: float) -> float:
    """How long to wait for an agent if the config says `seconds`."""
    if any(name.startswith("human/") for name in agent.cast_as):
        return max(HUMAN_PATIENCE, seconds)
    return seconds * (SMALL_PATIENCE if agent.model.small else 1)


def parts_of(names: Sequence[str], otherwise: str, taken: Collection[str] = ()) -> list[str]:
    """A part in the script for each name: in lower case, with characters that are valid in a key, and none that is
    `taken`."""
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
    """Check that all agents can answer, and write the header: the topic and the cast.

    `role` is the role of the agents as shown to readers, for all of them or by agent id; batches count the wins of
    debaters and proposers. `judge` is the agent that decides; a flag warns if it is of the same model family as those
    it judges.
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
