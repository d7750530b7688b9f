"""The duel, as the engine knows it."""

from moot.engine.define.gate import Decides
from moot.engine.define.options import Option, Subject
from moot.engine.define.protocol import Part, Protocol, Words
from moot.protocols.duel import ABOUT, config, payloads, rejudge, result, script, study, summary
from moot.protocols.receipts import told_by

PROTOCOL = Protocol(
    name="duel",
    about=ABOUT,
    gives="a winner, a score by turn, a verdict",
    suits=("yes_no", "choice"),
    config=config.DuelConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.DuelOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(
        config.PHASES,
        config.TYPES,
        config.role_of,
        steps=summary.STEPS,
        aloud=("turn",),
        place=summary.place,
        verdicts=("verdict",),
        looks_up=("plan", "think"),
        optional=("plan", "think", "evaluate"),
    ),
    subject=Subject(label="The question", needed=False),
    options=(
        Option("Debate without a judge.", "no_judge", "switch", label="No judge", hint="then nobody scores or decides"),
    ),
    parts=lambda _: [
        Part("A", "Opens, for"),
        Part("B", "Answers, against"),
        Part("judge", "Judge", debates=False),
    ],
    receipt=told_by(
        "the judge names the winner, or the majority of the jury",
        "winner",
        "confirmed",
        "jury",
        "scores",
        "scores_from",
        "premise_upheld",
        "running_scores",
    ),
    summary=summary.summary,
    sections=summary.sections,
    lines=summary.lines,
    choices=lambda entries: [one.name for one in result.debaters(entries)],
    decided=lambda outcome: outcome.winner,
    decides=Decides(result.requirements_met, result.REFUSES),
    study=study.STUDY,
    rejudge=rejudge.material,
)
