"""Datasets: questions with answers. Errors are reported with file and line."""

import hashlib
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar, get_args

from moot.engine.play.prompt import fenced
from moot.errors import ConfigError
from moot.studies.evaluate.loading import Record, read_records
from moot.studies.evaluate.matching import LETTERS, LONGEST_ANSWER, TRUTHS, Match, canonical, quantity, same
from moot.studies.evaluate.texts import bare, normalised, notation, stated

T = TypeVar("T")
_SIGN = re.compile(r"[%‰°$€£¥]")
_EVEN_ODDS = re.compile(r"\s*(\d+)\s*/\s*\1\s*")
"""A key that looks like a fraction: 50/50."""
LONGEST_TASK = 16_000
"""Characters of a question with its options and context. It has to fit into a topic, with other text around it."""


@dataclass(frozen=True, slots=True)
class Item:
    """A question. `answers` are the right answers in canonical form; `line` is its line in the file, from 1. `unit` is
    the unit of the answer key. Questions of one `group` are related, such as those about one text. `unshuffled`
    means that its options keep their order. `open` means
    that a scorer grades the answers, so that one in words is kept where a number is expected."""

    line: int
    id: str
    question: str
    answers: tuple[str, ...]
    match: Match
    choices: tuple[str, ...] = ()
    context: str | None = None
    tolerance: Fraction = Fraction(0)
    unit: str | None = None
    category: str | None = None
    group: str | None = None
    dataset: str = ""
    open: bool = False
    unshuffled: bool = False

    @property
    def task(self) -> str:
        """The question as a model sees it, without the instructions for the answer."""
        context = fenced(self.context, "context") if self.context else ""
        return "\n\n".join(part for part in (self.question, context, self._options) if part)

    @property
    def bare_task(self) -> str:
        """The question without its context, for agents that must not see them."""
        return "\n\n".join(part for part in (self.question, self._options) if part)

    @property
    def _options(self) -> str:
        return "\n".join(f"{LETTERS[place]}) {text}" for place, text in enumerate(self.choices))

    @property
    def place(self) -> str:
        """The folder name of its runs."""
        return f"{self.dataset}/{self.line:05d}" if self.dataset else f"{self.line:05d}"

    @property
    def candidates(self) -> tuple[str, ...]:
        """The possible answers in canonical form, if they are known in advance."""
        if self.match == "boolean":
            return ("yes", "no")
        return tuple(LETTERS[: len(self.choices)])

    @property
    def form(self) -> str:
        """The expected form of an answer, in words."""
        match self.match:
            case "choice":
                return "the letter of one option"
            case "number":
                return f"one number in digits, in {self.unit}" if self.unit else "one number in digits, without a unit"
            case "boolean":
                return "yes or no"
        return "the answer alone, as short as it can be"

    def read(self, value: str) -> str | None:
        """An answer in canonical form; None if it is unclear."""
        found = canonical(value, self.match, self.choices, self.unit, f"{self.question}\n{self.context or ''}")
        if found is None and self.open and self.match == "number" and len(value) <= LONGEST_ANSWER:
            return normalised(bare(value)) or None
        return found

    def states_answer(self, text: str) -> bool:
        """Whether a text ends with an answer."""
        return self._stated(text) is not None

    def answer_in(self, text: str) -> str | None:
        """The answer that a text ends with, in canonical form."""
        value = self._stated(text)
        return None if value is None else self.read(value)

    def _stated(self, text: str) -> str | None:
        """The answer of a text. A reply of one line also counts if the whole line can be read as an answer."""
        value = stated(text)
        if value is None and self.match != "exact" and "\n" not in text.strip():
            return text if self.read(text) is not None else None
        return value

    def is_right(self, answer: str) -> bool:
        return any(same(answer, truth, self.match, self.tolerance) for truth in self.answers)

    def shown(self, answer: str) -> str:
        """An answer in words, as debaters see it."""
        return f"{answer}) {self.choices[LETTERS.index(answer)]}" if self.match == "choice" else answer


@dataclass(frozen=True, slots=True)
class Dataset:
    """`sha256` is the hash of the files; `size` is the number of questions before any are selected."""

    name: str
    sha256: str
    items: list[Item]
    size: int = 0

    @property
    def kinds(self) -> dict[str, int]:
        """The number of questions by kind of comparison."""
        return {kind: number for kind in get_args(Match) if (number := sum(item.match == kind for item in self.items))}


@dataclass(frozen=True, slots=True)
class Reading:
    """How datasets are read. `match` is the default for questions without their own. `limit` questions
    are drawn at random, by `seed`. `shuffle_options` shuffles them. `index_from` is the number of the first option, if
    answers are option numbers. `open` means that a scorer grades the answers."""

    match: Match | None = None
    index_from: int | None = None
    limit: int | None = None
    shuffle_options: bool = False
    seed: int | None = 0
    open: bool = False


def read_datasets(paths: Sequence[Path], how: Reading) -> Dataset:
    """Read the questions of one or more files, as they will be asked. With several files, ids have the file name in
    front."""
    found = [_read(path, how) for path in paths]
    if len({dataset.name for dataset in found}) < len(found):
        raise ConfigError("two of the datasets have the same name")
    if len(found) == 1:
        whole = found[0]
    else:
        items = [
            replace(
                item,
                id=f"{dataset.name}/{item.id}",
                dataset=dataset.name,
                category=f"{dataset.name}: {item.category}" if item.category else dataset.name,
                group=item.group and f"{dataset.name}/{item.group}",
            )
            for dataset in found
            for item in dataset.items
        ]
        _refuse_repetitions([item.id for item in items], items)
        digest = hashlib.sha256("".join(dataset.sha256 for dataset in found).encode()).hexdigest()
        whole = Dataset("+".join(dataset.name for dataset in found), digest, items)
    return _chosen(replace(whole, size=len(whole.items)), how)


def _chosen(whole: Dataset, how: Reading) -> Dataset:
    """The questions to ask, drawn at random. A larger limit with the same seed includes the questions of a smaller
    one."""
    lots = by_lot(range(len(whole.items)), how.seed)
    wanted = sorted(lots[: how.limit] if how.limit is not None else lots)
    items = [_shuffled(item, how.seed) if how.shuffle_options else item for item in whole.items]
    return replace(whole, items=[items[place] for place in wanted])


def by_lot(things: Iterable[T], seed: object, what: str = "questions") -> list[T]:
    """These in random order, the same for the same seed."""
    order = list(things)
    random.Random(f"{seed}/{what}").shuffle(order)  # noqa: S311 (a draw that can be repeated, not a secret)
    return order


def _shuffled(item: Item, seed: int | None) -> Item:
    """The question with its options in random order, unless its row keeps them."""
    if not item.choices or item.unshuffled:
        return item
    order = by_lot(range(len(item.choices)), f"{seed}/{item.id}", "options")
    answers = tuple(LETTERS[order.index(LETTERS.index(answer))] for answer in item.answers)
    return replace(item, choices=tuple(item.choices[place] for place in order), answers=answers)


def _read(path: Path, how: Reading) -> Dataset:
    records, digest = read_records(path)
    if not records:
        raise ConfigError(f"{path} holds no question")
    items = [_item(record, how) for record in records]
    _refuse_repetitions([record.where for record in records], items)
    return Dataset(path.stem, digest, items)


def _refuse_repetitions(places: Sequence[str], items: Sequence[Item]) -> None:
    """Raise ConfigError if an id or a question (ignoring spaces) occurs twice. All figures assume that questions
    differ, and two different answers to the same question cannot both be right."""
    ids: dict[str, str] = {}
    tasks: dict[str, str] = {}
    for where, item in zip(places, items, strict=True):
        task = " ".join(item.task.split())
        if item.id in ids:
            raise ConfigError(f"{where}: the id {item.id!r} stands in {ids[item.id]} already")
        if task in tasks:
            raise ConfigError(
                f"{where}: this is the same question as in {tasks[task]}; "
                "asking one several times makes no more questions of it: take one of the lines out"
            )
        ids[item.id] = tasks[task] = f"line {item.line}" if not item.dataset else item.id


def _item(record: Record, how: Reading) -> Item:
    row, where = dict(record.fields), record.where
    # Texts and subjects are often numbered.
    row |= {field: f"{row[field]:.12g}" for field in ("category", "group") if type(row.get(field)) in (int, float)}
    for field in ("question", "context", "category", "group", "unit"):
        value = row.get(field)
        if not isinstance(value, str | None) or (value is not None and not value.strip()):
            raise ConfigError(f"{where}: the {field} should be a text")
    choices = _choices(row.get("choices"), where)
    given, unit = _given(row["answer"], choices, how, where), row.get("unit")
    match = row.get("match") or (None if choices else how.match)
    if match is not None and match not in get_args(Match):
        raise ConfigError(f"{where}: `match` should be one of {', '.join(get_args(Match))}")
    kind: Match = match or ("choice" if choices else _kind(given))
    if (kind == "choice") != bool(choices):
        raise ConfigError(f"{where}: a question with choices is matched by `choice`, and no other one is")
    if kind == "number" and unit is None:
        unit = next((own for answer in given if (own := (quantity(answer) or (0, None))[1])), None)
    name = row.get("id", record.line)
    if not isinstance(name, str | int) or not str(name).strip():
        raise ConfigError(f"{where}: the id should be a text or a whole number")
    if not isinstance(shuffle := row.get("shuffle", True), bool):
        raise ConfigError(f"{where}: `shuffle` should be true or false")
    item = Item(
        line=record.line,
        id=str(name),
        question=row["question"].strip(),
        answers=tuple(dict.fromkeys(_answer(answer, kind, choices, unit, where) for answer in given)),
        match=kind,
        choices=choices,
        context=row.get("context"),
        tolerance=_tolerance(row.get("tolerance"), where),
        unit=unit,
        category=row.get("category"),
        group=row.get("group"),
        open=how.open,
        unshuffled=how.shuffle_options and not shuffle,
    )
    if len(item.task) > LONGEST_TASK:
        raise ConfigError(f"{where}: the question has {len(item.task):,} characters; {LONGEST_TASK:,} is the most")
    return item


def _kind(answers: Sequence[str]) -> Match:
    """The kind of comparison for a question without choices, inferred from its answers. A number with a capital behind
    it may be a name, an address or a time of day, so it is a text unless the dataset says that it is a number."""
    if all(normalised(answer) in TRUTHS for answer in answers):
        return "boolean"
    return "number" if all(map(_looks_like_a_number, answers)) else "exact"


def _looks_like_a_number(answer: str) -> bool:
    found = quantity(bare(answer))
    if found is None or _EVEN_ODDS.fullmatch(answer):
        return False
    unit = found[1]
    return unit is None or _SIGN.fullmatch(unit) is not None or (unit == unit.casefold() and f" {unit}" in answer)


def _choices(given: Any, where: str) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(_text(choice) for choice in given):
        raise ConfigError(f"{where}: the choices should be a list of texts")
    choices = tuple((_text(choice) or "").strip() for choice in given)
    if not 2 <= len(choices) <= len(LETTERS):
        raise ConfigError(f"{where}: there should be 2 to {len(LETTERS)} choices")
    if len({notation(choice) for choice in choices}) < len(choices):
        raise ConfigError(f"{where}: two of the choices are the same")
    return choices


def _given(answer: Any, choices: Sequence[str], how: Reading, where: str) -> list[str]:
    """The accepted answers as texts. A whole number is read as an option number only if `index_from` is set."""
    several = answer if isinstance(answer, list) else [answer]
    if how.index_from is not None and all(isinstance(one, str) and one.strip().isdecimal() for one in several):
        several = [int(one) for one in several]  # as tables and some datasets write it
    if not several:
        raise ConfigError(f"{where}: there is no answer in the list of answers")
    if choices and how.index_from is not None and all(type(one) is int for one in several):
        places = [one - how.index_from for one in several]
        if not all(0 <= place < len(choices) for place in places):
            raise ConfigError(f"{where}: the answer {answer} is no place among the {len(choices)} choices")
        return [LETTERS[place] for place in places]
    texts = [_text(one) for one in several]
    if None in texts:
        raise ConfigError(f"{where}: the answer {str(answer)[:60]!r} should be a text, a number, or true or false")
    return [text or "" for text in texts]


def _answer(given: str, match: Match, choices: tuple[str, ...], unit: str | None, where: str) -> str:
    found = canonical(given, match, choices, unit)
    own = None if found is None or match != "number" else (quantity(bare(given)) or (0, None))[1]
    if own is not None and unit is not None and own.casefold() != unit.casefold():
        raise ConfigError(f"{where}: the answer {given[:60]!r} is not in the unit {unit!r}")
    if found is not None:
        return found
    wanted = {
        "choice": "the letter of one of the choices, or its text; where it is a place, say --index-from 0 or 1",
        "number": "one number",
        "boolean": "yes or no, or true or false",
        "exact": "a text",
    }
    raise ConfigError(f"{where}: the answer {given[:60]!r} should be {wanted[match]}")


def _tolerance(given: Any, where: str) -> Fraction:
    if given is None:
        return Fraction(0)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < float("inf"):
        raise ConfigError(f"{where}: `tolerance` should be a number that is not negative")
    return Fraction(str(given))


def _text(value: Any) -> str | None:
    """A text, number or boolean as the text that a model would write."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value) if abs(value) < 1e300 else None
    return value if isinstance(value, str) else None


def key_skew(items: Sequence[Item]) -> tuple[str, float] | None:
    """The letter that is right most often, and its share; None if no letter is more frequent than a random key would
    explain."""
    with_choices = [item for item in items if item.choices]
    if len(with_choices) < 8:
        return None
    counts: Mapping[str, int] = {
        letter: sum(letter in item.answers for item in with_choices) for letter in LETTERS[:26]
    }
    letter = max(counts, key=counts.__getitem__)
    expected = sum(1 / len(item.choices) for item in with_choices if len(item.choices) > LETTERS.index(letter))
    spread = sum((1 / len(item.choices)) * (1 - 1 / len(item.choices)) for item in with_choices) ** 0.5
    return (letter, counts[letter] / len(with_choices)) if counts[letter] > expected + 3 * spread else None
