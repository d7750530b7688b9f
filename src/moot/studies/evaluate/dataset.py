"""Datasets: questions with answers, one JSON object a line. What is wrong with one is said with its line."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

from moot.engine.prompt import fenced
from moot.errors import ConfigError
from moot.studies.evaluate.matching import LETTERS, Match, canonical, normalised, stated

MAX_FILE_BYTES = 64_000_000
LONGEST_TASK = 16_000
"""Characters of a question with its options and its context: it has to fit into a topic, with words around it."""
ALIASES = {
    "question": ("question", "input", "prompt"),
    "answer": ("answer", "target", "label"),
    "choices": ("choices", "options"),
    "context": ("context",),
    "id": ("id",),
    "match": ("match",),
    "tolerance": ("tolerance",),
}
"""What a field may be called; two names for one field in a line are an error. All other keys are left alone."""


@dataclass(frozen=True, slots=True)
class Item:
    """A question. `answer` is in canonical form; `line` is where it stands in the file, from 1."""

    line: int
    id: str
    question: str
    answer: str
    match: Match
    choices: tuple[str, ...] = ()
    context: str | None = None
    tolerance: Fraction = Fraction(0)

    @property
    def task(self) -> str:
        """All that a model is told of it, but for how to answer."""
        parts = [self.question]
        if self.context:
            parts.append(fenced(self.context, "context"))
        parts += ["\n".join(f"{LETTERS[place]}) {text}" for place, text in enumerate(self.choices))]
        return "\n\n".join(part for part in parts if part)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The answers there can be, in canonical form, where they are known beforehand."""
        if self.match == "boolean":
            return ("yes", "no")
        return tuple(LETTERS[: len(self.choices)])

    @property
    def form(self) -> str:
        """What an answer looks like, in words."""
        match self.match:
            case "choice":
                return "the letter of one option"
            case "number":
                return "one number in digits, without a unit"
            case "boolean":
                return "yes or no"
        return "the answer alone, as short as it can be"

    def read(self, value: str) -> str | None:
        """An answer in its canonical form; None where it cannot be read beyond doubt."""
        return canonical(value, self.match, self.choices)

    def states_answer(self, text: str) -> bool:
        """Whether a text ends with an answer."""
        return stated(text) is not None

    def answer_in(self, text: str) -> str | None:
        """The answer that a text ends with, in canonical form."""
        value = stated(text)
        return None if value is None else self.read(value)

    def shown(self, answer: str) -> str:
        """An answer in words for those who debate it."""
        return f"{answer}) {self.choices[LETTERS.index(answer)]}" if self.match == "choice" else answer


@dataclass(frozen=True, slots=True)
class Dataset:
    """`sha256` is that of the file."""

    name: str
    sha256: str
    items: list[Item]


def read_dataset(path: Path, match: Match | None = None, tolerance: float | None = None) -> Dataset:
    """The questions of a JSONL file. `match` and `tolerance` hold for lines that do not say otherwise."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text (byte {error.start})") from error
    # Not splitlines: JSON strings may hold characters that it takes for the end of a line.
    rows = [
        (number, _fields(line, f"{path}, line {number}"))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    if not rows:
        raise ConfigError(f"{path} holds no question")
    usual = match or _usual_match([row for _, row in rows])
    items = [_item(row, number, usual, tolerance, f"{path}, line {number}") for number, row in rows]
    _refuse_repetitions(path, items)
    return Dataset(path.stem, hashlib.sha256(data).hexdigest(), items)


def _refuse_repetitions(path: Path, items: Sequence[Item]) -> None:
    """ConfigError where an id stands twice, or a question, spaces aside: every figure takes questions to be different
    ones, and two answers to one of them cannot both be right."""
    ids: dict[str, int] = {}
    tasks: dict[str, int] = {}
    for item in items:
        where, task = f"{path}, line {item.line}", " ".join(item.task.split())
        if item.id in ids:
            raise ConfigError(f"{where}: the id {item.id!r} stands in line {ids[item.id]} already")
        if task in tasks:
            raise ConfigError(
                f"{where}: this is the same question as in line {tasks[task]}; "
                "asking one several times makes no more questions of it: take one of the lines out"
            )
        ids[item.id] = tasks[task] = item.line


def _fields(line: str, where: str) -> dict[str, Any]:
    """The fields of a line by our names for them."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: this is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise ConfigError(f"{where}: should be a JSON object")
    found = {}
    for field, names in ALIASES.items():
        present = [name for name in names if row.get(name) is not None]
        if len(present) > 1:
            raise ConfigError(f"{where}: has both `{present[0]}` and `{present[1]}`; which is the {field}?")
        if present:
            found[field] = row[present[0]]
    for field in ("question", "answer"):
        if field not in found:
            raise ConfigError(
                f"{where}: has no `{field}` (nor {' or '.join(f'`{one}`' for one in ALIASES[field][1:])})"
            )
    return found


def _usual_match(rows: Sequence[Mapping[str, Any]]) -> Match:
    """How lines without choices are compared: by what all of their answers are."""
    answers = [_text(row["answer"]) for row in rows if "choices" not in row]
    for match in ("boolean", "number"):
        if answers and all(answer is not None and canonical(answer, match) is not None for answer in answers):
            return match
    return "exact"


def _item(row: Mapping[str, Any], line: int, usual: Match, tolerance: float | None, where: str) -> Item:
    question, context = row["question"], row.get("context")
    for field, value in (("question", question), ("context", context)):
        if not isinstance(value, str | None) or (value is not None and not value.strip()):
            raise ConfigError(f"{where}: the {field} should be a text")
    choices = _choices(row.get("choices"), where)
    match = row.get("match") or ("choice" if choices else usual)
    if match not in get_args(Match):
        raise ConfigError(f"{where}: `match` should be one of {', '.join(get_args(Match))}")
    if (match == "choice") != bool(choices):
        raise ConfigError(f"{where}: a question with choices is matched by `choice`, and no other one is")
    name = row.get("id", line)
    if not isinstance(name, str | int) or not str(name).strip():
        raise ConfigError(f"{where}: the id should be a text or a whole number")
    item = Item(
        line=line,
        id=str(name),
        question=question.strip(),
        answer=_answer(row["answer"], match, choices, where),
        match=match,
        choices=choices,
        context=context,
        tolerance=_tolerance(row.get("tolerance", tolerance), where),
    )
    if len(item.task) > LONGEST_TASK:
        raise ConfigError(f"{where}: the question has {len(item.task):,} characters; {LONGEST_TASK:,} is the most")
    return item


def _choices(given: Any, where: str) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(_text(one) for one in given):
        raise ConfigError(f"{where}: the choices should be a list of texts")
    choices = tuple((_text(one) or "").strip() for one in given)
    if not 2 <= len(choices) <= len(LETTERS):
        raise ConfigError(f"{where}: there should be 2 to {len(LETTERS)} choices")
    if len({normalised(one) for one in choices}) < len(choices):
        raise ConfigError(f"{where}: two of the choices are the same")
    return choices


def _answer(given: Any, match: Match, choices: tuple[str, ...], where: str) -> str:
    text = _text(given)
    found = None if text is None else canonical(text, match, choices)
    if found is not None:
        return found
    wanted = {
        "choice": "the letter of one of the choices, or its text",
        "number": "one number",
        "boolean": "yes or no, or true or false",
        "exact": "a text",
    }
    raise ConfigError(f"{where}: the answer {str(given)[:60]!r} should be {wanted[match]}")


def _tolerance(given: Any, where: str) -> Fraction:
    if given is None:
        return Fraction(0)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < float("inf"):
        raise ConfigError(f"{where}: `tolerance` should be a number that is not negative")
    return Fraction(str(given))


def _text(value: Any) -> str | None:
    """A text, a number or a truth value as the text that a model would write for it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value) if abs(value) < 1e300 else None
    return value if isinstance(value, str) else None
