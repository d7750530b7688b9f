"""The chaired debate's own sections: the ruling, the sources, what was redacted, the transcript."""

from dataclasses import dataclass

from moot.entry import Entry
from moot.payloads.chaired import (
    Announcement,
    Challenge,
    Conclusion,
    Question,
    Redaction,
    Ruling,
    Spoken,
    Verification,
    View,
)
from moot.protocols.chaired.config import DEBATERS
from moot.protocols.chaired.end import IN_WORDS
from moot.protocols.chaired.result import STATUSES, ChairedOutcome
from moot.report.page import Material, Table
from moot.report.transcript import Look, transcript


@dataclass(frozen=True, slots=True)
class Decided:
    """The outcome in words. `flags` speak against taking it at its word."""

    headline: str
    concluded: Entry | None
    view: Entry | None
    flags: list[str]


def sections(material: Material) -> dict[str, object]:
    """What the templates of the chaired debate show beside what every report has."""
    result = material.result.outcome
    outcome = result if isinstance(result, ChairedOutcome) else None
    return {
        "decided": decided(material, outcome),
        "sides": sides(outcome) if outcome else None,
        "checked": checked(material),
        "redactions": outcome.redactions if outcome else [],
        "transcript": transcript(material, _described),
    }


def decided(material: Material, outcome: ChairedOutcome | None) -> Decided:
    entries = material.entries
    concluded = next((entry for entry in entries if isinstance(entry.data, Conclusion)), None)
    view = next((entry for entry in entries if isinstance(entry.data, View)), None)
    if outcome is None:
        return Decided("The debate had not begun", None, None, [])
    flags = []
    if outcome.redactions:
        one = len(outcome.redactions) == 1
        flags.append(
            f"{'One entry was' if one else f'{len(outcome.redactions)} entries were'} redacted for fabricated sources."
        )
    if isinstance(concluded and concluded.data, Conclusion) and outcome.outcome is None:
        flags.append("The chair came to no usable decision.")
    if outcome.decided_by == "code":
        flags.append("Decided by the rules alone: both sides cited fabricated sources.")
    if view is not None and isinstance(view.data, View) and view.data.failure:
        flags.append(f"The audience's conclusion is not as the rules want it: {view.data.failure}.")
    headline = (
        IN_WORDS[outcome.outcome].rstrip(".") if outcome.outcome else "No outcome" if concluded else "No outcome yet"
    )
    return Decided(headline, concluded, view, flags)


def sides(outcome: ChairedOutcome) -> Table:
    rows = [
        [
            role,
            f"{side.statements}",
            f"{side.redacted}",
            f"{side.rulings}",
            *(f"{side.sources[one]}" for one in STATUSES),
        ]
        for role, side in outcome.sides.items()
    ]
    return Table(
        ["Debater", "Statements", "Redacted", "Rulings against", *(one.capitalize() for one in STATUSES)], rows
    )


def checked(material: Material) -> Table:
    """Every finding of the verifier, with the entry it is about."""
    by_seq = {entry.seq: entry for entry in material.entries}
    rows = [
        [f"{entry.target_seq}", by_seq[entry.target_seq or 0].speaker, data.status, data.url, data.explanation]
        for entry in material.entries
        if isinstance(data := entry.data, Verification)
    ]
    return Table(["Entry", "Debater", "Found", "Source", "Why"], rows, texts=5)


def _described(entry: Entry) -> Look | None:
    """How the transcript shows what is the chaired debate's own."""
    words = entry.type.replace("_", " ")
    match entry.data:
        case Spoken(round=number):
            return Look("statement", f"{words}, round {number}" if number else words)
        case Challenge():
            return Look("marked", "challenges a source", "challenge")
        case Verification(status=status):
            return Look("marked", "reports to the chair", status)
        case Redaction():
            return Look("marked", "strikes an entry", "redacted")
        case Ruling(rule=rule):
            return Look("marked", "rules", f"rule {rule}")
        case Question(to=to):
            return Look("statement", f"asks the {to}")
        case Conclusion():
            return Look("statement", "concludes")
        case View():
            return Look("statement", "takes home")
        case Announcement(kind=kind):
            missing = Look("marked", "goes on without", "missing")
            return missing if kind == "missing" else Look("context", "announces")
        case _:
            return Look("statement", words) if entry.speaker in DEBATERS and not entry.outside else None
