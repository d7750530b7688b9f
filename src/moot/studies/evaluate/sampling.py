"""A vote over samples of one model, as many as the tokens, or the cost, of a debate pay for: self-consistency if each
is one answer, self-correction if each is an answer that the model then revises as often as the debate goes round.

The budgets are equal in total and spread evenly. What a debate used over all questions is spent in rounds: one sample
of each question, then a second one, and so on; in the last round, the questions come in random order until nothing is
left. The budget is not matched per question: a debate stops early on easy questions and continues on hard ones, which
reveals which are hard, and matching would take samples away from questions where a single answer is least certain.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean

from moot.engine.outcome.result import Result, seconds_taken, spent_on
from moot.engine.staging.runs import Run
from moot.record.journal import Record
from moot.studies.evaluate.dataset import by_lot
from moot.studies.evaluate.questions import SAMPLED, Question, Row, matched_to, read_revisions, said_hash, vote_over
from moot.studies.runner import together

MOST_SAMPLES = 1000
"""The most samples of one question, with any budget."""
Amount = Callable[["Sample"], float | None]


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer, `first` as it was before its revisions, and the records of its calls."""

    answer: str | None
    first: str | None
    records: list[Record]
    run: str

    @property
    def tokens(self) -> float | None:
        spent = spent_on(self.records)
        return None if spent.input is None or spent.output is None else spent.input + spent.output

    @property
    def cost(self) -> float | None:
        return spent_on(self.records).cost


@dataclass(slots=True)
class Pool:
    """The samples of one question so far, each revised so often. `failed` is the run in which a model did not
    answer."""

    question: Question
    folder: str = SAMPLED
    revisions: int = 0
    samples: list[Sample] = field(default_factory=list)
    failed: Result | None = None

    async def take(self, number: int) -> None:
        """Take this many more samples. If a run exists in this place, its samples are used."""
        start = len(self.samples)
        voice = next(iter(self.question.setup.voices.values()))[0]
        voices = {f"sample-{start + place + 1}": voice for place in range(number)}
        result = await self.question.answers(f"{self.folder}/{start + 1}", voices, revisions=self.revisions)
        if result.status != "done":
            self.failed = result
            return
        records = Run(Path(result.run)).records()
        for name, answers in read_revisions(result, self.question.item).items():
            last = next((answer for answer in reversed(answers) if answer is not None), None)
            own = [record for record in records if record.agent == name]
            self.samples.append(Sample(last, answers[0], own, result.run))


@dataclass(frozen=True, slots=True)
class Purse:
    """What one debate used in total, to be spent on the questions it did not fail on. `order` is random."""

    method: str
    total: float
    order: list[Pool]
    amount: Amount

    def counts(self) -> dict[int, int] | None:
        """The number of samples that it pays for, by position in `order`. Existing samples count with their price,
        further ones with the mean price so far. None if a price is unknown."""
        priced = [[self.amount(sample) for sample in pool.samples] for pool in self.order]
        if any(None in prices for prices in priced):
            return None
        known = [[price or 0.0 for price in prices] for prices in priced]
        every = [price for prices in known for price in prices]
        usual = fmean(every) if every else 1.0
        means = [fmean(prices) if prices else usual for prices in known]
        left, counts = self.total, dict.fromkeys(range(len(self.order)), 0)
        for number in range(MOST_SAMPLES):
            for place, prices in enumerate(known):
                price = prices[number] if number < len(prices) else means[place]
                # One sample of each question in any case; after that, nothing beyond the budget.
                if number and price > left:
                    return counts
                left -= price
                counts[place] += 1
        return counts


async def sample(baseline: str, questions: Sequence[Question], rows: Sequence[Row], at_once: int) -> list[Row]:
    """The rows of this baseline for all questions; LimitReached if the evaluation exhausted its limits."""
    setup, found = questions[0].setup if questions else None, []
    if setup is None:
        return []
    names = [contender.name for contender in setup.contenders]
    revisions = {name: 0 if baseline == SAMPLED else setup.rounds[name] for name in names}
    for number in dict.fromkeys(revisions.values()):
        folder = f"{baseline}-{number}" if number else baseline
        pools = {(question.item.id, question.epoch): Pool(question, folder, number) for question in questions}
        alike = [name for name in names if revisions[name] == number]
        purses = [purse for name in alike for purse in _purses(baseline, name, rows, pools)]
        if purses:
            order = max(purses, key=lambda purse: len(purse.order)).order
            await together(*(pool.take(1) for pool in order), at_most=at_once)
        while lacking := _lacking(purses):
            await together(*(pool.take(number) for pool, number in lacking), at_most=at_once)
        found += [row for purse in purses for row in _spend(purse)]
    return found + _unmatched(baseline, names, rows, questions) if found else []


def _purses(baseline: str, debate: str, rows: Sequence[Row], pools: Mapping[tuple[str, int], Pool]) -> list[Purse]:
    """What this debate used in tokens, and in dollars if they are known."""
    held = [row for row in rows if row.method == debate and row.grade != "failed"]
    if not held:
        return []
    order = [pools[row.key] for row in held if row.key in pools]
    order = by_lot(order, order[0].question.setup.seed, "order")
    by_tokens, by_cost = matched_to(debate, baseline)
    tokens, costs = [row.tokens for row in held], [row.cost for row in held]
    found = []
    if None not in tokens:
        found.append(Purse(by_tokens, float(sum(token or 0 for token in tokens)), order, lambda one: one.tokens))
    if None not in costs and any(costs):
        found.append(Purse(by_cost, sum(cost or 0.0 for cost in costs), order, lambda one: one.cost))
    return found


def _lacking(purses: Sequence[Purse]) -> list[tuple[Pool, int]]:
    """How many more samples each question needs for the largest budget."""
    wanted: dict[int, tuple[Pool, int]] = {}
    for purse in purses:
        for place, number in (purse.counts() or {}).items():
            pool = purse.order[place]
            more = number - len(pool.samples)
            if pool.failed is None and more > wanted.get(id(pool), (pool, 0))[1]:
                wanted[id(pool)] = pool, more
    return list(wanted.values())


def _spend(purse: Purse) -> list[Row]:
    counts, rows = purse.counts(), []
    for place, pool in enumerate(purse.order):
        question = pool.question
        if pool.failed is not None:
            reason = pool.failed.reason or pool.failed.status
            rows.append(question.failure(purse.method, reason, [pool.failed]))
        elif counts is None:
            if not purse.method.endswith(")"):
                rows.append(question.failure(purse.method, "the model does not say how many tokens its samples took"))
        else:
            counted = pool.samples[: counts[place]]
            said = vote_over({str(number): sample.answer for number, sample in enumerate(counted)})
            if pool.revisions:
                first = {str(number): sample.first for number, sample in enumerate(counted)}
                said = replace(said, first=first, last=said.first)
            records = [record for sample in counted for record in sample.records]
            runs = list(dict.fromkeys(sample.run for sample in counted))
            row = question.row(purse.method, said, spent_on(records), seconds_taken(records), runs)
            distinct = len({said_hash(sample.records) for sample in counted})
            rows.append(row.model_copy(update={"said": said_hash(records), "distinct": distinct}))
    return rows


def _unmatched(baseline: str, debates: Sequence[str], rows: Sequence[Row], questions: Sequence[Question]) -> list[Row]:
    """Failures for debates without a token count to match."""
    by_key, why = {(one.item.id, one.epoch): one for one in questions}, "there is no token count of the debate to match"
    found = []
    for debate in debates:
        held = [row for row in rows if row.method == debate and row.grade != "failed"]
        if any(row.tokens is None for row in held):
            found += [by_key[row.key].failure(matched_to(debate, baseline)[0], why) for row in held]
    return found
