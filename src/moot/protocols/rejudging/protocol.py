"""Re-judging, as the engine knows it. It is made from a run, and not among the protocols one chooses from."""

from moot.engine.protocol import Protocol, Words
from moot.protocols.rejudging import config, payloads, result, script

PROTOCOL = Protocol(
    name="rejudging",
    about="A debate that is over is read by other judges, or its votes counted by other rules.",
    gives="what other judges or rules make of it",
    offered=False,
    config=config.RejudgingConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.RejudgingOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(config.PHASES, config.TYPES, config.role_of),
)
