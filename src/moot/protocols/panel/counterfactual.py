"""What the panel would have decided by its first positions alone, and with equal weights."""

from collections.abc import Sequence
from decimal import Decimal

from pydantic import BaseModel

from moot.protocols.panel.decision import recount
from moot.protocols.panel.log import PanelLog
from moot.protocols.panel.payloads import Decision, Voted
from moot.voting.weighted import NO_CONSENSUS, Rules, Vote, count, shown


class OtherDecision(BaseModel):
    """The decision of another procedure. `changes` are the numbers of the changes it would have made."""

    decision: str
    agreement: float | None
    changes: list[str]


class PanelCounterfactual(BaseModel):
    """`first_positions` counts the panellists' labels of round 1 on the first version of the idea alone, by weight and
    with the same threshold, as if there had been no debate, no validators and no revision (if each change is voted on,
    proposing it in round 1 counts as a yes). `unweighted` counts the final votes with one vote each, under the same
    rules otherwise. `changed` tells whether the debate changed the decision, None where nobody could answer another: in
    one round on one version. `weights_decided` tells whether the weights changed it."""

    first_positions: OtherDecision
    unweighted: OtherDecision
    changed: bool | None
    weights_decided: bool


def counterfactual(log: PanelLog, decision: Decision) -> PanelCounterfactual:
    first = _by_first_proposals(log, decision) if decision.changes else _by_first_positions(log)
    unweighted = _unweighted(log, decision)
    made = [one.number for one in decision.changes if one.decision == "yes"]
    debated = decision.rounds > 1 or log.version > 1
    return PanelCounterfactual(
        first_positions=first,
        unweighted=unweighted,
        changed=(first.decision, first.changes) != (decision.decision, made) if debated else None,
        weights_decided=(unweighted.decision, unweighted.changes) != (decision.decision, made),
    )


def _by_first_positions(log: PanelLog) -> OtherDecision:
    first = [(name, one) for name, one in log.positions if (one.version, one.round) == (1, 1)]
    no_proposals = log.brief.each_change
    votes = [
        Vote(
            name,
            ("no" if one.failure is None else None) if no_proposals else one.label,
            Decimal(log.brief.weights[name]),
        )
        for name, one in first
    ]
    counted = count(votes, Rules(log.rules.labels, log.rules.threshold, 0))
    return OtherDecision(decision=counted.decision, agreement=shown(counted.agreement), changes=[])


def _by_first_proposals(log: PanelLog, decision: Decision) -> OtherDecision:
    """Each change as if only its proposers of round 1 had voted, with yes."""
    weights = {name: Decimal(log.brief.weights[name]) for name, one in log.last_positions if one.round == 1}
    rules = Rules(log.rules.labels, log.rules.threshold, 0)
    made = []
    for change in log.changes:
        if (change.version, change.round) == (log.version, decision.rounds):
            early = {one.persona for one in change.proposals if one.round == 1}
            votes = [Vote(name, "yes" if name in early else None, weight) for name, weight in weights.items()]
            made += [change.number] if count(votes, rules).carried else []
    return OtherDecision(decision="yes" if made else NO_CONSENSUS, agreement=None, changes=made)


def _unweighted(log: PanelLog, decision: Decision) -> OtherDecision:
    def equal(votes: Sequence[Voted]) -> list[Voted]:
        return [vote.model_copy(update={"weight": "1"}) for vote in votes]

    if not decision.changes:
        counted = recount(equal(decision.votes), log.rules)
        return OtherDecision(decision=counted.decision, agreement=shown(counted.agreement), changes=[])
    by_number = {one.number: recount(equal(one.votes), log.rules).decision for one in decision.changes}
    made = [number for number, each in by_number.items() if each == "yes"]
    rest = NO_CONSENSUS if NO_CONSENSUS in by_number.values() else "no"
    return OtherDecision(decision="yes" if made else rest, agreement=None, changes=made)
