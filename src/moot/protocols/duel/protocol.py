"""The duel, as the engine knows it."""

from moot.protocols import Protocol, Words
from moot.protocols.duel import config, result, script

PROTOCOL = Protocol(
    name="duel",
    config=config.DuelConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.DuelOutcome,
    words=Words(config.PHASES, config.TYPES, config.role_of),
)
