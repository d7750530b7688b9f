"""The arena, as the engine knows it."""

from moot.protocols import Protocol, Words
from moot.protocols.arena import config, result, script

PROTOCOL = Protocol(
    name="arena",
    config=config.ArenaConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ArenaOutcome,
    words=Words(config.PHASES, config.TYPES, config.role_of),
    with_tokens=result.with_tokens,
)
