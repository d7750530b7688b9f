"""The chaired debate, as the engine knows it."""

from moot.protocols import Protocol, Words
from moot.protocols.chaired import config, record, result, rules, script

PROTOCOL = Protocol(
    name="chaired",
    config=config.ChairedConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ChairedOutcome,
    words=Words(config.PHASES, config.TYPES, config.role_of, rules.refused),
    readable=record.readable,
    shown=record.shown,
)
