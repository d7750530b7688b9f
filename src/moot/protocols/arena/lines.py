"""How an arena's entries are displayed."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from moot.api import Entry
from moot.present import Block, Details, Item, Items, Line, Lines, Paragraph, Quote
from moot.protocols.arena.payloads import (
    ArenaDecision,
    ArenaProposal,
    ArenaRules,
    ArenaVote,
    Assessment,
    Convergence,
    Critique,
    HollowChallenge,
    JudgeReading,
    Observation,
    RoundOpened,
    SameDecision,
    SourcesChecked,
    Tally,
)
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
ORDERS = {1: "first order", 2: "opposite order"}
ROUNDS = ("proposals", "critique", "revision", "refinement", "voting", "judgement")


def place(entries: Sequence[Entry]) -> str:
    """The round that was opened last."""
    opened = [entry.data for entry in entries if isinstance(entry.data, RoundOpened)]
    return f"round {opened[-1].number}, {opened[-1].name}" if opened else ""


def lines() -> Lines:
    return line


def line(entry: Entry) -> Line | None:
    make = LINES.get(type(entry.data))
    return make(entry, entry.data) if make else None


def _note(label: str, *, bad: object, otherwise: Literal["plain", "good", "strong"] = "plain") -> Line:
    return Line("note", label, tone="bad" if bad else otherwise)


def _round(_: Entry, opened: RoundOpened) -> Line:
    """The current round, and those that are to come."""
    later = ROUNDS[ROUNDS.index(opened.name) + 1 :] if opened.name in ROUNDS else ()
    text = f"Round {opened.number}: {opened.name}{f'; then {listed(later)}' if later else ''}."
    return Line("note", "opens a round", text=text)


def _critique(_: Entry, data: Critique) -> Line:
    return _note("has nothing to give", bad=True) if data.failure else Line("statement", f"criticises {data.of}")


def _challenge(_: Entry, data: HollowChallenge) -> Line:
    counted = ", in words made of what was counted" if data.failure else ""
    return Line("statement", f"doubts an agreement on thin evidence{counted}")


def _similarity(entry: Entry, data: Convergence) -> Line:
    needed = f" {bound(data.threshold)} is needed." if data.passed and data.threshold is not None else ""
    label = "measures how alike the proposals are"
    return Line("note", label, text=f"{entry.content}{needed}", tone="bad" if data.failure else "plain")


def _reading(_: Entry, data: JudgeReading) -> Line:
    return _note(f"judges, reading {data.reading}, {ORDERS[data.reading]}", bad=data.failure)


def _decision(entry: Entry, data: ArenaDecision) -> Line:
    dissent = [Item(one.reason, lead=one.agent) for one in data.dissent]
    # The decision is in bold, which a terminal would show as asterisks.
    text = entry.content.replace("**", "")
    return Line("verdict", "decides", text=text, body=[Items(dissent)] if dissent else [])


def _proposal(_: Entry, data: ArenaProposal) -> Line:
    if data.failure is not None:
        return _note("has nothing to give", bad=True)
    # As a quotation, so that a terminal can shorten it.
    body: list[Block] = [Quote(data.proposal or "", aloud=False)]
    if data.would_change:
        body.append(Paragraph(f"What would change this: {data.would_change}", "small"))
    if data.answers:
        answers = [Item(f"“{one.issue}” {one.reason}", lead=one.verdict) for one in data.answers]
        body.append(Details("What it makes of the objections", [Items(answers)]))
    label = "proposes, blind"
    if data.changed_mind is not None:
        cause = f" because of {data.because_of}" if data.because_of else ""
        minds = f", says it changed its mind{cause}" if data.changed_mind else ""
        label = f"revises, round {data.round}, version {data.version}{minds}"
    return Line("statement", label, text=data.decision or "", body=body)


def _vote(entry: Entry, vote: ArenaVote) -> Line:
    if not vote.ranking:
        text = vote.failure or vote.reason or ""
        return Line("mark", "votes", badge="abstains", text=text, tone="bad" if vote.failure else "plain")
    own = " (its own)" if vote.ranking[0] == entry.speaker else ""
    sure = "" if vote.confidence is None else f", confidence {vote.confidence:.2f}"
    return Line("mark", f"votes{sure}", badge=f"→ {' > '.join(vote.ranking)}{own}", text=vote.reason or "")


LINES: dict[Any, Callable[[Entry, Any], Line]] = {
    ArenaRules: lambda *_: Line("note", "says by which rules this is decided"),
    RoundOpened: _round,
    ArenaProposal: _proposal,
    Critique: _critique,
    Convergence: _similarity,
    SourcesChecked: lambda _, data: _note(
        "looks up what the proposals cite", bad=any(one.found is False for one in data.sources)
    ),
    SameDecision: lambda _, data: _note("says whether it decides the same", bad=not data.same, otherwise="good"),
    HollowChallenge: _challenge,
    ArenaVote: _vote,
    Tally: lambda _, data: Line("note", f"counts the votes by {data.rule}", tone="strong"),
    JudgeReading: _reading,
    Assessment: lambda _, data: _note(
        "puts the judgements together", bad=data.unstable is not False or data.failure, otherwise="strong"
    ),
    Observation: lambda _, data: _note(f"notes how round {data.round} was argued", bad=data.failure),
    ArenaDecision: _decision,
}
