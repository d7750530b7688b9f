"""The panel, as the engine knows it."""

from moot.engine.protocol import Protocol, Words
from moot.protocols.panel import config, payloads, rejudge, result, script, study

PROTOCOL = Protocol(
    name="panel",
    about="Five personas with weights take positions on an idea, and vote.",
    gives="a decision a pipeline can gate on: label, agreement, votes",
    config=config.PanelConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PanelOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(config.PHASES, config.TYPES, config.role_of),
    with_tokens=result.with_tokens,
    study=study.STUDY,
    rejudge=rejudge.material,
)
