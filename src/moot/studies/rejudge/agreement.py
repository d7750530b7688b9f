"""How far judges agree, over re-judgings: with the original judgement, with each other, and with themselves.

Units are debates, or those who are scored in them; the original judgement is a rater among the others. Winners are
compared by their seats (who opened, who answered), which mean the same in every debate, as names do not. What is
missing stays missing.

What is said of one debate hangs together, so a debate never counts as several: a rate has one case of each, or an
interval that knows which cases are of the same debate.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean

from pydantic import BaseModel

from moot.engine.result import Result
from moot.protocols.rejudging.payloads import JudgedAgain
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome
from moot.stats import Agreement, Rate, krippendorff_alpha, rate
from moot.stats.rates import Z_95

ORIGINAL = "the original judgement"


class RateOverDebates(BaseModel):
    """`count` of `n` cases, which come from so many `debates`, several from one. `low` and `high` bound the true rate
    with 95 % confidence: Wilson's score interval for as many independent cases as say as much. `missing` cases are
    neither among the `n` nor guessed at."""

    count: int
    n: int
    debates: int
    missing: int
    rate: float | None
    low: float | None
    high: float | None


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
    shown_first: RateOverDebates
    shown_first_expected: float | None
    had_last_word: Rate
    for_premise: Rate
    mean_change: float | None


class JudgeAgreement(BaseModel):
    """Over all judges and the original judgement: `same_winner` counts pairs of them that name one winner in the same
    debate; pairs of which one names nobody are missing. `winners` (nominal) and `scores` (interval) are Krippendorff's
    alpha. `recounts` is how often each rule comes to the same."""

    debates: int
    judges: list[JudgeRecord]
    same_winner: RateOverDebates
    winners: Agreement
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
        scores=krippendorff_alpha([unit for one in found for unit in _scores(*one)], "interval"),
        recounts={
            rule: _rate([one.same for one in recounts if one.rule == rule])
            for rule in dict.fromkeys(one.rule for one in recounts)
        },
    )


def _winners(source: JudgedAgain, outcome: RejudgingOutcome) -> dict[str, int | None]:
    """The seat of the winner of one debate, by the original judgement, if there was one, and by each judge."""
    seats = {name: place for place, name in enumerate(source.seats)}
    original = {ORIGINAL: source.winner} if source.judges or source.winner else {}
    named = {**original, **{verdict.judge: verdict.winner for verdict in outcome.judges}}
    return {judge: seats.get(winner or "") for judge, winner in named.items()}


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


def rate_over_debates(hits: Sequence[Sequence[bool | None]]) -> RateOverDebates:
    """How many are so, of those of which that is known, where a debate has several cases: `hits` holds those of each.

    Cases of one debate that tend to go together say less than as many independent ones. How much less is seen in how
    far the debates lie apart: that variance (linearised, as for a ratio in a cluster sample) is the one that so many
    independent cases would have. They are never more than there are cases, and no more than debates where all cases
    are alike, since then nothing can be seen.
    """
    known = [[hit for hit in debate if hit is not None] for debate in hits]
    counts = [(debate.count(True), len(debate)) for debate in known if debate]
    count, n, debates = sum(one for one, _ in counts), sum(cases for _, cases in counts), len(counts)
    missing = sum(map(len, hits)) - n
    if n == 0:
        return RateOverDebates(count=0, n=0, debates=0, missing=missing, rate=None, low=None, high=None)
    share = count / n
    variance = sum((one - share * cases) ** 2 for one, cases in counts) / n**2 * debates / max(1, debates - 1)
    independent = float(debates)
    if 0 < count < n and debates > 1:
        independent = min(n, share * (1 - share) / variance) if variance else n
    spread = Z_95**2 / independent
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * sqrt(share * (1 - share) / independent + spread / (4 * independent)) / (1 + spread)
    low, high = 0.0 if count == 0 else middle - half, 1.0 if count == n else middle + half
    return RateOverDebates(count=count, n=n, debates=debates, missing=missing, rate=share, low=low, high=high)
