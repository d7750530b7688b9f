"""How an arena's entries are displayed."""

from collections.abc import Sequence

from moot.present import Block, Details, Item, Items, Line, Lines, Paragraph, Quote
from moot.protocols.arena.payloads import (
    ArenaDecision,
    ArenaProposal,
    ArenaRules,
    ArenaVote,
    Assessment,
    Convergence,
    Critique,
    Gate,
    HollowChallenge,
    JudgeReading,
    Observation,
    RoundOpened,
    SameDecision,
    SourcesChecked,
    Tally,
)
from moot.record.entry import Entry
from moot.text.figures import bound
from moot.text.prose import listed

STEPS = {
    "propose": "is writing a proposal",
    "critique": "is criticising a proposal",
    "revise": "is revising its proposal",
    "agree": "is comparing decisions",
    "compare": "is comparing decisions",
    "vote": "is voting",
    "judging": "is judging the proposals",
    "challenge": "is asking pointed questions",
    "observe": "is taking notes",
}
ROUNDS = ("proposals", "critique", "revision", "refinement", "voting", "judgement")


def place(entries: Sequence[Entry]) -> str:
    """The round that was opened last."""
    opened = [entry.data for entry in entries if isinstance(entry.data, RoundOpened)]
    return f"round {opened[-1].number}, {opened[-1].name}" if opened else ""


def lines() -> Lines:
    return line


def line(entry: Entry) -> Line | None:
    match entry.data:
        case ArenaRules():
            return Line("note", "says by which rules this is decided")
        case RoundOpened():
            return Line("note", "opens a round", text=_place(entry.data))
        case ArenaProposal() | Critique() | HollowChallenge():
            return _said(entry, entry.data)
        case ArenaVote() | Tally():
            return _voted(entry.speaker, entry.data)
        case JudgeReading() | Assessment():
            return _judged(entry.data)
        case Observation(round=number, failure=failure):
            return Line("note", f"notes how round {number} was argued", tone="bad" if failure else "plain")
        case ArenaDecision(dissent=dissent):
            told = [Item(one.reason, lead=one.agent) for one in dissent]
            # The decision is in bold, which a terminal would show as asterisks.
            return Line("verdict", "decides", text=entry.content.replace("**", ""), body=[Items(told)] if told else [])
        case _:
            return _compared(entry)


def _place(opened: RoundOpened) -> str:
    """The current round, and those that are to come."""
    names = ("gate", *ROUNDS, "extension")
    later = names[names.index(opened.name) + 1 : -1] if opened.name in names else ()
    return f"Round {opened.number}: {opened.name}{f'; then {listed(later)}' if later else ''}."


def _said(entry: Entry, data: ArenaProposal | Critique | HollowChallenge) -> Line:
    match data:
        case HollowChallenge(failure=failure):
            made = ", in words made of what was counted" if failure else ""
            return Line("statement", f"doubts an agreement on thin evidence{made}")
        case ArenaProposal(failure=None):
            # As a quotation, so that a terminal can shorten it.
            body: list[Block] = [Quote(data.proposal or "", aloud=False)]
            if data.would_change:
                body.append(Paragraph(f"What would change this: {data.would_change}", "small"))
            if data.answers:
                answers = [Item(f"“{one.issue}” {one.reason}", lead=one.verdict) for one in data.answers]
                body.append(Details("What it makes of the objections", [Items(answers)]))
            return Line("statement", _proposing(entry, data), text=data.decision or "", body=body)
        case Critique(failure=None, of=name):
            return Line("statement", f"criticises {name}")
        case _:
            return Line("note", "has nothing to give", tone="bad")


def _proposing(entry: Entry, proposal: ArenaProposal) -> str:
    if proposal.changed_mind is None:
        return "proposes, blind"
    how = "having seen the other’s proposal" if entry.phase == "gate" else f"round {proposal.round}"
    cause = f" because of {proposal.because_of}" if proposal.because_of else ""
    minds = f", says it changed its mind{cause}" if proposal.changed_mind else ""
    return f"revises, {how}, version {proposal.version}{minds}"


def _voted(voter: str, data: ArenaVote | Tally) -> Line:
    match data:
        case Tally(rule=rule):
            return Line("note", f"counts the votes by {rule}", tone="strong")
        case ArenaVote(failure=None, ranking=[]):
            return Line("mark", "votes", badge="abstains", text=data.reason or "")
        case ArenaVote(failure=None, ranking=ranking):
            own = " (its own)" if ranking[:1] == [voter] else ""
            sure = "" if data.confidence is None else f", confidence {data.confidence:.2f}"
            return Line("mark", f"votes{sure}", badge=f"→ {' > '.join(ranking)}{own}", text=data.reason or "")
        case ArenaVote(failure=failure):
            return Line("mark", "votes", badge="abstains", text=failure or "", tone="bad")


def _judged(data: JudgeReading | Assessment) -> Line:
    match data:
        case JudgeReading(reading=number, failure=failure):
            order = "first order" if number == 1 else "opposite order"
            return Line("note", f"judges, reading {number}, {order}", tone="bad" if failure else "plain")
        case Assessment(unstable=unstable, failure=failure):
            shaky = unstable is not False or failure
            return Line("note", "puts the judgements together", tone="bad" if shaky else "strong")


def _compared(entry: Entry) -> Line | None:
    """Entries about the similarity of the proposals."""
    match entry.data:
        case Convergence(passed=True, threshold=float() as threshold):
            text = f"{entry.content} {bound(threshold)} is needed."
            return Line("note", "measures how alike the proposals are", text=text)
        case Convergence(failure=failure):
            return Line("note", "measures how alike the proposals are", tone="bad" if failure else "plain")
        case SourcesChecked(sources=sources):
            absent = any(one.found is False for one in sources)
            return Line("note", "looks up what the proposals cite", tone="bad" if absent else "plain")
        case SameDecision(same=same):
            return Line("note", "says whether it decides the same", tone="good" if same else "bad")
        case Gate(same=same):
            return Line("note", "says whether two answers are enough", tone="good" if same else "bad")
        case _:
            return None
