"""Re-judging, as the engine knows it. It is made from a run, and not among the protocols one chooses from."""

from moot.protocols import Protocol, Words
from moot.protocols.rejudging import config, result, script

PROTOCOL = Protocol(
    name="rejudging",
    config=config.RejudgingConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.RejudgingOutcome,
    words=Words(config.PHASES, config.TYPES, config.role_of),
)
