"""How to ask a question with a right answer of any protocol whose outcome has an `answer` in words."""

from collections.abc import Mapping
from typing import Any

from moot.engine.study import Asking, Question, Said, Study, plain_findings

TASK = """{task}

Whoever gives an answer ends it with a line of its own that reads:

ANSWER: {form}"""


def answering() -> Study:
    """The study of a protocol that is asked for its `topic` and has an `answer` in its outcome, None if there is none.
    Evaluations can compare it with others."""
    return Study(plain_findings, asking=Asking(_settings, _read))


def _settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
    return {"topic": TASK.format(task=question.task, form=question.form)}


def _read(outcome: Any, question: Question, candidates: tuple[str, ...]) -> Said:  # noqa: ARG001
    if outcome.answer is None:
        return Said(None, True, "it came to no answer")
    answer = question.answer_in(outcome.answer)
    return Said(answer, False, "as answered" if answer is not None else "its answer cannot be read")
