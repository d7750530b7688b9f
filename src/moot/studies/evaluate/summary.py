"""The figures of an evaluation: shares with intervals, paired comparisons, and what debating changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from moot.stats import Rate, holm, paired_shares, rate_of
from moot.studies.evaluate.dataset import Dataset
from moot.studies.evaluate.questions import MATCHED, Grade, Row, Setup, matched_to
from moot.studies.template import Note

GRADES: tuple[Grade, ...] = ("right", "wrong", "unparsable", "undecided", "failed")
LEVEL = 0.05
"""The significance level of the tests of an evaluation."""
WORTH = 0.05
"""The smallest gain in the share of right answers that is considered worth the tokens of a debate."""


class Method(BaseModel):
    """How one method did on the questions that were put to every method. Shares have 95 % intervals.
    `right_of_all` is over the questions that did not fail; everything else that is not right counts as not right.
    `right_of_answered` is over the answers that were right or wrong. Sums are null if a model reported no usage."""

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
    """Two methods on the same `questions`, each counted as often as it was asked; related ones form `clusters`.
    `first_share` and `second_share` are the shares that each got right, and `difference` is the first minus the second,
    with a 95 % interval. `p_value` tests that they are equal, `p_worth` that the first gains 5 points or more: if it is
    small, the gain is surely smaller. All are null without questions, or if related questions form too few clusters."""

    questions: int
    clusters: int
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
    p_worth: float | None = None


class Comparison(BaseModel):
    """A debate against another method. Verdicts rest on `over_read`: the questions on which neither failed nor gave an
    unreadable answer. `over_all` adds the `unread`, on which an answer cannot be read, as not right. `over_answered`
    has only questions that both answered. The `failed`, on which either failed, are in none of these; `at_worst` and
    `at_best` are `over_all` with them, each counted against the debate and for it: the bounds of what they could have
    been. `tokens_ratio` and `cost_ratio` are over the questions on which neither failed. `adjusted` is the largest
    p-value of `over_read`, `over_all` and the bound that is nearer to no difference, and `adjusted_worth` the largest
    `p_worth` of all but `at_worst`, both adjusted for the comparisons of this debate with all its baselines (Holm)."""

    debate: str
    against: str
    tokens_ratio: float | None
    cost_ratio: float | None
    adjusted: float | None = None
    adjusted_worth: float | None = None
    failed: int
    unread: int
    over_all: Paired
    over_read: Paired
    over_answered: Paired
    at_worst: Paired
    at_best: Paired

    def bound(self, sign: int) -> Paired:
        """All questions, with failures counted against the claim that the debate is better (1) or worse (-1)."""
        return self.at_worst if sign > 0 else self.at_best


class Flips(BaseModel):
    """What became of the single answers of a method. `first_answers` are those that can be graded; `right_to_wrong` and
    `wrong_to_right` are how many of them changed, null if nobody answers again and nothing is debated. `voted_away` is
    the number of questions on which somebody's answer was right in the end, and the result is not."""

    method: str
    questions: int
    first_answers: int
    right_to_wrong: int | None
    wrong_to_right: int | None
    voted_away: int


class Debated(BaseModel):
    """How many of the `questions` that a debate did not fail on were debated, why the others were not, and how often
    the debated ones were right; unreadable answers are missing there."""

    debate: str
    questions: int
    debated: int
    not_debated: dict[str, int]
    right_of_debated: Rate


class Verdict(BaseModel):
    """`paid`: better than every baseline. `did not pay`: worse than one, or surely without a worthwhile gain over one.
    Otherwise `cannot tell`."""

    debate: str
    finding: str
    words: str


class Figures(BaseModel):
    """The figures over the rows of an evaluation. `duplicates` are rows with exactly the same replies as an earlier
    epoch of the same question."""

    done: int
    epochs: int
    duplicates: int
    methods: list[Method]
    comparisons: list[Comparison]
    flips: list[Flips]
    debated: list[Debated]
    categories: dict[str, list[Method]]
    verdicts: list[Verdict]


class Evaluation(Figures):
    """`questions` are those requested, `done` those that every debate, single answer and vote was asked. `reason` says
    why there are fewer, and `raised` is the option that lets it go on. `kinds` is the number of questions by kind of
    comparison. `earlier_reports` are numbers of questions after which this evaluation was reported before."""

    folder: str
    dataset: str
    sha256: str
    seed: int
    budget: int | None
    voters: int
    voices: dict[str, list[list[str]]]
    questions: int
    kinds: dict[str, int]
    earlier_reports: list[int] = []
    scorer: dict[str, Any] | None = None
    answered_by: dict[str, int] = {}
    reason: str | None
    raised: str | None = None
    notes: list[Note]
    rows: list[Row] = Field(exclude=True)


def figures(rows: Sequence[Row], names: Sequence[str], debates: Sequence[str], lacking: bool) -> Figures:
    """All figures over the rows of these methods, some of which are debates. The debates share the level of the tests:
    among several, some would seem to pay by chance. `lacking` means that a baseline at equal tokens was
    requested and is missing."""
    from moot.studies.evaluate.verdict import judge

    by_method = {name: {row.key: row for row in rows if row.method == name} for name in names}
    by_method = {name: found for name, found in by_method.items() if found}
    there = [debate for debate in debates if debate in by_method]
    level = LEVEL / max(1, len(there))
    comparisons = [one for debate in there for one in compare_all(debate, by_method, there)]
    debated = {one: debated_of(one, list(by_method[one].values())) for one in there}
    return Figures(
        done=len({row.question for row in rows}),
        epochs=max((row.epoch for row in rows), default=1),
        duplicates=_repeated(rows),
        methods=[method_of(name, kind_of(name, there), list(found.values())) for name, found in by_method.items()],
        comparisons=comparisons,
        flips=[found for name, rows in by_method.items() if (found := _flips(name, [*rows.values()])).questions],
        debated=list(debated.values()),
        categories=_by_category(by_method, there),
        verdicts=[judge(comparisons, found, lacking=lacking, level=level) for found in debated.values()],
    )


def summarise(
    setup: Setup, dataset: Dataset, rows: list[Row], folder: str, reason: str | None, scorer: dict[str, Any] | None
) -> Evaluation:
    """All figures of an evaluation, with the findings in words."""
    from moot.studies.evaluate.notes import notes

    sampled = {row.method.partition("@")[0] for row in rows}
    lacking = any(name in setup.baselines and name not in sampled for name in MATCHED)
    debates = [contender.name for contender in setup.contenders]
    found = figures(rows, setup.methods, debates, lacking)
    answered: Counter[str] = Counter(model for row in rows for model in row.answered_by)
    return Evaluation(
        **dict(found),
        folder=folder,
        dataset=dataset.name,
        sha256=dataset.sha256,
        seed=setup.seed,
        budget=setup.budget,
        voters=setup.voters,
        voices={name: [list(models) for models in voices] for name, voices in setup.voices.items()},
        questions=len(dataset.items),
        kinds=dataset.kinds,
        scorer=scorer,
        answered_by=dict(answered.most_common()),
        reason=reason,
        notes=list(notes(found, setup.foreign, rows, dataset.items)),
        rows=rows,
    )


def _repeated(rows: Sequence[Row]) -> int:
    """The number of rows whose replies are exactly those of an earlier epoch. They stay among the rows: questions are
    counted, not tries, so they add no evidence, and without them tries that differ would weigh more than tries that
    agree."""
    said = [(row.question, row.method, row.said) for row in rows if row.said is not None]
    return len(said) - len(set(said))


def compare_all(debate: str, by_method: Mapping[str, Mapping[Any, Row]], debates: Sequence[str]) -> list[Comparison]:
    """A debate against each of its baselines, with adjusted p-values."""
    others = [other for other in by_method if _is_for(other, debate, debates)]
    return adjusted([compare(debate, other, by_method[debate], by_method[other]) for other in others])


def adjusted(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons with p-values adjusted for all of them."""
    equal = holm([_p_of_equal(comparison) for comparison in comparisons])
    worth = holm([_largest(*(over.p_worth for over in ways_of_worth(comparison))) for comparison in comparisons])
    return [
        comparison.model_copy(update={"adjusted": p, "adjusted_worth": less})
        for comparison, p, less in zip(comparisons, equal, worth, strict=True)
    ]


def _p_of_equal(comparison: Comparison) -> float | None:
    """The largest p-value of the ways of counting in which a difference has to show; 1 if failures could turn it."""
    sign = 1 if (comparison.over_read.difference or 0) > 0 else -1
    bound = comparison.bound(sign)
    if bound.p_value is not None and (bound.difference or 0) * sign <= 0 and comparison.failed:
        return 1.0
    return _largest(comparison.over_read.p_value, comparison.over_all.p_value, bound.p_value)


def ways_of_worth(comparison: Comparison) -> tuple[Paired, ...]:
    """The ways of counting in which a worthwhile gain has to be ruled out."""
    return comparison.over_read, comparison.over_all, comparison.over_answered, comparison.at_best


def _largest(*values: float | None) -> float | None:
    """The largest value; None if one is missing, since then not everything was tested."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None


def compare(debate: str, other: str, first: Mapping[Any, Row], second: Mapping[Any, Row]) -> Comparison:
    """Two methods on the questions that either was asked. What only one was asked has failed for the other: where a
    debate fails, there is nothing to match samples to."""
    asked = {**second, **first}
    pairs = [(_asked(first, key, asked), _asked(second, key, asked)) for key in asked]
    whole = [(a, b) for a, b in pairs if "failed" not in (a.grade, b.grade)]
    readable = [(a, b) for a, b in pairs if can_be_compared(a) and can_be_compared(b)]
    answered = [(a, b) for a, b in whole if {a.grade, b.grade} <= {"right", "wrong"}]
    return Comparison(
        debate=debate,
        against=other,
        tokens_ratio=_ratio([(a.tokens, b.tokens) for a, b in whole]),
        cost_ratio=_ratio([(a.cost, b.cost) for a, b in whole]),
        failed=len(pairs) - len(whole),
        unread=len(whole) - len(readable),
        over_all=_pair(whole),
        over_read=_pair(readable),
        over_answered=_pair(answered),
        at_worst=_pair(pairs, failed_as=(False, True)),
        at_best=_pair(pairs, failed_as=(True, False)),
    )


def _asked(rows: Mapping[Any, Row], key: Any, every: Mapping[Any, Row]) -> Row:
    return rows[key] if key in rows else every[key].model_copy(update={"grade": "failed"})


def _ratio(spent: Sequence[tuple[float | None, float | None]]) -> float | None:
    if any(None in pair for pair in spent):
        return None
    one, other = sum(a or 0 for a, _ in spent), sum(b or 0 for _, b in spent)
    return round(one / other, 3) if other else None


def can_be_compared(row: Row) -> bool:
    """Whether its grade can be compared: an unreadable answer is neither right nor wrong."""
    return row.grade not in ("failed", "unparsable")


def _pair(rows: Sequence[tuple[Row, Row]], failed_as: tuple[bool, bool] = (False, False)) -> Paired:
    """Both methods on these rows; `failed_as` is whether a failure of the first, and of the second, counts as right."""
    first, second = (
        [failed_as[place] if row.grade == "failed" else row.grade == "right" for row in column]
        for place, column in enumerate(([a for a, _ in rows], [b for _, b in rows]))
    )
    clusters = [a.cluster or a.question for a, _ in rows]
    found = paired_shares(first, second, clusters)
    both = Counter(zip(first, second, strict=True))
    return Paired(
        questions=len(rows),
        clusters=len(set(clusters)),
        both_right=both[True, True],
        only_first=both[True, False],
        only_second=both[False, True],
        neither=both[False, False],
        first_share=sum(first) / len(rows) if rows else None,
        second_share=sum(second) / len(rows) if rows else None,
        difference=found.value,
        low=found.low,
        high=found.high,
        p_value=found.p,
        p_worth=found.p_below(WORTH),
    )


def method_of(name: str, kind: str, rows: Sequence[Row]) -> Method:
    """The counts over the rows of one method."""
    grades: dict[str, int] = {grade: sum(row.grade == grade for row in rows) for grade in GRADES}
    tokens, costs = [row.tokens for row in rows], [row.cost for row in rows]
    clusters = [[row.cluster or row.question for row in rows]]
    of_all = [None if row.grade == "failed" else row.grade == "right" for row in rows]
    answered = [row.grade == "right" if row.grade in ("right", "wrong") else None for row in rows]
    return Method(
        method=name,
        kind=kind,
        grades=grades,
        right_of_all=rate_of(of_all, clusters),
        right_of_answered=rate_of(answered, clusters),
        calls=sum(row.calls for row in rows),
        tokens=None if None in tokens else sum(token or 0 for token in tokens),
        cost=None if None in costs else round(sum(cost or 0 for cost in costs), 6),
        seconds=round(sum(row.seconds for row in rows), 3),
    )


def _by_category(by_method: Mapping[str, Mapping[Any, Row]], debates: Sequence[str]) -> dict[str, list[Method]]:
    """The methods on the questions of each category, if there are several."""
    names = {row.category: None for found in by_method.values() for row in found.values()}
    return {
        str(name or "none"): [
            method_of(method, kind_of(method, debates), [row for row in found.values() if row.category == name])
            for method, found in by_method.items()
        ]
        for name in (names if len(names) > 1 else ())
    }


def debated_of(debate: str, rows: Sequence[Row]) -> Debated:
    whole = [row for row in rows if row.grade != "failed"]
    held = [row for row in whole if row.debated]
    reasons = [row.undebated or row.detail for row in whole if not row.debated]
    right: list[bool | None] = [row.grade == "right" if can_be_compared(row) else None for row in held]
    return Debated(
        debate=debate,
        questions=len(whole),
        debated=len(held),
        not_debated=dict(Counter(reasons).most_common()),
        right_of_debated=rate_of(right, [[row.cluster or row.question for row in held]]),
    )


def _flips(method: str, rows: Sequence[Row]) -> Flips:
    held = [row for row in rows if row.answers_right and row.grade != "failed"]
    to_wrong = [row.right_to_wrong for row in held if row.right_to_wrong is not None]
    to_right = [row.wrong_to_right for row in held if row.wrong_to_right is not None]
    return Flips(
        method=method,
        questions=len(held),
        first_answers=sum(answer is not None for row in held for answer in row.answers_right or ()),
        right_to_wrong=sum(to_wrong) if to_wrong else None,
        wrong_to_right=sum(to_right) if to_right else None,
        voted_away=sum(bool(row.voted_away) for row in held),
    )


def kind_of(name: str, debates: Sequence[str]) -> str:
    return "debate" if name in debates else "first answers" if name.endswith("/first") else "baseline"


def _is_for(other: str, debate: str, debates: Sequence[str]) -> bool:
    """Whether this method is compared with the debate: baselines, and methods matched to or derived from this
    debate."""
    if other in debates:
        return False
    own = (f"{debate}/first", *(name for baseline in MATCHED for name in matched_to(debate, baseline)))
    return other in own or not (other.endswith("/first") or other.partition("@")[0] in MATCHED)
