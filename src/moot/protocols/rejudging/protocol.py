"""Re-judging, as the engine knows it. It is made from a run, and not among the protocols one chooses from."""

from moot.engine.define.protocol import Part, Protocol, Words
from moot.protocols.rejudging import config, payloads, result, script, summary

PROTOCOL = Protocol(
    name="rejudging",
    about="A debate that is over is read by other judges, or its votes counted by other rules.",
    gives="what other judges or rules make of it",
    offered=False,
    config=config.RejudgingConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.RejudgingOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(
        config.PHASES,
        config.TYPES,
        config.role_of,
        steps=summary.STEPS,
        verdicts=("rereading", "recount"),
        no_tools="a debate is judged again by what was said in it",
    ),
    parts=lambda given: [
        Part(script.part_of(number), "Judge", judge.name, judge.model, debates=False)
        for number, judge in enumerate(given.judges, 1)
    ],
    summary=summary.summary,
    sections=summary.sections,
    lines=summary.lines,
    decided=lambda outcome: outcome.winner,
    rejudge="it is a re-judging itself; name the run that it is about",
)
