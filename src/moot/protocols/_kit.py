"""What scripts of several protocols do in the same way."""

from collections.abc import Mapping, Sequence

from moot.engine.agent import Agent, flags_of
from moot.engine.room import Room
from moot.record.entry import Draft
from moot.record.payloads import Header, Member

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")


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
        Member(
            id=agent.id,
            name=agent.name,
            role="judge" if agent is judge else role if isinstance(role, str) else role.get(agent.id, "debater"),
            side=None,
            personality=(personalities or {}).get(agent.id, ""),
            colour=COLOURS[place % len(COLOURS)],
            models=agent.cast_as,
        )
        for place, agent in enumerate(agents)
    ]
    flags = room.flags(lambda: flags_of(agents, judge))
    header = Header(protocol=protocol, topic=topic, details=dict(details or {}), cast=cast, flags=flags)
    return room.emit("header", "moot", topic, phase="setup", data=header)
