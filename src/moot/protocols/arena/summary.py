"""The summary of an arena, the same everywhere: the decision, how it was reached, and warnings."""

from collections.abc import Sequence

from moot.api import Entry, data_of
from moot.api import headline as as_headline
from moot.present import Flag, Severity, Summary
from moot.protocols.arena.brief import brief_of, count
from moot.protocols.arena.config import FIRST_REVISION
from moot.protocols.arena.payloads import Assessment, Convergence, Tally
from moot.protocols.arena.result import ArenaOutcome
from moot.text.prose import listed, plural, sentence

LEADS = {"needs_review": "Needs review: ", "rejected": "Rejected: "}
NOTHING_SETTLED = "No decision: neither the vote nor the judge settles it"
NO_PROPOSAL_PASSES = "None of the proposals: the judge gives no proposal enough points"


def summary(outcome: ArenaOutcome, entries: Sequence[Entry]) -> Summary:
    return Summary(
        headline=headline(outcome),
        kind="Decision",
        decided=outcome.winner is not None,
        reached=_reached(outcome),
        change=_change(outcome),
        brief=brief_of(outcome, entries),
        flags=flags(outcome, entries),
    )


def headline(outcome: ArenaOutcome) -> str:
    """The decision in its own words, and the count behind it; before one that is not approved, its verdict."""
    if outcome.verdict is None:
        return "No decision yet"
    if outcome.decision is None:
        return NO_PROPOSAL_PASSES if outcome.verdict == "rejected" else NOTHING_SETTLED
    with_conditions = ", with conditions" if outcome.conditions else ""
    return as_headline(f"{LEADS.get(outcome.verdict, '')}{outcome.decision}", f"{count(outcome)}{with_conditions}")


def _reached(outcome: ArenaOutcome) -> str:
    if outcome.verdict is None:
        return ""
    by = "not settled" if outcome.decided_by == "none" else f"by {outcome.decided_by}"
    sure = "" if outcome.confidence is None else f", confidence {outcome.confidence:.2f}"
    parts = [f"{outcome.verdict.replace('_', ' ').capitalize()}, {by}{_when(outcome)}{sure}."]
    if outcome.winner:
        parts.append(f"The proposal of {outcome.winner}.")
    elif outcome.leading:
        parts.append(sentence(f"{outcome.leading} is ahead: {outcome.versions[outcome.leading][-1].decision}"))
    parts.append(sentence("; ".join([*outcome.reasons, *(doubt.text for doubt in outcome.doubts)])))
    return " ".join(parts)


def _when(outcome: ArenaOutcome) -> str:
    """How long it took, without referring to round numbers."""
    if outcome.extra_rounds:
        return f", after {plural(outcome.extra_rounds, 'extra round')} of revising, voting and judging"
    if outcome.decided_by == "early consensus":
        return f", after {plural(outcome.round + 1 - FIRST_REVISION, 'round')} of revision"
    return ""


def _change(outcome: ArenaOutcome) -> str | None:
    """Whether the debate made a difference, judged by wording."""
    if not any(outcome.versions.values()) or outcome.round < 2:
        return None
    first = "No majority of the blind proposals decided the same, word for word"
    if outcome.first_majority is not None:
        first = f"The majority of the blind proposals was: {outcome.first_majority.rstrip('.')}"
    changes = outcome.changes_of_mind
    unfounded = sum(one.new_evidence is None for one in changes)
    minds = f"{plural(len(changes), 'change')} of mind, by the agents’ own account; {unfounded} without new evidence"
    return f"{first}. The debate brought {minds if changes else 'no change of mind'}."


def flags(outcome: ArenaOutcome, entries: Sequence[Entry]) -> list[Flag]:
    return [
        *(Flag(code=doubt.code, text=sentence(doubt.text)) for doubt in outcome.doubts if doubt.code),
        *_of_the_vote(outcome),
        *(_of_the_judgement(outcome.assessment) if outcome.assessment else []),
        *_of_the_similarity(outcome, data_of(entries, Convergence)),
        *_of_the_proposals(outcome),
    ]


def _of_the_vote(outcome: ArenaOutcome) -> list[Flag]:
    found = [
        Flag(code="abstained", text=f"{one.agent} abstained: {one.failure or one.reason}")
        for one in outcome.votes
        if not one.ranking
    ]
    tally = outcome.tally
    if tally is None:
        return found
    cast = [vote for vote in outcome.votes if vote.ranking]
    found += [
        Flag(code="same_decision", text=f"{listed(group)} decide the same and were counted as one.", severity="note")
        for group in tally.groups
    ]
    if all(vote.own for vote in cast) and len(cast) > 1 and len(tally.scores) > 1:
        text = f"All {len(cast)} who voted, of {len(outcome.votes)}, voted for their own proposal."
        found.append(Flag(code="everybody_voted_for_itself", text=text))
    if tally.winner is None:
        # A note only, if the judge was sure enough to decide.
        severity: Severity = "note" if outcome.decided_by == "judge" else "warning"
        text = f"The vote settled nothing: {tally.reason}."
        found.append(Flag(code=_why_nobody_won(tally), text=text, severity=severity))
    return found


def _why_nobody_won(tally: Tally) -> str:
    if tally.cycle:
        return "vote_cycle"
    return "vote_tied" if len(tally.ahead) > 1 else "vote_short"


def _of_the_judgement(assessed: Assessment) -> list[Flag]:
    found = []
    contradicting = [one.judge for one in assessed.judges if one.contradicts]
    if contradicting:
        text = f"The ranking of {listed(contradicting)} contradicts its own scores; the ranking counts."
        found.append(Flag(code="ranking_contradicts_scores", text=text))
    if assessed.unstable:
        text = "Unstable: a judge's first choice depends on the order of the proposals."
        found.append(Flag(code="judge_unstable", text=text))
    if assessed.failure:
        found.append(Flag(code="judgement_incomplete", text=f"The judgement is incomplete: {assessed.failure}."))
    firsts = {one.judge: one.first or "nobody" for one in assessed.judges if one.ranking}
    if len(set(firsts.values())) > 1:
        text = f"The judges disagree: {listed([f'{judge} is for {first}' for judge, first in firsts.items()])}."
        found.append(Flag(code="judges_disagree", text=text, severity="note"))
    return found


def _of_the_similarity(outcome: ArenaOutcome, measured: Sequence[Convergence]) -> list[Flag]:
    found = []
    if any(one.hollow for one in measured) and not outcome.hollow:
        asked = "and a hollow consensus was challenged" if outcome.challenges else "and nobody challenged that"
        text = f"Proposals that were much alike stood on thin evidence, {asked}."
        found.append(Flag(code="thin_evidence", text=text, severity="note"))
    lost = [one for one in measured if one.failure is not None]
    if lost:
        rounds = listed([f"{one.round}" for one in lost])
        text = f"After round {rounds} {lost[-1].failure}."
        found.append(Flag(code="similarity_not_measured", text=text, severity="note"))
    return found


def _of_the_proposals(outcome: ArenaOutcome) -> list[Flag]:
    """Flags about missing proposals, and about cited addresses that do not exist."""
    found = []
    missing = [name for name, versions in outcome.versions.items() if not versions]
    if missing and outcome.round >= 2:
        found.append(Flag(code="proposal_missing", text=f"There is no proposal of {listed(missing)}."))
    if citing := [name for name, one in outcome.evidence.items() if one.absent]:
        text = f"Addresses that do not exist are cited in the proposal of {listed(citing)}."
        found.append(Flag(code="sources_absent", text=text))
    if outcome.winner in citing:
        text = f"The proposal of {outcome.winner}, which won, cites addresses that do not exist."
        found.append(Flag(code="winner_cites_absent_sources", text=text))
    return found
