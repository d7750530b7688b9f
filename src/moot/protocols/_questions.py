"""How to ask a question with a right answer of any protocol whose outcome has an `answer` in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from moot.engine.study import Asking, Question, Said, Study, plain_findings, plain_words

TASK = """{task}

Whoever gives an answer ends it with a line of its own that reads:

ANSWER: {form}"""


def answering(*, numbers: bool = False) -> Study:
    """The study of a protocol that is asked for its `topic` and has an `answer` in its outcome, None if there is none.
    Evaluations can compare it with others. It may be one that gives `numbers` alone."""

    def refuses(question: Question) -> str | None:
        return "it estimates numbers" if numbers and question.match != "number" else None

    return Study(plain_findings, asking=Asking(_settings, _read, refuses=refuses))


def _settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
    return {"topic": TASK.format(task=question.task, form=question.form)}


def _read(outcome: Any, question: Question, candidates: tuple[str, ...]) -> Said:  # noqa: ARG001
    if outcome.answer is None:
        return Said(None, True, "it came to no answer")
    said = outcome.answer
    answer = question.answer_in(said if question.states_answer(said) else f"ANSWER: {said}")
    return Said(answer, False, "as answered" if answer is not None else "its answer cannot be read")


def same_answer(answer: str) -> str:
    """A short answer without differences that do not matter: case, spaces, the full stop, the word ANSWER before it."""
    return plain_words(answer.rpartition("ANSWER:")[2] or answer)


def majority(answers: Sequence[str]) -> str | None:
    """The short answer that most gave, as it was first given; None on a tie."""
    most = Counter(map(same_answer, answers)).most_common(2)
    if not most or (len(most) == 2 and most[0][1] == most[1][1]):
        return None
    return next(answer for answer in answers if same_answer(answer) == most[0][0])
