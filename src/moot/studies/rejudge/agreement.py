"""Agreement of judges over re-judgings: with the original judgement, with each other, and with themselves.

Units are debates, or the contestants scored in them; the original judgement is a rater like the others. Winners are
compared by seat (who opened, who answered), which means the same in every debate, unlike names. Missing values stay
missing.

Readings and pairs of one debate are related, so rates over them use debates as clusters.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from pydantic import BaseModel

from moot.engine.result import Result
from moot.protocols.rejudging.payloads import JudgedAgain
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome
from moot.stats import Agreement, Rate, krippendorff_alpha, rate, rate_of

ORIGINAL = "the original judgement"


class JudgeRecord(BaseModel):
    """One judge over all debates it read. `upheld` is how often it confirms the original winner, where both named one;
    `flipped` is how often the order changed its winner.

    The other fields measure bias. By readings: how often the winner was shown first (`shown_first_expected` if only
    chance decided). By debates with the same verdict in both orders: how often the winner had the last word, or argued
    for the premise. Verdicts that flip with the order are left out, since they name both sides. `mean_change` is the
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
    for_premise: Rate
    mean_change: float | None


class JudgeAgreement(BaseModel):
    """Over all judges and the original judgement: `same_winner` counts pairs that name the same winner of a debate;
    pairs in which one names nobody are missing. `winners` (nominal) and `scores` (interval) are Krippendorff's alpha.
    `winners` rests on verdicts that are the same in both orders, which are the clear cases; `winners_of_one_reading`
    uses the first reading of each judge, like a judge who reads once. `recounts` is how often each rule gives the same
    result."""

    debates: int
    judges: list[JudgeRecord]
    same_winner: Rate
    winners: Agreement
    winners_of_one_reading: Agreement
    scores: Agreement
    recounts: dict[str, Rate]


def judge_agreement(results: Iterable[Result]) -> JudgeAgreement:
    """The agreement of the judges in these re-judgings. Other results, and those without an outcome, are ignored."""
    found = [
        (one.outcome.source, one.outcome)
        for one in results
        if isinstance(one.outcome, RejudgingOutcome) and one.outcome.source
    ]
    judged = [(source, verdict) for source, outcome in found for verdict in outcome.judges]
    winners = [_winners(source, outcome) for source, outcome in found]
    recounts = [recount for _, outcome in found for recount in outcome.recounts]
    return JudgeAgreement(
        debates=len(found),
        judges=[
            _record(name, [(source, one) for source, one in judged if one.judge == name])
            for name in dict.fromkeys(one.judge for _, one in judged)
        ],
        same_winner=rate_over_debates([[_same(*pair) for pair in combinations(unit.values(), 2)] for unit in winners]),
        winners=krippendorff_alpha(winners, "nominal"),
        winners_of_one_reading=krippendorff_alpha([_winners(*one, read_once=True) for one in found], "nominal"),
        scores=krippendorff_alpha(
            [unit for one in found for unit in _scores(*one)],
            "interval",
            clusters=[place for place, one in enumerate(found) for _ in _scores(*one)],
        ),
        recounts={
            rule: _rate([one.same for one in recounts if one.rule == rule])
            for rule in dict.fromkeys(one.rule for one in recounts)
        },
    )


def _winners(source: JudgedAgain, outcome: RejudgingOutcome, *, read_once: bool = False) -> dict[str, int | None]:
    """The seat of the winner of one debate according to the original judgement, if there was one, and to each judge: by
    its verdict, or by its first reading alone."""
    seats = {name: place for place, name in enumerate(source.seats)}
    original = {ORIGINAL: source.winner} if source.judges or source.winner else {}
    named = {**original, **{one.judge: _first_winner(one) if read_once else one.winner for one in outcome.judges}}
    return {judge: seats.get(winner or "") for judge, winner in named.items()}


def _first_winner(verdict: JudgeVerdict) -> str | None:
    return next((one.winner for one in verdict.readings if one.failure is None), None)


def _scores(source: JudgedAgain, outcome: RejudgingOutcome) -> list[dict[str, float | None]]:
    """For each contestant scored in a debate, the original score and the score of each judge."""
    return [
        {ORIGINAL: source.scores.get(seat), **{verdict.judge: verdict.scores.get(seat) for verdict in outcome.judges}}
        for seat in source.seats
    ]


def _record(name: str, judged: Sequence[tuple[JudgedAgain, JudgeVerdict]]) -> JudgeRecord:
    verdicts = [verdict for _, verdict in judged]
    places = [1 / len(one.labels) for verdict in verdicts for one in verdict.readings if one.winner]
    changes = [change for verdict in verdicts for change in verdict.changes.values()]
    return JudgeRecord(
        judge=name,
        debates=len(judged),
        missing=sum(verdict.missing for verdict in verdicts),
        upheld=_rate([verdict.upholds for verdict in verdicts]),
        flipped=_rate([verdict.unstable for verdict in verdicts]),
        shown_first=rate_over_debates(
            [
                [_same(one.winner, next(iter(one.labels.values()), None)) for one in verdict.readings]
                for verdict in verdicts
            ]
        ),
        shown_first_expected=fmean(places) if places else None,
        had_last_word=_rate([_same(one.winner, source.last_word) for source, one in judged if source.last_word]),
        for_premise=_rate([_same(source.sides.get(one.winner or ""), "for") for source, one in judged if source.sides]),
        mean_change=fmean(changes) if changes else None,
    )


def _rate(hits: Sequence[bool | None]) -> Rate:
    """The share of true values among the known ones."""
    return rate(hits.count(True), len(hits) - hits.count(None), hits.count(None))


def _same(one: object, other: object) -> bool | None:
    return None if one is None or other is None else one == other


def rate_over_debates(hits: Sequence[Sequence[bool | None]]) -> Rate:
    """The share of true values among the known ones; `hits` holds the cases of each debate, which are related."""
    cases = [(hit, debate) for debate, several in enumerate(hits) for hit in several]
    return rate_of([hit for hit, _ in cases], [[debate for _, debate in cases]])
