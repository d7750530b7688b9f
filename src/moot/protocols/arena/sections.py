"""The report sections of an arena: how opinions moved, votes, judgement, evidence, versions, and the counterfactual."""

import difflib
from collections.abc import Sequence
from statistics import fmean

from moot.engine.outcome.material import Material
from moot.present import (
    Block,
    Details,
    Heading,
    Paragraph,
    Quote,
    Section,
    Standing,
    Standings,
    Table,
    Verbatim,
)
from moot.protocols.arena.counterfactual import Alternative
from moot.protocols.arena.evidence_quality import LOW_QUALITY
from moot.protocols.arena.payloads import ArenaVote, Assessment, Convergence, JudgeReading
from moot.protocols.arena.result import ArenaOutcome, Version
from moot.protocols.arena.summary import counted, figure
from moot.text.figures import bound, reached
from moot.text.prose import plural

MOVEMENT = (
    "How far the wording of a proposal moved in each round, and whether its author said to have changed its mind."
)
EVIDENCE = (
    f"Each from 0 to 1, by count; below {LOW_QUALITY} the evidence is thin. Checked are sources and quotations that "
    "stand in the texts handed to all, or were found on the web: not whether they bear the proposal out."
)
LESS = (
    "From the same calls: what would have been decided without the rest, and what each way took. Decisions are "
    "compared by their words, and other words may mean the same."
)


def sections(material: Material) -> list[Section]:
    outcome = material.result.outcome
    assert isinstance(outcome, ArenaOutcome)  # noqa: S101 (there is a header, so there is one)
    return [
        Section("ruling", "Decision", _proposal(outcome), place="card"),
        Section("standings", "Standings", _standings(material, outcome), place="card", brief=True),
        Section("drift", "How opinions moved", _opinions(material, outcome), live="open"),
        Section("votes", "Votes", _votes(material, outcome), live="covered"),
        Section("scores", "Judgement", _judgement(material, outcome)),
        Section("evidence", "Evidence of the proposals", _evidence(outcome)),
        Section("proposals", "Proposals, version by version", _versions(outcome)),
        Section("otherwise", "With less debate", _otherwise(outcome)),
    ]


def _proposal(outcome: ArenaOutcome) -> list[Block]:
    """The winning proposal."""
    if not outcome.winner:
        return []
    last = outcome.versions[outcome.winner][-1]
    return [Quote(last.proposal, f"The proposal of {outcome.winner}", last.seq)]


def _standings(material: Material, outcome: ArenaOutcome) -> list[Block]:
    """Votes and scores of each proposal, best first; similarity, and the cost of the alternatives."""
    scores = outcome.assessment.scores if outcome.assessment else {}
    votes = dict(outcome.tally.scores) if outcome.tally else {}
    found: list[Block] = []
    if scores or votes:
        names = [name for name, versions in outcome.versions.items() if versions]
        standings = [
            Standing(
                name=name,
                colour=material.colours.get(name, ""),
                about=_votes_for(outcome, name),
                # Rounded down, so that it never seems to reach a bound it missed.
                score=float(reached(scores[name], 1)) if name in scores else None,
                won=name == outcome.winner,
                mark=material.marks.get(name, ""),
            )
            for name in sorted(names, key=lambda name: -scores.get(name, 0))
        ]
        found.append(Standings("The judge’s scores of the proposals", standings))
    if outcome.similarity:
        least = ", ".join(
            f"{'unknown' if one.minimum is None else reached(one.minimum)} after round {one.round}"
            for one in outcome.similarity
        )
        found.append(Paragraph(f"Lowest similarity between two proposals (0 to 1): {least}.", "small"))
    if other := outcome.counterfactual:
        took = f"{_tokens(other.round_1_majority)}; the whole debate: {_tokens(other.debate)}"
        found.append(Paragraph(f"The blind proposals took {took}.", "small"))
    return found


def _votes_for(outcome: ArenaOutcome, name: str) -> str:
    """A proposal's score under the rule: votes, weight, points or wins."""
    tally = outcome.tally
    if tally is None or name not in tally.scores:
        return "no vote yet"
    return f"{figure(tally.scores[name])} by {tally.rule}"


def _evidence(outcome: ArenaOutcome) -> list[Block]:
    """The evidence quality of each final proposal."""
    if not outcome.evidence:
        return []
    rows = [
        [
            name,
            f"{one.named}, {one.checked} checked" + (f", {one.absent} absent" if one.absent else ""),
            f"{one.figures:.2f}",
            "none" if one.quotations is None else f"{one.quotations:.2f}",
            reached(one.quality),
        ]
        for name, one in outcome.evidence.items()
    ]
    columns = ["Proposal of", "Sources", "Figures", "Quotations found", "Quality"]
    return [Table(columns, rows, texts=2), Paragraph(EVIDENCE, "small")]


def _opinions(material: Material, outcome: ArenaOutcome) -> list[Block]:
    if not any(outcome.versions.values()):
        return []
    decided = [
        [name, f"{one.round}", one.decision]
        for name, several in outcome.versions.items()
        for before, one in zip([None, *several], several, strict=False)
        if before is None or before.decision != one.decision
    ]
    table = Table(["Agent", "Since round", "Decision"], decided, texts=3, name="Decisions over the rounds")
    blocks: list[Block] = [
        _movement(material, outcome),
        Paragraph(MOVEMENT, "small"),
        Details("What each decided, and since when", [table]),
    ]
    if outcome.similarity:
        blocks += [Heading("How alike the proposals were"), _similarity(outcome)]
    if outcome.changes_of_mind:
        blocks += [Heading("Who changed its mind, by its own account"), _minds(outcome)]
    return blocks


def _movement(material: Material, outcome: ArenaOutcome) -> Table:
    """How far each agent moved in each round, by similarity to its own previous proposal."""
    measured = {one.round: one for one in (entry.data for entry in material.entries) if isinstance(one, Convergence)}
    rounds = sorted({one.round for several in outcome.versions.values() for one in several})[1:]

    def cell(name: str, number: int) -> str:
        alike = measured[number].stability.get(name) if number in measured else None
        moved = "not measured" if alike is None else f"{max(0.0, min(1.0, 1 - alike)):.0%}"
        turned = any(one.agent == name and one.round == number for one in outcome.changes_of_mind)
        return f"{moved}, changed its mind" if turned else moved

    rows = [[name, *(cell(name, number) for number in rounds)] for name in outcome.versions]
    return Table(["Moved by", *(f"Round {number}" for number in rounds)], rows)


def _similarity(outcome: ArenaOutcome) -> Table:
    rows = [
        [
            f"{one.round}",
            "not measured" if one.minimum is None else reached(one.minimum),
            "" if one.mean is None else reached(one.mean),
            "" if one.threshold is None else bound(one.threshold),
            f"{one.same} said yes" if one.asked else "not asked",
            "yes" if one.hollow else "no",
            one.backend,
        ]
        for one in outcome.similarity
    ]
    columns = ["After round", "Minimum", "Mean", "Needed", "The same decision?", "Thin evidence", "Measured by"]
    return Table(columns, rows, texts=7, name="Similarity")


def _minds(outcome: ArenaOutcome) -> Table:
    rows = [
        [
            one.agent,
            f"{one.round}",
            (one.because_of or "nobody") + (f" (#{one.critique_seq})" if one.critique_seq is not None else ""),
            one.new_evidence or "none",
            one.from_decision,
            one.to_decision,
        ]
        for one in outcome.changes_of_mind
    ]
    columns = ["Agent", "Round", "Because of", "New evidence", "From", "To"]
    return Table(columns, rows, texts=6, name="Changes of mind")


def _votes(material: Material, outcome: ArenaOutcome) -> list[Block]:
    if not outcome.votes:
        return []
    rows = [
        [
            one.agent,
            " > ".join(one.ranking) or "abstained",
            "yes" if one.own else "no",
            one.reason or one.failure or "",
            "" if one.confidence is None else f"{one.confidence:.2f}",
        ]
        for one in outcome.votes
    ]
    tally = outcome.tally
    if tally:
        rows.append([f"By {tally.rule}", tally.winner or "nobody", "", f"{tally.reason} ({counted(tally)})", ""])
    columns = ["Voter", "Vote", "Own", "Reason", "Confidence"]
    table = Table(columns, rows, texts=4, total=tally is not None, name="Votes")
    return [table, Details("Every vote beside the reply it was taken from", _raw_votes(material))]


def _raw_votes(material: Material) -> list[Block]:
    """Every vote with its letters and the raw reply."""
    replies = {record.key: record.reply or "" for record in material.records if record.kind == "reply"}
    blocks: list[Block] = []
    for entry in material.entries:
        if isinstance(entry.data, ArenaVote):
            vote = " > ".join(entry.data.ranking) or f"abstained: {entry.data.failure or entry.data.reason}"
            letters = ", ".join(f"{letter} is {name}" for letter, name in entry.data.labels.items())
            blocks.append(Heading(f"{entry.speaker}, round {entry.data.round}: {vote}", entry.seq))
            blocks.append(Paragraph(letters, "small"))
            blocks.append(Verbatim(replies.get(entry.call or "", "")))
    return blocks


def _judgement(material: Material, outcome: ArenaOutcome) -> list[Block]:
    judged = outcome.assessment
    if judged is None or not judged.scores:
        return []
    blocks: list[Block] = [_scores(judged), *(Paragraph(text, "small") for text in _judges(judged))]
    return [*blocks, Details("Both orders", [_readings(material, judged)])]


def _scores(assessed: Assessment) -> Table:
    """Mean scores by criterion, best first."""
    criteria = list(next(iter(assessed.by_criterion.values()), {}))
    order = sorted(assessed.scores, key=lambda name: -assessed.scores[name])
    rows = [
        [name, *(f"{assessed.by_criterion[name][one]:.1f}" for one in criteria), reached(assessed.scores[name])]
        for name in order
    ]
    return Table(["Proposal of", *(one.capitalize() for one in criteria), "Mean"], rows, name="Mean scores")


def _readings(material: Material, assessed: Assessment) -> Table:
    """Each judge's scores in both orders, in the last judgement."""
    rows = []
    for entry in material.entries:
        data = entry.data
        if isinstance(data, JudgeReading) and data.round == assessed.round:
            for letter, name in data.labels.items():
                score = reached(fmean(data.scores[name].values()), 1) if name in data.scores else "none"
                said = data.reasons.get(name, data.failure or "")
                rows.append([entry.speaker, f"{data.reading}", letter, name, said, score])
    columns = ["Judge", "Reading", "Shown as", "Proposal of", "Reason", "Score"]
    return Table(columns, rows, texts=5, name="Scores in both orders")


def _judges(assessed: Assessment) -> list[str]:
    """The effect of the order on each judge, and the agreement between judges."""
    said = []
    for one in assessed.judges:
        if one.order_effect is not None:
            bias = "" if one.earlier_bias is None else f", {one.earlier_bias:+.2f} for being shown earlier"
            flips = "the first place flips with it" if one.unstable else "the first place does not"
            said.append(f"{one.judge}: scores change by {one.order_effect:.2f} with the order{bias}; {flips}.")
        else:
            said.append(f"{one.judge}: a reading is missing, so what the order changes was not tested.")
    if assessed.same_first is not None:
        said.append(
            f"Of the pairs of judges {assessed.same_first:.0%} put the same proposal first; Kendall’s tau between "
            f"their scores is {assessed.rank_agreement:.2f}."
        )
    return said


def _versions(outcome: ArenaOutcome) -> list[Block]:
    """All versions of every agent's proposal, later ones as a diff."""
    blocks: list[Block] = []
    for name, several in outcome.versions.items():
        shown: list[Block] = []
        for before, one in zip([None, *several], several, strict=False):
            shown.append(Heading(one.made_in, one.seq))
            whole = f"{one.decision}\n\n{one.proposal}"
            shown.append(Verbatim(whole) if before is None else Verbatim(_difference(before, one), diff=True))
        if several:
            blocks.append(Details(f"{name}: {plural(len(several), 'version')}", shown))
    return blocks


def _difference(before: Version, after: Version) -> str:
    def lines(version: Version) -> list[str]:
        text = f"{version.decision}\n\n{version.proposal}"
        return [sentence for line in text.splitlines() for sentence in line.replace(". ", ".\n").split("\n")]

    names = (before.made_in.lower(), after.made_in.lower())
    return "\n".join(difflib.unified_diff(lines(before), lines(after), *names, n=1, lineterm="")) or "Unchanged."


def _otherwise(outcome: ArenaOutcome) -> list[Block]:
    found = outcome.counterfactual
    if found is None:
        return []
    ways: Sequence[tuple[str, Alternative]] = [
        ("One agent alone", found.best_single),
        ("Majority of the blind proposals", found.round_1_majority),
        ("This debate", found.debate),
    ]
    rows = [
        [name, ", ".join(one.agents) or one.reason, one.decision or "none", _count(one.tokens)] for name, one in ways
    ]
    table = Table(["Way", "Whose", "Decision", "Tokens"], rows, texts=3, name="With less debate")
    return [Paragraph(LESS, "lead"), table]


def _tokens(way: Alternative) -> str:
    return "tokens unknown" if way.tokens is None else f"{way.tokens:,} tokens"


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"
