"""The chaired debate, as the engine knows it."""

from moot.api import Protocol, Role, Subject
from moot.api.capabilities import (
    CarriesFiles,
    Choices,
    Decides,
    Defaults,
    LiveView,
    LookupRules,
    NoRejudge,
    OutsideEntries,
    OwnDocuments,
    Redactions,
    Suits,
    Unplanned,
)
from moot.protocols.chaired import (
    ABOUT,
    config,
    desk,
    documents,
    lines,
    payloads,
    record,
    result,
    script,
    study,
    summary,
)
from moot.protocols.receipts import listed_fields

PROTOCOL = Protocol(
    name="chaired",
    about=ABOUT,
    gives="an outcome whose sources were checked, six documents",
    config=config.ChairedConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.ChairedOutcome,
    payloads=payloads.PAYLOADS,
    subject=Subject(
        label="The motion",
        needed=False,
        help="The promoter argues for it, the detractor against it. With `--role promoter=external` another program "
        "plays the role, and answers with `moot log append`.",
    ),
    options=config.OPTIONS,
    roles=lambda given: [
        Role(role, role.capitalize(), role, given.model_of(role), debates=role in config.DEBATERS)
        for role in config.ROLES
    ],
    summary=summary.summary,
    sections=summary.sections,
    lines=lines.lines,
    capabilities=(
        Suits(("yes_no",)),
        Defaults(config.complete),
        CarriesFiles(desk.carry),
        Unplanned(lambda _: "On top comes a call for each citation, each challenge and each interruption."),
        LookupRules(("turn",)),
        OutsideEntries(config.PHASES),
        LiveView(
            steps=lines.STEPS,
            public_steps=("summary", "post", "post-again"),
            place=lines.place,
            verdicts=("conclusion",),
            spoilers=("audience_conclusion",),
            numbered=True,
        ),
        Redactions(record.readable, record.shown),
        OwnDocuments(documents.documents),
        Choices(lambda entries: list(config.DEBATERS) if entries else [], lambda outcome: outcome.winner),
        Decides(lambda outcome, _: [outcome.outcome, "winner"] if outcome.winner else [], result.REFUSES),
        listed_fields(
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
        NoRejudge(
            "its chair decides, by all that it ruled on the way. `moot fork --at SEQ --role chair=MODEL`, SEQ being "
            "the last entry before the conclusion, has another model take the chair"
        ),
        study.STUDY,
    ),
)
