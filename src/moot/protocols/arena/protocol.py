"""The arena, as the engine knows it."""

from moot.engine.define.capabilities import (
    Choices,
    Defaults,
    GateTool,
    LiveView,
    LookupRules,
    OutsideEntries,
    ReceiptFields,
    Rejudge,
    Remembers,
    SpecialKeys,
    Suits,
    Unplanned,
    Versions,
)
from moot.engine.define.gate import Decides
from moot.engine.define.options import Subject
from moot.engine.define.protocol import Protocol
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
    config=config.ArenaConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ArenaOutcome,
    payloads=payloads.PAYLOADS,
    subject=Subject(name="task", label="The task"),
    options=(config.AGENT,),
    roles=config.roles,
    summary=summary.summary,
    sections=sections.sections,
    lines=lines.lines,
    capabilities=(
        Suits(("many", "task", "open")),
        Defaults(config.complete),
        SpecialKeys(patience="patience"),
        Unplanned(config.unplanned),
        LookupRules(("propose", "revise")),
        OutsideEntries(config.PHASES, config.TYPES, config.role_of),
        LiveView(
            steps=lines.STEPS,
            place=lines.place,
            verdicts=("outcome",),
            spoilers=("vote", "tally", "judging", "assessment"),
        ),
        Choices(result.proposers, lambda outcome: outcome.winner),
        Versions(pages.versions),
        GateTool(pages.gate),
        Decides("verdict", result.REFUSES, lambda outcome: [outcome.conditions] if outcome.conditions else []),
        ReceiptFields(receipt.receipt),
        Remembers(receipt.remember),
        Rejudge(rejudge.material),
        study.STUDY,
    ),
)
