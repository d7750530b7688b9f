"""What a panel answers: its headline and its brief, from a ruling that agrees with the count."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from moot.api import MOST_REASONS, Entry, headline
from moot.present import Brief, Dissent, Point
from moot.protocols.panel.log import PanelLog
from moot.protocols.panel.payloads import Ballot, Decision, Given, Position, Synthesis
from moot.protocols.panel.result import PanelOutcome
from moot.text.figures import bound_percent
from moot.text.prose import plural


def headline_of(outcome: PanelOutcome, log: PanelLog, answer: str | None) -> str:
    """The answer with the count that bears it, and whether it holds for the idea as it was submitted."""
    if outcome.decision is None:
        return "No decision yet"
    label = outcome.decision.replace("_", " ")
    required = "; ".join(text.removesuffix(".") for text in outcome.modifications_required)
    weight = f"{share(outcome.agreement)} of the weight" if outcome.carried else ""
    if len(outcome.revisions) > 1 and outcome.decision == log.brief.passes:
        return headline(": ".join(filter(None, ("Not as submitted; accepted as revised", answer))), weight)
    count = "; ".join(filter(None, (_which_text(outcome, log), weight)))
    if not outcome.carried:
        return headline(f"No answer: {outcome.short_of}", count)
    if outcome.changes:
        made = sum(change.decision == "yes" for change in outcome.changes)
        count = f"{made} of {plural(len(outcome.changes), 'change')}"
        return headline(answer or (f"Make these changes: {required}" if made else "Change nothing"), count)
    if outcome.decision == log.brief.revises:
        return headline(answer or (f"Only with these changes: {required}" if required else f"No: {label}"), count)
    if log.brief.passes is not None:
        label = f"{'Yes' if outcome.decision == log.brief.passes else 'No'}: {label}"
    words = answer or f"{label[:1].upper()}{label[1:]}"
    return headline(f"Only with these changes: {required}. {words}" if required else words, count)


def _which_text(outcome: PanelOutcome, log: PanelLog) -> str:
    """Which text a decision is about, where it does not let the submitted one pass."""
    if len(outcome.revisions) > 1:
        return "not as submitted, nor as revised"
    return "not as submitted" if outcome.decision == log.brief.revises else ""


def share(figure: float | None) -> str:
    """A share of the weight. It is stored rounded down, so it is shown in full, like the required share."""
    return "none" if figure is None else f"{bound_percent(figure)}%"


def brief_of(outcome: PanelOutcome, log: PanelLog, entries: Sequence[Entry]) -> Brief:
    """The brief of a validator or, without one that agrees with the decision, the reasons of the votes."""
    decision = log.decision
    if decision is None:
        return Brief()
    given = [entry for entry in entries if isinstance(entry.data, Given) and entry.data.place == decision.place]
    last = {entry.speaker: entry for entry in given}
    brief = _written(decision, last.values()) or _voted(decision, last, log)
    dissent = [Dissent(who=dissent.persona, reason=dissent.opinion) for dissent in outcome.dissenting_opinions]
    return brief.model_copy(update={"firmness": _firmness(outcome, decision), "dissent": dissent})


def _written(decision: Decision, last: Iterable[Entry]) -> Brief | None:
    """The brief of a validator who voted as it was decided, and whose answer says so. Where nothing carried, nobody's
    answer is that of the panel: only what is agreed and what comes next is taken over."""
    agreeing = _agreeing(decision)
    for entry in last:
        ruling = entry.data if isinstance(entry.data, Synthesis) else None
        brief = ruling.brief if ruling and not ruling.contradicts_itself else None
        if brief is not None and not decision.carried:
            return Brief(agreed=brief.agreed, next=brief.next, source=entry.seq)
        if brief is not None and agreeing.get(entry.speaker):
            return brief.model_copy(update={"source": entry.seq})
    return None


def _voted(decision: Decision, last: Mapping[str, Entry], log: PanelLog) -> Brief:
    """The reasons of the heaviest who voted as it was decided, and of the heaviest who did not."""
    if not decision.carried:
        return Brief()
    agreeing = _agreeing(decision)
    heaviest = sorted(agreeing, key=lambda name: -Fraction(log.brief.weights[name]))
    reasons = {name: point for name in heaviest if name in last and (point := _reason(last[name])).text}
    because = [point for name, point in reasons.items() if agreeing[name]]
    against = [point for name, point in reasons.items() if not agreeing[name]]
    return Brief(because=because[:MOST_REASONS], objection=next(iter(against), None))


def _agreeing(decision: Decision) -> dict[str, bool]:
    """Whether somebody's votes are all as it was decided; who abstained is left out."""
    cast = [(vote, decision.decision) for vote in decision.votes]
    cast += [(vote, change.decision) for change in decision.changes if change.carried for vote in change.votes]
    found: dict[str, bool] = {}
    for vote, decided in cast:
        if vote.label is not None:
            found[vote.persona] = found.get(vote.persona, True) and vote.label == decided
    return found


def _reason(entry: Entry) -> Point:
    match entry.data:
        case Position(claim=text) | Synthesis(reasoning=text) | Ballot(reason=text):
            return Point(text=text or "", entries=[entry.seq])
        case _:
            return Point(text="")


def _firmness(outcome: PanelOutcome, decision: Decision) -> str:
    """How much weight is behind a decision, and whose vote it hangs on."""
    if not decision.carried:
        return ""
    weight = f"{share(decision.agreement)} of the weight is behind it, and {share(outcome.threshold)} were needed"
    if decision.changes:
        return f"Of the change with the least support, {weight}."
    behind = [vote for vote in decision.votes if vote.label == decision.decision]
    if len(behind) == len(decision.votes):
        return f"Firm: all {len(behind)} voted for it."
    total = sum(Fraction(vote.weight) for vote in decision.votes)
    spare = sum(Fraction(vote.weight) for vote in behind) - Fraction(str(outcome.threshold)) * total
    needed = [vote.persona for vote in behind if Fraction(vote.weight) > spare]
    if needed:
        return f"Narrow: {weight}. One vote could undo it: that of {' or '.join(needed)}."
    return f"Firm: {weight}. No single vote could undo it."
