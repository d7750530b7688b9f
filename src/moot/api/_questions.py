"""How to ask a question with a right answer of any protocol whose outcome has an `answer` in words."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moot.engine.define.study import (
    TRUTH,
    Answer,
    Asking,
    Content,
    Findings,
    FoundAnswer,
    Question,
    Study,
    answer_findings,
    plain_findings,
)
from moot.errors import ConfigError
from moot.record.entry import Entry
from moot.text.figures import figure
from moot.text.prose import plain_words

MARK = "ANSWER"
"""The word before a short answer, on a line of its own."""
CLOSING = f"{TRUTH} Then end with a line of its own that reads:\n\n{MARK}: {{form}}"
TASK = f"""{{task}}

{TRUTH}

Whoever gives an answer in words ends it with a line of its own that reads:

{MARK}: {{form}}"""
CLAIM = "The right answer to the following question is “{one}”, and not “{other}”.\n\n{task}"


def answering(
    *,
    first: Callable[[Any], str | None] | None = None,
    said: Callable[[Entry], str | None] | None = None,
    numbers: bool = False,
) -> Study:
    """The study of a protocol with a `TopicConfig` that has an `answer` in its outcome, None if there is none.
    Evaluations can compare it with others. It may be one that gives `numbers` alone.

    `first` is for answers short enough to be compared: it gives the one without the debate, None if there is none. Then
    batches count the answers, and how often debating changed them. `said` gives the answer of an agent in an entry, as
    in `Asking`."""

    def find(outcome: Any, entries: Sequence[Entry]) -> Findings:
        if first is None:
            return plain_findings(outcome, entries)
        answer, before = outcome.answer, first(outcome)
        return answer_findings(*map(_number_in, (answer, before))) if numbers else answer_findings(answer, before)

    def refuses(question: Question) -> str | None:
        return "it estimates numbers" if numbers and question.match != "number" else None

    def settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
        return {"topic": question.task, "answer_form": question.form}

    check, read = (_right_number, _read_number) if numbers else (None, _read)
    asking = Asking(settings, read, refuses=refuses, said=said)
    return Study(find, check_answer=check, of_question=("require",), asking=asking)


def closing(answer_form: str, otherwise: str = "") -> str:
    """The last paragraph of a request for an answer. For a question with a right answer, it says how to work it out and
    how to end, in the same words for every design that is compared; `otherwise` is for all others."""
    return CLOSING.format(form=answer_form) if answer_form else otherwise


def claim_of(question: Question, one: str, other: str) -> str:
    """The claim that one of two answers to a question is right, for a protocol that debates a claim."""
    task = TASK.format(task=question.task, form=question.form)
    return CLAIM.format(task=task, one=one, other=other)


def choosing(
    speakers: Mapping[str, str],
    put: Callable[[Question, str, str], Mapping[str, Any]],
    chosen: Callable[[Any, str, str], str | None],
    *,
    alone: Callable[[Any], str | None] | None = None,
    said: Callable[[Entry], str | None] | None = None,
) -> Study:
    """The study of a protocol that is asked which of two answers is right. If a question does not name two, those who
    speak first answer it alone, and what they differ on is debated.

    `speakers` are the ids and names of two of its agents. `put` makes the settings from the question and the two
    answers in words. `chosen` says which of the two the outcome is for, or gives a text that ends with an answer; None
    if it decided nothing. `alone` is for a protocol with a `TwoAnswersConfig`, whose outcome has the `answer`: it gives
    what one agent answered before anybody argued, and `said` finds that in an entry, as in `Asking`."""

    def settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
        one, other = map(question.shown, candidates)
        return dict(put(question, one, other))

    def read(outcome: Any, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:
        one, other = map(question.shown, candidates)
        by_words = dict(zip((one, other), candidates, strict=True))
        found = chosen(outcome, one, other)
        return FoundAnswer(by_words[found], False, "as decided") if found in by_words else _read_text(found, question)

    asking = Asking(settings, read, speakers=tuple(speakers.items()), blind_first=True, said=said)
    if alone is None:
        return Study(plain_findings, of_question=("claim", "denial"), asking=asking)
    return Study(
        lambda outcome, _: answer_findings(outcome.answer, alone(outcome)),
        check_answer=_right_of_two,
        of_question=("one", "other", "right", "require"),
        asking=asking,
    )


def _right_of_two(content: Content, given: Answer | None) -> Answer | None:
    """The right one of two answers, from the batch or from the debate's own `right`."""
    answers = [content.get("one", "Yes"), content.get("other", "No")]
    if isinstance(given, str) and plain_words(given) not in map(plain_words, answers):
        raise ConfigError(f"`answer` is {given!r}; the answers are {' and '.join(map(repr, answers))}", "answer")
    return content.get("right") if given is None else given


def _number_in(answer: str | None) -> str | None:
    """An answer such as “50 days” without its unit, to be compared."""
    return answer.split()[0] if answer else None


def _right_number(content: Content, given: Answer | None) -> Answer | None:  # noqa: ARG001 (one of several)
    """The right number as answers are written, if it is given with its unit, too."""
    if not isinstance(given, str):
        return given
    try:
        return figure(float((_number_in(given) or "").replace(",", "")))
    except ValueError as error:
        raise ConfigError(f"`answer` is {given!r}; it should be a number", "answer") from error


def _read(outcome: Any, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:  # noqa: ARG001
    return _read_text(outcome.answer, question)


def _read_number(outcome: Any, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:
    """The number with its unit, which may be another than that of the right answer. A unit that cannot be read, such as
    “x”, is left out."""
    said = _read(outcome, question, candidates)
    return _read_text(_number_in(outcome.answer), question) if said.answer is None else said


def _read_text(said: str | None, question: Question) -> FoundAnswer:
    if said is None:
        return FoundAnswer(None, True, "it came to no answer")
    answer = question.answer_in(said if question.states_answer(said) else f"{MARK}: {said}")
    return FoundAnswer(answer, False, "as answered" if answer is not None else "its answer cannot be read")


def same_answer(answer: str) -> str:
    """A short answer without differences that do not matter: case, spaces, the full stop, the word ANSWER before it."""
    return plain_words(answer.rpartition(f"{MARK}:")[2] or answer)


def marked(text: str, mark: str = MARK) -> str | None:
    """What follows a mark in the last line that begins with it, such as `ANSWER: 4`. An answer may also be in a TeX box
    in the last line. None if it is in neither."""
    lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
    for line in reversed(lines):
        word, colon, rest = line.strip(" *_#>`-").partition(":")
        if colon and word.strip(" *_`").casefold() == mark.casefold():
            return boxed(rest) or rest.strip(" *_`") or None
    return boxed(lines[-1]) if lines and mark == MARK else None


def boxed(line: str) -> str | None:
    """The content of the last TeX box in a line, including inner braces."""
    _, box, inner = line.rpartition("\\boxed{")
    depth = 1
    for place, letter in enumerate(inner if box else ""):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0:
            return inner[:place].strip() or None
    return None


def majority(answers: Sequence[str]) -> str | None:
    """The short answer that most gave, as it was first given; None on a tie."""
    most = Counter(map(same_answer, answers)).most_common(2)
    if not most or (len(most) == 2 and most[0][1] == most[1][1]):
        return None
    return next(answer for answer in answers if same_answer(answer) == most[0][0])
