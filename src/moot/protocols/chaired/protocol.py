"""The chaired debate, as the engine knows it."""

from moot.engine.protocol import Protocol, Words
from moot.protocols.chaired import config, payloads, record, result, rules, script, study

PROTOCOL = Protocol(
    name="chaired",
    about="A chair holds two sides to rules, and a verifier checks every source they cite.",
    gives="an outcome whose sources were checked, six documents",
    config=config.ChairedConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ChairedOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(config.PHASES, config.TYPES, config.role_of, rules.refused),
    readable=record.readable,
    shown=record.shown,
    study=study.STUDY,
)
