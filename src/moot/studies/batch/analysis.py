"""What the debates of a batch come to together: pure functions over its rows.

Only debates that came to their end count. What a debate did not decide is counted as missing, never as right or wrong;
so are pairs, and debates before several judges, of which a part is not there.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from moot.stats import Difference, Rate, holm, krippendorff_alpha, mcnemar, rate, share_minus_overall, sign_test
from moot.studies.batch.figures import (
    BatchStatistics,
    Completeness,
    Effect,
    Flips,
    JudgeBias,
    JudgesAgreement,
    Level,
    Minds,
    PairedEffect,
    Verdicts,
)
from moot.studies.batch.rows import Contestant, Row
from moot.studies.batch.spending import spreads

FEW = 30
"""Fewer decided debates than this leave intervals of a third of the scale and more."""
MOST_LEVELS = 50
MOST_NAMED = 10
DESIGNS = ("sides", "order", "premise")


def analyse(rows: Sequence[Row]) -> BatchStatistics:
    """All statistics of a batch."""
    done = [row for row in rows if row.status == "done"]
    effects, paired = [one for one in (first_speaker(done), for_side(done)) if one], paired_effects(rows)
    flipped = flips(done)
    tests: list[Effect | PairedEffect | Flips] = [*effects, *paired, *([flipped] if flipped else [])]
    for test, p in zip(tests, holm([test.p for test in tests]), strict=True):
        test.adjusted = p
    return BatchStatistics(
        debates=len(rows),
        by_status=dict(Counter(row.status for row in rows)),
        headlines=_counted(row.headline for row in done if row.headline),
        flags=_counted(flag for row in done for flag in set(row.flags)),
        completeness=completeness(rows),
        win_rates=win_rates(done),
        self_play=sum(_self_play(row) for row in done),
        upheld=_share(claim_upheld(row) for row in done if _has_claim(row)),
        judges=judge_bias(done),
        effects=effects,
        paired=paired,
        agreement=judges_agree(rows),
        verdicts=verdicts(done),
        changed_by_debate=_share(row.changed_by_debate for row in done),
        flips=flipped,
        minds=minds(done),
        factors=by_factor(done),
        spent=spreads(rows),
        notes=_notes(rows, done),
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    """How often each is there: the most frequent first, those that are equally frequent by name, and none beyond the
    first so many."""
    return dict(sorted(Counter(values).items(), key=lambda one: (-one[1], one[0]))[:MOST_LEVELS])


def win_rates(rows: Sequence[Row]) -> dict[str, dict[str, Rate]]:
    """By persona, model, side and speaking order: of the debates that each was in, how many it won. By judge: of those
    before it, in how many the claim was upheld. Debates of a model against itself say nothing of the model, and those
    of a protocol that nobody has won nothing at all."""
    seats = [(row, one) for row in _with_winners(rows) for one in row.contestants]
    mixed = [(row, one) for row, one in seats if not _self_play(row)]
    places = {1: "first speaker", 2: "second speaker"}
    found = {
        "persona": _rates(seats, lambda one: one.name),
        "model": _rates(mixed, lambda one: one.model),
        "side": _rates(seats, lambda one: one.side),
        "speaking order": _rates(seats, lambda one: places.get(one.place or 0)),
        "judge": {
            judge: _share(claim_upheld(row) for row in rows if judge_of(row) == judge and _has_claim(row))
            for judge in _judges(row for row in rows if _has_claim(row))
        },
    }
    return {by: rates for by, rates in found.items() if rates}


def _with_winners(rows: Sequence[Row]) -> list[Row]:
    """The debates of those protocols in which somebody has won."""
    kinds = {row.protocol for row in rows if row.winner is not None}
    return [row for row in rows if row.protocol in kinds]


def _rates(seats: Sequence[tuple[Row, Contestant]], key: Callable[[Contestant], str | None]) -> dict[str, Rate]:
    by_key: dict[str, list[bool | None]] = {}
    for _, one in seats:
        if (name := key(one)) is not None:
            by_key.setdefault(name, []).append(one.won)
    return {name: _share(by_key[name]) for name in sorted(by_key)}


def judge_bias(rows: Sequence[Row]) -> list[JudgeBias]:
    """Each judge's own rate of upholding minus the overall one."""
    decided = [upheld for row in rows if (upheld := claim_upheld(row)) is not None]
    whole = sum(decided), len(decided)
    found = []
    for judge in _judges(row for row in rows if _has_claim(row)):
        own = _share(claim_upheld(row) for row in rows if judge_of(row) == judge and _has_claim(row))
        nothing = Difference(value=None, low=None, high=None)
        bias = share_minus_overall((own.count, own.n), whole) if own.n else nothing
        found.append(JudgeBias(judge=judge, upheld=own, bias=bias))
    return found


def first_speaker(rows: Sequence[Row]) -> Effect | None:
    """Who speaks first, against who speaks second."""
    spoken = [row for row in rows if any(one.place == 1 for one in row.contestants)]
    return _effect("speaking order", "first speaker", "second speaker", [winner_place(row) for row in spoken])


def for_side(rows: Sequence[Row]) -> Effect | None:
    """Who argues for the claim as it is put in the debate, against who argues against it."""
    sided = [row for row in rows if any(one.side for one in row.contestants)]
    return _effect("side", "for", "against", [row.winner_side for row in sided])


def _effect(name: str, first: str, second: str, winners: Sequence[str | None]) -> Effect | None:
    if not winners:
        return None
    found = _share(None if winner is None else winner == first for winner in winners)
    return Effect(name=name, first=first, second=second, rate=found, p=sign_test(found.count, found.n - found.count))


def winner_place(row: Row) -> str | None:
    place = next((one.place for one in row.contestants if one.won), None)
    return {1: "first speaker", 2: "second speaker"}.get(place or 0)


def paired_effects(rows: Sequence[Row]) -> list[PairedEffect]:
    """For each thing that the design varies, the pairs of debates that differ in it alone: all that were planned."""
    found: list[PairedEffect] = []
    if not any(row.status == "done" for row in rows):
        return found
    for name in DESIGNS:
        pairs: dict[Hashable, list[Row]] = {}
        for row in rows:
            if name in row.design:
                others = tuple(sorted((key, value) for key, value in row.design.items() if key != name))
                pairs.setdefault((row.group, others), []).append(row)
        if pairs:
            found.append(_paired(name, list(pairs.values())))
    return found


def _paired(name: str, pairs: Sequence[Sequence[Row]]) -> PairedEffect:
    first, second = ("first speaker", "second speaker") if name == "order" else ("for", "against")
    won: Callable[[Row], str | None] = winner_place if name == "order" else lambda row: row.winner_side
    counts = Counter(tuple(won(row) for row in pair if row.status == "done") for pair in pairs)
    both_first, both_second = counts[first, first], counts[second, second]
    split = counts[first, second] + counts[second, first]
    decided = both_first + both_second + split
    return PairedEffect(
        design=name,
        first=first,
        second=second,
        first_both=both_first,
        second_both=both_second,
        same_persona=rate(split, decided, len(pairs) - decided),
        p=mcnemar(both_first, both_second),
    )


def judges_agree(rows: Sequence[Row]) -> JudgesAgreement | None:
    """Agreement on debates that differ in their judge alone; None where there are none. A judge that heard one twice
    counts with the first time, since it does not agree with another then."""
    units: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row.status != "done"):
        if row.status == "done" and row.judge is None:
            continue
        # Who was to judge a debate that was not held is not known: it is taken for another than the others.
        judge = _one_judge(row) or row.id
        decided = row.decision if row.upheld is None else row.upheld
        units.setdefault(row.unit, {}).setdefault(judge, decided if row.status == "done" else None)
    several = [unit for unit in units.values() if len(unit) > 1]
    found = krippendorff_alpha(several)
    return JudgesAgreement(**found.model_dump(), missing=len(several) - found.units) if found.units else None


def _one_judge(row: Row) -> str | None:
    return None if row.judge is None else f"{judge_of(row)} {row.judge_brief}"


def verdicts(rows: Sequence[Row]) -> Verdicts | None:
    """How sure those judges were who name the winner apart from their scores; None where there are none."""
    kinds = {row.protocol for row in rows if row.confirmed is not None}
    judged = [row for row in rows if row.protocol in kinds and row.judge is not None]
    if not judged:
        return None
    return Verdicts(
        confirmed=_share(row.confirmed for row in judged),
        scores_contradict_winner=_share(row.scores_contradict_winner for row in judged),
    )


def flips(rows: Sequence[Row]) -> Flips | None:
    """Whether debate moved decisions to the right answer or away from it."""
    known = [row for row in rows if row.answer is not None]
    if not known:
        return None
    both = [(row.first_correct, row.correct) for row in known]
    counts, missing = Counter(both), sum(None in pair for pair in both)
    n, wrong, right = len(both) - missing, counts[True, False], counts[False, True]
    return Flips(
        first_right=_share(row.first_correct for row in known),
        right=_share(row.correct for row in known),
        right_to_wrong=rate(wrong, n, missing),
        wrong_to_right=rate(right, n, missing),
        p=mcnemar(wrong, right),
    )


def minds(rows: Sequence[Row]) -> Minds | None:
    """Changes of mind in protocols that show them."""
    if not any(row.minds_shown or row.flips for row in rows):
        return None
    every = [flip for row in rows for flip in row.flips]
    wrong = [flip for flip in every if flip.right_before is True and flip.right_after is False]
    return Minds(
        changes=len(every),
        without_evidence=rate(sum(not flip.evidence for flip in every), len(every)),
        right_to_wrong=len(wrong),
        wrong_to_right=sum(flip.right_before is False and flip.right_after is True for flip in every),
        right_to_wrong_without_evidence=sum(not flip.evidence for flip in wrong),
    )


def by_factor(rows: Sequence[Row]) -> dict[str, list[Level]]:
    """What the debates with each value of each factor came to; seeds and factors of very many values are left out."""
    return {
        name: [_level(value, several) for value, several in by_value.items()]
        for name, by_value in _values(rows).items()
        if len(by_value) <= MOST_LEVELS
    }


def completeness(rows: Sequence[Row]) -> dict[str, list[Completeness]]:
    """For each value of each factor, how many debates were planned and what became of them."""
    return {
        name: [_complete(value, several) for value, several in by_value.items()]
        for name, by_value in _values(rows).items()
        if len(by_value) <= MOST_LEVELS
    }


def _complete(value: str, rows: Sequence[Row]) -> Completeness:
    done = [row for row in rows if row.status == "done"]
    return Completeness(
        value=value,
        planned=len(rows),
        done=len(done),
        failed=sum(row.status == "failed" for row in rows),
        undecided=sum(not row.decided for row in done),
    )


def _values(rows: Sequence[Row]) -> dict[str, dict[str, list[Row]]]:
    """The rows by factor and value. What the design varies is a factor too, by another name than any of the grid's."""
    found: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        varied = {f"design: {name}": value for name, value in row.design.items()}
        for name, value in {**row.factors, **varied}.items():
            if name != "repeat":
                found.setdefault(name, {}).setdefault(str(value), []).append(row)
    return found


def _level(value: str, rows: Sequence[Row]) -> Level:
    return Level(
        value=value,
        debates=len(rows),
        headlines=_counted(row.headline for row in rows if row.headline),
        upheld=_share(claim_upheld(row) for row in rows if _has_claim(row)),
        right=_share(row.correct for row in rows if row.answer is not None),
    )


def judge_of(row: Row) -> str | None:
    """A judge is a persona with its model: the same persona through two models is two judges."""
    return None if row.judge is None else f"{row.judge} ({row.judge_model})"


def _judges(rows: Iterable[Row]) -> list[str]:
    return sorted({judge for row in rows if (judge := judge_of(row)) is not None})


def claim_upheld(row: Row) -> bool | None:
    """Whether the claim as it was given stood: where its denial was debated, and upheld, it did not."""
    reversed_ = row.design.get("premise") == "reversed"
    return None if row.upheld is None else row.upheld is not reversed_


def _has_claim(row: Row) -> bool:
    """Whether there is a claim that can stand or fall."""
    return row.upheld is not None or any(one.side for one in row.contestants)


def _self_play(row: Row) -> bool:
    return len(row.contestants) > 1 and len({one.model for one in row.contestants}) == 1


def _share(values: Iterable[bool | None]) -> Rate:
    every = list(values)
    known = [value for value in every if value is not None]
    return rate(sum(known), len(known), len(every) - len(known))


def _notes(rows: Sequence[Row], done: Sequence[Row]) -> list[str]:
    found = []
    if len(done) < len(rows):
        found.append(f"Not at their end, and not counted: {len(rows) - len(done)} of {len(rows)} debates.")
        found += _thin(rows)
    contested = [row for row in _with_winners(done) if row.contestants]
    measured = bool(contested) or any(_has_claim(row) or row.answer is not None for row in done)
    decided = sum(bool(row.decided) for row in done)
    if measured and decided < FEW:
        found.append(f"Decided debates are few ({decided}): the intervals are wide, a difference may well be chance.")
    if measured and decided < len(done):
        found.append(f"Without a decision, so missing and not lost: {len(done) - decided} of {len(done)} debates.")
    if contested and all(_self_play(row) for row in contested):
        found.append("All contestants spoke through the same model, so there are no win rates by model.")
    places = {(one.place, one.side) for row in done for one in row.contestants if one.side}
    if places and len(places) == 2:
        found.append("The same side spoke first in every debate: side and order cannot be told apart (--swap-order).")
    many = [name for name, values in _values(done).items() if len(values) > MOST_LEVELS]
    found += [f"“{name}” has more than {MOST_LEVELS} values, so there is no table by it." for name in many]
    groups = Counter(row.topic for row in done)
    if measured and max(groups.values()) > 1:
        found.append("Debates on one topic resemble each other more than the intervals assume: read them as a minimum.")
    if any("premise" in row.design for row in done):
        found.append("Where the premise was reversed, upholding the denial counts as rejecting the claim.")
    heard = Counter((row.unit, _one_judge(row)) for row in done if row.judge is not None)
    if again := sum(heard.values()) - len(heard):
        found.append(f"Debates held again before the same judge: {again}; not counted in the agreement between judges.")
    if any(row.design for row in done):
        found.append("Paired debates count twice in the plain rates; the paired tests are the ones to read.")
    return found


def _thin(rows: Sequence[Row]) -> list[str]:
    """The values of each factor of which no debate is done, or fewer than half of what the whole would suggest."""
    overall = sum(row.status == "done" for row in rows) / len(rows)
    found = []
    for name, by_value in _values(rows).items():
        levels = [_complete(value, several) for value, several in by_value.items()]
        none = [one.value for one in levels if not one.done]
        few = [one.value for one in levels if 0 < one.done < one.planned * overall / 2]
        for what, values in (("None", none), ("Few", few)):
            if values:
                more = f" and {len(values) - MOST_NAMED} more" if len(values) > MOST_NAMED else ""
                named = ", ".join(values[:MOST_NAMED])
                found.append(f"{what} done, of {len(levels)} values of “{name}”, with: {named}{more}.")
    return found
