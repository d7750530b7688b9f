"""The panel, as the engine knows it."""

from moot.protocols import Protocol, Words
from moot.protocols.panel import config, result, script

PROTOCOL = Protocol(
    name="panel",
    config=config.PanelConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PanelOutcome,
    words=Words(config.PHASES, config.TYPES, config.role_of),
    with_tokens=result.with_tokens,
)
