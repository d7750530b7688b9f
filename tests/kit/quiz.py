"""A quiz whose every answer is planned, so that all figures of its evaluation are known beforehand."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import moot
from moot.engine.play.structured import instance_of
from moot.record.journal import Record
from moot.studies.evaluate import Design, Evaluation, Row
from moot.testing import Scripted, ScriptedModel

MODEL = "scripted/quiz"
THOUGHT = "One step after another. " * 60
"""As real answers have it, so that a debate pays for dozens of samples and not for hundreds."""


@dataclass
class Quiz:
    """`said` are the words of a method's voices by question and by the part in front of the slash of a call's key:
    `voter-1`, `sample` for all samples, `Avery` and `Blake` for first answers; `duel` is the answer that the judge
    finds right; `arena` what all of its agents answer after the first round, `ines` and so on what one does in it."""

    said: Mapping[str, Mapping[str, str]]
    usual: Mapping[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, request: moot.Request) -> Scripted:
        whole = "\n".join(message.content for message in request.messages)
        named = re.search(r"\bQ(\d+)\b", whole)
        assert named is not None, whole
        question, part = f"Q{named[1]}", request.key.partition("/")[0]
        self.asked.append((question, request.key))
        plan = {**self.usual, **self.said.get(question, {})}
        if request.schema is None:
            if request.key == "judge@verdict/confirm":
                return holder(plan.get("duel", ""), whole)
            return plan.get(
                re.sub(r"^sample-\d+$", "sample", part),
                "That takes some thought, and more of it than the few moments that anybody has given it here.",
            )
        value: dict[str, Any] = instance_of(request.schema)
        if "winner" in value:
            value["winner"] = holder(plan.get("duel", ""), whole)
        if "follows" in value:
            value["follows"] = holder(plan.get("duel", ""), whole).replace("Nobody", "neither")
        if "decision" in value:
            value["decision"] = plan.get(part if "/propose" in request.key else "arena", "No answer.")
        if "label" in value:
            value["label"] = plan.get("panel", value["label"])
        return value

    @property
    def model(self) -> ScriptedModel:
        return ScriptedModel(self, name=MODEL)


def holder(answer: str, whole: str) -> str:
    """Which debater holds that answer."""
    held = re.search(rf"(\w+) holds this answer: {re.escape(answer)}\.", whole) if answer else None
    return held[1] if held else "Nobody"


def write(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path = folder / "quiz.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def short_duel(folder: Path) -> str:
    """A duel of two turns, which makes 14 calls."""
    file = folder / "duel.yaml"
    file.write_text("protocol: duel\nturns: 2\n", "utf-8")
    return str(file)


def thinking(answer: str) -> str:
    return f"{THOUGHT}\n{answer}"


def numbers(count: int) -> list[dict[str, Any]]:
    """Questions Q1, Q2, … whose answer is always 7."""
    return [{"id": f"Q{number}", "question": f"Q{number}: how many?", "answer": 7} for number in range(1, count + 1)]


def pairs(count: int) -> list[dict[str, Any]]:
    """Questions with two choices, of which B is right."""
    return [
        {"id": f"Q{number}", "question": f"Q{number}: which?", "answer": "B", "choices": ["cold", "warm"]}
        for number in range(1, count + 1)
    ]


def run(
    quiz: Quiz, path: Path, protocols: Sequence[str], model: moot.Model | None = None, **settings: Any
) -> Evaluation:
    given = {"out": path.parent / "out", "model": MODEL, "seed": 1, **settings}
    return asyncio.run(moot.evaluate(path, protocols, design_of(given), models={MODEL: model or quiz.model}, **given))


def design_of(given: dict[str, Any]) -> Design:
    """The design among these settings, which are taken out."""
    return Design(**{one.name: given.pop(one.name) for one in fields(Design) if one.name in given})


def row(found: Evaluation, question: str, method: str) -> Row:
    return next(one for one in found.rows if (one.question, one.method) == (question, method))


def grades(found: Evaluation, method: str) -> dict[str, int]:
    counted = next(one.grades for one in found.methods if one.method == method)
    return {grade: count for grade, count in counted.items() if count}


def journalled(folder: Path) -> list[Record]:
    """Every reply on record anywhere in the evaluation."""
    lines = [line for path in sorted(folder.rglob("calls.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [one for one in map(Record.model_validate_json, lines) if one.kind == "reply"]
