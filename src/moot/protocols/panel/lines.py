"""How a panel's entries are displayed."""

from collections.abc import Callable, Sequence
from typing import Any

from moot.api import Entry
from moot.present import Item, Items, Line, Lines, Quote, Verbatim
from moot.protocols.panel.payloads import Ballot, Brief, Change, Decision, Idea, Position, Revision, Synthesis
from moot.text.figures import bound_percent
from moot.text.prose import plural

STEPS = {
    "round": "is taking a position in round {number}",
    "rule": "is ruling on round {number}",
    "merge": "is putting proposals together",
    "ballot": "is voting on the changes",
    "revise": "is revising the idea",
}


def place(entries: Sequence[Entry]) -> str:
    """The round of the latest positions, or the step that follows the rounds."""
    brief = next((entry.data for entry in entries if isinstance(entry.data, Brief)), None)
    if brief is None:
        return "the beginning"
    phase, rounds = entries[-1].phase, [entry.data.round for entry in entries if isinstance(entry.data, Position)]
    if phase in ("ruling", "decision", "revision"):
        return f"the {phase}"
    return f"round {rounds[-1] if rounds else 1} of at most {brief.max_rounds}"


def lines() -> Lines:
    return line


def line(entry: Entry) -> Line | None:
    make = LINES.get(type(entry.data))
    return make(entry, entry.data) if make else None


def _brief(_: Entry, brief: Brief) -> Line:
    return Line("note", f"tells the panel to decide: {brief.kind}", text=_task(brief))


def _idea(entry: Entry, idea: Idea) -> Line:
    # As a quotation, so that a terminal can shorten it.
    return Line("statement", f"the idea, version {idea.version}", text="", body=[Quote(entry.content, aloud=False)])


def _change(entry: Entry, change: Change) -> Line:
    proposers = ", ".join(dict.fromkeys(proposal.persona for proposal in change.proposals))
    text = f"{entry.content} ({proposers})" + (f"; {change.failure}" if change.failure else "")
    return Line(
        "note", f"puts change {change.number} to the vote", text=text, tone="bad" if change.failure else "plain"
    )


def _ballot(_: Entry, ballot: Ballot) -> Line:
    if ballot.failure is not None:
        return _missing(ballot.failure)
    return Line("note", "votes", text=", ".join(f"{number} {vote}" for number, vote in ballot.votes.items()))


def _revision(_: Entry, revision: Revision) -> Line:
    if not revision.diff:
        return Line("note", "revises the idea", tone="bad")
    return Line("note", "revises the idea", text="", body=[Verbatim(revision.diff, diff=True)])


def _task(brief: Brief) -> str:
    what = "a yes or no on each change" if brief.each_change else " or ".join(brief.labels)
    rounds = plural(brief.rounds_required, "round")
    share = bound_percent(float(brief.threshold))
    return f"{brief.question} {what} · {rounds} at least · {share}% of the weight to carry"


def _position(entry: Entry, position: Position) -> Line:
    if position.failure is not None:
        return _missing(position.failure)
    told = [*_items("Evidence", position.evidence), *_items("Weakness", position.acknowledged_weaknesses)]
    told += _items("Modification", position.modifications)
    told += [Item(f"{response.stance}. {response.text}", lead=f"To {response.to}:") for response in position.responses]
    return _speech(f"{entry.phase}, round {position.round}", position, position.claim, told)


def _ruling(_: Entry, ruling: Synthesis) -> Line:
    if ruling.failure is not None:
        return _missing(ruling.failure)
    told = [Item(dispute.who_is_right, lead=dispute.point) for dispute in ruling.disputes]
    told += _items("Inconsistency", ruling.inconsistencies)
    told += _items("Required", ruling.required)
    told += _items("Vote", [f"{number}: {vote}" for number, vote in ruling.votes.items()])
    if ruling.brief is not None:
        told += _items("Answer", [ruling.brief.answer] if ruling.brief.answer else [])
        told += [Item(point.text, lead=f"{words}:") for words, point in ruling.brief.points]
    return _speech(f"rules after round {ruling.round}", ruling, ruling.reasoning, told)


def _speech(label: str, said: Position | Synthesis, text: str | None, told: Sequence[Item]) -> Line:
    held = f" · {said.label}" if said.label else ""
    sure = "" if said.confidence is None else f" · confidence {said.confidence:.2f}"
    return Line("statement", f"{label}{held}{sure}", text=text or "", body=[Items(told)] if told else [])


def _items(lead: str, texts: Sequence[str]) -> list[Item]:
    return [Item(text, lead=f"{lead}:") for text in texts]


def _missing(failure: str | None) -> Line:
    return Line("note", "gave no usable reply", text=failure or "", tone="bad")


LINES: dict[Any, Callable[[Entry, Any], Line]] = {
    Brief: _brief,
    Idea: _idea,
    Position: _position,
    Synthesis: _ruling,
    Change: _change,
    Ballot: _ballot,
    Decision: lambda _, data: Line("verdict", f"counts the votes after {plural(data.rounds, 'round')}"),
    Revision: _revision,
}
