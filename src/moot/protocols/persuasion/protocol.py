"""The persuasion, as the engine knows it."""

from moot.engine.protocol import Protocol, Words
from moot.protocols.persuasion import config, payloads, result, script, study

PROTOCOL = Protocol(
    name="persuasion",
    about="A proponent and an opponent play a formal dialogue by rules that code keeps.",
    gives="an argument map that grows with every move, computed scores",
    config=config.PersuasionConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PersuasionOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(config.PHASES, config.TYPES, config.role_of),
    study=study.STUDY,
)
