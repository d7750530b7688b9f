"""The statistics of a batch: pure functions over its rows.

Only finished debates count, and debates that repeat another word for word count once; but tests have to find the same
if all that failed had gone the other way (`completeness`). An undecided debate is missing, never right or wrong. A
pair, or a debate before several judges, is missing if a part of it is missing. Debates on the same topic are related,
and so are debates with the same cast if there are many casts (`clusters`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from statistics import median
from typing import Any

from moot.plugins.extras import require
from moot.stats import FEWEST, Clusters, Rate, holm, lean_test, rate_of
from moot.studies.batch.figures import (
    BatchStatistics,
    Effect,
    Flips,
    Level,
    Minds,
    PairedEffect,
    Spread,
    Test,
)
from moot.studies.batch.rows import MOST_LEVELS, Contestant, Row, by_value_of, failed_like, has_failed, p_at_worst
from moot.text.prose import plain_words

DESIGNS = ("sides", "order", "claim")


def analyse(rows: Sequence[Row]) -> BatchStatistics:
    """All statistics of a batch."""
    from moot.studies.batch.notes import notes

    require("studies")
    counted = without_duplicates(rows)
    done = [row for row in counted if row.status == "done"]
    effects, paired = (
        [contestant for contestant in (first_speaker(counted), for_side(counted)) if contestant],
        paired_effects(counted),
    )
    flipped = flips(counted)
    tests: list[Test] = [*effects, *paired, *([flipped] if flipped else [])]
    worst = [
        None if None in (test.p, test.p_at_worst) else max(test.p or 0.0, test.p_at_worst or 0.0) for test in tests
    ]
    for test, p in zip(tests, holm(worst), strict=True):
        test.adjusted = p
    return BatchStatistics(
        debates=len(rows),
        duplicates=len(rows) - len(counted),
        topics=len(set(topics_of(done).values())),
        by_status=dict(Counter(row.status for row in rows)),
        outcomes=_counted(row.outcome for row in done if row.outcome),
        flags=_counted(flag for row in done for flag in set(row.flags)),
        flag_texts={code: text for row in reversed(done) for code, text in row.flag_texts.items()},
        win_rates=win_rates(done),
        self_play=sum(is_self_play(row) for row in done),
        upheld=_share(with_claims(done), claim_upheld),
        effects=effects,
        paired=paired,
        changed_by_debate=_share(done, lambda row: row.changed_by_debate),
        flips=flipped,
        minds=minds(done),
        factors=by_factor(rows, {row.id for row in counted}),
        spent=spreads(rows),
        notes=list(notes(rows, counted, done)),
    )


def without_duplicates(rows: Sequence[Row]) -> list[Row]:
    """The rows without debates that repeat another one with the same settings (apart from the seed) word for word: a
    model that always gives the same answer adds no evidence. Versions of one debate are kept or dropped together."""
    seen: set[tuple[str, str]] = set()
    again: dict[str, bool] = {}
    for row in rows:
        same = row.status == "done" and row.said is not None and (row.cell, row.said) in seen
        again[row.group] = again.get(row.group, True) and same
        if row.said is not None:
            seen.add((row.cell, row.said))
    return [row for row in rows if not again[row.group]]


def clusters(rows: Sequence[Row]) -> Clusters:
    """The topic of each debate and, if there are enough casts, its cast. With fewer casts, the figures are about these
    casts only. With a single topic, they are about that topic, and only versions of one debate are related."""
    topics = topics_of(rows)
    casts = [cast_of(row) for row in rows]
    by_topic = [topics[row.group] for row in rows]
    if len(set(by_topic)) == 1:
        by_topic = [row.group for row in rows]
    return [by_topic, casts] if len(set(casts)) >= FEWEST else [by_topic]


def topics_of(rows: Sequence[Row]) -> dict[str, str]:
    """The topic of each debate, which its versions share. Case, spaces and a full stop make no other topic."""
    return {row.group: plain_words(row.topic) for row in reversed(rows)}


def cast_of(row: Row) -> frozenset[tuple[str, str]]:
    return frozenset((contestant.name, contestant.model) for contestant in row.contestants)


def _counted(values: Iterable[str]) -> dict[str, int]:
    """The number of occurrences of each value: the most frequent first, then by name, at most MOST_LEVELS."""
    return dict(sorted(Counter(values).items(), key=lambda contestant: (-contestant[1], contestant[0]))[:MOST_LEVELS])


def win_rates(rows: Sequence[Row]) -> dict[str, dict[str, Rate]]:
    """By persona, model, side and speaking order: the share of debates that each won. By judge: the share of its
    debates in which the claim was upheld. Debates of a model against itself are left out of the rates by model, and
    protocols in which nobody won are left out of all of them."""
    seats = [(row, contestant) for row in with_winners(rows) for contestant in row.contestants]
    mixed = [(row, contestant) for row, contestant in seats if not is_self_play(row)]
    places = {1: "first speaker", 2: "second speaker"}
    by_judge: dict[str, list[Row]] = {}
    for row in with_claims(rows):
        if row.judge is not None:
            by_judge.setdefault(judge_of(row), []).append(row)
    found = {
        "persona": _rates(seats, lambda contestant: contestant.name),
        "model": _rates(mixed, lambda contestant: contestant.model),
        "side": _rates(seats, lambda contestant: contestant.side),
        "speaking order": _rates(seats, lambda contestant: places.get(contestant.place or 0)),
        "judge": {judge: _share(by_judge[judge], claim_upheld) for judge in sorted(by_judge)},
    }
    return {by: rates for by, rates in found.items() if rates}


def with_winners(rows: Sequence[Row]) -> list[Row]:
    """The debates of protocols in which somebody won at least one debate."""
    kinds = {row.protocol for row in rows if row.winner is not None}
    return [row for row in rows if row.protocol in kinds]


def _rates(seats: Sequence[tuple[Row, Contestant]], key: Callable[[Contestant], str | None]) -> dict[str, Rate]:
    by_key: dict[str, list[tuple[Row, bool | None]]] = {}
    for row, contestant in seats:
        if (name := key(contestant)) is not None:
            by_key.setdefault(name, []).append((row, contestant.won))
    return {
        name: rate_of([won for _, won in by_key[name]], clusters([row for row, _ in by_key[name]]))
        for name in sorted(by_key)
    }


def first_speaker(rows: Sequence[Row]) -> Effect | None:
    """The first speaker against the second speaker."""
    spoken = [row for row in _done(rows) if any(contestant.place == 1 for contestant in row.contestants)]
    return _effect("speaking order", "first speaker", "second speaker", spoken, failed_like(rows, spoken), winner_place)


def for_side(rows: Sequence[Row]) -> Effect | None:
    """The side for the claim, as worded in the debate, against the other side."""
    sided = [row for row in _done(rows) if any(contestant.side for contestant in row.contestants)]
    return _effect("side", "for", "against", sided, failed_like(rows, sided), lambda row: row.winner_side)


def _done(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.status == "done"]


def _effect(
    name: str,
    first: str,
    second: str,
    rows: Sequence[Row],
    failed: Sequence[Row],
    winner: Callable[[Row], str | None],
) -> Effect | None:
    if not rows:
        return None
    decided = [row for row in rows if winner(row) is not None]
    leans = [1 if winner(row) == first else -1 for row in decided]
    return Effect(
        name=name,
        first=first,
        second=second,
        rate=_share(rows, lambda row: None if winner(row) is None else winner(row) == first),
        failed=len(failed),
        p=lean_test(leans, clusters(decided)),
        p_at_worst=p_at_worst(leans, len(failed), clusters([*decided, *failed])),
    )


def winner_place(row: Row) -> str | None:
    place = next((contestant.place for contestant in row.contestants if contestant.won), None)
    return {1: "first speaker", 2: "second speaker"}.get(place or 0)


def paired_effects(rows: Sequence[Row]) -> list[PairedEffect]:
    """For each property that the design varies, all planned pairs of debates that differ only in this property."""
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
    kinds: dict[tuple[str | None, ...], int] = {
        (first, first): 1,
        (second, second): -1,
        (first, second): 0,
        (second, first): 0,
    }
    found = [(pair[0], kinds.get(tuple(won(row) for row in pair if row.status == "done"))) for pair in pairs]
    known = [(row, lean) for row, lean in found if lean is not None]
    failed = [pair[0] for pair in pairs if any(map(has_failed, pair))]
    leans, rows = [lean for _, lean in known], [row for row, _ in known]
    split: list[bool | None] = [None if lean is None else lean == 0 for _, lean in found]
    return PairedEffect(
        design=name,
        first=first,
        second=second,
        first_both=sum(lean == 1 for _, lean in known),
        second_both=sum(lean == -1 for _, lean in known),
        same_persona=rate_of(split, clusters([row for row, _ in found])),
        failed=len(failed),
        p=_lean(leans, clusters(rows)),
        p_at_worst=p_at_worst(leans, len(failed), clusters([*rows, *failed])) if any(leans) else None,
    )


def _lean(leans: Sequence[int], related: Clusters) -> float | None:
    """The p-value for a lean to one side; None if nothing leans."""
    kept = [place for place, lean in enumerate(leans) if lean]
    return lean_test(leans, related) if kept else None


def flips(rows: Sequence[Row]) -> Flips | None:
    """Whether debate moved decisions to the right answer or away from it."""
    known = [row for row in _done(rows) if row.answer is not None]
    if not known:
        return None
    failed = [row for row in failed_like(rows, known) if row.answer is not None]
    both = [row for row in known if None not in (row.first_correct, row.correct)]
    leans = [int(bool(row.correct)) - int(bool(row.first_correct)) for row in both]

    def moved(row: Row, to: bool) -> bool | None:
        return None if None in (row.first_correct, row.correct) else (row.first_correct, row.correct) == (not to, to)

    return Flips(
        first_right=_share(known, lambda row: row.first_correct),
        right=_share(known, lambda row: row.correct),
        right_to_wrong=_share(known, lambda row: moved(row, False)),
        wrong_to_right=_share(known, lambda row: moved(row, True)),
        failed=len(failed),
        p=_lean(leans, clusters(both)),
        p_at_worst=p_at_worst(leans, len(failed), clusters([*both, *failed])) if any(leans) else None,
    )


def minds(rows: Sequence[Row]) -> Minds | None:
    """Changes of mind, for protocols that record them."""
    if not any(row.minds_shown or row.flips for row in rows):
        return None
    moved = [(row, flip) for row in rows for flip in row.flips]
    every = [flip for _, flip in moved]
    wrong = [flip for flip in every if flip.right_before is True and flip.right_after is False]
    return Minds(
        changes=len(every),
        without_evidence=rate_of([not flip.evidence for flip in every], clusters([row for row, _ in moved])),
        right_to_wrong=len(wrong),
        wrong_to_right=sum(flip.right_before is False and flip.right_after is True for flip in every),
        right_to_wrong_without_evidence=sum(not flip.evidence for flip in wrong),
    )


def by_factor(rows: Sequence[Row], counted: Collection[str]) -> dict[str, list[Level]]:
    """The outcomes for each value of each factor, of the debates `counted` by their ids; seeds and factors with very
    many values are left out."""
    return {
        name: [_level(value, several, counted) for value, several in by_value.items()]
        for name, by_value in by_value_of(rows).items()
        if len(by_value) <= MOST_LEVELS
    }


def _level(value: str, rows: Sequence[Row], counted: Collection[str]) -> Level:
    done = [row for row in _done(rows) if row.id in counted]
    return Level(
        value=value,
        planned=len(rows),
        done=len(_done(rows)),
        failed=sum(map(has_failed, rows)),
        undecided=sum(not row.decided for row in _done(rows)),
        outcomes=_counted(row.outcome for row in done if row.outcome),
        upheld=_share(with_claims(done), claim_upheld),
        right=_share([row for row in done if row.answer is not None], lambda row: row.correct),
    )


def judge_of(row: Row) -> str:
    """The judge as a persona with its model: the same persona on two models counts as two judges."""
    return f"{row.judge} ({row.judge_model})"


def claim_upheld(row: Row) -> bool | None:
    """Whether the claim as given was upheld. If its denial was debated and upheld, it was not."""
    reversed_ = row.design.get("claim") == "reversed"
    return None if row.upheld is None else row.upheld is not reversed_


def with_claims(rows: Sequence[Row]) -> list[Row]:
    """The debates with a claim that can be upheld or rejected."""
    return [row for row in rows if row.upheld is not None or any(contestant.side for contestant in row.contestants)]


def is_self_play(row: Row) -> bool:
    return len(row.contestants) > 1 and len({contestant.model for contestant in row.contestants}) == 1


def _share(rows: Sequence[Row], value: Callable[[Row], bool | None]) -> Rate:
    return rate_of([value(row) for row in rows], clusters(rows))


def spreads(rows: Sequence[Row]) -> dict[str, Spread]:
    """Calls, tokens, dollars and seconds of every debate that was begun, however it ended."""
    begun = [row for row in rows if row.run is not None]
    used = [(row.input_tokens, row.output_tokens) for row in begun]
    tokens = [None if read is None or written is None else read + written for read, written in used]
    found: dict[str, list[Any]] = {
        "calls": [row.calls for row in begun],
        "tokens": tokens,
        "cost": [row.cost for row in begun],
        "seconds": [row.seconds for row in begun],
    }
    return {name: spread for name, values in found.items() if (spread := _spread(values)) is not None}


def _spread(values: Sequence[float | None]) -> Spread | None:
    if not (known := [value for value in values if value is not None]):
        return None
    return Spread(
        total=sum(known),
        least=min(known),
        median=median(known),
        most=max(known),
        n=len(known),
        unknown=len(values) - len(known),
    )
