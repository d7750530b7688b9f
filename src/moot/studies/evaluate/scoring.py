"""Custom scorers: a Python function, or a model that compares an answer with the key.

    file.py:function       function(question, answer) -> True, False or None; `question` is a dict
    model:PROVIDER/NAME    is asked whether the answer means the same as the key

A sample checked by people shows how reliable a scorer is: JSON lines with `question` (its id), `answer` and `right`.
"""

import asyncio
import hashlib
import importlib.util
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from moot.engine.play.prompt import fenced
from moot.errors import ConfigError
from moot.plugins.guard import loading
from moot.stats import krippendorff_alpha, rate
from moot.studies.evaluate.dataset import Item
from moot.studies.evaluate.questions import Question, Row, read_answers
from moot.studies.runner import together
from moot.text.json import parse_json

Score = bool | Literal["failed"] | None
"""Whether an answer is right; None if the scorer cannot tell, `failed` if a model did not answer."""
Grading = Callable[[Question, str], Coroutine[Any, Any, Score]]
Checked = Sequence[tuple[str, str, bool]]
"""Answers that people have graded: the question's id, the answer, and whether it is right."""
MOST_SHOWN = 20


def grading_of(scorer: str) -> Grading:
    """The scorer with this name; ConfigError if there is none."""
    kind, _, rest = scorer.partition(":")
    if kind == "model" and rest:
        return lambda question, answer: _by_model(rest, question, answer)
    path, _, name = scorer.rpartition(":")
    if path.endswith(".py") and name.isidentifier():
        function = _function(Path(path), name)
        return lambda question, answer: _by_function(function, question.item, answer)
    raise ConfigError("a scorer is FILE.py:FUNCTION or model:PROVIDER/NAME", "scorer")


async def regrade(rows: Sequence[Row], questions: Sequence[Question], grade: Grading, at_once: int) -> list[Row]:
    """The rows with the grades of this scorer. Equal answers to a question are scored once, even if several methods
    gave them."""
    by_key = {(question.item.id, question.epoch): question for question in questions}
    asked: dict[tuple[str, str], Question] = {}
    for row in rows:
        for answer in (row.answer, *(row.answers or ()), *(row.last or ())):
            if answer is not None:
                asked.setdefault((row.question, answer), by_key[row.key])
    grades = await together(*(grade(one, answer) for (_, answer), one in asked.items()), at_most=at_once)
    found = dict(zip(asked, grades, strict=True))
    return [_regraded(row, found) for row in rows]


def _regraded(row: Row, found: Mapping[tuple[str, str], Score]) -> Row:
    def known(answers: Sequence[str | None] | None) -> list[bool | None] | None:
        scores = None if answers is None else [found.get((row.question, answer or "")) for answer in answers]
        return None if scores is None else [None if score == "failed" else score for score in scores]

    update: dict[str, Any] = {"answers_right": known(row.answers), "last_right": known(row.last)}
    if row.answer is not None and row.grade in ("right", "wrong"):
        score = found[row.question, row.answer]
        update["grade"] = {None: "unparsable", True: "right", False: "wrong", "failed": "failed"}[score]
        if not isinstance(score, bool):
            update["detail"] = "the scorer did not answer" if score else "the scorer could not tell"
    return row.model_copy(update=update)


async def check(sample: Checked, questions: Sequence[Question], grade: Grading) -> dict[str, Any]:
    """How far a scorer agrees with people on a sample that they checked, as far as its questions were asked."""
    by_id = {question.item.id: question for question in reversed(questions)}
    known = [(by_id[name], answer, right) for name, answer, right in sample if name in by_id]
    if not known:
        return {}
    graded = await together(*(grade(one, answer) for one, answer, _ in known), at_most=8)
    pairs = [(one, answer, right, found) for (one, answer, right), found in zip(known, graded, strict=True)]
    read = [(right, found) for _, _, right, found in pairs if isinstance(found, bool)]
    agreed = rate(sum(right == found for right, found in read), len(read), len(pairs) - len(read))
    alpha = krippendorff_alpha([{"people": right, "scorer": found} for right, found in read])
    return {
        "checked": len(pairs),
        "agreement": agreed.model_dump(),
        "accepted_wrong": sum(found is True and not right for _, _, right, found in pairs),
        "refused_right": sum(found is False and right for _, _, right, found in pairs),
        "alpha": alpha.alpha,
        "disagreements": [
            {"question": one.item.id, "answer": answer, "people": right, "scorer": found}
            for one, answer, right, found in pairs
            if found is not right
        ][:MOST_SHOWN],
    }


def read_checked(path: Path | str | None, scorer: str | None, items: Sequence[Item]) -> Checked:
    """The answers that people have graded; ConfigError if none is to a question that is asked, or nothing to check."""
    if path is None:
        return ()
    if scorer is None:
        raise ConfigError("`checked` is a sample to check a scorer with, and there is none", "checked")
    form = "a checked sample has `question`, `answer` and `right` (true or false) on each line"
    try:
        lines = [parse_json(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]
        found = [(str(line["question"]), str(line["answer"]), line["right"]) for line in lines]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: {form}: {error}", "checked") from None
    if wrong := next((name for name, _, right in found if not isinstance(right, bool)), None):
        raise ConfigError(f"{path}: {form}; that of {wrong!r} is neither", "checked")
    if not {name for name, _, _ in found} & {item.id for item in items}:
        raise ConfigError(f"{path}: none of its questions is asked here", "checked")
    return found


def _document(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "question": item.question,
        "keys": list(item.answers),
        "choices": list(item.choices),
        "context": item.context,
        "category": item.category,
    }


def _function(path: Path, name: str) -> Callable[[dict[str, Any], str], Any]:
    spec = importlib.util.spec_from_file_location(f"moot_scorer_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ConfigError(f"{path} cannot be read as Python", "scorer")
    module = importlib.util.module_from_spec(spec)
    with loading(lambda error: ConfigError(f"{path}: {type(error).__name__}: {error}", "scorer")):
        spec.loader.exec_module(module)
        found = getattr(module, name)
    if not callable(found):
        raise ConfigError(f"{path}: {name} is no function", "scorer")
    return found  # type: ignore[no-any-return]


async def _by_function(function: Callable[[dict[str, Any], str], Any], item: Item, answer: str) -> bool | None:
    def graded() -> Any:
        failure = f"the scorer failed on {item.id!r}"
        with loading(lambda error: ConfigError(f"{failure}: {type(error).__name__}: {error}", "scorer")):
            return function(_document(item), answer)

    found = await asyncio.to_thread(graded)
    if not isinstance(found, bool | None):
        raise ConfigError(f"the scorer should return True, False or None, not {found!r}", "scorer")
    return found


async def _by_model(model: str, question: Question, answer: str) -> Score:
    """Ask the model in a separate run, so that the call is on record and not paid twice."""
    item = question.item
    asked = COMPARE.format(task=item.task, keys=fenced("\n".join(item.answers), "key"), answer=fenced(answer, "answer"))
    grading = Item(line=item.line, id=item.id, question=asked, answers=("yes",), match="boolean")
    digest = hashlib.sha256(asked.encode()).hexdigest()[:12]
    place = question.place.parent / "scoring" / f"{question.place.name}-{digest}"
    result = await question.stage.answers(place, grading, question.seed, {"scorer": [model]})
    if result.status != "done":
        return "failed"
    said = read_answers(result, grading).get("scorer")
    return None if said is None else said == "yes"


COMPARE = """A question was answered. Does the answer mean the same as the key? Differences of form do not matter.

The question:

{task}

The key, or keys of which one is enough:

{keys}

The answer:

{answer}"""
