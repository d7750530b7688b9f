"""The outcome of a re-judging, computed from its log: which judges uphold the original judgement, and which are
unstable."""

from collections.abc import Sequence
from statistics import fmean

from pydantic import BaseModel

from moot.api import Entry, data_of, first_data, header_of
from moot.protocols.rejudging.payloads import JudgedAgain, Recount, RejudgingHeader, Rereading


class JudgeVerdict(BaseModel):
    """One judge's readings put together. Scores are means over the readings that succeeded; `changes` are by how
    much they differ from the original ones. `unstable` when the order of showing changes the winner: then there is
    none; null where it was not read in both orders. `upholds` tells whether the winner is the original one; null
    where either is missing."""

    judge: str
    models: list[str]
    winner: str | None
    scores: dict[str, float]
    changes: dict[str, float]
    confidence: float | None
    unstable: bool | None
    upholds: bool | None
    missing: int
    readings: list[Rereading]


class RejudgingOutcome(BaseModel):
    """`winner` is named by more than half of the judges that name a winner. `source` is the run that was judged
    again."""

    topic: str
    claim: str | None
    source: JudgedAgain | None
    winner: str | None
    upheld: bool | None
    unstable: bool
    judges: list[JudgeVerdict]
    recounts: list[Recount]


def outcome(entries: Sequence[Entry]) -> RejudgingOutcome:
    header = header_of(entries, RejudgingHeader)
    source = first_data(entries, JudgedAgain)
    readings = [(entry.speaker, entry.data) for entry in entries if isinstance(entry.data, Rereading)]
    verdicts = [
        _verdict(member.name, member.models, [reading for name, reading in readings if name == member.name], source)
        for member in header.cast
    ]
    winner = _most([verdict.winner for verdict in verdicts if verdict.winner is not None])
    original = source.winner if source else None
    return RejudgingOutcome(
        topic=header.topic,
        claim=header.claim,
        source=source,
        winner=winner,
        upheld=same(winner, original),
        unstable=any(verdict.unstable for verdict in verdicts),
        judges=verdicts,
        recounts=data_of(entries, Recount),
    )


def _verdict(judge: str, models: list[str], readings: list[Rereading], source: JudgedAgain | None) -> JudgeVerdict:
    usable = [reading for reading in readings if reading.failure is None]
    names = list(usable[0].scores) if usable else []
    scores = {name: round(fmean(draft.scores[name] for draft in usable), 4) for name in names}
    before = source.scores if source else {}
    changes = {name: round(scores[name] - old, 4) for name, old in before.items() if old is not None and name in scores}
    known = [draft.confidence for draft in usable if draft.confidence is not None]
    winners = [draft.winner for draft in usable]
    unstable = winners[0] != winners[1] if len(usable) == 2 else None
    winner = None if unstable or not winners else winners[0]
    return JudgeVerdict(
        judge=judge,
        models=models,
        winner=winner,
        scores=scores,
        changes=changes,
        confidence=round(fmean(known), 4) if known else None,
        unstable=unstable,
        upholds=same(winner, source.winner if source else None),
        missing=len(readings) - len(usable),
        readings=readings,
    )


def same(one: object, other: object) -> bool | None:
    """Whether two are the same; None if one of them is not known."""
    return None if one is None or other is None else one == other


def _most(winners: Sequence[str]) -> str | None:
    """The winner that more than half of them name."""
    return next((name for name in dict.fromkeys(winners) if 2 * winners.count(name) > len(winners)), None)
