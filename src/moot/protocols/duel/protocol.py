"""The duel, as the engine knows it."""

from moot.api import Protocol, Role, Subject
from moot.api.capabilities import Choices, Decides, Defaults, LiveView, LookupRules, OutsideEntries, Rejudge, Suits
from moot.protocols.duel import ABOUT, config, payloads, rejudge, result, script, study, summary
from moot.protocols.receipts import listed_fields

PROTOCOL = Protocol(
    name="duel",
    about=ABOUT,
    gives="a winner, a score by turn, a verdict",
    config=config.DuelConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.DuelOutcome,
    payloads=payloads.PAYLOADS,
    subject=Subject(label="The question", needed=False),
    roles=lambda _: [
        Role("A", "Opens, for"),
        Role("B", "Answers, against"),
        Role("judge", "Judge", debates=False),
    ],
    summary=summary.summary,
    sections=summary.sections,
    lines=summary.lines,
    capabilities=(
        Suits(("yes_no", "choice")),
        Defaults(config.complete),
        LookupRules(("plan", "think")),
        OutsideEntries(config.PHASES),
        LiveView(
            steps=summary.STEPS,
            public_steps=("turn",),
            place=summary.place,
            verdicts=("verdict",),
            optional=("plan", "think", "evaluate"),
        ),
        Choices(result.contestants, lambda outcome: outcome.winner),
        Decides(result.requirements_met, result.REFUSES),
        listed_fields(
            "the judge names the winner, or the majority of the jury",
            "winner",
            "confirmed",
            "jury",
            "scores",
            "scores_from",
            "upheld",
            "running_scores",
        ),
        Rejudge(rejudge.material),
        study.STUDY,
    ),
)
