"""The arena, as the engine knows it."""

from moot.engine.protocol import Protocol, Words
from moot.protocols.arena import config, payloads, rejudge, result, script, study

PROTOCOL = Protocol(
    name="arena",
    about="Several agents propose blind, criticise each other, revise and vote; a judge reads it all.",
    gives="a decision with its dissent, the ballots, every version",
    config=config.ArenaConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ArenaOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(config.PHASES, config.TYPES, config.role_of),
    with_tokens=result.with_tokens,
    study=study.STUDY,
    rejudge=rejudge.material,
)
