"""The chaired debate, as the engine knows it."""

from moot.engine.define.gate import Decides
from moot.engine.define.options import Subject
from moot.engine.define.protocol import Part, Protocol, Words
from moot.protocols.chaired import (
    ABOUT,
    config,
    desk,
    documents,
    lines,
    outside,
    pages,
    payloads,
    record,
    result,
    review,
    script,
    study,
    summary,
)
from moot.protocols.receipts import told_by

PROTOCOL = Protocol(
    name="chaired",
    about=ABOUT,
    gives="an outcome whose sources were checked, six documents",
    suits=("yes_no",),
    config=config.ChairedConfig,
    complete=config.complete,
    unplanned=lambda _: "On top comes a call for each citation, each challenge and each interruption.",
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ChairedOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(
        config.PHASES,
        config.TYPES,
        config.role_of,
        outside.refused,
        due=outside.due,
        steps=lines.STEPS,
        place=lines.place,
        aloud=("summary", "post", "post-again"),
        verdicts=("conclusion",),
        telling=("audience_conclusion",),
        numbered=True,
        no_notes=pages.NO_NOTES,
        looks_up=("turn",),
    ),
    subject=Subject(
        label="The motion",
        needed=False,
        help="The promoter is for it and the detractor against. An outside agent holds a role with `--role "
        "promoter=external`; its entries come through `moot log append`.",
    ),
    options=config.OPTIONS,
    parts=lambda given: [
        Part(role, role.capitalize(), role, given.model_of(role), debates=role in config.DEBATERS)
        for role in config.ROLES
    ],
    readable=record.readable,
    shown=record.shown,
    carry=desk.carry,
    study=study.STUDY,
    receipt=told_by(
        "the chair decides, or code where the rules do",
        "outcome",
        "winner",
        "decided_by",
        "reasoning",
        "rounds",
        "verification",
        "sides",
        "redactions",
        "leanings",
        "audience_conclusion",
    ),
    summary=summary.summary,
    sections=summary.sections,
    lines=lines.lines,
    documents=documents.documents,
    choices=lambda entries: list(config.DEBATERS) if entries else [],
    decided=lambda outcome: outcome.winner,
    findings=review.findings,
    decides=Decides(lambda outcome, _: [outcome.outcome, "winner"] if outcome.winner else [], result.REFUSES),
    rejudge="its chair decides, by all that it ruled on the way. `moot fork --at SEQ --role chair=MODEL`, SEQ being "
    "the last entry before the conclusion, has another model take the chair",
)
