"""How far judges agree, over re-judgings: with the original judgement, with each other, and with themselves.

Units are debates, or those who are scored in them; the original judgement is a rater among the others. Winners are
compared by their seats (who opened, who answered), which mean the same in every debate, as names do not. What is
missing stays missing.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from pydantic import BaseModel

from moot.payloads.rejudging import JudgedAgain
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome
from moot.result import Result
from moot.statistics import Agreement, Rate, krippendorff_alpha, rate

ORIGINAL = "the original judgement"


class JudgeRecord(BaseModel):
    """One judge over all debates it read. `upheld` is how often it names the original winner, of the debates where
    both have one; `flipped` how often the order changed its winner.

    The rest tells of bias, by readings: how often whom it names was shown first (where nothing but the order
    mattered, `shown_first_expected`), had the last word, or argued for the premise. `mean_change` is by how much its
    scores are higher than the original ones.
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
    debate. `winners` (nominal) and `scores` (interval) are Krippendorff's alpha. `recounts` is how often each rule
    comes to the same."""

    debates: int
    judges: list[JudgeRecord]
    same_winner: Rate
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
    named = [[winner for winner in unit.values() if winner is not None] for unit in winners]
    recounts = [recount for _, outcome in found for recount in outcome.recounts]
    return JudgeAgreement(
        debates=len(found),
        judges=[
            _record(name, [(source, one) for source, one in judged if one.judge == name])
            for name in dict.fromkeys(one.judge for _, one in judged)
        ],
        same_winner=_rate([a == b for unit in named for a, b in combinations(unit, 2)]),
        winners=krippendorff_alpha(winners, "nominal"),
        scores=krippendorff_alpha([unit for one in found for unit in _scores(*one)], "interval"),
        recounts={
            rule: _rate([one.same for one in recounts if one.rule == rule])
            for rule in dict.fromkeys(one.rule for one in recounts)
        },
    )


def _winners(source: JudgedAgain, outcome: RejudgingOutcome) -> dict[str, int | None]:
    """The seat of the winner of one debate, by the original judgement and by each judge."""
    seats = {name: place for place, name in enumerate(source.seats)}
    named = {ORIGINAL: source.winner, **{verdict.judge: verdict.winner for verdict in outcome.judges}}
    return {judge: seats.get(winner or "") for judge, winner in named.items()}


def _scores(source: JudgedAgain, outcome: RejudgingOutcome) -> list[dict[str, float | None]]:
    """For each of those who are scored in a debate, the original score and each judge's."""
    return [
        {ORIGINAL: source.scores.get(seat), **{verdict.judge: verdict.scores.get(seat) for verdict in outcome.judges}}
        for seat in source.seats
    ]


def _record(name: str, judged: Sequence[tuple[JudgedAgain, JudgeVerdict]]) -> JudgeRecord:
    verdicts = [verdict for _, verdict in judged]
    named = [(source, one, one.winner) for source, verdict in judged for one in verdict.readings if one.winner]
    places = [1 / len(one.labels) for _, one, _ in named]
    changes = [change for verdict in verdicts for change in verdict.changes.values()]
    return JudgeRecord(
        judge=name,
        debates=len(judged),
        missing=sum(verdict.missing for verdict in verdicts),
        upheld=_rate([verdict.upholds for verdict in verdicts]),
        flipped=_rate([verdict.unstable for verdict in verdicts]),
        shown_first=_rate([winner == next(iter(one.labels.values())) for _, one, winner in named]),
        shown_first_expected=fmean(places) if places else None,
        had_last_word=_rate([winner == source.last_word for source, _, winner in named if source.last_word]),
        for_premise=_rate([source.sides[winner] == "for" for source, _, winner in named if winner in source.sides]),
        mean_change=fmean(changes) if changes else None,
    )


def _rate(hits: Sequence[bool | None]) -> Rate:
    """How many are so, of those of which that is known."""
    return rate(hits.count(True), len(hits) - hits.count(None), hits.count(None))
