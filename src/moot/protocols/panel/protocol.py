"""The panel, as the engine knows it."""

from moot.engine.define.gate import Decides
from moot.engine.define.options import Subject
from moot.engine.define.protocol import Protocol, Words
from moot.protocols.panel import (
    ABOUT,
    batch,
    config,
    lines,
    pages,
    payloads,
    receipt,
    rejudge,
    result,
    review,
    script,
    sections,
    study,
    summary,
)

HELP = (
    "What looks like a file's name and is none is refused; such words can be handed in on standard input. A .jsonl "
    'file holds many ideas, each line a text or {"idea": …, "truth": LABEL}: they are judged one after the other, '
    "those accepted so far being shown to the panel, each in a run of its own."
)

PROTOCOL = Protocol(
    name="panel",
    about=ABOUT,
    gives="a decision a pipeline can gate on: label, agreement, votes",
    suits=("text",),
    config=config.PanelConfig,
    complete=config.complete,
    unplanned=config.unplanned,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PanelOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(
        config.PHASES,
        config.TYPES,
        config.role_of,
        steps=lines.STEPS,
        place=lines.place,
        verdicts=("decision",),
        looks_up=("round",),
    ),
    subject=Subject("idea", "idea", "The idea", document=True, help=HELP, source="source", of_diff={"kind": "change"}),
    series=batch.SERIES,
    parts=config.parts,
    patience="timeout_per_round",
    summary=summary.summary,
    sections=sections.sections,
    lines=lines.lines,
    with_tokens=result.with_tokens,
    study=study.STUDY,
    rejudge=rejudge.material,
    receipt=receipt.receipt,
    choices=result.labels,
    decided=lambda outcome: outcome.decision,
    gate=pages.gate,
    findings=review.findings,
    decides=Decides(
        result.decided,
        result.REFUSES,
        result.conditions,
        result.revised,
    ),
)
