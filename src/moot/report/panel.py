"""The panel's own sections: the decision, the votes, agreement by round, the versions of the idea, the metrics."""

import inspect
from dataclasses import dataclass
from fractions import Fraction

from moot.entry import Entry
from moot.figures import bound_percent
from moot.payloads.panel import Ballot, Brief, Change, Decision, Idea, Position, Revision, Synthesis, Voted
from moot.protocols.panel import metrics
from moot.protocols.panel.log import PanelLog, read
from moot.protocols.panel.result import IdeaVersion, PanelOutcome
from moot.report.bar_chart import Bar, Chart, draw
from moot.report.page import Material, Table
from moot.report.transcript import Look, transcript

PALETTE = ("green", "yellow", "red", "blue", "cyan", "magenta")


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome in words. `said` is the ruling that the validators gave last."""

    headline: str
    detail: str
    said: list[Entry]
    change: str | None
    flags: list[str]


def sections(material: Material) -> dict[str, object]:
    """What the templates of the panel show beside what every report has."""
    outcome = material.result.outcome
    if material.header is None or not isinstance(outcome, PanelOutcome):
        nothing = Ruling("The panel had not met", "", [], None, [])
        return {"ruling": nothing, "transcript": transcript(material, _described), **dict.fromkeys(_PARTS)}
    log = read(material.entries)
    return {
        "ruling": ruling(material, outcome, log),
        "votes": votes_table(outcome, log) if outcome.votes else None,
        "changes": changes_table(outcome, log) if outcome.changes else None,
        "chart": agreement_chart(outcome, log),
        "agreement": agreement_table(outcome),
        "conclusions": conclusions(outcome),
        "dissent": outcome.dissenting_opinions,
        "versions": outcome.revisions if len(outcome.revisions) > 1 or _stopped(outcome.revisions) else None,
        "version_shares": {one.version: _share(one.agreement) for one in outcome.revisions},
        "idea": outcome.idea,
        "metrics": metrics_table(outcome),
        "footnotes": footnotes(),
        "transcript": transcript(material, _described),
    }


_PARTS = (
    "votes",
    "changes",
    "chart",
    "agreement",
    "conclusions",
    "dissent",
    "versions",
    "version_shares",
    "idea",
    "metrics",
    "footnotes",
)


def ruling(material: Material, outcome: PanelOutcome, log: PanelLog) -> Ruling:
    last = [entry for entry in material.entries if isinstance(entry.data, Synthesis)]
    said = [one for one in last if _place(one) == _place(last[-1]) and _failure(one) is None]
    flags = [f"{one.persona} abstained: {one.reason}" for one in outcome.abstained]
    if outcome.requirement_met is False:
        flags.insert(0, f"The requirement is not met: {outcome.require} was required.")
    if outcome.decision is None:
        return Ruling("No decision yet", log.brief.question, said, None, flags)
    return Ruling(headline(outcome), detail(outcome, log.brief), said, _change(outcome), flags)


def headline(outcome: PanelOutcome) -> str:
    if outcome.changes and outcome.carried:
        made = sum(one.decision == "yes" for one in outcome.changes)
        return f"{made} of {len(outcome.changes)} changes to make"
    return (outcome.decision or "").replace("_", " ").capitalize()


def detail(outcome: PanelOutcome, brief: Brief) -> str:
    needed = f"{bound_percent(outcome.threshold)}% were needed"
    if outcome.changes:
        return f"{brief.question} Each change was voted on by itself; {needed}."
    if outcome.carried:
        return f"{brief.question} Carried with {_share(outcome.agreement)} of the weight; {needed}."
    advice = f" The validators recommend: {outcome.recommendation}." if outcome.recommendation else ""
    return f"{brief.question} Nothing carried: {outcome.short_of}.{advice}"


def votes_table(outcome: PanelOutcome, log: PanelLog) -> Table:
    roles = {member.name: member.role for member in log.header.cast}
    first = {name: one.label for name, one in log.last_positions if one.round == 1}
    rows = [
        [
            one.persona,
            one.label or "abstained",
            (first.get(one.persona) or "none") if roles.get(one.persona) == "panellist" else "rules only",
            f"{one.weight:g}",
            "none" if one.confidence is None else f"{one.confidence:.2f}",
        ]
        for one in outcome.votes
    ]
    first_on = "First position" if log.version == 1 else f"First position on version {log.version}"
    return Table(["Persona", "Vote", first_on, "Weight", "Confidence"], rows, texts=3)


def changes_table(outcome: PanelOutcome, log: PanelLog) -> Table:
    """Each change with the proposals it stands for, and who voted for it."""
    last = log.decision.rounds if log.decision else 0
    made = {one.number: one for one in log.changes if (one.version, one.round) == (log.version, last)}
    rows = []
    for one in outcome.changes:
        stands_for = made[one.number].proposals if one.number in made else []
        sources = "; ".join(f"{each.persona}: {each.text}" for each in stands_for)
        result = {"yes": "make", "no": "leave"}.get(one.decision, f"open: {one.short_of}")
        rows.append([one.number, one.text, sources, _names(one.votes, "yes"), result, _share(one.agreement)])
    return Table(["No.", "Change", "Stands for", "For it", "Decision", "Agreement"], rows, texts=5)


def agreement_chart(outcome: PanelOutcome, log: PanelLog) -> Chart | None:
    """The panellists' weight by label after each round, and the final vote of all."""
    brief = log.brief
    labels = list(brief.labels)
    colours = {label: PALETTE[place % len(PALETTE)] for place, label in enumerate(labels)}
    several = len(log.ideas) > 1
    bars: list[Bar] = []
    for version in range(1, len(log.ideas) + 1):
        lead = f"v{version} " if several else ""
        rounds = [one for one in outcome.metrics.convergence.by_round if one.version == version]
        bars += [Bar(f"{lead}round {one.round}", one.shares) for one in rounds]
        decision = next((one for one in log.decisions if one.version == version), None)
        if decision and decision.votes:
            bars.append(
                Bar(
                    f"{lead}vote" if several else "vote of all", _shares(decision.votes, labels), float(brief.threshold)
                )
            )
        for each in decision.changes if decision else []:
            bars.append(Bar(f"{lead}{each.number}", _shares(each.votes, labels), float(brief.threshold)))
    return draw(bars, colours) if bars else None


def agreement_table(outcome: PanelOutcome) -> Table | None:
    rows = [
        [f"{one.version}", f"{one.round}", one.leading or "tie", _share(one.agreement)]
        for one in outcome.metrics.convergence.by_round
    ]
    return Table(["Version", "Round", "Leading", "Agreement"], rows, texts=3) if rows else None


def conclusions(outcome: PanelOutcome) -> list[tuple[str, list[str]]]:
    lists = [
        ("Key points", outcome.key_points),
        ("Modifications required", outcome.modifications_required),
        ("Next steps", outcome.next_steps),
    ]
    return [(name, texts) for name, texts in lists if texts]


def metrics_table(outcome: PanelOutcome) -> Table:
    """One row for each figure, with the number of its footnote."""
    figures = outcome.metrics
    helpful, spent = figures.constructiveness, figures.efficiency
    accuracy = figures.accuracy
    truth = "not known" if accuracy is None else f"{'right' if accuracy.correct else 'wrong'}: {accuracy.truth}"
    tokens = "unknown" if spent.tokens is None else f"{spent.tokens:,} (least {spent.tokens_least:,})"
    change = figures.convergence.change
    rows = [
        ["Diversity: perspectives present [1]", _percent(figures.diversity.perspectives)],
        ["Diversity: distance of the arguments [1]", _figure(figures.diversity.distance)],
        [f"Constructiveness: {helpful.criticisms} criticisms, with a fix [2]", _percent(helpful.with_fix)],
        [f"Constructiveness: {helpful.proposals} proposals, adopted [2]", _percent(helpful.adopted)],
        ["Convergence: change of agreement [3]", "none" if change is None else f"{100 * change:+.0f} points"],
        ["Accuracy [4]", truth],
        ["Efficiency: rounds [5]", f"{spent.rounds} (least {spent.rounds_least})"],
        ["Efficiency: calls [5]", f"{spent.calls} (least {spent.calls_least})"],
        ["Efficiency: tokens [5]", tokens],
    ]
    return Table(["Metric", "Value"], rows)


def footnotes() -> list[str]:
    """How each metric is defined, in the words of its docstring."""
    models = (
        metrics.Diversity,
        metrics.Constructiveness,
        metrics.Convergence,
        metrics.Accuracy,
        metrics.Efficiency,
    )
    return [" ".join((inspect.getdoc(model) or "").replace("`", "").split()) for model in models]


def _described(entry: Entry) -> Look | None:
    """How the transcript shows what is the panel's own."""
    match entry.data:
        case Brief(kind=kind):
            return Look("context", f"tells the panel to decide: {kind}")
        case Idea(version=version):
            return Look("statement", f"the idea, version {version}")
        case Position(round=number, failure=None):
            return Look("statement", f"{entry.phase}, round {number}")
        case Synthesis(round=number, failure=None):
            return Look("statement", f"rules after round {number}")
        case Change(number=number):
            return Look("context", f"puts change {number} to the vote")
        case Ballot(failure=None):
            return Look("context", "votes")
        case Decision():
            return Look("statement", "counts the votes")
        case Revision():
            return Look("context", "revises the idea")
        case Position() | Synthesis() | Ballot():
            return Look("context", "abstains")
        case _:
            return None


def _place(entry: Entry) -> tuple[int, int]:
    return (entry.data.version, entry.data.round) if isinstance(entry.data, Synthesis) else (0, 0)


def _failure(entry: Entry) -> str | None:
    return getattr(entry.data, "failure", None)


def _stopped(versions: list[IdeaVersion]) -> bool:
    return any(one.stopped for one in versions)


def _shares(votes: list[Voted], labels: list[str]) -> dict[str, Fraction]:
    total = sum(Fraction(vote.weight) for vote in votes)
    held = {label: sum(Fraction(vote.weight) for vote in votes if vote.label == label) for label in labels}
    return {label: Fraction(weight, total) if total else Fraction(0) for label, weight in held.items()}


def _names(votes: list[Voted], label: str) -> str:
    return ", ".join(vote.persona for vote in votes if vote.label == label) or "nobody"


def _share(share: float | None) -> str:
    """A share of the weight. On record it is rounded down, so that it is told whole, as is what was needed."""
    return "none" if share is None else f"{bound_percent(share)}%"


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{share:.1%}"


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _change(outcome: PanelOutcome) -> str | None:
    """Whether debating and weighing made a difference."""
    other = outcome.counterfactual
    if other is None:
        return None
    on = " on the first version" if len(outcome.revisions) > 1 else ""
    first, plain = (_alternative(one.decision, one.changes) for one in (other.first_positions, other.unweighted))
    debate = "The debate changed the decision" if other.changed else "The debate did not change the decision"
    weights = "The weights changed it" if other.weights_decided else "The weights did not change it"
    return f"{debate}: the first positions{on} alone come to {first}. {weights}: with a vote each it is {plain}."


def _alternative(decision: str, changes: list[str]) -> str:
    return f"{decision} ({', '.join(changes)})" if changes else decision.replace("_", " ")
