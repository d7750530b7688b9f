"""Self-consistency: a vote over samples of one model, as many as the tokens, or the cost, of a debate pay for.

The budgets are equal in total and spread evenly. What a debate used over all questions is spent in rounds: one sample
of each question, then a second one, and so on; in the last round, the questions come in random order until nothing is
left. The budget is not matched per question: a debate stops early on easy questions and continues on hard ones, which
reveals which are hard, and matching would take samples away from questions where a single answer is least certain.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from moot.engine.outcome.result import Result, seconds_taken, spent_on
from moot.engine.staging.runs import Run
from moot.record.journal import Record
from moot.studies.evaluate.questions import Question, Row, matched_to, read_answers, said_hash, vote_over
from moot.studies.runner import together

MOST_SAMPLES = 1000
"""The most samples of one question, with any budget."""
Amount = Callable[["Sample"], float | None]


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer, and the records of its call."""

    answer: str | None
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
    """The samples of one question so far. `failed` is the run in which a model did not answer."""

    question: Question
    samples: list[Sample] = field(default_factory=list)
    failed: Result | None = None

    async def take(self, number: int) -> None:
        """Take this many more samples. If a run exists in this place, its samples are used."""
        start = len(self.samples)
        voice = next(iter(self.question.setup.voices.values()))[0]
        names = [f"sample-{start + place + 1}" for place in range(number)]
        result = await self.question.answers(f"self-consistency/{start + 1}", dict.fromkeys(names, voice))
        if result.status != "done":
            self.failed = result
            return
        answers, records = read_answers(result, self.question.item), Run(Path(result.run)).records()
        self.samples += [
            Sample(answer, [record for record in records if record.agent == name], result.run)
            for name, answer in answers.items()
        ]


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


async def sample(questions: Sequence[Question], rows: Sequence[Row], at_once: int) -> list[Row]:
    """The rows of self-consistency for all questions; LimitReached if the evaluation exhausted its limits."""
    pools = {(question.item.id, question.epoch): Pool(question) for question in questions}
    setup = questions[0].setup if questions else None
    purses = [purse for debater in (setup.contenders if setup else []) for purse in _purses(debater.name, rows, pools)]
    if setup is None or not purses:
        return []
    order = next(iter(sorted(purses, key=lambda one: -len(one.order)))).order
    await together(*(pool.take(1) for pool in order), at_most=at_once)
    while lacking := _lacking(purses):
        await together(*(pool.take(number) for pool, number in lacking), at_most=at_once)
    return [row for purse in purses for row in _spend(purse)] + _unmatched(
        [contender.name for contender in setup.contenders], rows
    )


def _purses(debate: str, rows: Sequence[Row], pools: Mapping[tuple[str, int], Pool]) -> list[Purse]:
    """What this debate used in tokens, and in dollars if they are known."""
    held = [row for row in rows if row.method == debate and row.grade != "failed"]
    if not held:
        return []
    order = [pools[row.key] for row in held if row.key in pools]
    random.Random(f"{order[0].question.setup.seed}/order").shuffle(order)  # noqa: S311 (to be repeated, not a secret)
    by_tokens, by_cost = matched_to(debate)
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
            records = [record for sample in counted for record in sample.records]
            runs = list(dict.fromkeys(sample.run for sample in counted))
            row = question.row(purse.method, said, spent_on(records), seconds_taken(records), runs)
            distinct = len({said_hash(sample.records) for sample in counted})
            rows.append(row.model_copy(update={"said": said_hash(records), "distinct": distinct}))
    return rows


def _unmatched(debates: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """Failures for debates without a token count to match."""
    found = []
    for debate in debates:
        held = [row for row in rows if row.method == debate and row.grade != "failed"]
        if any(row.tokens is None for row in held):
            why = {"grade": "failed", "detail": "there is no token count of the debate to match", "answer": None}
            spent = {"calls": 0, "tokens": 0, "cost": 0.0, "seconds": 0.0, "runs": [], "said": None}
            method = {"method": matched_to(debate)[0], "debated": None, "undebated": None}
            found += [row.model_copy(update=why | spent | method) for row in held]
    return found
