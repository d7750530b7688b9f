"""The outcome of a panel, computed from its log."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from pydantic import BaseModel, Field

from moot.api import Entry, shared_fields
from moot.api.capabilities import Ground, Revised
from moot.protocols.panel import metrics
from moot.protocols.panel.decision import required_by
from moot.protocols.panel.log import PanelLog, read
from moot.protocols.panel.metrics import Metrics
from moot.protocols.panel.payloads import Ballot, Brief, Decision, Position, Revision, Settled, Synthesis, Voted
from moot.text.prose import listed
from moot.voting.weighted import Rules, Vote, count


class Dissent(BaseModel):
    persona: str
    opinion: str


class Abstention(BaseModel):
    """A persona without a vote, and why."""

    persona: str
    reason: str


class Ruling(BaseModel):
    """A validator's final label and reasons: the feedback for a pipeline."""

    validator: str
    label: str | None
    confidence: float | None
    reasoning: str | None
    inconsistencies: list[str]


class IdeaVersion(BaseModel):
    """One version of the idea and the decision on it. `diff` is against the previous version, null for the first;
    `sent_back_with` are the changes required then, and `stopped` is why no further version followed although one was
    required."""

    version: int
    idea: str
    diff: str | None
    sent_back_with: list[str]
    decision: str | None = None
    carried: bool = False
    agreement: float | None = None
    rounds: int
    stopped: str | None


class PanelOutcome(BaseModel):
    """`decision` is a label, `no_consensus`, or null when the debate has not ended. `idea` is its
    last version, `topic` what it is called.

    `confidence` is the mean confidence of those who hold the decision, by weight. `leading` is the label with the most
    weight and `recommendation` what the validators would do: where nothing carried neither is a decision.
    `answered` is how many of the `personas` gave an answer in the end; of the others, those in `abstained` declined to
    choose, and those in `missing` could not be asked: the weight of both counts against every label.

    `decision` and all that goes with it are about `idea`. `as_submitted` is the decision on the first version, and
    `accepted` whether that is the one that was wanted; `accepted_as_revised` says so of the last version, if it is
    another. `first_decision` is what the panellists' labels of round 1 alone would have decided, by weight and with the
    same threshold, null where each change is voted on; `changed` is whether the debate decided otherwise, null where
    nobody could answer another: in one round on one version.
    """

    kind: str
    topic: str
    idea: str
    decision: str | None = None
    carried: bool = False
    agreement: float | None = None
    threshold: float
    confidence: float | None
    leading: str | None = None
    recommendation: str | None = None
    short_of: str | None = None
    rounds_taken: int
    votes: list[Voted] = Field(default_factory=list)
    personas: int
    answered: int | None
    abstained: list[Abstention]
    missing: list[Abstention]
    rulings: list[Ruling]
    changes: list[Settled] = Field(default_factory=list)
    key_points: list[str]
    modifications_required: list[str]
    dissenting_opinions: list[Dissent]
    next_steps: list[str]
    revisions: list[IdeaVersion]
    first_decision: str | None
    changed: bool | None
    metrics: Metrics
    as_submitted: str | None
    accepted: bool
    accepted_as_revised: bool


DECISION = ("decision", "carried", "agreement")


def outcome(entries: Sequence[Entry]) -> PanelOutcome:
    log = read(entries)
    brief, decision = log.brief, log.decision
    briefs = [ruling.brief for ruling in log.rulings_behind_it if ruling.brief]
    wanted = brief.require or ([brief.passes] if brief.passes else [])
    missing = _missing(log, decision) if decision else []
    first = log.decision_on(1)
    before = _first_decision(log) if decision else None
    debated = decision is not None and (decision.rounds > 1 or log.version > 1)

    def is_wanted(decision: Decision | None) -> bool:
        return decision is not None and decision.carried and decision.decision in wanted

    return PanelOutcome(
        kind=brief.kind,
        topic=log.header.topic,
        idea=log.ideas[-1].content if log.ideas else "",
        **shared_fields(decision, *DECISION, "leading", "recommendation", "short_of", "votes", "changes"),
        threshold=float(brief.threshold),
        confidence=_confidence(decision) if decision else None,
        rounds_taken=max((position.round for _, position in log.last_positions), default=0),
        personas=len(brief.weights),
        answered=len(brief.weights) - len(missing) if decision else None,
        abstained=_abstained(log, decision) if decision else [],
        missing=missing,
        rulings=[
            Ruling(validator=name, **shared_fields(ruling, "label", "confidence", "reasoning", "inconsistencies"))
            for name, ruling in log.last_rulings
            if ruling.failure is None
        ],
        key_points=_texts([point.text for point in brief.because] for brief in briefs),
        modifications_required=_required(log),
        dissenting_opinions=_dissent(log, decision) if decision else [],
        next_steps=_texts([brief.next.text] for brief in briefs if brief.next),
        revisions=_versions(log),
        first_decision=before,
        changed=decision.decision != before if decision and before and debated else None,
        metrics=_metrics(log),
        as_submitted=first.decision if first else None,
        accepted=is_wanted(first),
        accepted_as_revised=log.version > 1 and is_wanted(decision),
    )


REFUSES: Mapping[Ground, Sequence[str]] = {
    "contradicted": ("answer_contradicts_verdict", "inconsistencies_open", "findings_stand"),
    "conditions": ("modifications_required",),
}
"""Flags that make a decision unreliable."""


def decided(found: PanelOutcome, _: Sequence[Entry]) -> list[str]:
    """The decision on the idea as it was submitted."""
    return [revision.decision for revision in found.revisions[:1] if revision.carried and revision.decision]


def revised(found: PanelOutcome) -> Revised | None:
    """The last version of the idea, if it is not the submitted one, and the decision on it."""
    if len(found.revisions) < 2:
        return None
    last = found.revisions[-1]
    return Revised(last.idea, [last.decision] if last.carried and last.decision else [])


def conditions(found: PanelOutcome) -> list[str]:
    """What has to change in the idea as it was submitted."""
    return found.revisions[1].sent_back_with if len(found.revisions) > 1 else found.modifications_required


def labels(entries: Sequence[Entry]) -> list[str]:
    """The possible decisions."""
    return next((list(entry.data.labels) for entry in entries if isinstance(entry.data, Brief)), [])


def with_tokens(found: PanelOutcome, tokens: Mapping[str, int | None], _: int) -> PanelOutcome:
    """The outcome with its efficiency in tokens, by call key."""
    spent = found.metrics.efficiency
    least = [n for key, n in tokens.items() if metrics.is_on_shortest_course(key, spent.rounds_least)]
    known = [n for n in tokens.values() if n is not None]
    if len(known) < len(tokens) or not sum(known):
        return found
    needed = sum(n for n in least if n is not None)
    efficiency = spent.model_copy(update={"tokens": sum(known), "tokens_least": needed})
    return found.model_copy(update={"metrics": found.metrics.model_copy(update={"efficiency": efficiency})})


def _first_decision(log: PanelLog) -> str | None:
    if log.brief.each_change:
        return None
    first = [(name, position) for name, position in log.positions if position.place == (1, 1)]
    votes = [Vote(name, one.label, Decimal(log.brief.weights[name])) for name, one in first]
    return count(votes, Rules(log.rules.labels, log.rules.threshold, 0)).decision


def _required(log: PanelLog) -> list[str]:
    if log.decision:
        return required_of(log, log.decision)
    return _texts(ruling.required for ruling in log.rulings_behind_it)


def required_of(log: PanelLog, decision: Decision) -> list[str]:
    """The changes that a decision requires; for an idea that is sent back, exactly those the reviser gets."""
    if decision.changes:
        return [change.text for change in decision.changes if change.decision == "yes"]
    if decision.decision == log.brief.revises:
        last = [position for _, position in log.positions if position.place == decision.place]
        rulings = [ruling for _, ruling in log.rulings if ruling.place == decision.place]
        return required_by(decision.decision, rulings, last)
    return _texts(ruling.required for ruling in log.rulings_behind(decision))


def _texts(lists: Iterable[list[str]]) -> list[str]:
    """The texts of several personas, without repetitions."""
    return list(dict.fromkeys(text for one in lists for text in one))


def _confidence(decision: Decision) -> float | None:
    votes = decision.votes or [
        vote for change in decision.changes if change.decision == decision.decision for vote in change.votes
    ]
    held = decision.decision if decision.carried else decision.leading
    own = [
        (Decimal(vote.weight), vote.confidence)
        for vote in votes
        if vote.label is not None and vote.label == held and vote.confidence is not None
    ]
    weight = sum((weight for weight, _ in own), Decimal(0))
    return round(sum(float(part) * confidence for part, confidence in own) / float(weight), 4) if weight else None


def _last_words(log: PanelLog) -> dict[str, str]:
    """What everybody said last, in a position, with a ballot or in a ruling."""
    said = {name: position.claim for name, position in log.last_positions if position.claim}
    said |= {name: ballot.reason for name, ballot in log.ballots if ballot.version == log.version and ballot.reason}
    return said | {name: ruling.reasoning for name, ruling in log.last_rulings if ruling.reasoning}


def _abstained(log: PanelLog, decision: Decision) -> list[Abstention]:
    """Who declined to choose in the end, on which changes where those are voted on, and what they said."""
    said = _last_words(log)
    if not decision.changes:
        none = [vote.persona for vote in decision.votes if vote.label is None and not vote.missing]
        return [Abstention(persona=name, reason=said.get(name, "")) for name in none]
    numbers: dict[str, list[str]] = {}
    for change in decision.changes:
        for vote in change.votes:
            if vote.label is None and not vote.missing:
                numbers.setdefault(vote.persona, []).append(change.number)
    return [
        Abstention(persona=name, reason=f"on {listed(several)}. {said.get(name, '')}".rstrip())
        for name, several in numbers.items()
    ]


def _missing(log: PanelLog, decision: Decision) -> list[Abstention]:
    """Who could not be asked in the end, and why."""
    last = decision.rounds
    given: list[tuple[str, Position | Synthesis | Ballot]] = [
        *[(name, position) for name, position in log.last_positions if position.round == last and not decision.changes],
        *[(name, ballot) for name, ballot in log.ballots if ballot.place == (log.version, last)],
        *log.last_rulings,
    ]
    return [Abstention(persona=name, reason=one.failure) for name, one in given if one.failure is not None]


def _dissent(log: PanelLog, decision: Decision) -> list[Dissent]:
    """The opinions of those who voted against the decision, or against the leading label, from their last position
    or ruling. Empty if no label leads."""
    said = _last_words(log)
    if decision.changes:
        against = [
            (vote.persona, f"{change.number}: {vote.label}")
            for change in decision.changes
            for vote in change.votes
            if change.carried and vote.label not in (None, change.decision)
        ]
        return [Dissent(persona=name, opinion=opinion) for name, opinion in against]
    held = decision.decision if decision.carried else decision.leading
    if held is None:
        return []
    others = [vote for vote in decision.votes if vote.label is not None and vote.label != held]
    return [Dissent(persona=one.persona, opinion=f"{one.label}: {said.get(one.persona, '')}") for one in others]


def _versions(log: PanelLog) -> list[IdeaVersion]:
    found = []
    for number, entry in enumerate(log.ideas, 1):
        made = next((revision for revision in log.revisions if revision.version == number), None)
        after = next((revision for revision in log.revisions if revision.version == number + 1), None)
        decision = log.decision_on(number)
        found.append(
            IdeaVersion(
                version=number,
                idea=entry.content,
                diff=made.diff if made else None,
                sent_back_with=made.required if made else [],
                **shared_fields(decision, *DECISION),
                rounds=max((position.round for _, position in log.positions if position.version == number), default=0),
                stopped=_stopped(after),
            )
        )
    return found


def _stopped(revision: Revision | None) -> str | None:
    if revision is None:
        return None
    return "the idea came back unchanged" if revision.unchanged else revision.stopped


def _metrics(log: PanelLog) -> Metrics:
    brief, decision = log.brief, log.decision
    proposals, adopted = _proposals(log)
    panel = [member for member in log.header.cast if member.role in ("panellist", "validator")]
    truth = (
        metrics.Accuracy(truth=brief.truth, correct=decision.decision == brief.truth)
        if brief.truth and decision
        else None
    )
    return Metrics(
        diversity=metrics.diversity(len(panel), log.last_positions, log.last_rulings),
        constructiveness=metrics.constructiveness(log.positions, proposals, adopted),
        convergence=metrics.convergence(brief, log.positions, log.version),
        accuracy=truth,
        efficiency=metrics.efficiency(
            brief, log.members("panellist"), log.members("validator"), log.decisions, log.calls
        ),
    )


def _proposals(log: PanelLog) -> tuple[int, int]:
    """How many modifications were proposed, over all versions, and how many the decisions adopt."""
    proposed, adopted = 0, 0
    for decision in log.decisions:
        made = {change.number for change in decision.changes if change.decision == "yes"}
        changes = [change for change in log.changes if change.place == decision.place]
        rulings = log.rulings_behind(decision)
        proposals = [change.proposals for change in changes] or [ruling.proposals for ruling in rulings]
        numbers = {one.number for several in proposals for one in several}
        taken_up = {proposal.number for change in changes if change.number in made for proposal in change.proposals}
        proposed += len(numbers)
        adopted += len(taken_up | {number for ruling in rulings for number in ruling.adopted} & numbers)
    return proposed, adopted
