"""The panel, as the engine knows it."""

from moot.api import Protocol, Subject
from moot.api.capabilities import (
    Choices,
    Decides,
    Defaults,
    GateTool,
    LiveView,
    LookupRules,
    NoRejudge,
    OutsideEntries,
    Reviews,
    SpecialKeys,
    Suits,
    TokenCounts,
    Unplanned,
)
from moot.protocols.panel import (
    ABOUT,
    config,
    lines,
    pages,
    payloads,
    result,
    review,
    script,
    sections,
    study,
    summary,
)
from moot.protocols.receipts import listed_fields

RECEIPT = (
    *("kind", "decision", "carried", "agreement", "confidence", "answered", "personas", "votes", "changes", "missing"),
    *("abstained", "rulings", "modifications_required", "rounds_taken", "as_submitted"),
)
HELP = (
    "If it looks like a file name but no such file exists, moot stops; pass such a text on standard input. `moot "
    "batch` judges many ideas."
)

PROTOCOL = Protocol(
    name="panel",
    about=ABOUT,
    gives="a decision a pipeline can gate on: label, agreement, votes",
    config=config.PanelConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PanelOutcome,
    payloads=payloads.PAYLOADS,
    subject=Subject("idea", "idea", "The idea", document=True, help=HELP, source="source", of_diff={"kind": "change"}),
    roles=config.roles,
    summary=summary.summary,
    sections=sections.sections,
    lines=lines.lines,
    capabilities=(
        Suits(("text",)),
        Defaults(config.complete),
        SpecialKeys(patience="timeout_per_round"),
        Unplanned(config.unplanned),
        LookupRules(("round",)),
        OutsideEntries(config.PHASES),
        LiveView(steps=lines.STEPS, place=lines.place, verdicts=("decision",)),
        Choices(result.labels, lambda outcome: outcome.decision),
        GateTool(pages.gate),
        Reviews(review.findings),
        Decides(result.decided, result.REFUSES, result.conditions, result.revised),
        TokenCounts(result.with_tokens),
        listed_fields(pages.rules, *RECEIPT),
        NoRejudge("it is decided by votes, which its report shows with every weight"),
        study.STUDY,
    ),
)
