"""The figures of a tournament: pure functions of its file and its rows.

A judge's vote counts if it names the same winner in both orders; one that the order decides is half a vote for each.
The model with more votes wins the debate; equal votes are a tie, half a point for each. A judge that lacks a reading is
left out of that debate, and a debate without a judge is missing, like one that did not end: neither is a
loss. Two models on a motion count only with both debates, the sides swapped. Debates on one motion are related."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from moot.plugins.extras import require
from moot.stats import FEWEST, Meeting, Rate, Strength, holm, rate_of, strengths_of
from moot.stats.clusters import sign_flip_test
from moot.studies.batch.rows import Row, has_failed
from moot.studies.template import Note, template_of
from moot.studies.tournament.design import Pair, Tournament
from moot.studies.tournament.figures import JudgeFigure, Leaderboard, PairFigure, Place

LEVEL, LOOK = 0.05, 0.001
"""The significance level of the tests, and that while debates are to come."""
SAME = 1e-9
"""Strengths that are nearer to each other than this are the same, and computed differently."""
TO_COME = ("waiting", "interrupted", "limit")
WHOLE = 2
"""Debates of a pair on a motion, and readings of a judge."""


@dataclass(frozen=True, slots=True)
class Debate:
    """A debate that was judged. `points` are those of the model for the motion; `votes` are, for each judge with two
    readings, the points that it gives to it."""

    motion: str
    group: str
    for_model: str
    against_model: str
    points: float
    votes: dict[str, float]

    def points_of(self, model: str) -> float:
        return self.points if model == self.for_model else 1 - self.points


def read_row(row: Row) -> Debate | None:
    """The debate of a row, if it has ended and somebody has judged it."""
    sides = {reading.side: reading for reading in row.contestants}
    if row.status != "done" or not {"for", "against"} <= sides.keys():
        return None
    votes: dict[str, float] = {}
    for judge in dict.fromkeys(reading.model for reading in row.readings):
        given = [reading for reading in row.readings if reading.model == judge and reading.winner is not None]
        if len({reading.first for reading in given}) == WHOLE:
            votes[judge] = sum(reading.winner == sides["for"].name for reading in given) / len(given)
    if not votes:
        return None
    lead = sum(vote - 0.5 for vote in votes.values())
    return Debate(
        motion=row.topic,
        group=row.group,
        for_model=str(row.factors["for"]),
        against_model=str(row.factors["against"]),
        points=0.5 if not lead else float(lead > 0),
        votes=votes,
    )


def analyse(design: Tournament, rows: Sequence[Row]) -> Leaderboard:
    """All figures of a tournament after these rows. While debates are to come, models are compared at a level of LOOK:
    who looks more often must not find more."""
    require("studies")
    level = LOOK if any(row.status in TO_COME for row in rows) else LEVEL
    read = [debate for row in rows if (debate := read_row(row)) is not None]
    held = Counter(debate.group for debate in read)
    whole = [debate for debate in read if held[debate.group] == WHOLE]
    pairs = _pairs(design, rows, whole, level)
    places = _places(design, whole, pairs, rows)
    done = [row for row in rows if row.status == "done"]
    return Leaderboard(
        level=level,
        motions=len({debate.motion for debate in whole}),
        planned=len(rows),
        counted=len(whole),
        ties=sum(debate.points == 0.5 for debate in whole),
        unfinished=len(rows) - len(done),
        unjudged=len(done) - len(read),
        halves=len(read) - len(whole),
        places=places,
        pairs=pairs,
        judges=[_judge(design, judge, rows, whole) for judge in design.judges],
        notes=list(_notes(design, rows, whole)),
    )


def _places(
    design: Tournament, whole: Sequence[Debate], pairs: Sequence[PairFigure], rows: Sequence[Row]
) -> list[Place]:
    met = [Meeting(debate.motion, debate.for_model, debate.against_model, debate.points, 1) for debate in whole]
    strengths = strengths_of(design.models, met)
    ordered = sorted(
        strengths, key=lambda strength: (strength.value is None, -(strength.value or 0.0), -strength.points)
    )
    tested = any(pair.p is not None for pair in pairs)
    found = []
    for strength in ordered:
        own = [debate for debate in whole if strength.name in (debate.for_model, debate.against_model)]
        better = sum(
            strength.name in (pair.first, pair.second) and pair.ahead not in (None, strength.name) for pair in pairs
        )
        worse = sum(pair.ahead == strength.name for pair in pairs)
        known = strength.low is not None or strength.high is not None or strength.open is not None
        found.append(
            Place(
                model=strength.name,
                family=design.family_of(strength.name),
                place=_place(strength, ordered),
                best=1 + better if tested else None,
                worst=len(design.models) - worse if tested else None,
                strength=_rounded(strength.value),
                low=_rounded(strength.low),
                high=_rounded(strength.high),
                open=strength.open,
                chance=_chance(strength.value),
                chance_low=_chance(strength.low) if strength.low is not None or not known else 0.0,
                chance_high=_chance(strength.high) if strength.high is not None or not known else 1.0,
                points=strength.points,
                debates=strength.games,
                ties=sum(debate.points == 0.5 for debate in own),
                missing=sum(strength.name in (row.factors["for"], row.factors["against"]) for row in rows) - len(own),
            )
        )
    return found


def _place(strength: Strength, every: Sequence[Strength]) -> int | None:
    if strength.value is None:
        return None
    return 1 + sum(other.value is not None and other.value - strength.value > SAME for other in every)


def _chance(strength: float | None) -> float | None:
    """The chance to beat somebody of strength 0, the mean."""
    return None if strength is None else round(1 / (1 + exp(-strength)), 6)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6) + 0.0


def _pairs(design: Tournament, rows: Sequence[Row], whole: Sequence[Debate], level: float) -> list[PairFigure]:
    taken = points_taken(whole)
    tests = [pair_test(design, pair, taken) for pair in design.pairs]
    failed = failed_meetings(rows)
    worst = [
        None if p is None else max(p, p_at_worst(design, pair if lead > 0 else pair[::-1], taken, failed))
        for pair, (_, p, lead) in zip(design.pairs, tests, strict=True)
    ]
    found = []
    for pair, (motions, p, lead), largest, corrected in zip(design.pairs, tests, worst, holm(worst), strict=True):
        own = [debate for debate in whole if {debate.for_model, debate.against_model} == set(pair)]
        asked = sum({row.factors["for"], row.factors["against"]} == set(pair) for row in rows)
        shown = corrected is not None and corrected < level
        found.append(
            PairFigure(
                first=pair[0],
                second=pair[1],
                points=sum(debate.points_of(pair[0]) for debate in own),
                debates=len(own),
                missing=asked - len(own),
                motions=motions,
                p=p,
                p_at_worst=largest,
                adjusted=corrected,
                ahead=pair[lead < 0] if shown else None,
                jury=design.jury_for(pair),
                left_out=design.left_out(pair),
            )
        )
    return found


def points_taken(whole: Sequence[Debate]) -> dict[str, dict[Pair, float]]:
    """For each motion, the points that one model took from another."""
    found: dict[str, dict[Pair, float]] = {}
    for debate in whole:
        points = found.setdefault(debate.motion, {})
        for pair in ((debate.for_model, debate.against_model), (debate.against_model, debate.for_model)):
            points[pair] = points.get(pair, 0.0) + debate.points_of(pair[0])
    return found


def pair_test(
    design: Tournament, pair: Pair, taken: Mapping[str, Mapping[Pair, float]]
) -> tuple[int, float | None, int]:
    """The number of motions, the exact test that two models are of the same strength, and the lead of the first in half
    points.

    If they are, all that they did on a motion, against each other and against the same opponents, could as well have
    been done by the other: the difference of their points has either sign with the same chance. That holds for each
    motion, whatever the other models and the motion are like. With too few motions there is no test.
    """
    one, other = pair
    leads: list[float] = []
    for points in taken.values():
        rivals = [rival for rival in design.models if (one, rival) in points and (other, rival) in points]
        if rivals or pair in points:
            leads.append(sum(points[one, rival] - points[other, rival] for rival in rivals))
            leads[-1] += points.get((one, other), 0.0) - points.get((other, one), 0.0)
    halves = [round(2 * lead) for lead in leads]
    return len(halves), sign_flip_test(halves) if len(halves) >= FEWEST else None, sum(halves)


def failed_meetings(rows: Sequence[Row]) -> list[tuple[str, frozenset[str]]]:
    """The motions and pairs with a debate that failed, or that nobody could judge."""
    lost = [row for row in rows if has_failed(row) or (row.status == "done" and read_row(row) is None)]
    return [(row.topic, frozenset((str(row.factors["for"]), str(row.factors["against"])))) for row in lost]


def p_at_worst(
    design: Tournament,
    pair: Pair,
    taken: Mapping[str, Mapping[Pair, float]],
    failed: Sequence[tuple[str, frozenset[str]]],
) -> float:
    """The test of two models if the first one, which leads, had lost both debates of every failed pair to the other; 1
    if it would not lead any more."""
    leader, other = pair
    points = {motion: dict(found) for motion, found in taken.items()}
    for motion, met in failed:
        for one, own in ((leader, 0.0), (other, float(WHOLE))):
            if one in met:
                (rival,) = met - {one}
                points.setdefault(motion, {}).update({(one, rival): own, (rival, one): WHOLE - own})
                break  # between the two, what one loses the other wins
    _, p, lead = pair_test(design, pair, points)
    return 1.0 if p is None or lead <= 0 else p


def _judge(design: Tournament, judge: str, rows: Sequence[Row], whole: Sequence[Debate]) -> JudgeFigure:
    own = [debate for debate in whole if judge in debate.votes]
    asked = sum(judge in design.jury_for((str(row.factors["for"]), str(row.factors["against"]))) for row in rows)
    clear = [debate for debate in own if debate.votes[judge] != 0.5]
    others = [(debate, rest) for debate in clear if (rest := _rest(debate, judge)) is not None]
    return JudgeFigure(
        judge=judge,
        debates=len(own),
        missing=asked - len(own),
        swayed=_rate_of([(debate.motion, debate.votes[judge] == 0.5) for debate in own]),
        agrees=_rate_of([(debate.motion, debate.votes[judge] == rest) for debate, rest in others]),
    )


def _rest(debate: Debate, judge: str) -> float | None:
    """The vote of the majority of the other judges: 1 the side for, 0 the side against; None if neither."""
    lead = sum(vote - 0.5 for name, vote in debate.votes.items() if name != judge)
    return float(lead > 0) if lead else None


def _rate_of(cases: Sequence[tuple[str, bool]]) -> Rate:
    return rate_of([is_so for _, is_so in cases], [[motion for motion, _ in cases]])


def _together(whole: Sequence[Debate]) -> set[str]:
    """The models that debates connect with the first one, directly or through others."""
    found = {whole[0].for_model}
    for _ in whole:
        near = {one for debate in whole for one in _both(debate) if found & _both(debate)}
        if near <= found:
            break
        found |= near
    return found


def _both(debate: Debate) -> set[str]:
    return {debate.for_model, debate.against_model}


def _notes(design: Tournament, rows: Sequence[Row], whole: Sequence[Debate]) -> Iterator[Note]:
    """What must be known before relying on the figures."""
    note, motions = template_of("tournament").note, len({held.motion for held in whole})
    if motions < FEWEST:
        yield note("few_motions", motions=motions, fewest=FEWEST)
    if lonely := [f"{one} and {other}" for one, other in design.pairs if len(design.jury_for((one, other))) == 1]:
        yield note("one_judge", pairs=lonely)
    if whole and len(_together(whole)) < len(design.models):
        apart = sorted(set(design.models) - _together(whole), key=design.models.index)
        yield note("unconnected", one=apart[0], other=whole[0].for_model)
    if gone := len(rows) - len(whole):
        yield note("not_counted", gone=gone, planned=len(rows))
    if failed_meetings(rows):
        yield note("failed")
    if len({tuple(design.jury_for(pair)) for pair in design.pairs}) > 1:
        yield note("juries")
