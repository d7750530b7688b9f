"""The persuasion, as the engine knows it."""

from moot.engine.define.gate import Decides
from moot.engine.define.options import Subject
from moot.engine.define.protocol import Part, Protocol, Words
from moot.protocols.persuasion import (
    ABOUT,
    cast,
    config,
    contest,
    lines,
    payloads,
    result,
    script,
    sections,
    study,
    summary,
)
from moot.protocols.receipts import told_by

PROTOCOL = Protocol(
    name="persuasion",
    about=ABOUT,
    heading="Persuasion dialogue",
    gives="an argument map that grows with every move, computed scores",
    suits=("yes_no",),
    config=config.PersuasionConfig,
    complete=config.complete,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PersuasionOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(
        config.PHASES,
        config.TYPES,
        config.role_of,
        steps=lines.STEPS,
        place=lines.place,
        verdicts=("judgement",),
        telling=("framework",),
        looks_up=("move",),
    ),
    subject=Subject(
        name="proposition", label="The proposition", needed=False, help="It is a claim that can be held and denied."
    ),
    parts=lambda given: [
        Part(part, part.capitalize(), persona.name, persona.model, debates=part != "moderator")
        for part, persona in given.cast.items()
    ],
    carry=cast.carry,
    study=study.STUDY,
    receipt=told_by(
        "computed from the argument graph; the moderator where it is level",
        "winner",
        "winning_side",
        "decided_by",
        "scores",
        "by_semantics",
        "verdict",
    ),
    summary=summary.summary,
    sections=sections.sections,
    lines=lines.lines,
    choices=lambda entries: [one.name for one in result.debaters(entries)],
    decided=lambda outcome: outcome.winner,
    decides=Decides(lambda outcome, _: result.met_by(outcome.winning_side), result.REFUSES),
    graph=contest.graph,
    contest=contest.contestable,
    rejudge="its verdict follows from the argument graph, with no judge: `moot contest` shows what would move it, and "
    "`moot export --to apx` with `moot argue` what other semantics make of the graph",
)
