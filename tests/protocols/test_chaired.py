"""The chaired debate, held through the public API with scripted models, and read back from its log."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.outcome.result import seconds_taken
from moot.errors import ConfigError
from moot.protocols.chaired.payloads import Setup
from tests.kit.chaired import (
    ABSENT,
    CLAIM,
    FIXED,
    GOOD,
    QUOTE,
    WEAK,
    because,
    config_of,
    hold,
    model_of,
    of_type,
    rulings,
    turn,
)
from tests.kit.clock import Ticking
from tests.kit.duels import assert_sound
from tests.kit.runs import asked

ROLES = {"chair", "promoter", "detractor", "verifier", "audience", "reporter", "assessor"}
FIRST = ("seq", "timestamp", "phase", "speaker", "type", "content", "sources", "rebuttal_to_seq", "target_seq")


def test_the_phases_stand_in_the_log_as_the_procedure_has_them(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, max_rounds=2)
    spoken = [(entry.phase, entry.speaker, entry.type) for entry in run.entries() if entry.speaker != "verifier"]
    a_round = [
        ("rebuttal", "chair", "announcement"),
        ("rebuttal", "promoter", "new_point"),
        ("rebuttal", "detractor", "new_point"),
    ]
    assert spoken == [
        ("system", "chair", "setup"),
        ("system", "chair", "announcement"),
        ("opening", "promoter", "opening_statement"),
        ("opening", "detractor", "opening_statement"),
        ("opening", "chair", "announcement"),
        *a_round,
        *a_round,
        ("closing", "chair", "announcement"),
        ("closing", "detractor", "closing_statement"),
        ("closing", "promoter", "closing_statement"),
        ("closing", "chair", "leaning"),
        ("closing", "audience", "leaning"),
        ("system", "chair", "announcement"),
        ("system", "chair", "conclusion"),
        ("system", "audience", "audience_conclusion"),
        ("system", "chair", "announcement"),
    ]
    assert_sound(run)


def test_every_line_of_the_log_has_the_fields_and_words_of_the_format(tmp_path: Path) -> None:
    run, _ = hold(tmp_path)
    for line in run.log_path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        assert tuple(entry)[: len(FIRST)] == FIRST
        assert entry["phase"] in ("system", "opening", "rebuttal", "closing")
        assert entry["speaker"] in ROLES
        assert all(set(source) == {"url", "title", "accessed"} for source in entry["sources"])
    first = run.entries()[0]
    assert isinstance(first.data, Setup)
    assert {member.name for member in first.data.cast} == ROLES


def test_both_sides_get_the_same_cue_and_what_the_pack_has(tmp_path: Path) -> None:
    _, model = hold(tmp_path)
    for at in ("opening", "r1"):
        request = next(one for one in model.requests if one.key == f"promoter@{at}/turn")
        assert QUOTE in request.messages[0].content
    cues = {}
    for role in ("promoter", "detractor"):
        request = next(one for one in model.requests if one.key == f"{role}@closing/turn")
        system, cue = (message.content for message in request.messages)
        side = {"promoter": "for", "detractor": "against"}[role]
        you = f"You are the {role}: you argue {side} the topic."
        assert you in cue
        cues[role] = system, cue.partition(you)[2]
    assert cues["promoter"] == cues["detractor"]


def test_what_is_not_in_a_source_is_ruled_on_and_its_debater_warned(tmp_path: Path) -> None:
    run, model = hold(tmp_path, {"detractor@opening/turn": turn("opening_statement", "No.", WEAK)})
    found = of_type(run, "verification_result")
    assert {tuple(entry.to) for entry in found} == {("chair",)}, "the verifier reports to the chair alone"
    assert [(entry.target_seq, entry.data.status) for entry in found[:2]] == [(2, "confirmed"), (3, "not_there")]  # type: ignore[union-attr]
    [ruling] = rulings(run)
    assert (ruling.about, ruling.rule, ruling.against, ruling.url, ruling.status) == (
        "source",
        13,
        "detractor",
        WEAK,
        "not_there",
    )
    assert ruling.sentence == "No."
    assert f"“No.” in your entry 3: this is not in its source {WEAK}." in asked(model, "detractor@r1/turn")
    assert "in your entry" not in asked(model, "promoter@r1/turn")


def test_the_fabricated_comes_before_all_else_and_before_the_round_goes_on(tmp_path: Path) -> None:
    answers = {
        "promoter@opening/turn": turn("opening_statement", "For.", WEAK),
        "detractor@opening/turn": turn("opening_statement", "Against, as everybody knows by heart.", ABSENT),
    }
    run, model = hold(tmp_path, answers)
    after = [entry.type for entry in run.entries() if entry.speaker in ("chair", "promoter")][4:8]
    assert after == ["announcement", "redaction", "ruling", "new_point"]
    assert "as everybody knows" not in asked(model, "promoter@r1/turn")
    assert "[REDACTED — a source of it is fabricated" in asked(model, "promoter@r1/turn")
    assert "your entry 3 was redacted" in asked(model, "detractor@r1/turn")


def test_a_challenge_is_an_urgent_check_that_the_turn_waits_for(tmp_path: Path) -> None:
    challenge = turn("source_challenge", "That page says no such thing.", WEAK, target_seq=8, claim="lanes are wide")
    answers = {"promoter@r1/turn": turn("new_point", "Lanes are wide.", WEAK), "detractor@r1/turn": challenge}
    run, model = hold(tmp_path, answers)
    kinds = [entry.type for entry in run.entries()[8:13]]
    assert kinds == ["new_point", "source_challenge", "verification_result", "ruling", "new_point"]
    [ruling] = rulings(run)
    assert (ruling.about, ruling.against, ruling.status) == ("challenge", "promoter", "not_there")
    assert "is settled in the last entries of the record" in asked(model, "detractor@r1.resumed/turn")
    assert "Withdraw the sentence or the entry first (`type` withdraw)" in asked(model, "promoter@closing/turn")


def test_a_challenge_is_put_to_the_verifier_with_the_sentence_and_the_challengers_words(tmp_path: Path) -> None:
    weak = {"supports": "contradicts", "quote": QUOTE, "explanation": "It says otherwise.", "confidence": 0.9}
    said = f"{CLAIM} [1] Trams are fast and cheap [1]."
    answers = {
        "promoter@r1/turn": turn("new_point", said, GOOD),
        "detractor@r1/turn": turn("source_challenge", "Fast is not said.", GOOD, target_seq=8, claim="trams are fast"),
        "verifier@detractor.r1.challenge/check": weak,
        "verifier@detractor.r1.challenge.again/check": weak,
    }
    run, model = hold(tmp_path, answers)
    [ruling] = [data for data in rulings(run) if data.about == "challenge"]
    assert (ruling.against, ruling.status) == ("promoter", "contradicted")
    assert ruling.sentence == "Trams are fast and cheap."
    put = asked(model, "verifier@detractor.r1.challenge/check")
    assert "Trams are fast and cheap." in put
    assert "Fast is not said." in put
    assert CLAIM not in put.partition("Does the page say")[2], "it is only what stands around the sentence"
    [found] = [one.data for one in of_type(run, "verification_result") if one.data.challenged]  # type: ignore[union-attr]
    assert found.sentence == "Trams are fast and cheap."  # type: ignore[union-attr]
    side = (run.result() or {})["sides"]["promoter"]
    assert side["sources"]["contradicted"] == 1  # looked at twice, and counted once
    assert (run.result() or {})["sides"]["detractor"]["rulings"] == 0


def test_a_settled_challenge_is_not_made_again(tmp_path: Path) -> None:
    challenge = turn("source_challenge", "I doubt it.", GOOD, target_seq=2, claim="people an hour")
    spelt = challenge | {"sources": [{"url": GOOD.replace("https://", "http://www.") + "/"}]}
    answers = {"detractor@r1/turn": spelt, "detractor@r2/turn": challenge}
    run, _ = hold(tmp_path, answers, max_rounds=2)
    assert [(data.about, data.rule) for data in rulings(run)] == [("challenge", 13), ("struck", 1)]
    sources = (run.result() or {})["sides"]["promoter"]["sources"]
    assert sum(sources.values()) == 3, "a page that is spelt otherwise is counted once"


def test_a_challenged_fabrication_is_redacted_at_once(tmp_path: Path) -> None:
    answers = {
        "promoter@r1/turn": turn("new_point", "The moon is made of tramlines.", ABSENT),
        "detractor@r1/turn": turn("source_challenge", "Made up.", ABSENT, target_seq=8, claim="made of tramlines"),
    }
    run, model = hold(tmp_path, answers)
    kinds = [entry.type for entry in run.entries()[8:]]
    checks = ["verification_result"] * 2  # the challenge's own, and that which was under way
    assert kinds[:6] == ["new_point", "source_challenge", *checks, "redaction", "new_point"]
    resumed = asked(model, "detractor@r1.resumed/turn")
    assert "The moon is made" not in resumed and "last statement that stands is entry #2." in resumed
    assert len(of_type(run, "redaction")) == 1


def test_a_clarification_is_settled_by_the_chair(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, {"promoter@r1/turn": turn("clarification_request", "What is a tram?")})
    kinds = [(entry.speaker, entry.type) for entry in run.entries()][8:11]
    assert kinds == [("promoter", "clarification_request"), ("chair", "ruling"), ("promoter", "new_point")]


def test_worthy_questions_are_relayed_in_the_next_cue(tmp_path: Path) -> None:
    two = {"questions": [{"to": "promoter", "question": "Who pays?"}, {"to": "detractor", "question": "Who cares?"}]}
    answers: dict[str, Any] = {
        "audience@r1/questions": two,
        "chair@r1.audience/relay": {"reason": "One is enough.", "numbers": [1]},
    }
    run, model = hold(tmp_path, answers, max_rounds=2)
    [question] = of_type(run, "audience_question")
    assert (question.content, question.speaker) == ("Who pays?", "audience")
    assert f"The audience asks you, in entry #{question.seq}" in asked(model, "promoter@r2/turn")
    assert "The audience asks you" not in asked(model, "detractor@r2/turn")


def test_in_a_single_round_the_audience_asks_before_the_debaters_speak(tmp_path: Path) -> None:
    asks = {"questions": [{"to": "detractor", "question": "Who pays?"}]}
    run, model = hold(tmp_path, {"audience@r1/questions": asks})
    [question] = of_type(run, "audience_question")
    assert f"The audience asks you, in entry #{question.seq}" in asked(model, "detractor@r1/turn")
    assert "The audience asks you" not in asked(model, "detractor@closing/turn")


@pytest.mark.parametrize(("end", "rounds"), [(None, 3), (1, 3), (2, 2)])
def test_the_rounds_end_by_judgement_or_at_their_limit(tmp_path: Path, end: int | None, rounds: int) -> None:
    over = {"goes_on": False, "reason": "Nothing new."}
    run, model = hold(tmp_path, {f"chair@r{end}.end/go-on": over}, min_rounds=2, max_rounds=3)
    assert sum(entry.content.startswith("Round ") for entry in of_type(run, "announcement")) == rounds
    # Before the least and after the most rounds nobody is asked.
    assert sum(one.key.endswith("/go-on") for one in model.requests) == 1


def test_the_time_budget_ends_the_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Ticking()
    monkeypatch.setattr("moot.engine.play.facts.time", clock)

    def slow(request: moot.Request) -> Any:
        clock.now += 3600
        return turn("new_point", "At last.", GOOD)

    run, _ = hold(tmp_path, {"promoter@r1/turn": slow}, min_rounds=2, max_rounds=5, time_budget_minutes=30)
    assert sum(entry.content.startswith("Round ") for entry in of_type(run, "announcement")) == 2
    assert any("minutes that it was given are spent" in entry.content for entry in of_type(run, "announcement"))


def test_unresolved_points_are_handed_to_both(tmp_path: Path) -> None:
    _, model = hold(tmp_path, {"chair@closing/unresolved": {"points": ["Noise at night.", "Cost."]}})
    for role in ("promoter", "detractor"):
        assert "1. Noise at night.\n2. Cost." in asked(model, f"{role}@closing/turn")


@pytest.mark.usefixtures("reports_are_read")
def test_both_sides_fabricated_is_void_by_code_and_there_is_no_blog_post(tmp_path: Path) -> None:
    answers = {
        "promoter@opening/turn": turn("opening_statement", "For, as is known.", ABSENT),
        "detractor@opening/turn": turn("opening_statement", "Against, as is known.", f"{ABSENT}-too"),
    }
    run, model = hold(tmp_path, answers)
    document = run.result()
    assert document is not None
    assert (document["outcome"], document["decided_by"], document["winner"]) == ("void", "code", None)
    assert not (run.path / "blog-post.md").exists()
    assert (run.path / "summary.md").exists()
    keys = {request.key for request in model.requests}
    assert not keys & {"chair@conclusion/decision", "reporter@post/post"}


def test_a_decision_does_not_rest_on_what_was_struck(tmp_path: Path) -> None:
    good: Any = FIXED["decision"]
    struck = good | because(2) | {"outcome": "affirmative_wins"}
    answers: dict[str, Any] = {
        "promoter@opening/turn": turn("opening_statement", "As nobody knows but me.", ABSENT),
        "chair@conclusion/decision": [struck, struck | because(3)],
    }
    run, model = hold(tmp_path, answers)
    again = [one for one in model.requests if one.key == "chair@conclusion/decision"][1].messages[-1].content
    assert "rests_on has no statement of the promoter" in again
    assert of_type(run, "conclusion")[0].data.rests_on == [3]  # type: ignore[union-attr]
    [point] = [one.seq for one in of_type(run, "new_point") if one.speaker == "promoter"]
    [redaction] = [one.seq for one in of_type(run, "redaction")]
    answers["chair@conclusion/decision"] = struck | because(2, redaction, point)
    run, _ = hold(tmp_path, answers)
    document = run.result() or {}
    assert document["outcome"] == "affirmative_wins", "a bad reference is left out, and loses no outcome"
    decided: Any = of_type(run, "conclusion")[0].data
    assert decided.rests_on == decided.brief.because[0].entries == [point]
    flags = {flag["code"]: flag["text"] for flag in document["flags"]}
    assert "rests_on has 2, and that is no statement that stands" in flags["conclusion_faulty"]
    assert f"rests_on has {redaction}, and that is no statement that stands" in flags["conclusion_faulty"]


@pytest.mark.usefixtures("reports_are_read")
def test_a_side_that_fabricated_is_disqualified_where_the_config_says_so(tmp_path: Path) -> None:
    answers = {"promoter@opening/turn": turn("opening_statement", "As nobody knows but me.", ABSENT)}
    run, model = hold(tmp_path, answers, disqualify_fabricators=True)
    document = run.result() or {}
    assert (document["outcome"], document["winner"], document["decided_by"]) == ("negative_wins", "detractor", "code")
    assert document["summary"]["headline"] == "Not upheld, by the rules alone: Trams are better than cars."
    for name in ("transcript.md", "summary.md", "blog-post.md", "assessor-report.md", "report.md", "report.html"):
        told = (run.path / name).read_text("utf-8")
        assert "wins by the rules alone" in told and "was the stronger" not in told, name
    assert "chair@conclusion/decision" not in {request.key for request in model.requests}
    run, _ = hold(tmp_path, answers)
    assert (run.result() or {})["outcome"] == "draw"


def test_faults_of_form_are_flagged_and_lose_no_outcome(tmp_path: Path) -> None:
    decision: Any = FIXED["decision"]
    good = decision | {"outcome": "negative_wins", "stronger": "detractor"} | because(3)
    uneven = good | {"promoter_case": f"{'a ' * 79}end."}
    unknown = good | because(3, reason="See #77.")
    for replies in ([uneven], [unknown], [uneven | because(), "no JSON"]):
        run, model = hold(tmp_path, {"chair@conclusion/decision": replies})
        document = run.result() or {}
        assert document["outcome"] == "negative_wins"
        assert "conclusion_faulty" in [flag["code"] for flag in document["flags"]]
        assert sum(one.key == "chair@conclusion/decision" for one in model.requests) == len(replies)


@pytest.mark.usefixtures("reports_are_read")
def test_what_debating_changed_is_told(tmp_path: Path) -> None:
    answers: dict[str, Any] = {
        "chair@before/leaning": {"reason": "No view.", "leaning": 50},
        "chair@after/leaning": {"reason": "Still none.", "moved_by": [], "leaning": 50},
        "audience@before/leaning": {"reason": "I like cars.", "leaning": 30},
        "audience@after/leaning": {"reason": "The lane.", "moved_by": [8, 2, 77], "leaning": 70},
    }
    run, model = hold(tmp_path, answers)
    document = run.result() or {}
    told = {"before": 30, "after": 70, "moved_by": [8, 2]}
    assert document["leanings"]["audience"] == told, "its reason is its own"
    assert document["summary"]["change"] == (
        "The chair leant 50 of 100 to the topic before and after; "
        "the audience moved from 30 to 70 of 100 for the topic after #8 and #2."
    )
    assert [tuple(entry.to) for entry in of_type(run, "leaning")] == [("chair",), ("audience",)]
    assert "Nothing has been said yet." in asked(model, "audience@before/leaning")
    assert "moved_by" not in asked(model, "audience@before/leaning"), "nothing was said that could move anybody"
    assert "at most 5 statements" in asked(model, "audience@after/leaning")
    for request in model.requests:
        if request.agent not in ("audience@after", "audience@before"):
            assert all("The lane." not in message.content for message in request.messages)
    assert "moved from 30 to 70" in (run.path / "report.md").read_text("utf-8")


def test_an_audience_conclusion_is_taken_as_it_is_and_what_it_cites_is_checked(tmp_path: Path) -> None:
    run, model = hold(tmp_path, {"audience@end/view": {"conclusion": "Short, as #999 shows."}})
    view = of_type(run, "audience_conclusion")[0]
    assert view.content == "Short, as #999 shows."
    assert "#999" in view.data.fault  # type: ignore[union-attr]
    assert view.data.failure is None, "there is one"  # type: ignore[union-attr]
    assert "replies_missing" not in {flag["code"] for flag in (run.result() or {})["flags"]}
    assert sum(request.key == "audience@end/view" for request in model.requests) == 1


@pytest.mark.usefixtures("reports_are_read")
def test_a_post_of_the_wrong_length_is_asked_for_once_more(tmp_path: Path) -> None:
    answers: dict[str, Any] = {"reporter@post/post": "# Short", "reporter@post/post-again": "# Still short"}
    run, _ = hold(tmp_path, answers)
    _, _, post = (run.path / "blog-post.md").read_text("utf-8").partition("\n\n")
    assert post == "# Still short\n\n*This post has 3 words; 800 to 1500 were asked for.*\n"


def test_a_url_is_looked_up_once_and_the_told_duration_includes_it(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, max_rounds=3)
    [page] = [record for record in run.records() if record.key.startswith("world/page/")]
    assert page.started and page.seconds >= 0
    assert seconds_taken([page.model_copy(update={"seconds": 30.0})]) == 30.0
    assert len(of_type(run, "verification_result")) == 8


def test_verification_overlaps_the_debate(tmp_path: Path) -> None:
    """Ten rounds with forty sources have the same longest chain of calls as with none."""

    def many(request: moot.Request) -> Any:
        return turn("new_point", "Point.", GOOD, "https://pack.example/more")

    def none(request: moot.Request) -> Any:
        return turn("conjecture", "[CONJECTURE] Perhaps.")

    chains, checks = [], []
    for reply in (many, none):
        keys = {f"{role}@r{number}/turn": reply for role in ("promoter", "detractor") for number in range(1, 11)}
        run, _ = hold(tmp_path, keys, max_rounds=10)
        document = run.result()
        assert document is not None
        chains.append(document["longest_chain"])
        checks.append(len(of_type(run, "verification_result")))
    assert checks == [42, 2]
    assert chains[0] == chains[1]


def test_the_topic_may_be_worded_by_the_chair(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, topic="", topic_prompt="Something about trams")
    assert run.entries()[0].content == "Trams are better than cars."


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"topic": ""}, "there is no topic"),
        ({"min_rounds": 3, "max_rounds": 2}, "min_rounds is 3"),
        ({"models": {"judge": "openai/x"}}, "models"),
        ({"evidence": {"packs": "x"}}, "did you mean `pack`"),
    ],
)
def test_a_config_that_will_not_do(tmp_path: Path, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(moot.ConfigError, match=words):
        config_of(tmp_path, **settings)


def test_a_pack_that_is_not_there_leaves_no_run(tmp_path: Path) -> None:
    config, model = config_of(tmp_path, evidence={"pack": "nowhere"}), model_of()
    with pytest.raises(moot.ConfigError, match="no evidence pack nowhere"):
        asyncio.run(moot.run(config, models={model.name: model}))
    assert moot.list_runs(config.options.out) == []
    assert model.requests == []


def test_models_are_by_role(tmp_path: Path) -> None:
    config = config_of(tmp_path, models={"verifier": "scripted/other"})
    main, other = model_of(), model_of(name="scripted/other")
    asyncio.run(moot.run(config, models={main.name: main, other.name: other}))
    assert {request.agent.partition("@")[0] for request in other.requests} == {"verifier"}


def test_a_small_model_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    small, plain = model_of(small=True, name="scripted/small"), model_of()
    config = config_of(tmp_path, models={"audience": small.name})
    with pytest.raises(ConfigError, match="scripted/small: too small"):
        asyncio.run(moot.run(config, models={plain.name: plain, small.name: small}))
    assert plain.requests == small.requests == []
