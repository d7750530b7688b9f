"""How an arena ends: when the vote and the judgement settle it, who has won, and what the verdict is.

A carried vote is overruled by nobody. If it does not carry, judges who are sure may choose one of those ahead, but
not under a rule that asks for more than a majority: a stricter vote makes no judge stronger. The table of verdicts is
in docs/arena.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from moot.api import Draft, data_of
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
    Doubt,
    JudgeReading,
    SameDecision,
    Tally,
)
from moot.text.figures import bound, reached
from moot.text.prose import plural

HOLLOW = Doubt(
    code="hollow_consensus",
    text="the proposals are much alike on thin evidence, and no answer to the Trickster has mended that",
)


@dataclass(frozen=True, slots=True)
class Chosen:
    winner: str | None
    decided_by: DecidedBy


def settled(config: ArenaConfig, tally: Tally, assessed: Assessment) -> bool:
    """Whether to stop: the vote carried and the judges agree with it or could not be asked; or the judges choose."""
    if tally.winner is not None:
        return tally.winner == assessed.first or not assessed.scores
    return chosen(config, tally, assessed).winner is not None


def chosen(config: ArenaConfig, tally: Tally, assessed: Assessment) -> Chosen:
    """The winner so far, and what decided it."""
    if tally.winner is not None:
        return Chosen(tally.winner, "vote and judge" if tally.winner == assessed.first else "vote")
    if assessed.first in tally.judges_may_choose and sure(config, assessed):
        return Chosen(assessed.first, "judge")
    return Chosen(None, "none")


def leading_in(tally: Tally, assessed: Assessment) -> str | None:
    """The candidate that is ahead in the vote, among several the one that the judges put first."""
    return tally.ahead[0] if len(tally.ahead) == 1 else assessed.first if assessed.first in tally.ahead else None


def sure(config: ArenaConfig, assessed: Assessment) -> bool:
    """Whether all judges put the same proposal first in both orders, with enough confidence. Confidence is a judge's
    own claim, so it counts only if no judge contradicts another, or itself by a ranking against its own scores."""
    unanimous = len(assessed.backed_by) == len(assessed.judges) and not any(one.contradicts for one in assessed.judges)
    return unanimous and (assessed.confidence or 0) >= config.early_stop_confidence


def is_backed(assessed: Assessment) -> bool:
    """Whether most judges put the first proposal first in both orders."""
    return 2 * len(assessed.backed_by) > len(assessed.judges)


def by_consensus(arena: Arena, number: int, consensus: Consensus, *, hollow: bool) -> None:
    """Write the decision of an early consensus."""
    dissent = [
        DissentingAgent(agent=draft.speaker, reason=_difference(draft.data))
        for draft in consensus.answers
        if isinstance(draft.data, SameDecision) and draft.data.same is not True
    ]
    agreed = f"{consensus.agreeing} of {plural(consensus.agents, 'agent')} say that they decide the same"
    _conclude(
        arena,
        ArenaDecision(
            round=number,
            decided_by="early consensus",
            winner=consensus.nearest,
            leading=consensus.nearest,
            verdict="needs_review" if hollow else "approved",
            reasons=[agreed],
            doubts=[HOLLOW] if hollow else [],
            agreed=consensus.share,
            hollow=hollow,
            dissent=dissent,
        ),
    )


def after_judgement(arena: Arena, number: int, tally: Tally, assessed: Assessment) -> None:
    """Write the decision after the last vote and judgement."""
    found = chosen(arena.config, tally, assessed)
    leading = found.winner or leading_in(tally, assessed)
    dissent = _dissent(arena.votes, tally, assessed, leading)
    conditions = _conditions(arena.readings, leading, tally.stands_for)
    verdict, doubts = verdict_on(arena.config, tally, assessed, conditions=conditions, hollow=arena.hollow)
    _conclude(
        arena,
        ArenaDecision(
            round=number,
            decided_by=found.decided_by,
            winner=found.winner,
            leading=leading,
            verdict=verdict,
            reasons=_settling(arena.config, found, tally, assessed),
            doubts=doubts,
            conditions=conditions if verdict == "approved_with_conditions" else [],
            confidence=_confidence(arena.votes, tally, assessed, found),
            hollow=arena.hollow,
            dissent=dissent,
        ),
    )


def _settling(config: ArenaConfig, found: Chosen, tally: Tally, assessed: Assessment) -> list[str]:
    """The reasons that settled it: the vote, or judges who are sure."""
    if found.decided_by != "judge":
        return [tally.reason]
    return [
        f"{judges_first(assessed)} with {confidence_of(assessed)}; {bound(config.early_stop_confidence)} decides",
        f"the vote: {tally.reason}",
    ]


def judges_first(assessed: Assessment) -> str:
    who = "the judge puts" if len(assessed.judges) == 1 else "the judges together put"
    return f"{who} {assessed.first} first"


def verdict_on(
    config: ArenaConfig, tally: Tally, assessed: Assessment, *, conditions: Sequence[str], hollow: bool
) -> tuple[ArenaVerdict, list[Doubt]]:
    """The verdict, and what is in the way of an approval."""
    found = chosen(config, tally, assessed)
    thin = [HOLLOW] if hollow else []
    if tally.winner is not None and assessed.first not in (None, tally.winner):
        against = f"the vote is for {tally.winner}, and {judges_first(assessed)}, with {confidence_of(assessed)}"
        return "needs_review", [Doubt(code="judges_against_vote", text=against), *thin]
    leading = found.winner or leading_in(tally, assessed)
    score = assessed.scores.get(leading) if leading else max(assessed.scores.values(), default=None)
    if score is not None and score < config.pass_mark:
        given = f"the judge gives {leading or 'even the best'} {reached(score, 1)}"
        return "rejected", [
            Doubt(code="below_pass_mark", text=f"{given}; {bound(config.pass_mark)} is needed"),
            *thin,
        ]
    doubts = [*_doubts(found, assessed), *thin]
    if doubts:
        return "needs_review", doubts
    return ("approved_with_conditions" if conditions else "approved"), []


def _doubts(found: Chosen, assessed: Assessment) -> list[Doubt]:
    if found.decided_by == "none":
        return [Doubt(code="not_settled", text="neither the vote nor the judge settles it")]
    if found.decided_by == "vote":
        return [Doubt(code="decided_by_vote_alone", text="there is no first place of a judge to go by")]
    if is_backed(assessed):
        return []
    if assessed.unstable:
        return [Doubt(text="the order of showing changes whom a judge puts first")]
    if assessed.unstable is None:
        return [Doubt(text="a reading is missing, so whether the order of showing matters was not tested")]
    backing = f"{len(assessed.backed_by)} of {len(assessed.judges)}"
    return [Doubt(text=f"only {backing} judges put {assessed.first} first")]


def _dissent(votes: Sequence[Draft], tally: Tally, assessed: Assessment, leading: str | None) -> list[DissentingAgent]:
    """Who voted for, or put first, another proposal than the leading one, and why; not its authors where they could not
    vote for it. Empty if none leads."""
    if leading is None:
        return []
    barred = tally.authors(leading) if tally.own_barred else []
    found = [
        DissentingAgent(agent=draft.speaker, reason=f"voted for {draft.data.ranking[0]}: {draft.data.reason}")
        for draft in votes
        if isinstance(draft.data, ArenaVote)
        and tally.counted.get(draft.speaker, leading) != leading
        and draft.speaker not in barred
    ]
    found += [
        DissentingAgent(agent=one.judge, reason=f"puts {one.first} first")
        for one in assessed.judges
        if one.first is not None and one.first != leading
    ]
    return found


def _conditions(readings: Sequence[Draft], leading: str | None, same: Mapping[str, str]) -> list[str]:
    """The conditions in the first reading that puts this proposal first and names any."""
    for one in data_of(readings, JudgeReading):
        if one.conditions and same.get(one.ranking[0], one.ranking[0]) == leading:
            return one.conditions
    return []


def _confidence(votes: Sequence[Draft], tally: Tally, assessed: Assessment, found: Chosen) -> float | None:
    """The mean of two means: the confidence of the winner's voters, and of the judges if they put it first."""
    if found.winner is None:
        return None
    cast = [draft.data for draft in votes if tally.counted.get(draft.speaker) == found.winner]
    voters = [vote.confidence for vote in cast if isinstance(vote, ArenaVote) and vote.confidence is not None]
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
    conditions = "".join(f"\n\nOn condition: {one}" for one in decision.conditions)
    why = "; ".join([*decision.reasons, *(doubt.text for doubt in decision.doubts)])
    content = f"{text}\n\n{verdict}{by}: {why}.{conditions}"
    target = seat.proposal if seat else None
    arena.room.emit("outcome", "moot", content, phase="outcome", data=decision, target=target)
