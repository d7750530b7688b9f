"""The outcome of a duel, computed from its log."""

from collections.abc import Mapping, Sequence
from statistics import median_low

from pydantic import BaseModel

from moot.api import Entry, data_of, header_of, shared_fields
from moot.api.capabilities import Ground
from moot.protocols.duel.payloads import Ballot, DuelHeader, Score, Verdict
from moot.text.prose import plain_words


class Jury(BaseModel):
    """The decision of the jurors. `votes` has the debater that each juror names in both orders; null for a juror who
    named different winners (`swayed`), or gave no usable vote. `agreement` is the share of all jurors who vote for the
    debater with the most votes. `readings` are those of jurors who voted in both orders, and `first_shown` is how many
    of them are for the debater whose statements came first: half of them, if the order makes no difference."""

    winner: str | None
    votes: dict[str, str | None]
    swayed: list[str]
    agreement: float | None
    readings: int
    first_shown: int
    scores: dict[str, int | None]


class DuelOutcome(BaseModel):
    """`confirmed` tells whether the judge named the winner when asked for the name alone; without that, the winner is
    the one of its figures. `option` is what the winner argued for, where the question is which of two is better.
    `reasoning` are the words in which the `judge` gave it. `scores_from` says which reply the scores were taken
    from, `margin` how clear the judge finds it: narrow, clear or decisive."""

    topic: str
    claim: str | None
    winner: str | None = None
    confirmed: bool | None = None
    scores: dict[str, int | None]
    upheld: bool | None = None
    option: str | None
    judge: str | None
    reasoning: str | None
    scores_from: str | None = None
    scores_contradict_winner: bool = False
    margin: str | None = None
    jury: Jury | None
    running_scores: dict[str, list[int | None]]


VERDICT = ("winner", "confirmed", "scores", "upheld", "scores_from", "scores_contradict_winner", "margin")


def outcome(entries: Sequence[Entry]) -> DuelOutcome:
    header = header_of(entries, DuelHeader)
    scores, (last, verdict) = data_of(entries, Score), verdict_in(entries)
    names = [member.name for member in header.debaters]
    running = {name: [score.score for score in scores if score.of == name] for name in names}
    return DuelOutcome(
        topic=header.topic,
        claim=header.claim,
        **{"scores": dict.fromkeys(names), **shared_fields(verdict, *VERDICT)},
        option=header.options.get(verdict.winner) if verdict and verdict.winner else None,
        judge=header.judge,
        reasoning=last.content if last else None,
        jury=jury_of(ballots, names) if (ballots := data_of(entries, Ballot)) else None,
        running_scores=running,
    )


def jury_of(ballots: Sequence[Ballot], names: Sequence[str]) -> Jury:
    """The votes of a jury: the winner has more of them than the other. A score is the median of those given, and where
    there are two the lower, so that it is one that a juror gave."""
    named: dict[str, list[str | None]] = {}
    for ballot in ballots:
        named.setdefault(ballot.juror, []).append(ballot.winner)
    votes = {juror: given[0] if len(set(given)) == 1 else None for juror, given in named.items()}
    counts = {name: list(votes.values()).count(name) for name in names}
    most = max(counts.values())
    leading = [name for name, count in counts.items() if count == most and count]
    shown = {"given": names[0], "swapped": names[1]}
    read = [ballot for ballot in ballots if ballot.winner is not None]
    paired = [ballot for ballot in read if None not in named[ballot.juror]]
    scores = {name: [ballot.scores[name] for ballot in read] for name in names}
    return Jury(
        winner=leading[0] if len(leading) == 1 else None,
        votes=votes,
        swayed=[juror for juror, given in named.items() if None not in given and len(set(given)) > 1],
        agreement=round(most / len(votes), 3) if most else None,
        readings=len(paired),
        first_shown=sum(ballot.winner == shown[ballot.order] for ballot in paired),
        scores={name: median_low(given) if given else None for name, given in scores.items()},
    )


def contestants(entries: Sequence[Entry]) -> list[str]:
    return [debater.name for header in data_of(entries, DuelHeader) for debater in header.debaters]


def verdict_in(entries: Sequence[Entry]) -> tuple[Entry, Verdict] | tuple[None, None]:
    """The verdict with its entry, if there is one."""
    verdicts = ((entry, entry.data) for entry in entries if isinstance(entry.data, Verdict))
    return next(verdicts, (None, None))


REFUSES: Mapping[Ground, Sequence[str]] = {
    "missing": ("no_scores",),
    "level": ("scores_level",),
    "contradicted": (
        "answer_contradicts_verdict",
        "winner_not_confirmed",
        "scores_contradict_winner",
        "running_scores_contradict_winner",
    ),
    "incomplete": ("answer_missing", "jury_short", "statements_missing"),
}
"""Flags that make a verdict unreliable."""


def requirements_met(outcome: DuelOutcome, entries: Sequence[Entry]) -> list[str]:
    """What can be required and is met: the winner's side, or what it argued for. Whoever words the question words the
    options, so one that reads like a side, or like the other option, meets nothing."""
    if outcome.winner is None:
        return []
    header = header_of(entries, DuelHeader)
    side = next((debater.side for debater in header.debaters if debater.name == outcome.winner), None)
    others = {plain_words(words) for name, words in header.options.items() if name != outcome.winner}
    others |= {"for", "against"}
    option = outcome.option if plain_words(outcome.option or "") not in others else None
    return [*filter(None, (side, option)), "winner"]
