"""The persuasion, as the engine knows it."""

from moot.protocols import Protocol, Words
from moot.protocols.persuasion import config, result, script

PROTOCOL = Protocol(
    name="persuasion",
    config=config.PersuasionConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PersuasionOutcome,
    words=Words(config.PHASES, config.TYPES, config.role_of),
)
