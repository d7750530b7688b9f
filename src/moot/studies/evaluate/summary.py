"""What the rows of an evaluation amount to: shares with intervals, paired comparisons, what debating changed."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from moot.stats import Rate, mcnemar, paired_bootstrap, rate
from moot.studies.evaluate.dataset import Dataset, Item
from moot.studies.evaluate.matching import same
from moot.studies.evaluate.questions import Grade, Row, Setup

GRADES: tuple[Grade, ...] = ("right", "wrong", "unparsable", "undecided", "failed")


class Method(BaseModel):
    """How one method did on the questions that were put to every method. Shares have their 95 % interval after Wilson.
    `right_of_all`: of those it did not fail on, which are missing; what is not right counts as not right.
    `right_of_answered`: all that was neither right nor wrong is missing. Sums are null where a model did not say."""

    method: str
    kind: str
    grades: dict[str, int]
    right_of_all: Rate
    right_of_answered: Rate
    calls: int
    tokens: int | None
    cost: float | None
    seconds: float


class Paired(BaseModel):
    """Two methods on the same questions. `first_share` and `second_share` are what each got right of them, and
    `difference` is the first less the second, with a bootstrap interval of 95 %; `p_value` is of the exact McNemar
    test on those that only one got right, null where there are none."""

    questions: int
    both_right: int
    only_first: int
    only_second: int
    neither: int
    first_share: float | None
    second_share: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None


class Comparison(BaseModel):
    """A debate against another method. `over_read` is what verdicts speak of: the questions on which neither failed
    nor has an answer that cannot be read. `over_all`: with the `unread` on which one cannot be read, as not right.
    `over_answered`: only questions that both answered. The `failed`, on which either did, are in none. `tokens_ratio`
    is over those on which neither failed."""

    debate: str
    against: str
    tokens_ratio: float | None
    failed: int
    unread: int
    over_all: Paired
    over_read: Paired
    over_answered: Paired


class Flips(BaseModel):
    """The blind answers that a debate began with, one by one, against what it came to, where both can be graded."""

    debate: str
    first_answers: int
    right_to_wrong: int
    wrong_to_right: int


class Debated(BaseModel):
    """How many of the `questions` that a debate did not fail on were debated, why the others were not, and how often it
    is right on those that were; answers that cannot be read are missing there."""

    debate: str
    questions: int
    debated: int
    not_debated: dict[str, int]
    right_of_debated: Rate


class Verdict(BaseModel):
    """`paid`: better than every baseline. `did not pay`: worse than one, or sure not to gain enough on it. Else
    `cannot tell`."""

    debate: str
    finding: str
    words: str


class Evaluation(BaseModel):
    """`questions` are those asked for, `done` those that were put to every method. `reason` says why they are fewer."""

    folder: str
    dataset: str
    sha256: str
    seed: int
    budget: int | None
    voters: int
    voices: dict[str, list[list[str]]]
    questions: int
    done: int
    reason: str | None
    methods: list[Method]
    comparisons: list[Comparison]
    flips: list[Flips]
    debated: list[Debated]
    verdicts: list[Verdict]
    advice: str
    notes: list[str]
    rows: list[Row] = Field(exclude=True)


def summarise(
    setup: Setup, dataset: Dataset, questions: int, rows: list[Row], folder: str, reason: str | None
) -> Evaluation:
    """All figures of an evaluation, and what they say."""
    from moot.studies.evaluate.verdict import advise, judge, notes

    by_method = {name: {row.question: row for row in rows if row.method == name} for name in setup.methods}
    by_method = {name: found for name, found in by_method.items() if found}
    debates = [one.name for one in setup.contenders if one.name in by_method]
    methods = [method_of(name, _kind(name, debates), list(found.values())) for name, found in by_method.items()]
    comparisons = [
        compare(one, other, by_method[one], by_method[other], setup.seed)
        for one in debates
        for other in by_method
        if _is_for(other, one, debates)
    ]
    debated = {one: _debated(one, list(by_method[one].values())) for one in debates}
    return Evaluation(
        folder=folder,
        dataset=dataset.name,
        sha256=dataset.sha256,
        seed=setup.seed,
        budget=setup.budget,
        voters=setup.voters,
        voices={name: [list(models) for models in voices] for name, voices in setup.voices.items()},
        questions=questions,
        done=len({row.question for row in rows}),
        reason=reason,
        methods=methods,
        comparisons=comparisons,
        flips=[_flips(one, by_method[one], {item.id: item for item in dataset.items}) for one in debates],
        debated=list(debated.values()),
        verdicts=[judge(comparisons, found) for found in debated.values()],
        advice=advise(by_method, setup.seed) if methods else "",
        notes=notes(methods, setup.foreign),
        rows=rows,
    )


def compare(debate: str, other: str, first: Mapping[str, Row], second: Mapping[str, Row], seed: int) -> Comparison:
    """Two methods on the questions that both were asked."""
    pairs = [(first[key], second[key]) for key in first if key in second]
    whole = [(a, b) for a, b in pairs if "failed" not in (a.grade, b.grade)]
    readable = [(a, b) for a, b in pairs if can_be_compared(a) and can_be_compared(b)]
    answered = [(a, b) for a, b in whole if {a.grade, b.grade} <= {"right", "wrong"}]
    known = [(a.tokens, b.tokens) for a, b in whole if a.tokens is not None and b.tokens is not None]
    spent = sum(a for a, _ in known), sum(b for _, b in known)
    return Comparison(
        debate=debate,
        against=other,
        tokens_ratio=round(spent[0] / spent[1], 3) if spent[1] and len(known) == len(whole) else None,
        failed=len(pairs) - len(whole),
        unread=len(whole) - len(readable),
        over_all=paired(whole, seed),
        over_read=paired(readable, seed),
        over_answered=paired(answered, seed),
    )


def can_be_compared(row: Row) -> bool:
    """Whether there is something to compare: it did not fail, and there is no answer that cannot be read."""
    return row.grade not in ("failed", "unparsable")


def paired(pairs: Sequence[tuple[Row, Row]], seed: int) -> Paired:
    right = [(a.grade == "right", b.grade == "right") for a, b in pairs]
    only_first, only_second = sum(a and not b for a, b in right), sum(b and not a for a, b in right)
    gained = paired_bootstrap([int(a) - int(b) for a, b in right], seed=seed)
    return Paired(
        questions=len(right),
        both_right=sum(a and b for a, b in right),
        only_first=only_first,
        only_second=only_second,
        neither=sum(not a and not b for a, b in right),
        first_share=sum(a for a, _ in right) / len(right) if right else None,
        second_share=sum(b for _, b in right) / len(right) if right else None,
        difference=gained.value,
        low=gained.low,
        high=gained.high,
        p_value=mcnemar(only_first, only_second),
    )


def method_of(name: str, kind: str, rows: Sequence[Row]) -> Method:
    """One method's rows, counted."""
    grades: dict[str, int] = {grade: sum(row.grade == grade for row in rows) for grade in GRADES}
    answered = grades["right"] + grades["wrong"]
    tokens, costs = [row.tokens for row in rows], [row.cost for row in rows]
    return Method(
        method=name,
        kind=kind,
        grades=grades,
        right_of_all=rate(grades["right"], len(rows) - grades["failed"], grades["failed"]),
        right_of_answered=rate(grades["right"], answered, len(rows) - answered),
        calls=sum(row.calls for row in rows),
        tokens=None if None in tokens else sum(one or 0 for one in tokens),
        cost=None if None in costs else round(sum(one or 0 for one in costs), 6),
        seconds=round(sum(row.seconds for row in rows), 3),
    )


def _debated(debate: str, rows: Sequence[Row]) -> Debated:
    whole = [row for row in rows if row.grade != "failed"]
    held = [row for row in whole if row.debated]
    readable = [row for row in held if can_be_compared(row)]
    reasons = [row.undebated or row.detail for row in whole if not row.debated]
    right = sum(row.grade == "right" for row in readable)
    return Debated(
        debate=debate,
        questions=len(whole),
        debated=len(held),
        not_debated=dict(Counter(reasons).most_common()),
        right_of_debated=rate(right, len(readable), len(held) - len(readable)),
    )


def _flips(debate: str, rows: Mapping[str, Row], items: Mapping[str, Item]) -> Flips:
    def right(answer: str, row: Row) -> bool:
        item = items[row.question]
        return same(answer, item.answer, item.match, item.tolerance)

    graded = [row for row in rows.values() if row.grade in ("right", "wrong")]
    pairs = [
        (right(answer, row), row.grade == "right")
        for row in graded
        for answer in row.answers or []
        if answer is not None
    ]
    return Flips(
        debate=debate,
        first_answers=len(pairs),
        right_to_wrong=sum(before and not after for before, after in pairs),
        wrong_to_right=sum(after and not before for before, after in pairs),
    )


def _kind(name: str, debates: Sequence[str]) -> str:
    return "debate" if name in debates else "first answers" if name.endswith("/first") else "baseline"


def _is_for(other: str, debate: str, debates: Sequence[str]) -> bool:
    """Whether this method is one to compare the debate with: baselines, and what was matched or belongs to it."""
    if other in debates:
        return False
    owner = other.removesuffix("/first") if other.endswith("/first") else other.removeprefix("self-consistency@")
    return owner in (debate, other)
