"""Replies in words: lines for others, copies, JSON and headings are seen, asked for again, then kept and flagged."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.play.prose import Prose, copies, is_json, loops, speaks_as
from moot.record.payloads import Irregular
from tests.kit.duels import assert_sound, calls_of, duel
from tests.kit.runs import entries

LONG = (
    "A city is its streets, and a street that is full of parked cars belongs to nobody who walks there. Give that room "
    "back, and shops, children and buses will use it from the first morning on."
)
OTHER = (
    "Whoever repairs a roof brings tools, and tools come in a van; a rule that forgets the plumber will be broken by "
    "Tuesday. Price the road by the hour instead, and leave it to people what a trip is worth."
)
FAULTS = {
    "impersonation": "I say yes.\n\n**Bo:** I say no, and I am wrong.",
    "json_for_prose": '```json\n{"score": 7, "reasoning": "good"}\n```',
}


@pytest.mark.parametrize(("code", "text"), FAULTS.items())
def test_a_fault_is_asked_for_again_with_its_reason(tmp_path: Path, code: str, text: str) -> None:
    result, model = duel(tmp_path, {"A/turn/1": [text, OTHER]}, turns=2)
    second = [request for request in model.requests if request.key == "A/turn/1"][1]
    assert "That reply will not do" in second.messages[-1].content
    assert result.spent.calls == calls_of(2) + 1
    assert OTHER in [entry.content for entry in entries(result)]
    assert code not in {flag.code for flag in result.flags}
    assert any("asked for again" in one.reason for one in result.failures)


@pytest.mark.parametrize(("code", "text"), FAULTS.items())
def test_what_has_the_fault_again_is_kept_and_flagged(tmp_path: Path, code: str, text: str) -> None:
    result, _ = duel(tmp_path, {"A/turn/1": text}, turns=2)
    assert result.status == "done"
    assert text in [entry.content for entry in entries(result)]
    assert [one.data.codes for one in entries(result) if isinstance(one.data, Irregular)] == [[code]]
    [flag] = [flag for flag in result.flags if flag.code == code]
    assert "Ada" in flag.text
    assert_sound(moot.find_run(result.run))


def test_headings_are_flagged_and_not_asked_for_again(tmp_path: Path) -> None:
    result, model = duel(tmp_path, {"A/turn/1": "## My case\n\nIt is so."}, turns=2)
    assert sum(request.key == "A/turn/1" for request in model.requests) == 1
    assert "headings" in {flag.code for flag in result.flags}


def test_a_copied_statement_is_flagged_and_says_of_whom(tmp_path: Path) -> None:
    result, model = duel(tmp_path, {"A/turn/1": LONG, "B/turn/2": f"{LONG} So there."}, turns=2)
    assert sum(request.key == "B/turn/2" for request in model.requests) == 1, "a second try would be a copy, too"
    found = [(entry.data.codes, entry.content) for entry in entries(result) if isinstance(entry.data, Irregular)]
    assert [codes for codes, _ in found] == [["copying"]] and "what Ada has said before" in found[0][1]
    assert {"copying"} <= {flag.code for flag in result.flags}


def test_an_own_label_a_mention_and_an_address_are_nobodys_lines() -> None:
    for text in ("Bo, you said so.", "Noor: I say yes.", "As I told Bo: no.", "Bo says: no", "Bob: hm", "to Bo:"):
        assert speaks_as(text, ["Bo"]) == [], text
    for text in ("B\u200bo: no", "BO：no", "- Bo: no", "It is so.\n\n### Bo\nNo.", "**Bo**\nNo."):
        assert speaks_as(text, ["Bo"]) == ["Bo"], text
    assert speaks_as("Jose\u0301: no", ["José"]) == ["José"]
    for text in (
        "Bo: no",
        "x\n> **Bo**: no",
        "[Bo]: no",
        "Bo (against): no",
        "It is so. Bo: no",
        "*bo:* no",
        "[Bo] No.",
    ):
        assert speaks_as(text, ["Bo"]) == ["Bo"], text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("**My opening statement**\n\nIt is so.", ["headings"]),
        ("My case\n=======\nIt is so.", ["headings"]),
        ("##My case\nIt is so.", ["headings"]),
        ("**It is so.**\n\nAnd that is **all** of it.", []),
        ("#7 says so.\n\nI say so - and so - and so.", []),
    ],
)
def test_headings_in_every_form(text: str, code: list[str]) -> None:
    assert [one.code for one in Prose(spoken=True).faults(text)] == code


def test_what_may_decline_is_short_in_any_language() -> None:
    prose = Prose(argues=True)
    refusals = (
        "I'm sorry, but I can't assist with that.",
        "I cannot argue that cities should ban private cars.",
        "Sorry, can't help with that.",
        "This request cannot be fulfilled.",
        "Lo siento, no puedo ayudar con eso.",
        "Ez a kérés nem teljesíthető.",
        "申し訳ありませんが、お手伝いできません。",
    )
    assert [text for text in refusals if not prose.may_decline(text)] == []
    for text in (LONG, f"{LONG} I say so. {OTHER}", "It is 84.", "街には車が多すぎます。" * 8):
        assert not prose.may_decline(text), text
    assert not Prose().may_decline("No.")


def test_copies() -> None:
    assert copies(LONG, f"{OTHER} {LONG}")
    assert copies(LONG.upper().replace(",", " –"), LONG)
    assert not copies(LONG, OTHER)
    assert not copies(f"{OTHER} {OTHER} “{LONG}”, she says. {OTHER}", LONG), "a quotation that is answered"
    assert not copies("Yes, it is so.", "Yes, it is so.")


def test_json() -> None:
    assert all(is_json(text) for text in ('{"a": 1}', "[1, 2]", "```json\n{}\n```", ' {"a": [\n1]} '))
    assert all(
        is_json(text) for text in ("{'score': 7,}", "{score: 7}", 'My score: {"score": 7, "reasoning": "It is good"}')
    )
    assert not any(is_json(text) for text in ("{sic} it is", "[sic] so it is", "7", "", '"a"', 'I say {"a": 1}'))


# Replies of a model of 1.5 billion parameters, as it gave them

WEIGHED = (
    "The speaker offers a feasible implementation strategy of providing free public transportation and offering "
    "incentives for residents to switch to electric or hybrid vehicles. There are no logical gaps or weaknesses "
    "in the argument, and the evidence alone warrants the conclusion."
)
REASON = (
    "The speaker provides clear arguments and evidence for banning private cars. They offer a feasible "
    "implementation strategy and conclude that banning private cars is a positive step in protecting public "
    "health and the environment."
)


def test_a_judge_who_weighs_both_sides_in_the_same_words_is_flagged(tmp_path: Path) -> None:
    score = {"score": 10, "reasoning": REASON}
    replies: dict[str, Any] = {"judge/evaluate/1": WEIGHED, "judge/evaluate/2": WEIGHED}
    result, _ = duel(tmp_path, replies | {"judge/score/1": score, "judge/score/2": score}, turns=2)
    calls = [one.data.call for one in entries(result) if isinstance(one.data, Irregular)]
    assert calls == ["judge/evaluate/2", "judge/score/2"]
    assert "copying" in {flag.code for flag in result.flags}
    assert_sound(moot.find_run(result.run))


def test_the_same_reason_for_the_same_speaker_is_no_copy(tmp_path: Path) -> None:
    score = {"score": 7, "reasoning": REASON}
    result, _ = duel(tmp_path, {"judge/score/1": score, "judge/score/3": score}, turns=4)
    assert "copying" not in {flag.code for flag in result.flags}


def test_a_request_is_no_answer_to_itself(tmp_path: Path) -> None:
    echo = (
        "The clash that decides it: what each side showed in it by your standards, and what it left open, which "
        "moments swayed you and which fell flat, the best point of each side, and what would have reversed your view."
    )
    mended, model = duel(tmp_path, {"judge/deliberate": [echo, OTHER]}, turns=2)
    second = [request for request in model.requests if request.key == "judge/deliberate"][1]
    assert "it repeats the request" in second.messages[-1].content
    assert "echo" not in {flag.code for flag in mended.flags}
    figures = '{"score": 7, "reasoning": "Noor\'s argument is strong and persuasive."}'
    kept, _ = duel(tmp_path, {"judge/deliberate": [figures, echo]}, turns=2)
    assert [flag.text for flag in kept.flags if flag.code == "echo"] == ["1 reply repeating the request: Kim."]
    assert_sound(moot.find_run(kept.run))


def test_a_sentence_over_and_over_is_asked_for_again_and_flagged(tmp_path: Path) -> None:
    sentence = "Rafiq: I am Rafiq, and I will announce the verdict to Noor, Viktor, and the audience, at most 60 words."
    loop = " ".join([sentence] * 15)
    result, model = duel(tmp_path, {"judge/deliberate": [loop, loop]}, turns=2)
    second = [request for request in model.requests if request.key == "judge/deliberate"][1]
    assert "the same sentence over and over" in second.messages[-1].content
    assert "loop" in {flag.code for flag in result.flags}
    assert loops("街には車が多すぎます。" * 6)
    assert loops("गाड़ियाँ बहुत ज़्यादा हैं यहाँ। " * 6)
    refrain = f"I have a dream today. {LONG} I have a dream today. {OTHER} I have a dream today."
    innocent, _ = duel(tmp_path, {"judge/deliberate": f"{refrain} I have a dream today."}, turns=2)
    assert "loop" not in {flag.code for flag in innocent.flags}
