"""The brief in a reply: its words are kept whatever their form in JSON, and where there is nothing to read there is no
answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from moot.engine.outcome.brief import BriefBesides, BriefReply, plain_form
from moot.engine.play.reader import parse
from moot.engine.play.structured import Fault, instance_of, json_schema
from moot.pipelines.documents import Review, comment
from tests.kit.duels import answer_for, duel
from tests.kit.panels import panel, rules

NOTHING = ["", "   ", "\u200b\u2060\ufeff", "\u3164", "\x00\x07", "\u202e", "\ufe0f", "\ufffd"]
"""Texts in which there is nothing to read."""


@pytest.mark.parametrize("answer", NOTHING)
def test_where_there_is_nothing_to_read_there_is_no_answer(answer: str) -> None:
    parts = {"because": [answer], "next": answer, "answer": answer}
    assert isinstance(parse(BriefReply, json.dumps(parts | {"because": ["So."]})), Fault)
    assert isinstance(parse(BriefReply, json.dumps(parts | {"answer": "Yes."})), Fault), "and no reason"
    besides = parse(BriefBesides, json.dumps(parts))
    assert isinstance(besides, BriefBesides)
    found = besides.brief({})
    assert (found.answer, found.because, found.next) == (None, [], None)


@pytest.mark.parametrize("answer", ["لا، أبقوا الخدمة الواحدة", "いいえ", "✅", "Да"])
def test_an_answer_can_be_in_any_script(answer: str) -> None:
    found = parse(BriefReply, json.dumps({"because": ["So."], "answer": answer}))
    assert isinstance(found, BriefReply) and found.answer == answer


@pytest.mark.parametrize(
    ("given", "text"),
    [(42, "42"), (3.5, "3.5"), (["Yes.", "Keep it."], "Yes. Keep it."), ({"step": "Ask.", "days": 2}, "Ask. 2")],
    ids=str,
)
def test_words_in_another_form_are_kept(given: Any, text: str) -> None:
    reasons = [{"reason": given, "rests_on": [None, {"turn": 1}, 2.0, "[3], entry #4."]}]
    found = parse(BriefReply, json.dumps({"because": reasons, "objection": given, "answer": given}))
    assert isinstance(found, BriefReply)
    assert (found.answer, found.objection, found.because[0].reason) == (text, text, text)
    assert found.because[0].rests_on == ["1", "2", "3", "entry #4"]


@pytest.mark.parametrize(
    "part", [{"answer": None}, {"answer": 42}, {"next": {"step": 1}}, {"because": [None]}], ids=str
)
def test_no_vote_is_lost_by_the_form_of_a_brief(tmp_path: Path, part: dict[str, Any]) -> None:
    result, model = panel(tmp_path, rules("accept", **part), reports=False)
    assert (result.status, result.document()["answered"], len(model.requests)) == ("done", 5, 9)


def test_a_comment_shows_a_long_answer_in_short(tmp_path: Path) -> None:
    result, _ = duel(tmp_path, {"judge/announce": answer_for("Ada", "word " * 20_000)}, turns=2)
    first = comment(Review.of(result)).splitlines()[0]
    assert first.startswith("### word word") and len(first) < 400


@pytest.mark.parametrize("shape", [BriefReply, BriefBesides])
def test_the_plain_form_of_a_brief_is_read(shape: type[BriefReply]) -> None:
    plain = plain_form(shape)
    found = parse(plain, json.dumps({"because": ["It costs less."], "answer": "Yes."}))
    assert isinstance(found, shape)
    assert [one.reason for one in found.because] == ["It costs less."]
    assert isinstance(parse(plain, json.dumps(instance_of(json_schema(plain)))), shape)
