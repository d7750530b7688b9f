"""Self-consistency gets as much as a debate in all, evenly, and so the verdict is not about who had more."""

import random
from pathlib import Path
from typing import Any

import pytest

from moot.models.base import Usage
from moot.record.journal import Record
from moot.stats import rate
from moot.studies.evaluate.dataset import Reading, by_lot, read_datasets
from moot.studies.evaluate.questions import Row, vote_over
from moot.studies.evaluate.sampling import Pool, Purse, Sample
from moot.studies.evaluate.summary import Debated, compare_all
from moot.studies.evaluate.verdict import judge
from moot.testing import ScriptedModel
from tests.kit.examples import tries
from tests.kit.quiz import MODEL, Quiz, numbers, row, run, short_duel, thinking, write

QUESTIONS = 400
CALL = 300


def grade(method: str, question: int, *, right: bool, calls: int) -> Row:
    told: dict[str, Any] = {"truth": "7", "detail": "", "answers": None, "debated": None, "runs": [], "seconds": 0.0}
    told |= {"calls": calls, "tokens": calls * CALL, "cost": None}
    answer = "7" if right else "8"
    return Row(question=str(question), method=method, grade="right" if right else "wrong", answer=answer, **told)


def verdict(right_alone: float, judge_right: float, seed: int) -> str:
    """What is said of duels between two answers that are right so often, before a judge who is right so often."""
    lot = random.Random(seed)
    rows: dict[str, dict[tuple[str, int], Row]] = {"duel": {}, "single": {}, "self-consistency@duel": {}}
    for question in range(QUESTIONS):
        first = lot.random() < right_alone, lot.random() < right_alone
        right = first[0] if first[0] == first[1] else lot.random() < judge_right
        calls = 2 if first[0] == first[1] else 16
        rows["duel"][str(question), 1] = grade("duel", question, right=right, calls=calls)
        rows["single"][str(question), 1] = grade("single", question, right=lot.random() < right_alone, calls=1)
    pools = [Pool(None) for _ in range(QUESTIONS)]  # type: ignore[arg-type]
    total = sum(one.tokens or 0 for one in rows["duel"].values())
    purse = Purse("self-consistency@duel", float(total), pools, lambda one: one.tokens)
    record = Record(key="sample", started="2026-01-01T00:00:00Z", usage=Usage(CALL - 100, None, 100))
    for pool in pools:
        pool.samples = [Sample("7" if lot.random() < right_alone else "8", None, [record], "") for _ in range(20)]
    for question, number in (purse.counts() or {}).items():
        said = vote_over({str(place): one.answer for place, one in enumerate(pools[question].samples[:number])})
        found = grade("self-consistency@duel", question, right=said.answer == "7", calls=number)
        rows["self-consistency@duel"][str(question), 1] = found
    held = Debated(
        debate="duel", questions=QUESTIONS, debated=QUESTIONS, not_debated={}, right_of_debated=rate(0, QUESTIONS)
    )
    return judge(compare_all("duel", rows, ["duel"]), held).finding


def test_a_duel_that_stops_early_on_easy_questions_does_not_win_by_that() -> None:
    # Answers are right .9, the judge .95: as many tokens make about four samples of each question.
    assert "paid" not in {verdict(0.9, 0.95, seed) for seed in range(min(4, tries(2)))}


def test_a_judge_who_knows_what_samples_do_not_is_found() -> None:
    # A vote among answers that are right .45 of the time gains nothing, whatever it costs.
    assert {verdict(0.45, 0.95, seed) for seed in range(min(4, tries(2)))} == {"paid"}


def test_a_tie_goes_to_the_answer_that_was_given_first() -> None:
    assert vote_over({"1": "8", "2": "7"}).answer == "8"
    assert vote_over({"1": "8", "2": "7", "3": "7", "4": "8", "5": None}).answer == "8"
    assert vote_over({"1": None, "2": None}).answer is None


@pytest.fixture(scope="module")
def priced(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("priced")
    usual = {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 8"), "duel": "7", "sample": "ANSWER: 7"}
    quiz = Quiz({}, usual)
    model = ScriptedModel(quiz, name=MODEL)

    class Priced:
        """The same, at ten times as much for what it writes as for what it reads."""

        name, small, context_window = MODEL, False, None

        async def ready(self) -> None:
            """Always."""

        async def reply(self, request: Any, on_text: Any = None) -> Any:
            from dataclasses import replace

            found = await model.reply(request, on_text)
            used = found.usage
            cost = ((used.input or 0) + 10 * (used.output or 0)) / 1e6
            return replace(found, usage=replace(used, cost=cost))

    path = write(folder, numbers(4))
    return run(quiz, path, [short_duel(folder)], Priced(), baselines=["self-consistency"])


def test_the_same_is_done_by_cost(priced: Any) -> None:
    methods = {one.method: one for one in priced.methods}
    by_tokens, by_cost = methods["self-consistency@duel"], methods["self-consistency@duel (cost)"]
    assert by_tokens.tokens <= methods["duel"].tokens
    assert by_cost.cost <= methods["duel"].cost
    assert abs(by_cost.cost / methods["duel"].cost - 1) < 0.05
    # A debate reads much and samples write much, so that its cost pays for other numbers of them.
    assert by_tokens.calls != by_cost.calls
    against = {one.against: one for one in priced.comparisons}
    assert against["self-consistency@duel (cost)"].cost_ratio == pytest.approx(1, abs=0.05)
    assert "× the cost" in priced.verdicts[0].words


def test_samples_that_are_all_the_same_are_told(tmp_path: Path) -> None:
    usual = {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 8"), "duel": "7", "sample": "ANSWER: 7"}
    found = run(Quiz({}, usual), write(tmp_path, numbers(2)), [short_duel(tmp_path)], baselines=["self-consistency"])
    assert row(found, "Q1", "self-consistency@duel").distinct == 1
    assert "alike" in {note.code for note in found.notes}


def test_a_limit_leaves_a_fair_sample_and_not_the_easy_questions(tmp_path: Path) -> None:
    """Every other question is debated, which takes seven times the calls: those that a limit finds finished are not
    the ones on which there was nothing to debate."""
    same = {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 7")}
    plan = {f"Q{number}": same for number in range(1, 41, 2)}
    usual = {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 8"), "duel": "7", "voter-1": "ANSWER: 7"}
    asked = Quiz(plan, usual)
    found = run(
        asked, write(tmp_path, numbers(40)), [short_duel(tmp_path)], baselines=["single"], max_calls=150, at_once=8
    )
    lot = [item.id for item in by_lot(read_datasets([tmp_path / "quiz.jsonl"], Reading()).items, 1)]
    assert found.reason is not None and 0 < found.done < 40
    assert {row.question for row in found.rows} == set(lot[: found.done])
    assert [row.question for row in found.rows] == sorted(
        (row.question for row in found.rows), key=lambda one: int(one[1:])
    )
    again = run(asked, tmp_path / "quiz.jsonl", [short_duel(tmp_path)], baselines=["single"], max_calls=1000)
    assert (again.done, len(asked.asked)) == (40, len(set(asked.asked)))
