"""The summary of an arena, the same everywhere: the decision, how it was reached, and warnings."""

from collections.abc import Sequence
from fractions import Fraction

from moot.engine.outcome.brief import headline as as_headline
from moot.present import Flag, Severity, Summary
from moot.protocols.arena.brief import brief_of, count
from moot.protocols.arena.config import FIRST_REVISION
from moot.protocols.arena.decision import judges_first
from moot.protocols.arena.judging import confidence_of
from moot.protocols.arena.payloads import ArenaRules, Assessment, Convergence, Tally
from moot.protocols.arena.result import ArenaOutcome
from moot.record.entry import Entry, data_of, first_data
from moot.text.figures import bound, reached
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


def counted(tally: Tally) -> str:
    """The votes, weights, points or wins of each proposal."""
    return ", ".join(f"{name} {figure(score)}" for name, score in tally.scores.items())


def figure(score: str) -> str:
    """An exact fraction, as people write it."""
    return f"{float(Fraction(score)):g}"


def _reached(outcome: ArenaOutcome) -> str:
    if outcome.verdict is None:
        return ""
    by = "not settled" if outcome.decided_by == "none" else f"by {outcome.decided_by}"
    verdict = outcome.verdict.replace("_", " ").capitalize()
    sure = "" if outcome.confidence is None else f", confidence {outcome.confidence:.2f}"
    parts = [f"{verdict}, {by}{_when(outcome)}{sure}."]
    if outcome.winner:
        parts.append(f"The proposal of {outcome.winner}.")
    elif outcome.leading:
        parts.append(sentence(f"{outcome.leading} is ahead: {outcome.versions[outcome.leading][-1].decision}"))
    parts.append(sentence("; ".join(outcome.reasons)))
    if outcome.tally:
        parts.append(f"Counted by {outcome.tally.rule}: {counted(outcome.tally)}.")
    return " ".join([*parts, *_cheap(outcome)])


def _when(outcome: ArenaOutcome) -> str:
    """How long it took, without referring to round numbers."""
    if outcome.extra_rounds:
        return f", after {plural(outcome.extra_rounds, 'extra round')} of revising, voting and judging"
    if outcome.decided_by == "early consensus" and outcome.cheap is None:
        return f", after {plural(outcome.round + 1 - FIRST_REVISION, 'round')} of revision"
    return ""


def _cheap(outcome: ArenaOutcome) -> list[str]:
    """Whether the first two answers were enough."""
    cheap = outcome.cheap
    if cheap is None:
        return []
    if cheap.settled_after is None:
        return [f"Two answers were not enough; with the whole arena it took {cheap.calls} calls."]
    instead = f"{cheap.calls} calls instead of {cheap.calls_of_whole_arena}"
    return [f"Two answers were enough, after the {cheap.settled_after}: {instead}."]


def _change(outcome: ArenaOutcome) -> str | None:
    """Whether the debate made a difference, judged by wording."""
    found = outcome.counterfactual
    if found is None:
        return None
    if found.round_1_majority.decision is None:
        first = f"The blind proposals had {found.round_1_majority.reason}"
    elif found.round_1_majority.same_words:
        first = "The majority of the blind proposals says the same, word for word"
    else:
        first = f"The majority of the blind proposals was: {found.round_1_majority.decision.rstrip('.')}"
    moved = len(outcome.changes_of_mind)
    unfounded = sum(one.new_evidence is None for one in outcome.changes_of_mind)
    whose = "by the agent’s own account" if moved == 1 else "by the agents’ own account"
    minds = f"{plural(moved, 'change')} of mind, {whose}; {unfounded} without new evidence"
    undecided = ", which decided nothing," if outcome.verdict else ", which has no decision yet,"
    debate = f"The debate{'' if outcome.decision else undecided}"
    return f"{first}. {debate} brought {minds if moved else 'no change of mind'}."


def flags(outcome: ArenaOutcome, entries: Sequence[Entry]) -> list[Flag]:
    rules = first_data(entries, ArenaRules)
    measured = data_of(entries, Convergence)
    return [
        *(_of_the_decision(outcome, rules) if rules else []),
        *_of_the_vote(outcome),
        *(_of_the_judgement(outcome.assessment) if outcome.assessment else []),
        *_of_the_consensus(outcome, measured),
        *_of_the_proposals(outcome),
    ]


def _of_the_decision(outcome: ArenaOutcome, rules: ArenaRules) -> list[Flag]:
    """Flags about the basis of the decision."""
    found, judged = [], outcome.assessment
    if outcome.verdict == "rejected" and judged is not None:
        ahead = outcome.winner or outcome.leading
        score = judged.scores[ahead] if ahead else max(judged.scores.values())
        text = f"Below the pass mark: the judge gives {ahead or 'even the best'} {reached(score, 1)}"
        found.append(Flag(code="below_pass_mark", text=f"{text}; {bound(rules.pass_mark)} is needed."))
    if outcome.decided_by == "none":
        found.append(Flag(code="not_settled", text="Neither the vote nor the judge settles it."))
    if outcome.decided_by == "vote" and judged is not None:
        if judged.first is None:
            text = "The vote alone decided: there is no first place of a judge to go by."
            found.append(Flag(code="decided_by_vote_alone", text=text))
        else:
            against = f"{judges_first(judged)}, with {confidence_of(judged)}"
            text = f"The judges are against the vote: it is for {outcome.winner}, and {against}. A person has to say."
            found.append(Flag(code="judges_against_vote", text=text))
    if outcome.cheap is not None and outcome.cheap.settled_after:
        who = listed(outcome.cheap.between)
        text = f"Only {who} were asked: nobody else criticised, voted or judged."
        found.append(Flag(code="settled_by_gate", text=text, severity="note"))
    return found


def _of_the_vote(outcome: ArenaOutcome) -> list[Flag]:
    found = [
        Flag(code="abstained", text=f"{one.agent} abstained: {one.failure or one.reason}")
        for one in outcome.votes
        if not one.ranking
    ]
    tally = outcome.tally
    if tally is None:
        return found
    cast = len(outcome.votes) - len(found)
    found += [
        Flag(code="same_decision", text=f"{listed(group)} decide the same and were counted as one.", severity="note")
        for group in tally.groups
    ]
    if tally.self_votes == 1 and cast > 1 and len(tally.scores) > 1:
        all_voted = cast == len(outcome.votes)
        who = "Everybody voted" if all_voted else f"{cast} of {len(outcome.votes)} voted, and all of them"
        text = f"{who} for their own proposal."
        found.append(Flag(code="everybody_voted_for_itself", text=text))
    if tally.winner is None:
        # A note only, if the judge was sure enough to decide.
        severity: Severity = "note" if outcome.decided_by == "judge" else "warning"
        text = f"The vote settled nothing: {tally.reason}."
        found.append(Flag(code=_why_nobody_won(tally), text=text, severity=severity))
    return found


def _why_nobody_won(tally: Tally) -> str:
    scores = [Fraction(score) for score in tally.scores.values()]
    if tally.cycle:
        return "vote_cycle"
    most = max(scores, default=Fraction(0))
    return "vote_tied" if most and scores.count(most) > 1 else "vote_short"


def _of_the_judgement(assessed: Assessment) -> list[Flag]:
    found = []
    contradicting = [one.judge for one in assessed.judges if one.contradicts]
    if contradicting:
        text = f"The ranking of {listed(contradicting)} contradicts its own scores; the ranking counts."
        found.append(Flag(code="ranking_contradicts_scores", text=text))
    if assessed.unstable:
        text = "Unstable: the order in which the proposals were shown changes whom a judge puts first."
        found.append(Flag(code="judge_unstable", text=text))
    if assessed.failure:
        found.append(Flag(code="judgement_incomplete", text=f"The judgement is incomplete: {assessed.failure}."))
    if assessed.same_first is not None and assessed.same_first < 1:
        text = f"The judges disagree: of the pairs of them {assessed.same_first:.0%} put the same proposal first."
        found.append(Flag(code="judges_disagree", text=text, severity="note"))
    return found


def _of_the_consensus(outcome: ArenaOutcome, measured: Sequence[Convergence]) -> list[Flag]:
    found = []
    if outcome.hollow:
        times = sum(one.hollow for one in measured)
        found_so = f"found {plural(times, 'time')}"
        text = f"A hollow consensus, {found_so}: the proposals are much alike and stand on thin evidence."
        found.append(Flag(code="hollow_consensus", text=text))
    elif any(one.hollow for one in measured):
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
