"""The arena's own sections: the decision, how opinions moved, the votes, the judgement, every version of a proposal."""

import difflib
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from moot.entry import Entry
from moot.figures import bound, reached
from moot.payloads.arena import ArenaProposal, ArenaVote, Assessment, Convergence, Critique, JudgeReading, Observation
from moot.protocols.arena.counterfactual import Alternative
from moot.protocols.arena.result import ArenaOutcome, Version
from moot.report.drift_strip import Strip, draw
from moot.report.page import Material, Table
from moot.report.transcript import Look, transcript


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome in words; `said` is the entry of the proposal that won, and `text` what it proposes."""

    headline: str
    detail: str
    reasons: list[str]
    said: Entry | None
    text: str
    change: str | None
    flags: list[str]


@dataclass(frozen=True, slots=True)
class RawVote:
    """A vote of any round: what was counted, and the reply as it came."""

    title: str
    shown: str
    raw: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A version of a proposal, with what changed since the one before; empty for the first."""

    title: str
    version: Version
    diff: str


def sections(material: Material) -> dict[str, object]:
    """What the templates of the arena show beside what every report has."""
    outcome = material.result.outcome
    if material.header is None or not isinstance(outcome, ArenaOutcome):
        nothing = Ruling("The arena had not begun", "", [], None, "", None, [])
        return {"ruling": nothing, "transcript": transcript(material, _described), **dict.fromkeys(_PARTS)}
    return {
        "ruling": ruling(material, outcome),
        "dissent": outcome.dissent,
        "strip": drift(material, outcome),
        "drift": drift_table(outcome),
        "similarity": similarity_table(outcome) if outcome.similarity else None,
        "minds": minds_table(outcome) if outcome.changes_of_mind else None,
        "votes": votes_table(outcome) if outcome.votes else None,
        "raw_votes": raw_votes(material),
        "scores": scores_table(outcome.assessment) if outcome.assessment and outcome.assessment.scores else None,
        "readings": readings_table(material, outcome),
        "agreement": agreement_of_judges(outcome.assessment),
        "proposals": {name: versions(several) for name, several in outcome.versions.items() if several},
        "otherwise": otherwise_table(outcome),
        "transcript": transcript(material, _described),
    }


_PARTS = (
    "dissent",
    "strip",
    "drift",
    "similarity",
    "minds",
    "votes",
    "raw_votes",
    "scores",
    "readings",
    "agreement",
    "proposals",
    "otherwise",
)


def ruling(material: Material, outcome: ArenaOutcome) -> Ruling:
    if outcome.verdict is None:
        return Ruling("No decision yet", "", [], None, "", changed(outcome), [])
    verdict = outcome.verdict.replace("_", " ").capitalize()
    sure = f", confidence {outcome.confidence:.2f}" if outcome.confidence is not None else ""
    leading = outcome.leading if outcome.winner is None else None
    ahead = f" {leading} is ahead: {outcome.versions[leading][-1].decision}" if leading else ""
    by = "" if outcome.decided_by == "none" else f", by {outcome.decided_by}"
    detail = f"{verdict}{by} in round {outcome.round}{sure}.{ahead}"
    last = outcome.versions[outcome.winner][-1].seq if outcome.winner else None
    said = next((entry for entry in material.entries if entry.seq == last), None)
    headline = outcome.decision or "Nothing was decided"
    return Ruling(headline, detail, outcome.reasons, said, outcome.proposal or "", changed(outcome), flags_of(outcome))


def flags_of(outcome: ArenaOutcome) -> list[str]:
    """What a reader should know before relying on it."""
    flags = [f"{one.agent} abstained: {one.failure}" for one in outcome.votes if one.failure]
    if outcome.assessment and outcome.assessment.unstable:
        flags.append("Unstable: the order in which the proposals were shown changes whom a judge puts first.")
    if outcome.assessment and outcome.assessment.failure:
        flags.append(f"The judgement is incomplete: {outcome.assessment.failure}")
    if outcome.tally and outcome.tally.self_votes == 1:
        flags.append("Everybody voted for their own proposal.")
    if any(one.hollow for one in outcome.similarity):
        flags.append("Proposals that were much alike stood on thin evidence: a hollow consensus was challenged.")
    return flags


def changed(outcome: ArenaOutcome) -> str | None:
    """Whether debating made a difference, as far as wording can tell."""
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
    minds = f"{moved} change{'s' * (moved != 1)} of mind, {whose}; {unfounded} without new evidence"
    undecided = ", which decided nothing," if outcome.verdict else ", which has no decision yet,"
    debate = f"The debate{'' if outcome.decision else undecided}"
    return f"{first}. {debate} brought {minds if moved else 'no change of mind'}."


def drift(material: Material, outcome: ArenaOutcome) -> Strip | None:
    """How far each agent moved in each round. None before there is anything to measure."""
    measured = {one.round: one for one in (entry.data for entry in material.entries) if isinstance(one, Convergence)}
    stability = {number: one.stability for number, one in measured.items()}
    minimum = {number: one.minimum for number, one in measured.items() if one.minimum is not None}
    members = {one.name: one.colour for one in material.header.cast} if material.header else {}
    changed_in = {(one.agent, one.round) for one in outcome.changes_of_mind}
    rounds = sorted({one.round for several in outcome.versions.values() for one in several})
    return draw([(name, members[name]) for name in outcome.versions], rounds, stability, minimum, changed_in)


def drift_table(outcome: ArenaOutcome) -> Table | None:
    if not any(outcome.versions.values()):
        return None
    rows = [
        [name, f"{one.round}", one.decision]
        for name, several in outcome.versions.items()
        for before, one in zip([None, *several], several, strict=False)
        if before is None or before.decision != one.decision
    ]
    return Table(["Agent", "Since round", "Decision"], rows, texts=3)


def similarity_table(outcome: ArenaOutcome) -> Table:
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
    return Table(columns, rows, texts=7)


def minds_table(outcome: ArenaOutcome) -> Table:
    rows = [
        [
            one.agent,
            f"{one.round}",
            (one.because_of or "nobody") + (f" (#{one.critique_seq})" if one.critique_seq else ""),
            one.new_evidence or "none",
            one.from_decision,
            one.to_decision,
        ]
        for one in outcome.changes_of_mind
    ]
    return Table(["Agent", "Round", "Because of", "New evidence", "From", "To"], rows, texts=6)


def votes_table(outcome: ArenaOutcome) -> Table:
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
    if outcome.tally:
        counted = ", ".join(f"{name} {float(Fraction(score)):g}" for name, score in outcome.tally.scores.items())
        rows.append(
            [
                f"By {outcome.tally.rule}",
                outcome.tally.winner or "nobody",
                "",
                f"{outcome.tally.reason} ({counted})",
                "",
            ]
        )
    return Table(["Voter", "Vote", "Own", "Reason", "Confidence"], rows, texts=4, total=outcome.tally is not None)


def raw_votes(material: Material) -> list[RawVote]:
    """Every vote, under the letters it was cast by, beside the reply it was taken from."""
    replies = {record.key: record.reply or "" for record in material.records if record.kind == "reply"}
    found = []
    for entry in material.entries:
        data = entry.data
        if isinstance(data, ArenaVote):
            letters = ", ".join(f"{letter} is {name}" for letter, name in data.labels.items())
            vote = " > ".join(data.ranking) or f"abstained: {data.failure}"
            title = f"{entry.speaker}, round {data.round}: {vote}"
            found.append(RawVote(title, letters, replies.get(entry.call or "", "")))
    return found


def scores_table(assessed: Assessment) -> Table:
    """The mean scores by criterion, the best first."""
    criteria = list(next(iter(assessed.by_criterion.values()), {}))
    order = sorted(assessed.scores, key=lambda name: -assessed.scores[name])
    rows = [
        [name, *(f"{assessed.by_criterion[name][one]:.1f}" for one in criteria), reached(assessed.scores[name])]
        for name in order
    ]
    return Table(["Proposal of", *(one.capitalize() for one in criteria), "Mean"], rows)


def readings_table(material: Material, outcome: ArenaOutcome) -> Table | None:
    """What each judge gave in either order, in the last judgement."""
    if outcome.assessment is None:
        return None
    rows = []
    for entry in material.entries:
        data = entry.data
        if isinstance(data, JudgeReading) and data.round == outcome.assessment.round:
            for letter, name in data.labels.items():
                score = reached(fmean(data.scores[name].values()), 1) if name in data.scores else "none"
                said = data.reasons.get(name, data.failure or "")
                rows.append([entry.speaker, f"{data.reading}", letter, name, said, score])
    return Table(["Judge", "Reading", "Shown as", "Proposal of", "Reason", "Score"], rows, texts=5) if rows else None


def agreement_of_judges(assessed: Assessment | None) -> list[str]:
    if assessed is None:
        return []
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


def versions(several: list[Version]) -> list[Kept]:
    found = []
    for before, one in zip([None, *several], several, strict=False):
        diff = "" if before is None else _diff(before, one)
        found.append(Kept(_made_in(one), one, diff))
    return found


def otherwise_table(outcome: ArenaOutcome) -> Table | None:
    found = outcome.counterfactual
    if found is None:
        return None
    ways = {
        "One agent alone": found.best_single,
        "Majority of the blind proposals": found.round_1_majority,
        "This debate": found.debate,
    }
    rows = [_way(name, one) for name, one in ways.items()]
    return Table(["Way", "Whose", "Decision", "Tokens"], rows, texts=3)


def _way(name: str, one: Alternative) -> list[str]:
    tokens = "unknown" if one.tokens is None else f"{one.tokens:,}"
    return [name, ", ".join(one.agents) or one.reason, one.decision or "none", tokens]


def _diff(before: Version, after: Version) -> str:
    def lines(version: Version) -> list[str]:
        text = f"{version.decision}\n\n{version.proposal}"
        return [sentence for line in text.splitlines() for sentence in line.replace(". ", ".\n").split("\n")]

    names = (_made_in(before).lower(), _made_in(after).lower())
    return "\n".join(difflib.unified_diff(lines(before), lines(after), *names, n=1, lineterm="")) or "Unchanged."


def _made_in(version: Version) -> str:
    return f"Round {version.round}" + (", exchange" if version.phase == "gate" else "")


_LOOKS = {
    "rules": Look("context", "says by which rules this is decided"),
    "round": Look("context", "opens a round"),
    "background": Look("context", "hands everybody the background"),
    "convergence": Look("context", "measures how alike the proposals are"),
    "agreement": Look("context", "says whether it decides the same"),
    "challenge": Look("statement", "doubts an agreement on thin evidence"),
    "vote": Look("context", "votes"),
    "tally": Look("context", "counts the votes"),
    "assessment": Look("context", "puts the judgements together"),
    "gate": Look("context", "says whether two answers are enough"),
    "outcome": Look("statement", "decides"),
}


def _described(entry: Entry) -> Look | None:
    """How the transcript shows what is the arena's own."""
    match entry.data:
        case ArenaProposal(failure=None, changed_mind=None):
            return Look("statement", "proposes, blind")
        case ArenaProposal(failure=None) if entry.phase == "gate":
            return Look("statement", "revises, having seen the other’s proposal")
        case ArenaProposal(failure=None, round=number):
            return Look("statement", f"revises, round {number}")
        case Critique(failure=None, of=name):
            return Look("statement", f"criticises {name}")
        case ArenaProposal() | Critique():
            return Look("context", "has nothing to give")
        case JudgeReading(reading=number):
            return Look("context", f"judges, reading {number}")
        case Observation(round=number):
            return Look("context", f"notes how round {number} was argued")
        case _:
            return _LOOKS.get(entry.type)
