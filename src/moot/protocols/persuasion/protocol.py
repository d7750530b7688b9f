"""The persuasion, as the engine knows it."""

from moot.api import Protocol, Role, Subject
from moot.api.capabilities import (
    ArgumentMap,
    CarriesFiles,
    Choices,
    Decides,
    Defaults,
    LiveView,
    LookupRules,
    NoRejudge,
    OutsideEntries,
    Suits,
)
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
from moot.protocols.receipts import listed_fields

PROTOCOL = Protocol(
    name="persuasion",
    about=ABOUT,
    gives="an argument map that grows with every move, computed scores",
    config=config.PersuasionConfig,
    play=script.play,
    outcome=result.outcome,
    outcome_model=result.PersuasionOutcome,
    payloads=payloads.PAYLOADS,
    subject=Subject(
        name="proposition", label="The proposition", needed=False, help="It is a claim, to affirm or deny."
    ),
    roles=lambda given: [
        Role(part, part.capitalize(), persona.name, persona.model, debates=part != "moderator")
        for part, persona in given.cast.items()
    ],
    summary=summary.summary,
    sections=sections.sections,
    lines=lines.lines,
    capabilities=(
        Suits(("yes_no",)),
        Defaults(config.complete),
        CarriesFiles(cast.carry),
        LookupRules(("move",)),
        OutsideEntries(config.PHASES),
        LiveView(steps=lines.STEPS, place=lines.place, verdicts=("judgement",), spoilers=("framework",)),
        Choices(lambda entries: [one.name for one in result.debaters(entries)], lambda outcome: outcome.winner),
        Decides(lambda outcome, _: result.met_by(outcome.winning_side), result.REFUSES),
        ArgumentMap(contest.graph, contest.contestable),
        listed_fields(
            "computed from the argument graph; the moderator where it is level",
            "winner",
            "winning_side",
            "decided_by",
            "scores",
            "by_semantics",
            "verdict",
        ),
        NoRejudge(
            "its verdict follows from the argument graph, with no judge: `moot contest` shows what would move it, and "
            "`moot export --to apx` with `moot argue` what other semantics make of the graph"
        ),
        study.STUDY,
    ),
)
