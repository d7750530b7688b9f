"""The report sections of an arena: how opinions moved, votes, judgement, evidence, and versions."""

import difflib
from fractions import Fraction
from statistics import fmean

from moot.api import Material
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
from moot.protocols.arena.evidence_quality import LOW_QUALITY
from moot.protocols.arena.payloads import Assessment, Convergence, JudgeReading
from moot.protocols.arena.result import ArenaOutcome, Version
from moot.text.figures import bound, reached
from moot.text.prose import plural

MOVEMENT = (
    "How far the wording of a proposal moved in each round, and whether its author said to have changed its mind."
)
EVIDENCE = (
    f"Each from 0 to 1, by count; below {LOW_QUALITY} the evidence is thin. What counts is what a proposal names: not "
    "whether that bears it out."
)


def sections(material: Material) -> list[Section]:
    outcome = material.result.outcome
    assert isinstance(outcome, ArenaOutcome)  # noqa: S101 (there is a header, so there is one)
    return [
        Section("ruling", "Decision", _proposal(outcome), place="card"),
        Section("standings", "Standings", _standings(material, outcome), place="card", brief=True),
        Section("drift", "How opinions moved", _opinions(material, outcome), live="open"),
        Section("votes", "Votes", _votes(outcome), live="covered"),
        Section("scores", "Judgement", _judgement(material, outcome)),
        Section("evidence", "Evidence of the proposals", _evidence(outcome)),
        Section("proposals", "Proposals, version by version", _versions(outcome)),
    ]


def _proposal(outcome: ArenaOutcome) -> list[Block]:
    """The winning proposal."""
    if not outcome.winner:
        return []
    last = outcome.versions[outcome.winner][-1]
    return [Quote(last.proposal, f"The proposal of {outcome.winner}", last.seq)]


def _standings(material: Material, outcome: ArenaOutcome) -> list[Block]:
    """Votes and scores of each proposal, best first."""
    scores = outcome.assessment.scores if outcome.assessment else {}
    if not scores and outcome.tally is None:
        return []
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
        for name in sorted(outcome.versions, key=lambda name: -scores.get(name, 0))
        if outcome.versions[name]
    ]
    return [Standings("The judge’s scores of the proposals", standings)]


def _votes_for(outcome: ArenaOutcome, name: str) -> str:
    """What a proposal, with those that decide the same, has under the rule: votes, weight, points or wins."""
    tally, candidate = outcome.tally, outcome.counted_for(name)
    if tally is None or candidate not in tally.scores:
        return "no vote yet"
    return f"{float(Fraction(tally.scores[candidate])):g} by {tally.rule}"


def _evidence(outcome: ArenaOutcome) -> list[Block]:
    """The evidence quality of each final proposal."""
    if not outcome.evidence:
        return []
    rows = [
        [
            name,
            f"{one.sources}" + (f", {one.absent} absent" if one.absent else ""),
            f"{one.figures:.2f}",
            reached(one.quality),
        ]
        for name, one in outcome.evidence.items()
    ]
    return [Table(["Proposal of", "Sources", "Figures", "Quality"], rows, texts=2), Paragraph(EVIDENCE, "small")]


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
            "" if one.threshold is None else bound(one.threshold),
            f"{one.same} said yes" if one.asked else "not asked",
        ]
        for one in outcome.similarity
    ]
    return Table(["After round", "Minimum", "Needed", "The same decision?"], rows, texts=4, name="Similarity")


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


def _votes(outcome: ArenaOutcome) -> list[Block]:
    if not outcome.votes:
        return []
    rows = [
        [
            one.agent,
            " > ".join(one.ranking) or "abstained",
            one.reason or one.failure or "",
            "" if one.confidence is None else f"{one.confidence:.2f}",
        ]
        for one in outcome.votes
    ]
    tally = outcome.tally
    if tally:
        counted = ", ".join(f"{name} {float(Fraction(score)):g}" for name, score in tally.scores.items())
        rows.append([f"By {tally.rule}", tally.winner or "nobody", f"{tally.reason} ({counted})", ""])
    columns = ["Voter", "Vote", "Reason", "Confidence"]
    return [Table(columns, rows, texts=3, total=tally is not None, name="Votes")]


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
    """The effect of the order on each judge."""
    said = []
    for one in assessed.judges:
        if one.order_effect is None:
            said.append(f"{one.judge}: a reading is missing, so what the order changes was not tested.")
        else:
            flips = "the first place flips with it" if one.unstable else "the first place does not"
            said.append(f"{one.judge}: scores change by {one.order_effect:.2f} with the order; {flips}.")
    return said


def _versions(outcome: ArenaOutcome) -> list[Block]:
    """All versions of every agent's proposal, later ones as a diff."""
    blocks: list[Block] = []
    for name, several in outcome.versions.items():
        shown: list[Block] = []
        for before, one in zip([None, *several], several, strict=False):
            shown.append(Heading(f"Round {one.round}", one.seq))
            text = Verbatim(one.text) if before is None else Verbatim(_difference(before, one), diff=True)
            shown.append(text)
        if several:
            blocks.append(Details(f"{name}: {plural(len(several), 'version')}", shown))
    return blocks


def _difference(before: Version, after: Version) -> str:
    def lines(version: Version) -> list[str]:
        return version.text.replace(". ", ".\n").splitlines()

    names = (f"round {before.round}", f"round {after.round}")
    return "\n".join(difflib.unified_diff(lines(before), lines(after), *names, n=1, lineterm="")) or "Unchanged."
