"""What holds for every request to a small model: the order of words and choices, and what it is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import moot
from moot.embedded.small_replies import needed, texts_in, then_choose, then_say
from moot.engine.play.structured import resolved
from tests.kit.filler import brief_reply
from tests.kit.recorded import CLAIM, IDEA, TASK, Case, recorded
from tests.kit.snapshots import CASES, MERGED, SUM

GERMAN = {
    CLAIM: "Straßenbahnen sind für eine Stadt besser als Autos.",
    TASK: "Wie sollte eine Stadt ihr Geld für Straßen ausgeben?",
    IDEA: "Wir ersetzen den nächtlichen Import der Aufträge durch eine Warteschlange.",
    SUM: "Wie viel wären 7 mal 12?",
    MERGED: "Sollten wir die Änderung in [D1] übernehmen?",
    "It is 84.": "Es sind 84.",
}
DEBATES = [name for name, case in CASES.items() if case.protocol not in ("arena", "chaired", "panel", "persuasion")]
DECISIONS = {
    *("supports", "label", "breach", "outcome", "winner", "score", "scores", "leaning", "same", "goes_on", "choice"),
    *("ranking", "votes", "numbers"),
}
"""Fields that decide something."""
ABSTENTIONS = ("abstain", "neither", "undecided", "draw")
"""Choices for those who cannot tell."""
SPEAKERS = {
    "duel": {"A", "B"},
}
SIDED = ("duel", "duel-with-jury", "rejudged-duel")
SHOWN = 40
"""Characters of a statement by which it is found again."""


def in_german(case: Case) -> Case:
    settings = {name: GERMAN.get(one, one) if isinstance(one, str) else one for name, one in case.settings.items()}
    return replace(case, topic=GERMAN[case.topic], settings=settings)


@cache
def requests_of(name: str) -> list[moot.Request]:
    return recorded(CASES[name], small=True, brief=True)


def role_of(request: moot.Request) -> str:
    return request.agent.partition("@")[0]


def told(request: moot.Request) -> str:
    return "\n".join(message.content for message in request.messages)


def objects_in(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    schema = resolved(schema, root)
    if "properties" in schema:
        yield schema
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from objects_in(part, root)
    if "items" in schema:
        yield from objects_in(schema["items"], root)


def choices_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> set[str]:
    parts = [resolved(part, root) for one in objects_in(schema, root) for part in one["properties"].values()]
    return {str(one) for part in parts for one in part.get("enum", ())}


@pytest.mark.parametrize(
    ("name", "small"),
    [("duel", False), ("duel", True), ("persuasion", False), ("rejudged-duel", False), ("rejudged-duel", True)],
)
def test_a_denial_in_another_language_is_put_in_words(name: str, small: bool) -> None:
    requests = recorded(in_german(CASES[name]), small=small, brief=True)
    instructions = [one.messages[0].content for one in requests]
    assert [text for text in instructions if "¬" in text] == []


@pytest.mark.parametrize("name", DEBATES)
def test_no_decision_stands_before_its_reason(name: str) -> None:
    for request in requests_of(name):
        for one in objects_in(needed(request.schema or {}), request.schema or {}):
            names = list(one["properties"])
            reasons = [place for place, field in enumerate(names) if field in (*texts_in(one), "quote")]
            decided = [place for place, field in enumerate(names) if field in DECISIONS]
            assert not (reasons and decided) or min(decided) > min(reasons), f"{request.key}: {names}"


def test_a_choice_is_made_after_the_words() -> None:
    asked = (moot.Message("system", "You judge."), moot.Message("user", "Who is right?"))
    *before, said, again = then_choose(asked, ["Because of this.", "And that."])
    assert (tuple(before), said) == (asked, moot.Message("assistant", "Because of this. And that."))
    assert again.role == "user"
    assert then_choose(asked, []) == asked


def test_a_second_text_is_asked_for_by_its_name_after_the_first() -> None:
    asked = (moot.Message("user", "What should we do?"),)
    assert then_say(asked, [], "proposal") == asked
    _, said, again = then_say(asked, ["Build a tram."], "next_step")
    assert said.content == "Build a tram."
    assert "next step" in again.content


@pytest.mark.parametrize("name", [name for name in DEBATES if CASES[name].protocol in SPEAKERS])
def test_who_judges_or_sums_up_is_shown_what_was_said(name: str) -> None:
    case, speakers = CASES[name], SPEAKERS[CASES[name].protocol]
    before = recorded(replace(case, rejudged=False), small=True, brief=True) if case.rejudged else []
    said, judged = [_said(brief_reply(one)) for one in before], 0
    for request in requests_of(name):
        if role_of(request) in speakers:
            said.append(_said(brief_reply(request)))
        elif any(said):
            assert any(one[:SHOWN] in told(request) for texts in said for one in texts), request.key
            judged += 1
    assert judged


def _said(reply: Any) -> list[str]:
    if isinstance(reply, Mapping):
        return [text for one in reply.values() for text in _said(one)]
    if isinstance(reply, list):
        return [text for one in reply for text in _said(one)]
    return [reply] if isinstance(reply, str) and reply.count(" ") >= 5 else []


@pytest.mark.parametrize("name", SIDED)
def test_who_judges_knows_the_claim(name: str) -> None:
    speakers = {*SPEAKERS[CASES[name].protocol], "verifier"}
    judging = [one for one in requests_of(name) if role_of(one) not in speakers]
    assert judging
    for request in judging:
        assert CLAIM in told(request), request.key


@pytest.mark.parametrize("name", [name for name in DEBATES if CASES[name].protocol in SPEAKERS])
def test_an_abstention_that_is_legal_is_offered_in_words(name: str) -> None:
    for request in requests_of(name):
        legal = choices_of(needed(request.schema or {}), request.schema or {}) & set(ABSTENTIONS)
        assert [one for one in legal if one not in request.messages[-1].content] == [], request.key


@pytest.mark.parametrize("name", ["council", "multiagent", "oxford", "hats", "panel", "duel-with-jury"])
def test_a_small_model_that_keeps_to_the_schema_is_understood_at_once(name: str) -> None:
    requests = recorded(CASES[name], small=True, brief=True)
    assert [request.key for request in requests if request.attempt > 1] == []
