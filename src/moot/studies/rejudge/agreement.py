"""How far judges agree, over re-judgings: with the original judgement, with each other, and with themselves.

Units are debates, or those who are scored in them; the original judgement is a rater among the others. Winners are
compared by their seats (who opened, who answered), which mean the same in every debate, as names do not. What is
missing stays missing.

Readings and pairs of one debate are related, so a debate never counts as several: rates over them have the debates as
clusters.
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
    """One judge over all debates it read. `upheld` is how often it names the original winner, of the debates where
    both have one; `flipped` how often the order changed its winner.

    The rest tells of bias. By readings: how often whom it names was shown first (where nothing but the order mattered,
    `shown_first_expected`). By debates in which its verdict stands, since one that flips with the order names both
    sides, whatever they said: how often its winner had the last word, or argued for the premise. `mean_change` is by
    how much its scores are higher than the original ones.
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
    """Over all judges and the original judgement: `same_winner` counts pairs of them that name one winner in the same
    debate; pairs of which one names nobody are missing. `winners` (nominal) and `scores` (interval) are Krippendorff's
    alpha. `winners` rests on verdicts that stand in both orders, which are the clear cases; `winners_of_one_reading`
    takes each judge's first reading as it is, as a judge who reads once would. `recounts` is how often each rule comes
    to the same."""

    debates: int
    judges: list[JudgeRecord]
    same_winner: Rate
    winners: Agreement
    winners_of_one_reading: Agreement
    scores: Agreement
    recounts: dict[str, Rate]


def judge_agreement(results: Iterable[Result]) -> JudgeAgreement:
    """What re-judgings say of their judges. Results that are none, or came to nothing, count for nothing."""
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
    """The seat of the winner of one debate, by the original judgement, if there was one, and by each judge: by its
    verdict, or by its first reading alone."""
    seats = {name: place for place, name in enumerate(source.seats)}
    original = {ORIGINAL: source.winner} if source.judges or source.winner else {}
    named = {**original, **{one.judge: _first_winner(one) if read_once else one.winner for one in outcome.judges}}
    return {judge: seats.get(winner or "") for judge, winner in named.items()}


def _first_winner(verdict: JudgeVerdict) -> str | None:
    return next((one.winner for one in verdict.readings if one.failure is None), None)


def _scores(source: JudgedAgain, outcome: RejudgingOutcome) -> list[dict[str, float | None]]:
    """For each of those who are scored in a debate, the original score and each judge's."""
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
    """How many are so, of those of which that is known."""
    return rate(hits.count(True), len(hits) - hits.count(None), hits.count(None))


def _same(one: object, other: object) -> bool | None:
    return None if one is None or other is None else one == other


def rate_over_debates(hits: Sequence[Sequence[bool | None]]) -> Rate:
    """How many are so, of those of which that is known; `hits` holds the cases of each debate, which are related."""
    cases = [(hit, debate) for debate, several in enumerate(hits) for hit in several]
    return rate_of([hit for hit, _ in cases], [[debate for _, debate in cases]])
