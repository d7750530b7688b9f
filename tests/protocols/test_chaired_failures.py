"""What could not be had in a chaired debate is on its record, with who failed and why, and is held against nobody."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.chaired.payloads import Announcement, Ruling, Verification
from tests.kit.chaired import (
    ABSENT,
    CLAIM,
    FIXED,
    GOOD,
    QUOTE,
    WEAK,
    because,
    hold,
    of_type,
    reading,
    rulings,
    turn,
)
from tests.kit.duels import assert_sound

NONE = "no usable reply in 2 tries; the last: there is no complete JSON object in it"
BAD = "no JSON"


def missing(run: moot.Run) -> list[moot.Entry]:
    return [one for one in run.entries() if isinstance(one.data, Announcement) and one.data.kind == "missing"]


def cue(model: Any, key: str) -> str:
    return str(next(one for one in model.requests if one.key == key).messages[-1].content)


ONE_QUESTION = {"questions": [{"to": "promoter", "question": "Why?"}]}
FAILING: list[tuple[str, dict[str, Any], str, str]] = [
    ("chair@promoter.opening/conduct", {}, "rebuttal", "no judgement of the conduct in entry 2"),
    ("chair@promoter.closing/conduct", {}, "closing", "no judgement of the conduct in entry 19"),
    ("chair@r1.end/go-on", {}, "rebuttal", "no decision on whether another round is of use"),
    ("chair@closing/unresolved", {}, "closing", "no unresolved points are named"),
    (
        "chair@r1.audience/relay",
        {"audience@r1/questions": ONE_QUESTION},
        "rebuttal",
        "no choice among the audience's questions after round 1",
    ),
    ("chair@topic/topic", {}, "system", "no wording of the topic"),
]


@pytest.mark.usefixtures("reports_are_read")
@pytest.mark.parametrize(("key", "more", "phase", "what"), FAILING, ids=[one[0] for one in FAILING])
def test_what_the_chair_could_not_be_had_for_is_on_record(
    tmp_path: Path, key: str, more: dict[str, Any], phase: str, what: str
) -> None:
    topic = {"topic": "", "topic_prompt": "Something about trams"} if key == "chair@topic/topic" else {}
    run, _ = hold(tmp_path, {key: BAD, **more}, max_rounds=2, **topic)
    [entry] = missing(run)
    assert (entry.speaker, entry.type, entry.phase, entry.call) == ("chair", "announcement", phase, key)
    assert entry.data == Announcement(kind="missing", of="chair", failure=f"{what}: {NONE}")
    assert entry.content.casefold().startswith(what.casefold())
    failures = asyncio.run(moot.result_of(run)).failures
    assert [one.agent for one in failures if one.reason == f"{what}: {NONE}"] == ["chair"]
    assert "Nothing failed." not in (run.path / "report.md").read_text("utf-8")
    assert "## Round \n" not in (run.path / "transcript.md").read_text("utf-8")
    assert_sound(run)


def test_the_debaters_are_told_of_no_points_where_the_chair_named_none(tmp_path: Path) -> None:
    _, model = hold(tmp_path, {"chair@closing/unresolved": BAD})
    for role in ("promoter", "detractor"):
        told = cue(model, f"{role}@closing/turn")
        assert "Your closing statement: `type` closing_statement, at most 300 words." in told
        assert "unresolved" not in told and "named none" not in told


def test_a_conduct_that_was_not_judged_is_told_of_a_struck_entry_too(tmp_path: Path) -> None:
    answers: dict[str, Any] = {
        "promoter@opening/turn": turn("opening_statement", "As nobody knows but me.", ABSENT),
        "chair@promoter.opening/conduct": BAD,
    }
    run, _ = hold(tmp_path, answers)
    assert [entry.content.partition(":")[0] for entry in missing(run)] == ["No judgement of the conduct in entry 2"]


def test_a_check_that_failed_is_held_against_nobody(tmp_path: Path) -> None:
    run, model = hold(tmp_path, {"verifier@promoter.opening.1/check": BAD})
    found = of_type(run, "verification_result")[0]
    assert isinstance(found.data, Verification)
    assert (found.speaker, found.target_seq, found.call) == ("verifier", 2, "verifier@promoter.opening.1/check")
    assert (found.data.status, found.data.confidence) == ("unjudged", None)
    assert found.data.failure == f"no judgement of the source {GOOD}: {NONE}"
    assert rulings(run) == []
    assert "in your entry" not in cue(model, "promoter@r1/turn")
    result = asyncio.run(moot.result_of(run))
    assert ("verifier", found.data.failure) in [(one.agent, one.reason) for one in result.failures]
    side = result.document()["sides"]["promoter"]
    assert (side["rulings"], side["sources"]["unjudged"]) == (0, 1)
    assert_sound(run)


def test_a_source_that_one_check_failed_for_is_still_ruled_on_for_another(tmp_path: Path) -> None:
    weak = reading("contradicts", QUOTE)
    said = turn("opening_statement", "Trams are fast, full and cheap.", GOOD)
    answers: dict[str, Any] = {f"{role}@opening/turn": said for role in ("promoter", "detractor")}
    answers["verifier@promoter.opening.1/check"] = BAD
    answers |= {f"verifier@detractor.opening.1{version}/check": weak for version in ("", ".again")}
    run, _ = hold(tmp_path, answers)
    found = [one.data for one in of_type(run, "verification_result")]
    assert [one.status for one in found[:2]] == ["unjudged", "contradicted"]  # type: ignore[union-attr]
    assert [(one.against, one.status) for one in rulings(run)] == [("detractor", "contradicted")]


def test_a_challenge_that_nobody_judged_is_left_open(tmp_path: Path) -> None:
    answers: dict[str, Any] = {
        "verifier@detractor.r1.challenge/check": BAD,
        "detractor@r1/turn": turn("source_challenge", "I doubt it.", GOOD, target_seq=8, claim="trams carry people"),
    }
    run, model = hold(tmp_path, answers)
    ruling = of_type(run, "ruling")[0]
    assert ruling.data == Ruling(about="challenge", rule=13, sentence=CLAIM, url=GOOD, status="unjudged")
    assert "is left open and held against nobody, since the page was read" in ruling.content
    assert len(of_type(run, "ruling")) == 1
    assert (run.result() or {})["verification"]["unjudged"] == 0, "what was verified before stays so"
    for role in ("promoter", "detractor"):
        assert "in your entry" not in cue(model, f"{role}@closing/turn")


@pytest.mark.parametrize(
    ("quote", "kind", "status", "words"),
    [
        ("Trams carry", "supports", "unjudged", ""),
        ("", "contradicts", "unjudged", ""),
        (QUOTE, "contradicts", "contradicted", f"its source {GOOD} says otherwise: “{QUOTE.rstrip('.')}”"),
        (QUOTE, "partly", "not_there", f"a part of this is not in its source {GOOD}"),
        ("", "says_nothing", "not_there", f"this is not in its source {GOOD}"),
    ],
)
def test_a_ruling_says_no_more_than_was_found(tmp_path: Path, quote: str, kind: str, status: str, words: str) -> None:
    judged = {"supports": kind, "quote": quote, "explanation": "Read.", "confidence": 0.9}
    checks = {f"verifier@promoter.opening.1{version}/check": judged for version in ("", ".again")}
    run, model = hold(tmp_path, checks)
    found = of_type(run, "verification_result")
    # Who says the same with the same source is judged by the same finding.
    assert {one.data.status for one in found} == {status}  # type: ignore[union-attr]
    asked = [one.key for one in model.requests if one.key.endswith("/check")]
    assert asked == list(checks)[: 2 if words else 1], "nothing goes against anybody that was asked only once"
    assert len(of_type(run, "ruling")) == (4 if words else 0)
    for ruling in of_type(run, "ruling"):
        assert f"“{CLAIM}” in entry {ruling.target_seq} of the" in ruling.content and words in ruling.content
        assert ruling.data.sentence == CLAIM  # type: ignore[union-attr]


def test_a_second_look_can_confirm_and_without_one_nothing_is_ruled(tmp_path: Path) -> None:
    first = {"supports": "contradicts", "quote": QUOTE, "explanation": "4,000 is not it.", "confidence": 0.9}
    again: dict[str, tuple[Any, str]] = {
        "confirms": (first | {"supports": "supports", "quote": ""}, "confirmed"),
        "is gone": (BAD, "unjudged"),
        "finds nothing": (first | {"supports": "says_nothing", "quote": ""}, "not_there"),
    }
    for name, (second, status) in again.items():
        checks = {"verifier@promoter.opening.1/check": first, "verifier@promoter.opening.1.again/check": second}
        run, model = hold(tmp_path / name, checks)
        found = of_type(run, "verification_result")[0]
        assert (found.data.status, found.call) == (status, "verifier@promoter.opening.1.again/check")  # type: ignore[union-attr]
        assert bool(rulings(run)) == (status == "not_there"), name
        put = cue(model, "verifier@promoter.opening.1.again/check")
        assert CLAIM in put and QUOTE in put
        assert "allowing for rounding, units and other words" in put


def test_a_failure_names_the_one_who_failed(tmp_path: Path) -> None:
    answers: dict[str, Any] = {
        "promoter@r1/turn": turn("conjecture", "It has no label."),
        "audience@r1/questions": BAD,
        "assessor@report/assessment": BAD,
    }
    run, _ = hold(tmp_path, answers)
    [struck] = rulings(run)
    assert (struck.about, struck.against) == ("struck", "promoter")
    assert [one.data.of for one in missing(run)] == ["audience"]  # type: ignore[union-attr]
    end = run.entries()[-1].data
    assert isinstance(end, Announcement)
    assert (end.kind, end.of, end.failure) == ("end", "assessor", f"no assessment: {NONE}")


def test_the_chair_may_speak_of_what_was_redacted(tmp_path: Path) -> None:
    good: Any = FIXED["decision"]
    answers = {
        "promoter@opening/turn": turn("opening_statement", "As nobody knows but me.", ABSENT),
        "chair@conclusion/decision": good | because(reason="Entry #2 was redacted."),
        "audience@end/view": {"conclusion": "word " * 210 + "I was moved by #3 and by #4."},
    }
    run, model = hold(tmp_path, answers)
    assert sum(one.key == "chair@conclusion/decision" for one in model.requests) == 1
    assert asyncio.run(moot.result_of(run)).failures == []


def test_the_chair_and_the_result_count_rulings_alike(tmp_path: Path) -> None:
    answers = {
        "promoter@opening/turn": turn("opening_statement", "As nobody knows but me.", ABSENT),
        "promoter@r1/turn": turn("new_point", "Lanes are wide.", WEAK),
    }
    run, model = hold(tmp_path, answers)
    told, reported = cue(model, "chair@conclusion/decision"), cue(model, "assessor@report/assessment")
    side = asyncio.run(moot.result_of(run)).document()["sides"]["promoter"]
    assert (side["redacted"], side["rulings"]) == (1, 2)
    assert "The promoter: 2 statements stand, 1 redacted;" in told
    assert "rulings against it" not in told, "who made them decides without counting them"
    assert "; 2 rulings against it, redactions among them. The detractor:" in reported
