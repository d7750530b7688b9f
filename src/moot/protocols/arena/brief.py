"""The brief of an arena: the winner's own decision is the answer, with the reasons of those who chose it."""

from collections.abc import Iterator, Sequence
from typing import Any

from moot.api import MOST_REASONS, Entry
from moot.present import Brief, Dissent, Point
from moot.protocols.arena.objections import objections_to
from moot.protocols.arena.payloads import ArenaProposal, ArenaVote, Assessment, JudgeReading
from moot.protocols.arena.result import ArenaOutcome
from moot.text.figures import reached
from moot.text.prose import plural

APPROVED = ("approved", "approved_with_conditions")


def brief_of(outcome: ArenaOutcome, entries: Sequence[Entry]) -> Brief:
    """The answer is the decision that won, unless it was rejected or needs a review. Every part has its entry: the
    judge's advice for this proposal, or else its voters' reasons and the gravest objection that its author did not
    accept; and what the author says would change it."""
    dissent = [Dissent(who=one.agent, reason=one.reason) for one in outcome.dissent]
    if outcome.winner is None:
        return Brief(dissent=dissent)
    won = outcome.versions[outcome.winner][-1]
    advised = list(_advice(outcome, entries))

    def said(part: str) -> Any:
        """This part of the first advice that has it."""
        return next((given for one in advised if (given := getattr(one, part))), None)

    return Brief(
        answer=outcome.decision if outcome.verdict in APPROVED else None,
        firmness=_firmness(outcome),
        because=said("because") or _reasons_of_voters(outcome, entries),
        conditions=said("conditions") if outcome.conditions else None,
        objection=said("objection") or _objection(outcome.winner, entries),
        would_change_it=_doubt(won.seq, entries),
        next=said("next"),
        dissent=dissent,
        source=won.seq,
    )


def count(outcome: ArenaOutcome) -> str:
    """Who is behind the decision, in numbers."""
    if outcome.decided_by == "early consensus":
        agents = len(outcome.versions)
        return f"{round((outcome.agreed or 0) * agents)} of {agents} agents agree"
    if outcome.tally is None:
        return ""
    votes = f"{len(outcome.voters)} of {outcome.tally.others} votes"
    rule = outcome.tally.rule
    votes += "" if rule in ("majority", "supermajority", "unanimous") else f", counted by {rule}"
    return f"by the judge, with {votes}" if outcome.decided_by == "judge" else votes


def _advice(outcome: ArenaOutcome, entries: Sequence[Entry]) -> Iterator[Brief]:
    """The briefs of the last readings that put the winner first. A point that rests on nothing else has the reading."""
    judged = outcome.assessment
    for entry in entries:
        data = entry.data
        if not isinstance(data, JudgeReading) or data.brief is None or judged is None or data.round != judged.round:
            continue
        if outcome.counted_for(data.ranking[0]) == outcome.winner:
            yield _resting_on(entry.seq, data.brief)


def _resting_on(seq: int, brief: Brief) -> Brief:
    def placed(point: Point | None) -> Point | None:
        return point and point.model_copy(update={"entries": point.entries or [seq]})

    single = {part: placed(getattr(brief, part)) for part in ("conditions", "objection", "next")}
    return brief.model_copy(update={"because": [placed(one) for one in brief.because], **single})


def _reasons_of_voters(outcome: ArenaOutcome, entries: Sequence[Entry]) -> list[Point]:
    last = outcome.tally.round if outcome.tally else None
    found = {
        entry.speaker: Point(text=entry.data.reason, entries=[entry.seq])
        for entry in entries
        if isinstance(entry.data, ArenaVote) and entry.data.round == last and entry.data.reason
    }
    return [found[name] for name in outcome.voters if name in found][:MOST_REASONS]


def _objection(winner: str, entries: Sequence[Entry]) -> Point | None:
    for one in objections_to(winner, entries):
        if (one.answer is None or one.answer.verdict != "accepted") and one.critique.seq is not None:
            return Point(text=" ".join(one.issue.issue.split()), entries=[one.critique.seq])
    return None


def _doubt(seq: int, entries: Sequence[Entry]) -> Point | None:
    """What the author of this proposal would have to learn to decide otherwise."""
    data = next(entry.data for entry in entries if entry.seq == seq)
    return (
        Point(text=data.would_change, entries=[seq]) if isinstance(data, ArenaProposal) and data.would_change else None
    )


def _firmness(outcome: ArenaOutcome) -> str:
    """How firm the decision is: by the votes, by both readings of the judges, and by the scores."""
    if outcome.decided_by == "early consensus":
        return f"{'Narrow' if outcome.dissent else 'Firm'}: {count(outcome)}, and nobody voted or judged."
    judged, tally = outcome.assessment, outcome.tally
    if judged is None or tally is None:
        return ""
    backed = judged.first == outcome.winner and len(judged.backed_by) == len(judged.judges)
    behind = len(outcome.voters)
    word = "Narrow" if not backed or 2 * behind <= tally.others else "Firm" if behind == tally.others else "Clear"
    votes = f"{behind} of {tally.others} votes are for it"
    others = [name for name in judged.scores if outcome.counted_for(name) != outcome.winner]
    return f"{word}: {'; '.join([votes, *_judges(outcome.winner or '', judged, others)])}."


def _judges(winner: str, judged: Assessment, others: Sequence[str]) -> list[str]:
    """Whether the judges put the winner first in both orders, and by how much."""
    if winner not in judged.scores:
        return ["no judge could be asked"]
    if judged.first != winner:
        said = "the judges do not put it first"
    elif judged.backed_by:
        said = f"{len(judged.backed_by)} of {plural(len(judged.judges), 'judge')} put it first in both reading orders"
    elif judged.unstable:
        said = "the first place changes with the order in which it is read"
    else:
        said = "it was read in one order only"
    best = max((judged.scores[name] for name in others), default=None)
    margin = "" if best is None else f", the next {reached(best, 1)}"
    return [said, f"it scores {reached(judged.scores[winner], 1)} of 10{margin}"]
