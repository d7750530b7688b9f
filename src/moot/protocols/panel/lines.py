"""How a panel's entries are displayed."""

from collections.abc import Sequence

from moot.api import Entry
from moot.present import Bar, BarChart, Item, Items, Line, Lines, Quote, Verbatim
from moot.protocols.panel.log import UNTOLD
from moot.protocols.panel.metrics import Said, agreement_in
from moot.protocols.panel.payloads import Ballot, Brief, Change, Decision, Idea, Position, Revision, Synthesis
from moot.protocols.panel.sections import chart
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
    """Display a panel's entries as lines. Keeps the labels by persona, to show agreement by round with the decision."""
    brief = UNTOLD
    positions: list[Said] = []

    def line(entry: Entry) -> Line | None:
        nonlocal brief
        match entry.data:
            case Brief():
                brief = entry.data
                return Line("note", f"tells the panel to decide: {brief.kind}", text=_task(brief))
            case Idea(version=version):
                # As a quotation, so that a terminal can shorten it.
                whole = Quote(entry.content, aloud=False)
                return Line("statement", f"the idea, version {version}", text="", body=[whole])
            case Position():
                positions.append((entry.speaker, entry.data))
                return _position(entry.phase, entry.data)
            case Decision(rounds=rounds, version=version):
                label = f"counts the votes after {plural(rounds, 'round')}"
                return Line("verdict", label, body=_agreement(brief, positions, version))
            case _:
                return _other(entry)

    return line


def _other(entry: Entry) -> Line | None:
    match entry.data:
        case Synthesis():
            return _ruling(entry.data)
        case Change(number=number, failure=failure):
            stands_for = ", ".join(dict.fromkeys(one.persona for one in entry.data.proposals))
            text = f"{entry.content} ({stands_for})" + (f"; {failure}" if failure else "")
            return Line("note", f"puts change {number} to the vote", text=text, tone="bad" if failure else "plain")
        case Ballot(failure=None, votes=votes):
            return Line("note", "votes", text=", ".join(f"{number} {vote}" for number, vote in votes.items()))
        case Ballot(failure=failure):
            return _missing(failure)
        case Revision(diff=diff):
            if not diff:
                return Line("note", "revises the idea", tone="bad")
            return Line("note", "revises the idea", text="", body=[Verbatim(diff, diff=True)])
        case _:
            return None


def _task(brief: Brief) -> str:
    what = "a yes or no on each change" if brief.each_change else " or ".join(brief.labels)
    rounds = plural(brief.rounds_required, "round")
    share = bound_percent(float(brief.threshold))
    return f"{brief.question} {what} · {rounds} at least · {share}% of the weight to carry"


def _position(phase: str, position: Position) -> Line:
    if position.failure is not None:
        return _missing(position.failure)
    told = [*_items("Evidence", position.evidence), *_items("Weakness", position.acknowledged_weaknesses)]
    told += _items("Modification", position.modifications)
    told += [Item(f"{one.stance}. {one.text}", lead=f"To {one.to}:") for one in position.responses]
    return _speech(f"{phase}, round {position.round}", position, position.claim, told)


def _ruling(ruling: Synthesis) -> Line:
    if ruling.failure is not None:
        return _missing(ruling.failure)
    told = [Item(one.who_is_right, lead=one.point) for one in ruling.disputes]
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


def _agreement(brief: Brief, positions: Sequence[Said], version: int) -> list[BarChart]:
    """How the panellists' weight was divided after each round on one version of the idea."""
    if brief is UNTOLD or brief.each_change:
        return []
    rounds = sorted({one.round for _, one in positions if one.version == version})
    shares = {number: agreement_in(brief, positions, version, number).shares for number in rounds}
    bars = [Bar(f"round {number}", {**held}) for number, held in shares.items()]
    return [chart(bars, brief)] if bars else []
