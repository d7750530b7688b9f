"""The arena, as the engine knows it."""

from moot.engine.gate import Decides
from moot.engine.options import Subject
from moot.engine.protocol import Protocol, Words
from moot.protocols.arena import (
    ABOUT,
    config,
    lines,
    pages,
    payloads,
    receipt,
    rejudge,
    result,
    script,
    sections,
    study,
    summary,
)

PROTOCOL = Protocol(
    name="arena",
    about=ABOUT,
    gives="a decision with its dissent, the ballots, every version",
    suits=("decision", "open"),
    config=config.ArenaConfig,
    complete=config.complete,
    unplanned=config.unplanned,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ArenaOutcome,
    payloads=payloads.PAYLOADS,
    words=Words(
        config.PHASES,
        config.TYPES,
        config.role_of,
        steps=lines.STEPS,
        place=lines.place,
        verdicts=("outcome",),
        telling=("vote", "tally", "judging", "assessment"),
        looks_up=("propose", "revise"),
    ),
    subject=Subject(name="task", label="The task"),
    options=(config.AGENT,),
    parts=config.parts,
    patience="patience",
    summary=summary.summary,
    sections=sections.sections,
    lines=lines.lines,
    with_tokens=result.with_tokens,
    study=study.STUDY,
    rejudge=rejudge.material,
    receipt=receipt.receipt,
    remember=receipt.remember,
    choices=result.proposers,
    decided=lambda outcome: outcome.winner,
    versions=pages.versions,
    ballots=pages.BALLOTS,
    gate=pages.gate,
    decides=Decides(
        "verdict", result.REFUSES, lambda outcome: [f"{one.agent}: {one.reason}" for one in outcome.dissent]
    ),
    preferences=result.preferences,
)
