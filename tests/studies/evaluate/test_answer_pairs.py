"""Replies with their keys: right ones are read as right or are unclear, and no wrong one is ever accepted."""

import json
from pathlib import Path
from typing import Any

from moot.studies.evaluate.dataset import Item, Reading, read_datasets
from moot.text.yaml import read_yaml

ANSWERS = read_yaml(Path(__file__).with_name("answers.yaml"))
KEYS: dict[str, dict[str, Any]] = ANSWERS["keys"]
RIGHT: dict[str, list[str]] = ANSWERS["right"]
UNCLEAR: dict[str, list[str]] = ANSWERS["unclear"]
"""Right answers in words, which a model has to judge: they are unclear, and never wrong."""
WRONG: dict[str, list[str]] = ANSWERS["wrong"]


def items(folder: Path, how: Reading = Reading()) -> dict[str, Item]:  # noqa: B008 (it is frozen)
    path = folder / "keys.jsonl"
    path.write_text("".join(json.dumps({"id": name, **key}) + "\n" for name, key in KEYS.items()), "utf-8")
    return {item.id: item for item in read_datasets([path], how).items}


def read_as_right(item: Item, reply: str) -> bool:
    answer = item.answer_in(reply)
    return answer is not None and item.is_right(answer)


def test_right_answers_are_read_and_wrong_ones_never_accepted(tmp_path: Path) -> None:
    keys = items(tmp_path)
    right, unclear, wrong = (
        [(name, reply) for name, replies in each.items() for reply in replies] for each in (RIGHT, UNCLEAR, WRONG)
    )
    assert [one for one in right if not read_as_right(keys[one[0]], one[1])] == []
    assert [one for one in unclear if keys[one[0]].answer_in(one[1]) is not None] == []
    assert [one for one in wrong if read_as_right(keys[one[0]], one[1])] == []


def test_an_answer_in_words_is_kept_for_a_scorer(tmp_path: Path) -> None:
    (item,) = (one for one in items(tmp_path, Reading(open=True)).values() if one.id == "number")
    assert item.answer_in("ANSWER: seventy-five") == "seventy-five"
    assert not item.is_right("seventy-five")
    assert item.answer_in("ANSWER: 75.0") == "75"
