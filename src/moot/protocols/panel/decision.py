"""From votes to the panel's decision. Nothing here reads prose."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from moot.api import Draft, data_of
from moot.protocols.panel.cast import Panellist
from moot.protocols.panel.payloads import Ballot, Change, Decision, Position, Settled, Synthesis, Voted
from moot.protocols.panel.session import Session
from moot.text.prose import plain_words
from moot.voting.weighted import NO_CONSENSUS, Count, Rules, Vote, count, shown

Held = tuple[str | None, float | None, bool]
"""The label, the confidence, and whether the persona could not be asked."""


def decide(session: Session, number: int) -> tuple[Decision, bool]:
    """The result of the votes after a round, and whether it is final."""
    if session.changes:
        return decide_changes(session, number)
    votes = [_voted(seat, *_held(session, seat)) for seat in session.seats]
    counted = recount(votes, session.panel.config.rules)
    if session.panel.config.chosen.each_change and counted.decision == "yes":
        counted = replace(counted, short_of="yes has the most weight, and nobody proposed a change")
    decision = Decision(
        version=session.version,
        rounds=number,
        decision=counted.decision,
        carried=counted.carried,
        agreement=shown(counted.agreement),
        leading=counted.leading,
        recommendation=recommendation(votes),
        votes=votes,
        changes=[],
        short_of=counted.short_of,
    )
    return decision, counted.carried


def decide_changes(session: Session, number: int) -> tuple[Decision, bool]:
    """Count every change separately. The changes that carry are the decision; it is final once every change is accepted
    or rejected."""
    rules = session.panel.config.rules
    counted: list[tuple[Settled, Count]] = []
    for draft in session.changes:
        if isinstance(draft.data, Change):
            votes = [_voted(seat, *_vote_on(session, seat, draft.data.number)) for seat in session.seats]
            one = recount(votes, rules)
            settled = Settled(
                number=draft.data.number,
                text=draft.data.text,
                decision=one.decision,
                carried=one.carried,
                agreement=shown(one.agreement),
                votes=votes,
                short_of=one.short_of,
            )
            counted.append((settled, one))
    open_still = [f"{settled.number}: {settled.short_of}" for settled, _ in counted if not settled.carried]
    decided = {settled.decision for settled, _ in counted}
    whole = "yes" if "yes" in decided else NO_CONSENSUS if open_still else "no"
    shares = [each.agreement for settled, each in counted if settled.decision == whole]
    decision = Decision(
        version=session.version,
        rounds=number,
        decision=whole,
        carried=whole != NO_CONSENSUS,
        agreement=shown(min(shares, default=Fraction(0))),
        leading=None if whole == NO_CONSENSUS else whole,
        recommendation=None,
        votes=[],
        changes=[settled for settled, _ in counted],
        short_of="; ".join(open_still) or None,
    )
    return decision, not open_still


def recount(votes: Sequence[Voted], rules: Rules) -> Count:
    """The count of votes as the log has them."""
    return count([Vote(vote.persona, vote.label, Decimal(vote.weight), vote.validator) for vote in votes], rules)


def recommendation(votes: Sequence[Voted]) -> str | None:
    """The label with most of the validators' weight; None on a tie or without a ruling."""
    weights: dict[str, Decimal] = {}
    for vote in votes:
        if vote.validator and vote.label is not None:
            weights[vote.label] = weights.get(vote.label, Decimal(0)) + Decimal(vote.weight)
    best = [label for label, weight in weights.items() if weight == max(weights.values())]
    return best[0] if len(best) == 1 else None


def required_modifications(session: Session, decision: Decision) -> list[str]:
    """The changes to send an idea back with: those required by the validators who hold the decision or, if they name
    none, those last proposed by the panellists who hold it."""
    rulings = data_of(session.rulings, Synthesis)
    last = [draft.data for draft in session.rounds[-1] if isinstance(draft.data, Position)]
    return required_by(decision.decision, rulings, last)


def required_by(label: str, rulings: Sequence[Synthesis], last: Sequence[Position]) -> list[str]:
    """The same, from the rulings and last positions for a label."""
    wanted = [text for ruling in rulings if ruling.label == label for text in ruling.required]
    wanted = wanted or [text for one in last if one.label == label for text in one.modifications]
    return list({plain_words(text): text for text in reversed(wanted)}.values())[::-1]


def _held(session: Session, seat: Panellist) -> Held:
    """A persona's label in the last round. If there was nothing to vote on, a position without a proposal counts as
    no."""
    data = _of(session.rulings if seat.seat.validator else session.rounds[-1], seat)
    if not isinstance(data, Position | Synthesis) or data.failure is not None:
        return None, None, True
    if isinstance(data, Position) and session.panel.config.chosen.each_change:
        return "no", data.confidence, False
    return data.label, data.confidence, False


def _vote_on(session: Session, seat: Panellist, number: str) -> Held:
    data = _of(session.rulings if seat.seat.validator else session.ballots, seat)
    if not isinstance(data, Ballot | Synthesis) or data.failure is not None:
        return None, None, True
    return data.votes.get(number), data.confidence, False


def _of(drafts: Sequence[Draft], seat: Panellist) -> object:
    return next((draft.data for draft in drafts if draft.speaker == seat.name), None)


def _voted(seat: Panellist, label: str | None, confidence: float | None, missing: bool) -> Voted:
    return Voted(
        persona=seat.name,
        label=label,
        missing=missing,
        weight=str(seat.weight),
        confidence=confidence,
        validator=seat.seat.validator,
    )
