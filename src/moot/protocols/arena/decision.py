"""How an arena ends: when the vote and the judgement settle it, who has won, and what the verdict is.

The verdict, by the first rule that fits:
- rejected: the judge scores the proposal ahead, or where none is ahead the best, below the pass mark;
- needs_review: nothing was decided; or the vote alone decided; or the order of showing changes whom a judge puts first,
  or that was not tested; or an early consensus stands on thin evidence that no answer to the Trickster has mended;
- approved_with_conditions: somebody dissents;
- approved: otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from moot.protocols.arena.cast import Arena
from moot.protocols.arena.config import ArenaConfig
from moot.protocols.arena.convergence import Consensus
from moot.protocols.arena.judging import confidence_of
from moot.protocols.arena.payloads import (
    ArenaDecision,
    ArenaVerdict,
    ArenaVote,
    Assessment,
    DecidedBy,
    DissentingAgent,
    SameDecision,
    Tally,
)
from moot.record.entry import Draft
from moot.text.figures import bound, reached, reached_percent


@dataclass(frozen=True, slots=True)
class Chosen:
    winner: str | None
    decided_by: DecidedBy


def settled(config: ArenaConfig, tally: Tally, assessed: Assessment) -> bool:
    """Whether to stop: the vote reached consensus and the judge puts the same first, or the judge is sure enough."""
    return chosen(config, tally, assessed).decided_by in ("vote and judge", "judge")


def chosen(config: ArenaConfig, tally: Tally, assessed: Assessment) -> Chosen:
    """Who has won by now, and by what."""
    if tally.winner is not None and tally.winner == assessed.first:
        return Chosen(tally.winner, "vote and judge")
    if assessed.first is not None and (assessed.confidence or 0) >= config.early_stop_confidence:
        return Chosen(assessed.first, "judge")
    if tally.winner is not None:
        return Chosen(tally.winner, "vote")
    return Chosen(None, "none")


def by_consensus(arena: Arena, number: int, consensus: Consensus, *, hollow: bool, how: str = "") -> None:
    """Write that the proposals decide the same, by their authors' own answers."""
    dissent = [
        DissentingAgent(agent=draft.speaker, reason=_difference(draft.data))
        for draft in consensus.answers
        if isinstance(draft.data, SameDecision) and draft.data.same is not True
    ]
    thin = ["the consensus stands on thin evidence"] if hollow else []
    reasons = [how or f"{reached_percent(consensus.share)} % of the agents say that they decide the same", *thin]
    verdict: ArenaVerdict = "needs_review" if hollow else "approved_with_conditions" if dissent else "approved"
    _conclude(
        arena,
        ArenaDecision(
            round=number,
            decided_by="early consensus",
            winner=consensus.nearest,
            leading=consensus.nearest,
            verdict=verdict,
            reasons=reasons,
            confidence=None,
            agreed=consensus.share,
            dissent=dissent,
        ),
    )


def after_judgement(arena: Arena, number: int, tally: Tally, assessed: Assessment) -> None:
    """Write what vote and judgement come to, when there are to be no more rounds."""
    found = chosen(arena.config, tally, assessed)
    leading = found.winner or assessed.first
    dissent = _dissent(arena.votes, assessed, leading)
    verdict, reasons = _verdict(arena.config, found, assessed, leading, dissent)
    _conclude(
        arena,
        ArenaDecision(
            round=number,
            decided_by=found.decided_by,
            winner=found.winner,
            leading=leading,
            verdict=verdict,
            reasons=[*_settling(arena.config, found, tally, assessed), *reasons],
            confidence=_confidence(arena.votes, assessed, found),
            agreed=None,
            dissent=dissent,
        ),
    )


def _settling(config: ArenaConfig, found: Chosen, tally: Tally, assessed: Assessment) -> list[str]:
    """What settled it: the vote, or the judge whatever the vote was."""
    if found.decided_by != "judge":
        return [tally.reason]
    return [
        f"{judges_first(assessed)} with {confidence_of(assessed)}; {bound(config.early_stop_confidence)} decides",
        f"the vote: {tally.reason}",
    ]


def judges_first(assessed: Assessment) -> str:
    who = "the judge puts" if len(assessed.judges) == 1 else "the judges together put"
    return f"{who} {assessed.first} first"


def _verdict(
    config: ArenaConfig, found: Chosen, assessed: Assessment, leading: str | None, dissent: Sequence[DissentingAgent]
) -> tuple[ArenaVerdict, list[str]]:
    score = assessed.scores.get(leading) if leading else max(assessed.scores.values(), default=None)
    if score is not None and score < config.pass_mark:
        whom = leading or "even the best"
        return "rejected", [f"the judge gives {whom} {reached(score, 1)}; {bound(config.pass_mark)} is needed"]
    doubts = []
    if found.decided_by == "none":
        doubts.append("neither the vote nor the judge settles it")
    if found.decided_by == "vote" and assessed.first is None:
        doubts.append("there is no first place of a judge to go by")
    elif found.decided_by == "vote":
        needed = bound(config.early_stop_confidence)
        doubts.append(f"{judges_first(assessed)}, with {confidence_of(assessed)} where {needed} would decide")
    if assessed.unstable:
        doubts.append("the order of showing changes whom a judge puts first")
    elif assessed.unstable is None and assessed.scores:
        doubts.append("a reading is missing, so whether the order of showing changes the first place was not tested")
    if doubts:
        return "needs_review", doubts
    return ("approved_with_conditions", ["somebody dissents"]) if dissent else ("approved", [])


def _dissent(votes: Sequence[Draft], assessed: Assessment, leading: str | None) -> list[DissentingAgent]:
    """Who voted for, or put first, something else than what is ahead, and why. Nobody where nothing is."""
    if leading is None:
        return []
    cast = [(draft.speaker, draft.data) for draft in votes if isinstance(draft.data, ArenaVote) and draft.data.ranking]
    found = [
        DissentingAgent(agent=name, reason=f"voted for {vote.ranking[0]}: {vote.reason}")
        for name, vote in cast
        if vote.ranking[0] != leading
    ]
    found += [
        DissentingAgent(agent=one.judge, reason=f"puts {one.first} first")
        for one in assessed.judges
        if one.first is not None and one.first != leading
    ]
    return found


def _confidence(votes: Sequence[Draft], assessed: Assessment, found: Chosen) -> float | None:
    """The mean of two means: of those who voted for the winner, and of the judges where they put it first."""
    if found.winner is None:
        return None
    voters = [
        draft.data.confidence
        for draft in votes
        if isinstance(draft.data, ArenaVote)
        and draft.data.ranking[:1] == [found.winner]
        and draft.data.confidence is not None
    ]
    sides = [fmean(voters)] if voters else []
    if assessed.first == found.winner and assessed.confidence is not None:
        sides.append(assessed.confidence)
    return round(fmean(sides), 4) if sides else None


def _difference(data: SameDecision) -> str:
    if data.failure is not None:
        return f"gave no answer: {data.failure}"
    return data.differs_in or "says that it decides otherwise, and not in what"


def _conclude(arena: Arena, decision: ArenaDecision) -> None:
    seats = {seat.name: seat for seat in arena.proposing}
    seat, leading = seats.get(decision.winner or ""), seats.get(decision.leading or "")
    ahead = f" {leading.name} is ahead: {leading.decision}" if leading else ""
    text = f"**{seat.decision}**" if seat else f"Nothing was decided.{ahead}"
    verdict = decision.verdict.replace("_", " ").capitalize()
    by = "" if decision.decided_by == "none" else f", by {decision.decided_by}"
    content = f"{text}\n\n{verdict}{by}: {'; '.join(decision.reasons)}."
    target = seat.proposal if seat else None
    arena.room.emit("outcome", "moot", content, phase="outcome", data=decision, target=target)
