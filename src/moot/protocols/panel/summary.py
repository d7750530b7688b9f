"""The summary of a panel, the same everywhere: the decision, how it was reached, and warnings."""

from collections import Counter
from collections.abc import Sequence

from moot.api import Entry
from moot.present import Flag, Summary
from moot.protocols.panel.answer import brief_of, headline_of, share
from moot.protocols.panel.decision import recount
from moot.protocols.panel.findings import settled
from moot.protocols.panel.log import PanelLog, read
from moot.protocols.panel.payloads import Brief, Decision
from moot.protocols.panel.result import PanelOutcome
from moot.text.prose import listed, plural, sentence


def summary(outcome: PanelOutcome, entries: Sequence[Entry]) -> Summary:
    log = read(entries)
    brief = brief_of(outcome, log, entries)
    return Summary(
        headline=headline_of(outcome, log, brief.answer),
        kind="Decision",
        decided=outcome.carried,
        reached=_reached(outcome, log.brief),
        change=_change(log),
        brief=brief,
        flags=flags(outcome, log),
    )


def _reached(outcome: PanelOutcome, brief: Brief) -> str:
    if outcome.decision is None:
        return brief.question
    how = ""  # of one decision that carried, the brief says by how much
    if outcome.changes:
        how = f"Each change was voted on by itself; {share(outcome.threshold)} were needed."
    elif not outcome.carried:
        advice = f" The validators recommend: {outcome.recommendation}." if outcome.recommendation else ""
        how = f"Nothing carried: {outcome.short_of}.{advice}"
    parts = [brief.question, how, _voted(outcome)]
    if len(outcome.revisions) > 1:
        parts.append(f"This is version {len(outcome.revisions)} of the idea.")
    return " ".join(filter(None, parts))


def _voted(outcome: PanelOutcome) -> str:
    after = f"of {outcome.answered} of {outcome.personas} after {plural(outcome.rounds_taken, 'round')}"
    sure = "" if outcome.confidence is None else f", confidence {outcome.confidence:.2f}"
    if outcome.changes:
        return f"By weighted vote {after}{sure}."
    lost = {absent.persona for absent in outcome.missing}
    labels = Counter(vote.label or ("missing" if vote.persona in lost else "abstained") for vote in outcome.votes)
    counted = ", ".join(f"{label} {count}" for label, count in labels.most_common())
    return f"By weighted vote {after}: {counted}{sure}."


def _change(log: PanelLog) -> str | None:
    """Who answered otherwise in the last round than in the first, on the same version of the idea."""
    said = [
        (name, position) for name, position in log.positions if position.version == 1 and position.label is not None
    ]
    first = {name: one.label for name, one in said if one.round == 1}
    last = {name: one.label for name, one in said if one.round > 1}
    both = [name for name in first if name in last]
    moved = [f"{name} from {first[name]} to {last[name]}" for name in both if first[name] != last[name]]
    if not both:
        return None
    on = " on the first version" if log.version > 1 else ""
    told = f": {'; '.join(moved)}".replace("_", " ") if moved else ""
    return f"{len(moved) or 'None'} of {len(both)} changed their answer{on} while they debated{told}."


def flags(outcome: PanelOutcome, log: PanelLog) -> list[Flag]:
    found = []
    found += _open(log.decision, log) if log.decision else []
    found += [Flag(code="abstained", text=f"{voter.persona} abstained: {voter.reason}") for voter in outcome.abstained]
    if outcome.missing:
        told = "; ".join(f"{absent.persona} ({absent.reason})" for absent in outcome.missing)
        text = f"Decided with {outcome.answered} of {outcome.personas} answers. No answer from: {told}."
        found.append(Flag(code="personas_missing", text=text))
    accuracy = outcome.metrics.accuracy
    if accuracy is not None and not accuracy.correct:
        text = f"The decision is not the one that is known to be right: {accuracy.truth}."
        found.append(Flag(code="known_to_be_wrong", text=text))
    return [
        *found,
        *_of_the_rulings(log),
        *_of_the_validators(log),
        *_of_the_revisions(outcome, log),
        *_of_the_changes(log),
    ]


def _open(decision: Decision, log: PanelLog) -> list[Flag]:
    """Flags for changes that did not carry, and why."""
    open_changes = [change for change in decision.changes if not change.carried]
    found = [
        Flag(code="change_open", text=f"{change.number} stays undecided: {change.short_of}.") for change in open_changes
    ]
    if not decision.carried and not decision.changes:
        lack = recount(decision.votes, log.rules).lack or "nothing_proposed"
        found.append(Flag(code=f"no_consensus_{lack}", text=f"No consensus: {decision.short_of}."))
    return found


def _of_the_rulings(log: PanelLog) -> list[Flag]:
    """Flags for a decision that stands although the rulings for it, or findings, leave something open. A
    decision that does not let the idea pass is consistent with what is open."""
    decision, brief = log.decision, log.brief
    if decision is None or not decision.carried or decision.changes:
        return []
    if decision.decision == brief.revises or brief.passes not in (None, decision.decision):
        return []
    behind, found = log.rulings_behind(decision), []
    if open_still := list(dict.fromkeys(text for ruling in behind for text in ruling.inconsistencies)):
        text = f"The validators find what does not hold, and decide “{decision.decision}”: {'; '.join(open_still)}"
        found.append(Flag(code="inconsistencies_open", text=sentence(text)))
    if required := list(dict.fromkeys(text for ruling in behind for text in ruling.required)):
        text = f"The validators require changes, and decide “{decision.decision}”: {'; '.join(required)}"
        found.append(Flag(code="modifications_required", text=sentence(text)))
    raised = settled(log.last_positions, [(name, ruling.findings) for name, ruling in log.last_rulings])
    if standing := [finding.claim for finding in raised if finding.blocks]:
        text = f"Grave findings stand, and the panel decides “{decision.decision}”: {'; '.join(standing)}"
        found.append(Flag(code="findings_stand", text=sentence(text)))
    return found


def _of_the_validators(log: PanelLog) -> list[Flag]:
    texts = [
        f"{name}’s answer contradicts its own vote and is left out: it comes to {ruling.follows}, not {ruling.label}."
        for name, ruling in log.last_rulings
        if ruling.contradicts_itself
    ]
    found = [Flag(code="answer_contradicts_verdict", text=text) for text in texts]
    held = {name: ruling.label for name, ruling in log.last_rulings if ruling.label is not None}
    if len(set(held.values())) < 2:
        return found
    told = listed([f"{name} for {label}" for name, label in held.items()])
    return [*found, Flag(code="validators_disagree", text=f"The validators disagree: {told}.", severity="note")]


def _of_the_revisions(outcome: PanelOutcome, log: PanelLog) -> list[Flag]:
    """Flags for an idea that was sent back without a new version."""
    found = [
        Flag(code="revision_stopped", text=f"No further version: {revision.stopped}.")
        for revision in outcome.revisions
        if revision.stopped
    ]
    brief, decision = log.brief, log.decision
    sent_back = decision is not None and decision.decision == brief.revises
    if sent_back and log.version > brief.max_revisions > 0:
        most = plural(brief.max_revisions, "revision")
        text = f"The panel asked for more changes, but the limit of {most} was reached."
        found.append(Flag(code="revisions_ran_out", text=text))
    return found


def _of_the_changes(log: PanelLog) -> list[Flag]:
    lost = [change.failure for change in log.changes if change.failure is not None]
    return [Flag(code="changes_not_merged", text=f"In the vote {lost[-1]}.", severity="note")] if lost else []
