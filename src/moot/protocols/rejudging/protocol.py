"""Re-judging, as the engine knows it. It is made from a run, and not among the protocols one chooses from."""

from moot.api import Protocol, Role
from moot.api.capabilities import LiveView, LookupRules, NoRejudge, OutsideEntries, Unlisted
from moot.protocols.rejudging import config, payloads, result, script, summary

PROTOCOL = Protocol(
    name="rejudging",
    about="A debate that is over is read by other judges, or its votes counted by other rules.",
    gives="what other judges or rules make of it",
    config=config.RejudgingConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.RejudgingOutcome,
    payloads=payloads.PAYLOADS,
    roles=lambda given: [
        Role(script.part_of(number), "Judge", judge.name, judge.model, debates=False)
        for number, judge in enumerate(given.judges, 1)
    ],
    summary=summary.summary,
    sections=summary.sections,
    lines=summary.lines,
    capabilities=(
        Unlisted(),
        LookupRules(refused="a debate is judged again by what was said in it"),
        OutsideEntries(config.PHASES),
        LiveView(steps=summary.STEPS, verdicts=("rereading", "recount")),
        NoRejudge("it is a re-judging itself; name the run that it is about"),
    ),
)
