"""Puts one question to the debates, to a single model and to a vote; `sampling` adds self-consistency.

The result is rows: each method's answer, whether it is right, and what it used.
"""

import hashlib
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, computed_field

from moot.engine.define.study import FoundAnswer
from moot.engine.outcome.result import Result, seconds_taken, spent_on
from moot.engine.outcome.stored import Spent
from moot.engine.staging.runs import Run
from moot.protocols.answers import AnswersOutcome
from moot.record.entry import Entry
from moot.record.journal import Record
from moot.studies.evaluate.dataset import Item
from moot.studies.evaluate.debates import Contender, in_an_order_by_lot
from moot.studies.evaluate.staging import Stage
from moot.studies.runner import together

T = TypeVar("T")
Baseline = Literal["single", "vote", "self-consistency", "self-correction"]
BASELINES: tuple[Baseline, ...] = ("single", "vote", "self-consistency", "self-correction")
SAMPLED: Baseline = "self-consistency"
MATCHED: tuple[Baseline, ...] = (SAMPLED, "self-correction")
"""Baselines that have as many tokens as a debate."""
Grade = Literal["right", "wrong", "unparsable", "undecided", "failed"]


class Row(BaseModel):
    """One method's answer to one question. `tokens` are input and output tokens, null if a model did not report them.

    `epoch` counts how often the question was asked. Questions of one `cluster` are related, such as those about one
    text; so are all epochs of a question. `match` is the kind of comparison. `unparsable`: the answer cannot be read.
    `undecided`: there is no answer, because a debate decided nothing or its budget ran out. `failed`: a model did not
    answer. `answers` are the single answers that were voted on, or that a debate began with; null is one that cannot be
    read. `last` are those of the same agents in the end, if they were asked again. `debated` is whether a debate took
    place: there is none if the first answers leave nothing to debate, or no budget. It is null for other methods, and
    for failures. `undebated` is the reason why there was no debate. `said` is a hash of the replies that identifies
    identical ones, and `distinct` the number of different samples. `answered_by` are the models that answered according
    to the providers.
    """

    question: str
    epoch: int = 1
    cluster: str = ""
    category: str | None = None
    match: str = ""
    method: str
    grade: Grade
    answer: str | None
    truth: str
    detail: str
    answers: list[str | None] | None
    answers_right: list[bool | None] | None = None
    last: list[str | None] | None = None
    last_right: list[bool | None] | None = None
    debated: bool | None
    undebated: str | None = None
    calls: int
    tokens: int | None
    cost: float | None
    seconds: float
    runs: list[str]
    said: str | None = None
    distinct: int | None = None
    answered_by: list[str] = []

    @property
    def key(self) -> tuple[str, int]:
        """The key that it shares with the rows of other methods."""
        return self.question, self.epoch

    @computed_field  # type: ignore[prop-decorator]
    @property
    def right_to_wrong(self) -> int | None:
        """How many right answers became wrong. If nobody is asked again, the result of the debate is what they became;
        null if there is no debate, or no answers."""
        return self._became(before=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def wrong_to_right(self) -> int | None:
        return self._became(before=False)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def voted_away(self) -> bool | None:
        """Whether somebody's answer was right in the end, and the result is not; null if there are no answers."""
        standing = self.last_right if self.last_right is not None else self.answers_right
        return None if standing is None else True in standing and self.grade in ("wrong", "undecided")

    def _became(self, *, before: bool) -> int | None:
        after = self.last_right
        if after is None and self.debated is not None and self.answers_right is not None:
            result = {"right": True, "wrong": False}.get(self.grade)
            after = [result] * len(self.answers_right)
        if after is None or self.answers_right is None:
            return None
        return sum(pair == (before, not before) for pair in zip(self.answers_right, after, strict=True))


@dataclass(frozen=True, slots=True)
class Setup:
    """What is compared. `voices` are the models of each contender's speakers; the baselines use those of the first
    contender. `budget` is the number of tokens that a debate may use on one question. `foreign` are the models of each
    contender that some baseline does not use, and `rounds` is how often each contender goes round."""

    contenders: list[Contender]
    baselines: list[Baseline]
    voices: Mapping[str, list[list[str]]]
    voters: int
    budget: int | None
    seed: int
    options: Mapping[str, Any]
    foreign: Mapping[str, list[str]] = field(default_factory=dict)
    rounds: Mapping[str, int] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """The names of the methods, in the order of the tables."""
        first = [
            name for one in self.contenders for name in (one.name, *([f"{one.name}/first"] * bool(one.asking.said)))
        ]
        plain = [name for name in self.baselines if name not in MATCHED]
        sampled = [name for name in self.baselines if name in MATCHED]
        matched = [name for one in self.contenders for each in sampled for name in matched_to(one.name, each)]
        return [*first, *plain, *matched]


@dataclass(frozen=True, slots=True)
class Question:
    """A question being asked, with the folder of its runs and the seed of its random choices.

    `alone` means that no other question shares the stage's budget. A debate that exhausts the budget then has no
    answer; otherwise the question is left for later.
    """

    stage: Stage
    setup: Setup
    item: Item
    place: Path
    epoch: int = 1
    alone: bool = False

    @property
    def seed(self) -> int:
        again = f"/{self.epoch}" if self.epoch > 1 else ""
        return zlib.crc32(f"{self.setup.seed}/{self.item.id}{again}".encode())

    def row(self, method: str, said: FoundAnswer, spent: Spent, seconds: float, runs: Sequence[str]) -> Row:
        item, answer = self.item, said.answer
        records = [record for run in runs for record in Run(Path(run)).records()]
        grade: Grade = "undecided" if said.undecided else "unparsable"
        if answer is not None:
            grade = "right" if item.is_right(answer) else "wrong"
        first = None if said.first is None else list(said.first.values())
        last = None if said.last is None or said.first is None else [said.last.get(name) for name in said.first]
        return Row(
            question=item.id,
            epoch=self.epoch,
            cluster=item.group or item.id,
            category=item.category,
            match=item.match,
            method=method,
            grade=grade,
            answer=answer,
            truth=" | ".join(item.answers),
            detail=said.detail,
            answers=first,
            answers_right=_right(item, first),
            last=last,
            last_right=_right(item, last),
            debated=said.debated,
            undebated=said.undebated,
            calls=spent.calls,
            tokens=None if spent.input is None or spent.output is None else spent.input + spent.output,
            cost=spent.cost,
            seconds=round(seconds, 3),
            runs=list(runs),
            said=said_hash(records) if runs else None,
            answered_by=sorted({record.answered_by for record in records if record.answered_by}),
        )

    def failure(self, method: str, reason: str, results: Sequence[Result] = ()) -> Row:
        spent, seconds = _sum([result.spent for result in results]), sum(result.seconds for result in results)
        row = self.row(method, FoundAnswer(None, True, reason), spent, seconds, [result.run for result in results])
        return row.model_copy(update={"grade": "failed"})

    async def answers(
        self, folder: str, voices: Mapping[str, list[str]], budget: int | None = None, revisions: int = 0
    ) -> Result:
        place = self.place / folder
        return self._whole(await self.stage.answers(place, self.item, self.seed, voices, budget, revisions))

    async def debate(self, contender: Contender, candidates: tuple[str, ...], used: Spent | None = None) -> Result:
        """Hold a debate with what is left of its budget."""
        config, budget = contender.config(self.item, self.seed, candidates, self.setup.options), self.setup.budget
        if used is not None and budget is not None:
            budget = max(0, budget - (used.input or 0) - (used.output or 0))
        return self._whole(await self.stage.debate(self.place / contender.name / "debate", config, budget))

    def _whole(self, result: Result) -> Result:
        """The result, if the run ended on its own, well or not; LimitReached if the evaluation exhausted its limits."""
        if result.status == "limit" and self.stage.budget.refused is not None and not self.alone:
            raise self.stage.budget.refused
        return result


async def put(question: Question) -> list[Row]:
    """The rows of all methods for one question, except self-consistency."""
    setup = question.setup
    debated = await together(*(debate(question, contender) for contender in setup.contenders))
    work = [_plain(question, name) for name in setup.baselines if name not in MATCHED]
    return [row for one in (*debated, *await together(*work)) for row in one]


async def debate(question: Question, contender: Contender) -> list[Row]:
    """The row of the debate and, if it began with blind answers, the row of a vote over them."""
    item, name = question.item, contender.name
    if contender.asking.blind_first and len(item.candidates) != 2:
        return [await _debate_first_answers(question, contender)]
    candidates = in_an_order_by_lot(item.candidates if len(item.candidates) == 2 else (), question.seed)
    result = await question.debate(contender, candidates)
    if result.status == "failed":
        return [question.failure(name, result.reason or "failed", [result])]
    first, last = _answers_in(contender, result, item, candidates)
    said = _said(contender, result, item, candidates)
    if first:
        read = [{name: answer for name, (_, answer) in given.items()} for given in (first, last)]
        said = replace(said, first=read[0], last=read[1] if last != first else None)
    row = question.row(name, said, result.spent, result.seconds, [result.run])
    return [row, _vote_of_first(question, name, result, first)] if first else [row]


def _answers_in(
    contender: Contender, result: Result, item: Item, candidates: tuple[str, ...]
) -> tuple[dict[str, tuple[Entry, str | None]], ...]:
    """The entries with the first and the last answer of each agent, and the answers as they are read."""
    first: dict[str, tuple[Entry, str | None]] = {}
    last: dict[str, tuple[Entry, str | None]] = {}
    by_words = {item.shown(candidate): candidate for candidate in candidates}
    words_in = contender.asking.said
    for entry in result.stored.entries() if words_in else ():
        if words_in and (words := words_in(entry)) is not None:
            said = words if item.states_answer(words) else f"ANSWER: {words}"
            last[entry.speaker] = entry, by_words.get(words) or item.answer_in(said)
            first.setdefault(entry.speaker, last[entry.speaker])
    return first, last


async def _debate_first_answers(question: Question, contender: Contender) -> Row:
    """Hold a debate between two blind answers if they differ."""
    item, name = question.item, contender.name
    names = [name for _, name in contender.asking.speakers]
    voices = dict(zip(names, question.setup.voices[contender.name], strict=True))
    blind = await question.answers(f"{name}/first", voices, question.setup.budget)
    if blind.status == "failed":
        return question.failure(name, blind.reason or "failed", [blind])
    first, results = read_answers(blind, item), [blind]
    different = tuple(dict.fromkeys(answer for answer in first.values() if answer is not None))
    if blind.status == "limit":
        said = replace(_out_of_budget(blind), debated=False, undebated="the budget ran out")
    elif len(different) < 2:
        said = _undebated(first)
    else:
        candidates = in_an_order_by_lot(different, question.seed)
        result = await question.debate(contender, candidates, blind.spent)
        results.append(result)
        if result.status == "failed":
            return question.failure(name, result.reason or "failed", results)
        said = _said(contender, result, item, candidates)
    spent, seconds = _sum([result.spent for result in results]), sum(result.seconds for result in results)
    return question.row(name, replace(said, first=first), spent, seconds, [result.run for result in results])


def _said(contender: Contender, result: Result, item: Item, candidates: tuple[str, ...]) -> FoundAnswer:
    over = result.status == "limit"
    said = _out_of_budget(result) if over else contender.read(result.outcome, item, candidates)
    return replace(said, debated=True)


def _out_of_budget(result: Result) -> FoundAnswer:
    return FoundAnswer(None, True, f"the budget ran out: {result.reason}")


def _undebated(first: Mapping[str, str | None]) -> FoundAnswer:
    """The answer if two blind answers leave nothing to debate."""
    readable = [answer for answer in first.values() if answer is not None]
    if not readable:
        why = "neither of the first answers can be read"
    elif len(readable) < len(first):
        why = "one of the first answers cannot be read"
    else:
        why = "both first answers are the same"
    return FoundAnswer(readable[0] if readable else None, False, f"not debated: {why}", debated=False, undebated=why)


def _vote_of_first(
    question: Question, contender: str, result: Result, first: Mapping[str, tuple[Entry, str | None]]
) -> Row:
    """The majority of a debate's blind answers, and what these alone used."""
    keys = {entry.call for entry, _ in first.values()}
    records = [record for record in result.stored.records() if record.key in keys]
    said = vote_over({name: answer for name, (_, answer) in first.items()})
    return question.row(f"{contender}/first", said, spent_on(records), seconds_taken(records), [result.run])


async def _plain(question: Question, baseline: Baseline) -> list[Row]:
    """One call, or one call per voter."""
    voices = next(iter(question.setup.voices.values()))
    number = 1 if baseline == "single" else question.setup.voters
    cast = {f"voter-{place + 1}": voices[place % len(voices)] for place in range(number)}
    result = await question.answers(baseline, cast)
    if result.status != "done":
        return [question.failure(baseline, result.reason or result.status, [result])]
    answers = read_answers(result, question.item)
    said = vote_over(answers)
    if baseline == "single":
        said = replace(said, first=None)
    return [question.row(baseline, said, result.spent, result.seconds, [result.run])]


def vote_over(answers: Mapping[str, str | None]) -> FoundAnswer:
    """The most frequent answer. Unreadable answers do not count. If answers are tied, the first one given wins. This
    favours no answer: it is as likely to be right as a single answer."""
    counts = Counter(answer for answer in answers.values() if answer is not None)
    unread = sum(answer is None for answer in answers.values())
    detail = ", ".join(f"{answer} × {count}" for answer, count in counts.most_common(5))
    detail += f"{', ' if detail else ''}{unread} unparsable" if unread else ""
    if not counts:
        return FoundAnswer(None, False, detail, dict(answers))
    most = max(counts.values())
    leading = [answer for answer, count in counts.items() if count == most]
    tied = f"tied, so the first counts: {detail}"
    return FoundAnswer(leading[0], False, tied if len(leading) > 1 else detail, dict(answers))


def read_answers(result: Result, item: Item) -> dict[str, str | None]:
    """What each speaker answered first."""
    return {name: answers[0] for name, answers in read_revisions(result, item).items()}


def read_revisions(result: Result, item: Item) -> dict[str, list[str | None]]:
    """What each speaker answered, first and in each revision."""
    said = result.outcome.answers if isinstance(result.outcome, AnswersOutcome) else {}
    return {name: [item.answer_in(text) for text in texts] for name, texts in said.items()}


def _right(item: Item, answers: Sequence[str | None] | None) -> list[bool | None] | None:
    return None if answers is None else [None if answer is None else item.is_right(answer) for answer in answers]


def _sum(spent: Sequence[Spent]) -> Spent:
    def total(values: list[Any]) -> Any:
        return None if None in values else sum(values)

    return Spent(
        calls=sum(usage.calls for usage in spent),
        input=total([usage.input for usage in spent]),
        output=total([usage.output for usage in spent]),
        cost=total([usage.cost for usage in spent]),
    )


def said_hash(records: Sequence[Record]) -> str:
    """A hash of the recorded replies, independent of their order."""
    said = sorted((record.key.partition("/")[2], record.reply or "") for record in records if record.kind == "reply")
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def matched_to(debate: str, baseline: str) -> tuple[str, str]:
    """The names of a baseline matched to the tokens of this debate, and to its cost."""
    return f"{baseline}@{debate}", f"{baseline}@{debate} (cost)"
