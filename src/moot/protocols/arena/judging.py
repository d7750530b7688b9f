"""The judgement: every judge reads the blind proposals twice, in opposite orders, without memory of the other
reading."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean, median
from typing import Literal

from moot.api import Draft, Failure, data_of, point, points
from moot.present import Brief
from moot.protocols.arena import prompts
from moot.protocols.arena.board import blind, covered, task
from moot.protocols.arena.cast import Arena, Seat
from moot.protocols.arena.payloads import Assessment, JudgeReading, JudgeSummary
from moot.protocols.arena.shapes import judging_shape, ranked
from moot.text.figures import reached


async def judge(arena: Arena, number: int, stands_for: Mapping[str, str]) -> Assessment:
    """Run all readings of all judges in parallel and combine them. Proposals that decide the same count as one, by
    `stands_for`."""
    room, parts = arena.room, list(arena.judges)
    arena.open_round(number, "judgement", [member.name for member in arena.judges.values()])
    work = []
    for part in parts:
        order = room.shuffled(f"judge/{part}/{number}", arena.proposing)
        work += [read(arena, part, number, 1, order), read(arena, part, number, 2, order[::-1])]
    arena.readings = await room.together(*work)
    readings = data_of(arena.readings, JudgeReading)
    by_judge = {arena.judges[part].name: (readings[2 * i], readings[2 * i + 1]) for i, part in enumerate(parts)}
    assessed = assess(number, by_judge, stands_for)
    room.emit("assessment", "moot", _in_words(assessed), phase="judgement", to=[], data=assessed)
    return assessed


async def read(arena: Arena, part: str, number: int, reading: Literal[1, 2], order: Sequence[Seat]) -> Draft:
    room, agent, criteria = arena.room, arena.judge(part, number, reading), arena.config.criteria
    shown = blind(arena, order)
    prompt = prompts.JUDGE(
        task=task(arena),
        proposals=shown.shown,
        seat=f"{prompts.JUDGE_SEAT} {covered(arena, arena.judges[part].personality)}",
        sure=prompts.SURE.format(what="first places"),
        advice=prompts.ADVICE,
    )
    shape = judging_shape(tuple(shown.labels), tuple(criteria))
    found = await room.ask_for(shape, agent, prompt, "judging", patience=arena.patience(agent))
    if isinstance(found, Failure):
        data = JudgeReading(round=number, reading=reading, labels=shown.labels, failure=found.reason)
        text = f"No judgement: {found.reason}"
        return room.emit("judging", agent, text, phase="judgement", to=[], data=data, call=found.key)
    given = found.model_dump(by_alias=True)
    data = JudgeReading(
        round=number,
        reading=reading,
        labels=shown.labels,
        scores={name: {one: given[letter][one] for one in criteria} for letter, name in shown.labels.items()},
        ranking=ranked(given["ranking"], shown.labels),
        reasons={name: " ".join(given[f"reason_{letter}"].split()) for letter, name in shown.labels.items()},
        confidence=given["confidence"] / 100,
        brief=Brief(
            because=points(found.because, shown.cited),
            objection=point(found.objection),
            conditions=point("; ".join(found.conditions)),
            next=point(found.next),
        ),
        conditions=[" ".join(one.split()) for one in found.conditions if one.strip()],
    )
    lines = [f"- {name}: {reached(_score(data, name), 1)}. {data.reasons[name]}" for name in data.labels.values()]
    text = "\n".join(lines)
    return room.emit("judging", agent, text, phase="judgement", to=[], data=data, call=agent.key("judging"))


def reasons_on(arena: Arena, seat: Seat) -> list[str]:
    """The judges' comments on one proposal, without names."""
    readings = data_of(arena.readings, JudgeReading)
    found = [f"The judge: {one.reasons[seat.name]}" for one in readings if seat.name in one.reasons]
    return list(dict.fromkeys(found))


Readings = Mapping[str, tuple[JudgeReading, JudgeReading]]


def assess(number: int, by_judge: Readings, stands_for: Mapping[str, str] | None = None) -> Assessment:
    """Combine the readings. Judges are combined by median place, so that a single outlier or extreme scores decide
    nothing. Proposals that decide the same are one, at the best place of any and with the mean of their scores."""
    head = dict(stands_for or {})
    pairs = {name: [_merged(one, head) for one in pair] for name, pair in by_judge.items()}
    usable = {name: [one for one in pair if one.failure is None] for name, pair in pairs.items()}
    heard = {name: readings for name, readings in usable.items() if readings}
    places = {name: _places(readings) for name, readings in heard.items()}
    summaries = [_summary(name, pair, places.get(name, {})) for name, pair in pairs.items()]
    names = list(next(iter(places.values()), {}))
    middle = {name: median(each[name] for each in places.values()) for name in names}
    first = _first_of_all(middle, summaries)
    proposals = list(dict.fromkeys(name for pair in by_judge.values() for one in pair for name in one.scores))
    means = {name: _means(readings) for name, readings in heard.items()}
    known = [one.confidence for one in summaries if one.confidence is not None]
    lost = [one.failure for pair in by_judge.values() for one in pair if one.failure is not None]
    return Assessment(
        round=number,
        scores={name: round(median(each[head.get(name, name)] for each in means.values()), 4) for name in proposals},
        by_criterion={name: _by_criterion(heard, head.get(name, name)) for name in proposals},
        first=first,
        ranking=[[name for name in proposals if head.get(name, name) in level] for level in _levels(middle, first)],
        backed_by=[
            one.judge for one in summaries if first is not None and one.first == first and one.unstable is False
        ],
        confidence=round(median(known), 4) if known else None,
        judges=summaries,
        unstable=_unstable(summaries),
        failure=f"{len(lost)} of {2 * len(by_judge)} readings are missing: {lost[-1]}" if lost else None,
    )


def _merged(reading: JudgeReading, head: Mapping[str, str]) -> JudgeReading:
    """The reading with one candidate for proposals that decide the same."""
    scores: dict[str, list[dict[str, float]]] = {}
    for name, given in reading.scores.items():
        scores.setdefault(head.get(name, name), []).append(given)
    return reading.model_copy(
        update={
            "scores": {
                name: {one: fmean(each[one] for each in several) for one in several[0]}
                for name, several in scores.items()
            },
            "ranking": list(dict.fromkeys(head.get(name, name) for name in reading.ranking)),
        }
    )


def _by_criterion(heard: Mapping[str, Sequence[JudgeReading]], name: str) -> dict[str, float]:
    criteria = next(iter(heard.values()))[0].scores[name]
    return {
        one: round(median(fmean(each.scores[name][one] for each in readings) for readings in heard.values()), 4)
        for one in criteria
    }


def _summary(judge: str, pair: Sequence[JudgeReading], places: Mapping[str, float]) -> JudgeSummary:
    one, two = pair
    usable = [reading for reading in pair if reading.failure is None]
    scores = _means(usable)
    confidences = [reading.confidence for reading in usable if reading.confidence is not None]
    both = len(usable) == 2
    ranking = sorted(places, key=lambda name: (places[name], -scores[name]))
    best = [(places[name], scores[name]) for name in ranking[:2]]
    level = len(best) > 1 and best[0] == best[1]
    return JudgeSummary(
        judge=judge,
        first=ranking[0] if ranking and not level else None,
        ranking=ranking,
        confidence=round(fmean(confidences), 4) if confidences else None,
        order_effect=round(fmean(abs(_score(one, name) - _score(two, name)) for name in scores), 4) if both else None,
        unstable=one.ranking[0] != two.ranking[0] if both else None,
        contradicts=any(map(_contradicts, usable)),
    )


def _places(readings: Sequence[JudgeReading]) -> dict[str, float]:
    """The mean place of each candidate in one judge's readings; unranked candidates share the last place."""
    orders = [one.ranking for one in readings]
    return {name: fmean(one.index(name) if name in one else len(one) for one in orders) for name in readings[0].scores}


def _first_of_all(middle: Mapping[str, float], summaries: Sequence[JudgeSummary]) -> str | None:
    """The candidate with the best median place; among equals the one that most judges put first."""
    best = [name for name, place in middle.items() if place == min(middle.values())]
    firsts = {name: sum(one.first == name for one in summaries) for name in best}
    ahead = [name for name in best if firsts[name] == max(firsts.values())]
    return ahead[0] if len(ahead) == 1 and firsts[ahead[0]] else None


def _levels(middle: Mapping[str, float], first: str | None) -> list[list[str]]:
    """The candidates from the best to the worst place, equal ones together; the first is ahead of its equals."""
    places = {name: (place, name != first) for name, place in middle.items()}
    return [[name for name in places if places[name] == place] for place in sorted({*places.values()})]


def _contradicts(reading: JudgeReading) -> bool:
    """Whether a reading ranks a proposal above one with a higher score."""
    return any(_score(reading, before) < _score(reading, after) for before, after in combinations(reading.ranking, 2))


def _unstable(summaries: Sequence[JudgeSummary]) -> bool | None:
    """Whether any judge's first place depends on the order; None if none does but not all were tested."""
    found = [one.unstable for one in summaries]
    return True if True in found else None if None in found else False


def _score(reading: JudgeReading, name: str) -> float:
    return fmean(reading.scores[name].values())


def _means(readings: Sequence[JudgeReading]) -> dict[str, float]:
    names = list(readings[0].scores) if readings else []
    return {name: round(fmean(_score(reading, name) for reading in readings), 4) for name in names}


def _in_words(assessed: Assessment) -> str:
    if not assessed.scores:
        return f"No judgement: {assessed.failure}"
    scores = assessed.scores
    order = sorted(scores, key=lambda name: (name != assessed.first, -scores[name]))
    listed = ", ".join(f"{name} {reached(scores[name], 1)}" for name in order)
    first = f"First is {assessed.first}" if assessed.first else "Nobody is first: the best are tied"
    return f"{first} ({listed}), with {confidence_of(assessed)}.{_SHAKY[assessed.unstable]}"


def confidence_of(assessed: Assessment) -> str:
    return "no word of confidence" if assessed.confidence is None else f"confidence {reached(assessed.confidence)}"


_SHAKY = {
    True: " The order of showing changes who is first: unstable.",
    False: "",
    None: " Whether the order of showing changes who is first was not tested.",
}
