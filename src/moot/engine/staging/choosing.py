"""Choosing the way to debate a question by its frame, for a user who names none.

The frame is asked for before there is a run, because the protocol depends on it. The run then begins with that reply on
record, and its script with the same request, so that it is replayed and paid once.
"""

from collections.abc import Mapping
from dataclasses import replace

from moot.engine.define.config import RunConfig
from moot.engine.play.casting import Casting
from moot.engine.play.frame import frame_by, framing_agent
from moot.engine.play.limits import Budget, Spending
from moot.engine.play.room import Room, Setup
from moot.engine.staging.opening import Opener, paying_caller
from moot.models.base import Model
from moot.models.pool import pool
from moot.record.journal import Journal, Record
from moot.record.payloads import Frame


async def frame_first(config: RunConfig, models: Mapping[str, Model] | None = None) -> tuple[Frame, tuple[Record, ...]]:
    """What the question of this debate asks, and the records of the request for it; none if nobody could be asked."""
    options, journal = config.options, Journal(None)
    caller = paying_caller(config, journal, Budget(options.limits, Spending(), None), None)
    setup = Setup(config.seed, language=config.language, documents=options.documents)
    casting = Casting(Opener.of(options, models), options.model, options.roles)
    room = Room(setup, write=lambda _: None, journal=journal, caller=caller, casting=casting)
    frames: list[Frame] = []

    async def script() -> None:
        agent = framing_agent(room)
        await caller.ready([agent])
        frames.append((await frame_by(room, [agent], config.topic))[0])

    async with pool():
        await room.play(script())
    asked = any(record.kind != "fact" for record in journal.records)
    return frames[0], tuple(journal.records) if asked else ()


def begun_with(config: RunConfig, records: tuple[Record, ...]) -> RunConfig:
    """The config of a run that begins with the request that chose its protocol."""
    return replace(config, options=config.options.model_copy(update={"framed": bool(records)}), begun=records)
