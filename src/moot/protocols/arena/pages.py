"""What web pages and gates show of an arena beyond its report."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from moot.engine.define.capabilities import Ballots, Blind, Gated, as_logged
from moot.engine.outcome.material import Material
from moot.present import Proposal, Sitting, Table
from moot.present import Version as Shown
from moot.protocols.arena.ballots import stands_for
from moot.protocols.arena.cast import without_names
from moot.protocols.arena.payloads import ArenaProposal, ArenaRules, ArenaVote, HollowChallenge, JudgeReading
from moot.protocols.arena.result import ArenaOutcome, Version
from moot.record.entry import Entry, first_data
from moot.text.prose import listed

APPROVING = ["approved", "approved_with_conditions"]


def versions(outcome: ArenaOutcome) -> dict[str, list[Shown]]:
    return {
        name: [Shown(one.made_in, f"{one.decision}\n\n{one.proposal}", one.seq) for one in several]
        for name, several in outcome.versions.items()
    }


def gate(outcome: ArenaOutcome | None, entries: Sequence[Entry]) -> Gated:
    """Whether the verdict passes: it is one of the required ones or, without a requirement, an approval."""
    rules = first_data(entries, ArenaRules)
    passing = (rules.require if rules else []) or APPROVING
    if outcome is None or outcome.verdict is None:
        return Gated(passed=None, decision=None, passing=" or ".join(passing))
    return Gated(
        passed=outcome.verdict in passing,
        decision=outcome.verdict,
        agreement=_agreement(outcome),
        threshold=float(rules.vote_threshold) if rules and rules.vote_threshold and outcome.tally else None,
        passing=" or ".join(passing),
        conditions=[outcome.conditions] if outcome.conditions else [],
    )


def _agreement(outcome: ArenaOutcome) -> float | None:
    """The share of all agents that voted for the decision, regardless of weight; None if nothing was decided."""
    if outcome.tally is None or outcome.winner is None:
        return outcome.agreed
    same = stands_for(outcome.tally)
    behind = sum(same.get(one.choice, one.choice) == outcome.winner for one in outcome.votes if one.choice)
    return round(behind / outcome.tally.voters, 4)


def labels(entry: Entry) -> Mapping[str, str]:
    """Which author each letter stood for in this vote or reading."""
    return entry.data.labels if isinstance(entry.data, ArenaVote | JudgeReading) else {}


def fields(entry: Entry, by_seq: Mapping[int, Entry]) -> dict[str, Any]:
    """The payload without the labels, which are shown separately. The questions of a challenge come from the reply;
    the gaps were computed before."""
    told = {key: value for key, value in as_logged(entry, by_seq).items() if key != "labels"}
    if isinstance(entry.data, HollowChallenge):
        told["gaps"] = {one.to: one.gaps for one in entry.data.questions}
        told["questions"] = {one.to: one.question for one in entry.data.questions}
    about = by_seq.get(entry.target_seq) if entry.target_seq is not None else None
    if about is not None and isinstance(about.data, ArenaProposal):
        told["version"] = f"of round {about.data.round}"
    return told


def numbers(material: Material) -> dict[str, str]:
    """The number of each proposal, by author, in the order first shown."""
    made = _versions(material)
    shown = dict.fromkeys(name for entry in material.entries for name in labels(entry).values())
    return {name: f"Proposal {number}" for number, name in enumerate(filter(made.get, shown), start=1)}


def sittings(material: Material, known: Mapping[str, str]) -> list[Sitting]:
    """Every set of versions that was voted on or judged, in order."""
    made, called = _versions(material), numbers(material)
    by_seq = {entry.seq: entry for entry in material.entries}
    about: dict[tuple[int, ...], list[Entry]] = {}
    for entry in material.entries:
        if called and labels(entry):
            before = [[one.seq for one in made[name] if one.seq < entry.seq] for name in called]
            about.setdefault(tuple(seqs[-1] for seqs in before if seqs), []).append(entry)
    return [
        _sitting([by_seq[seq] for seq in seqs], entries, called, known, list(made)) for seqs, entries in about.items()
    ]


def _versions(material: Material) -> dict[str, list[Version]]:
    outcome = material.result.outcome
    return outcome.versions if isinstance(outcome, ArenaOutcome) else {}


def _sitting(
    shown: Sequence[Entry],
    entries: Sequence[Entry],
    called: Mapping[str, str],
    known: Mapping[str, str],
    names: Sequence[str],
) -> Sitting:
    after = max(_round(entry) for entry in shown)
    rounds = listed(list(dict.fromkeys(str(_round(entry)) for entry in entries)))
    return Sitting(
        title=f"The proposals after round {after}",
        shown=f"As voters and judges saw them in round{'s' * (' and ' in rounds)} {rounds}, the decision first.",
        proposals=[
            Proposal(
                called[one.speaker], one.speaker, f"Version of round {_round(one)}", without_names(one.content, names)
            )
            for one in shown
        ],
        entries=frozenset(entry.seq for entry in entries),
        orders=_both_orders(entries, known, after),
    )


def _round(entry: Entry) -> int:
    assert isinstance(entry.data, ArenaProposal | ArenaVote | JudgeReading)  # noqa: S101 (of these only)
    return entry.data.round


def _both_orders(entries: Sequence[Entry], known: Mapping[str, str], after: int) -> list[tuple[str, Table]]:
    """For each judge with two readings, its scores in both orders, in its last judgement."""
    readings: dict[str, dict[int, JudgeReading]] = {}
    for entry in entries:
        if isinstance(entry.data, JudgeReading):
            readings.setdefault(entry.speaker, {})[entry.data.reading] = entry.data
    return [
        (judge, _two_readings(both[1], both[2], known, after))
        for judge, both in readings.items()
        if 1 in both and 2 in both and both[1].round == both[2].round
    ]


def _two_readings(first: JudgeReading, second: JudgeReading, known: Mapping[str, str], after: int) -> Table:
    rows = []
    places = [{name: label for label, name in one.labels.items()} for one in (first, second)]
    for name in first.labels.values():
        marks = [fmean(one.scores[name].values()) if one.scores.get(name) else None for one in (first, second)]
        told = ["none" if mark is None else f"{mark:.1f}" for mark in marks]
        moved = "" if None in marks else f"{(marks[1] or 0) - (marks[0] or 0):+.1f}"
        rows.append([known.get(name, name), places[0][name], told[0], places[1].get(name, ""), told[1], moved])
    columns = ["Proposal", "Shown first as", "Score", "Then as", "Score", "Moved"]
    twice = "twice, the second time in the opposite order and without memory of the first"
    how = f"The judge read the proposals after round {after} {twice}."
    return Table(columns, rows, name=how)


BALLOTS = Ballots(
    "Ballots",
    types=("vote", "agreement", "challenge", "judging", "observation"),
    first=("vote",),
    fields=fields,
    renamed=("questions", "turns"),
    blind=Blind(labels, numbers, sittings),
)
