"""The report sections of a panel: votes, agreement by round, changes, versions of the idea, metrics."""

from collections.abc import Sequence
from fractions import Fraction

from moot.api import Entry, Material
from moot.present import (
    Bar,
    BarChart,
    Block,
    Details,
    Heading,
    Item,
    Items,
    Paragraph,
    Quote,
    Section,
    Table,
    Verbatim,
)
from moot.protocols.panel.answer import share
from moot.protocols.panel.log import PanelLog, read
from moot.protocols.panel.metrics import Accuracy, Constructiveness, Convergence, Diversity, Efficiency
from moot.protocols.panel.payloads import Brief, Decision, Position, Synthesis, Voted
from moot.protocols.panel.result import IdeaVersion, PanelOutcome
from moot.text.prose import plural

MEASURED = (Diversity, Constructiveness, Convergence, Accuracy, Efficiency)
PALETTE = ("green", "yellow", "red", "blue", "cyan", "magenta")
AGREEMENT = (
    "Rounds show the panellists’ weight by label; the final vote includes the validators, and has a line at the "
    "share it needs."
)
CHANGES = (
    "Proposals that say the same were put together before the vote; each change is shown with the proposals it stands "
    "for."
)


def sections(material: Material) -> list[Section]:
    outcome, log = material.result.outcome, read(material.entries)
    assert isinstance(outcome, PanelOutcome)  # noqa: S101 (there is a header, so there is one)
    required = outcome.modifications_required
    versions = f", in {plural(len(outcome.revisions), 'version')}" if _several(outcome.revisions) else ""
    return [
        Section("ballots", "Votes", [_votes(outcome, log)] if outcome.votes else [], place="card", brief=True),
        Section("ruling", "Ruling", _rulings(material), place="card", brief=True),
        Section("agreement", "Agreement, round by round", _agreement(material, outcome, log), brief=True, live="open"),
        Section("changes", "Changes voted on", _changes(outcome, log), brief=True),
        Section("conclusions", "Changes required", [_listed(required)] if required else [], brief=True),
        Section("idea", f"The idea{versions}", _idea(outcome)),
        Section("metrics", "Metrics", _metrics(outcome)),
    ]


def chart(bars: Sequence[Bar], brief: Brief) -> BarChart:
    """How the weight is divided among the labels."""
    colours = {label: PALETTE[place % len(PALETTE)] for place, label in enumerate(brief.labels)}
    return BarChart("Share of the weight", AGREEMENT, bars, colours, blank="no vote")


def _votes(outcome: PanelOutcome, log: PanelLog) -> Table:
    roles = {member.name: member.role for member in log.header.cast}
    first = {name: position.label for name, position in log.last_positions if position.round == 1}
    missing = {absent.persona for absent in outcome.missing}
    rows = [
        [
            vote.persona,
            vote.label or ("could not be asked" if vote.persona in missing else "abstained"),
            (first.get(vote.persona) or "none") if roles.get(vote.persona) == "panellist" else "rules only",
            f"{float(vote.weight):g}",
            "none" if vote.confidence is None else f"{vote.confidence:.2f}",
        ]
        for vote in outcome.votes
    ]
    first_on = "First position" if log.version == 1 else f"First position on version {log.version}"
    return Table(["Persona", "Vote", first_on, "Weight", "Confidence"], rows, texts=3, name="Votes")


def _rulings(material: Material) -> list[Block]:
    """The validators' last rulings, in their own words."""
    given = [(entry, entry.data) for entry in material.entries if isinstance(entry.data, Synthesis)]
    last = max((one.place for _, one in given), default=None)
    return [block for entry, one in given if one.place == last and one.failure is None for block in _ruling(entry, one)]


def _ruling(entry: Entry, ruling: Synthesis) -> list[Block]:
    blocks: list[Block] = [Quote(ruling.reasoning or "", f"{entry.speaker}’s ruling", entry.seq)]
    if ruling.disputes:
        disputes = [Item(dispute.who_is_right, lead=dispute.point) for dispute in ruling.disputes]
        blocks += [Paragraph("Disputes, and who is right:", "small"), Items(disputes)]
    if ruling.inconsistencies:
        blocks += [Paragraph("What does not hold:", "small"), _listed(ruling.inconsistencies)]
    return blocks


def _agreement(material: Material, outcome: PanelOutcome, log: PanelLog) -> list[Block]:
    """The panellists' weight by label after each round, and the final vote of all."""
    labels, several = list(log.brief.labels), len(log.ideas) > 1
    bars: list[Bar] = []
    ends = {entry.data.place: entry.seq for entry in material.entries if isinstance(entry.data, Position)}
    counts = {entry.data.version: entry.seq for entry in material.entries if isinstance(entry.data, Decision)}
    for version in range(1, len(log.ideas) + 1):
        lead = f"v{version} " if several else ""
        rounds = [round_ for round_ in outcome.metrics.convergence.by_round if round_.version == version]
        bars += [
            Bar(f"{lead}round {held.round}", {**held.shares}, seq=ends.get((version, held.round))) for held in rounds
        ]
        decision = log.decision_on(version)
        needed = float(log.brief.threshold)
        if decision and decision.votes:
            name = f"{lead}vote" if several else "vote of all"
            bars.append(Bar(name, _shares(decision.votes, labels), needed, counts.get(version)))
        for each in decision.changes if decision else []:
            bars.append(Bar(f"{lead}{each.number}", _shares(each.votes, labels), needed, counts.get(version)))
    rows = [
        [f"{round_.version}", f"{round_.round}", round_.leading or "tie", share(round_.agreement)]
        for round_ in outcome.metrics.convergence.by_round
    ]
    table = Table(["Version", "Round", "Leading", "Agreement"], rows, texts=3, name="Agreement by round")
    folded = [Details("The same as a table", [table])] if rows else []
    return [chart(bars, log.brief), *folded] if bars else []


def _shares(votes: Sequence[Voted], labels: Sequence[str]) -> dict[str, float | Fraction]:
    total = sum(Fraction(vote.weight) for vote in votes)
    held = {label: sum(Fraction(vote.weight) for vote in votes if vote.label == label) for label in labels}
    return {label: Fraction(weight, total) if total else Fraction(0) for label, weight in held.items()}


def _changes(outcome: PanelOutcome, log: PanelLog) -> list[Block]:
    """Each change with its proposals, and who voted for it."""
    if not outcome.changes:
        return []
    last = log.decision.rounds if log.decision else 0
    made = {change.number: change for change in log.changes if change.place == (log.version, last)}
    rows = []
    for one in outcome.changes:
        stands_for = made[one.number].proposals if one.number in made else []
        sources = "; ".join(f"{each.persona}: {each.text}" for each in stands_for)
        for_it = ", ".join(vote.persona for vote in one.votes if vote.label == "yes") or "nobody"
        result = {"yes": "make", "no": "leave"}.get(one.decision, f"open: {one.short_of}")
        rows.append([one.number, one.text, sources, for_it, result, share(one.agreement)])
    columns = ["No.", "Change", "Stands for", "For it", "Decision", "Agreement"]
    return [Paragraph(CHANGES, "lead"), Table(columns, rows, texts=5, name="Changes")]


def _idea(outcome: PanelOutcome) -> list[Block]:
    """The current idea, and the decision on each version if there are several."""
    if not outcome.idea:
        return []
    blocks: list[Block] = [Verbatim(outcome.idea)]
    for one in outcome.revisions if _several(outcome.revisions) else []:
        carried = "" if one.agreement is None else f", {share(one.agreement)} of the weight"
        rounds = "" if one.agreement is None else f", {plural(one.rounds, 'round')}"
        blocks.append(Heading(f"Version {one.version}: {one.decision or 'not decided'}{carried}{rounds}"))
        if one.sent_back_with:
            blocks += [Paragraph("Sent back with:", "small"), _listed(one.sent_back_with)]
        if one.diff:
            blocks.append(Details("What changed", [Verbatim(one.diff, diff=True)]))
        if one.stopped:
            blocks.append(Paragraph(f"No further version: {one.stopped}.", "flag"))
    return blocks


def _several(versions: Sequence[IdeaVersion]) -> bool:
    """Whether there are several versions, or a reason why there is no second one."""
    return len(versions) > 1 or any(one.stopped for one in versions)


def _metrics(outcome: PanelOutcome) -> list[Block]:
    """One row per metric, with the number of the footnote that defines it."""
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
        ["Convergence: change of agreement [3]", "not measured" if change is None else f"{100 * change:+.0f} points"],
        ["Accuracy [4]", truth],
        ["Efficiency: rounds [5]", f"{spent.rounds} (least {spent.rounds_least})"],
        ["Efficiency: calls [5]", f"{spent.calls} (least {spent.calls_least})"],
        ["Efficiency: tokens [5]", tokens],
    ]
    return [
        Table(["Metric", "Value"], rows, name="The metrics in figures"),
        Items([Item(" ".join((metric.__doc__ or "").split())) for metric in MEASURED], numbered=True, small=True),
    ]


def _listed(texts: Sequence[str]) -> Items:
    return Items([Item(text) for text in texts])


def _percent(figure: float | None) -> str:
    return "none" if figure is None else f"{figure:.1%}"


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"
