"""Agreement of judges over re-judgings: with the original judgement, with each other, and with themselves.

Units are debates, or the contestants scored in them; the original judgement is a rater like the others. Winners are
compared by seat (who opened, who answered), which means the same in every debate, unlike names. Missing values stay
missing.

Readings and pairs of one debate are related, and so are debates on one topic: rates and intervals count topics.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from pydantic import BaseModel

from moot.engine.outcome.result import Result
from moot.protocols.rejudging.payloads import JudgedAgain
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome, same
from moot.stats import Agreement, Rate, krippendorff_alpha, rate_of
from moot.text.prose import plain_words

ORIGINAL = "the original judgement"


class JudgeRecord(BaseModel):
    """One judge over all debates it read. `upheld` is how often it confirms the original winner, where both named one;
    `flipped` is how often the order changed its winner.

    The other fields measure bias. By readings: how often the winner was shown first (`shown_first_expected` if only
    chance decided). By debates with the same verdict in both orders: how often the winner had the last word, or argued
    for the claim. Verdicts that flip with the order are left out, since they name both sides. `mean_change` is the
    mean difference between its scores and the original ones.
    """

    judge: str
    debates: int
    missing: int
    upheld: Rate
    flipped: Rate
    shown_first: Rate
    shown_first_expected: float | None
    had_last_word: Rate
    for_claim: Rate
    mean_change: float | None


class JudgeAgreement(BaseModel):
    """Over all judges and the original judgement: `same_winner` counts pairs that name the same winner of a debate;
    pairs in which one names nobody are missing. `winners` (nominal) and `scores` (interval) are Krippendorff's alpha.
    `winners` rests on verdicts that are the same in both orders, which are the clear cases. `recounts` is how often
    each rule gives the same result."""

    debates: int
    judges: list[JudgeRecord]
    same_winner: Rate
    winners: Agreement
    scores: Agreement
    recounts: dict[str, Rate]


def judge_agreement(results: Iterable[Result]) -> JudgeAgreement:
    """The agreement of the judges in these re-judgings. Other results, and those without an outcome, are ignored."""
    found = [
        (result.outcome.source, result.outcome)
        for result in results
        if isinstance(result.outcome, RejudgingOutcome) and result.outcome.source
    ]
    topics = _topics([outcome for _, outcome in found])
    judged = [
        (topic, source, verdict)
        for topic, (source, outcome) in zip(topics, found, strict=True)
        for verdict in outcome.judges
    ]
    winners = [_winners(source, outcome) for source, outcome in found]
    recounts = [(topic, recount) for topic, (_, one) in zip(topics, found, strict=True) for recount in one.recounts]
    scores = [(topic, unit) for topic, one in zip(topics, found, strict=True) for unit in _scores(*one)]
    pairs = (
        (topic, pair) for topic, unit in zip(topics, winners, strict=True) for pair in combinations(unit.values(), 2)
    )
    return JudgeAgreement(
        debates=len(found),
        judges=[
            _record(name, [reading for reading in judged if reading[2].judge == name])
            for name in dict.fromkeys(one.judge for _, _, one in judged)
        ],
        same_winner=rate_over((topic, same(*pair)) for topic, pair in pairs),
        winners=krippendorff_alpha(winners, "nominal", clusters=topics),
        scores=krippendorff_alpha([one for _, one in scores], "interval", clusters=[topic for topic, _ in scores]),
        recounts={
            rule: rate_over((topic, one.same) for topic, one in recounts if one.rule == rule)
            for rule in dict.fromkeys(one.rule for _, one in recounts)
        },
    )


def _topics(outcomes: Sequence[RejudgingOutcome]) -> list[str]:
    """The cluster of each debate: its topic. If all have the same one, the figures are about that topic, and each
    debate is a cluster of its own."""
    topics = [plain_words(outcome.topic) for outcome in outcomes]
    return topics if len(set(topics)) > 1 else [str(place) for place in range(len(topics))]


def _winners(source: JudgedAgain, outcome: RejudgingOutcome) -> dict[str, int | None]:
    """The seat of the winner of one debate according to the original judgement, if there was one, and to the verdict of
    each judge."""
    seats = {name: place for place, name in enumerate(source.seats)}
    original = {ORIGINAL: source.winner} if source.judges or source.winner else {}
    named = {**original, **{judge.judge: judge.winner for judge in outcome.judges}}
    return {judge: seats.get(winner or "") for judge, winner in named.items()}


def _scores(source: JudgedAgain, outcome: RejudgingOutcome) -> list[dict[str, float | None]]:
    """For each contestant scored in a debate, the original score and the score of each judge."""
    return [
        {ORIGINAL: source.scores.get(seat), **{verdict.judge: verdict.scores.get(seat) for verdict in outcome.judges}}
        for seat in source.seats
    ]


def _record(name: str, judged: Sequence[tuple[str, JudgedAgain, JudgeVerdict]]) -> JudgeRecord:
    verdicts = [(topic, verdict) for topic, _, verdict in judged]
    readings = [(topic, reading) for topic, verdict in verdicts for reading in verdict.readings]
    places = [1 / len(reading.labels) for _, reading in readings if reading.winner]
    changes = [change for _, verdict in verdicts for change in verdict.changes.values()]
    return JudgeRecord(
        judge=name,
        debates=len(judged),
        missing=sum(verdict.missing for _, verdict in verdicts),
        upheld=rate_over((topic, verdict.upholds) for topic, verdict in verdicts),
        flipped=rate_over((topic, verdict.unstable) for topic, verdict in verdicts),
        shown_first=rate_over(
            (topic, same(reading.winner, next(iter(reading.labels.values()), None))) for topic, reading in readings
        ),
        shown_first_expected=fmean(places) if places else None,
        had_last_word=rate_over(
            (topic, same(one.winner, source.last_word)) for topic, source, one in judged if source.last_word
        ),
        for_claim=rate_over(
            (topic, same(source.sides.get(one.winner or ""), "for")) for topic, source, one in judged if source.sides
        ),
        mean_change=fmean(changes) if changes else None,
    )


def rate_over(cases: Iterable[tuple[str, bool | None]]) -> Rate:
    """The share of true values among the known ones, each with the topic that it is about."""
    known = list(cases)
    return rate_of([hit for _, hit in known], [[topic for topic, _ in known]])
