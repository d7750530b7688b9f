"""Re-judging: the same transcripts, other judges, the other order, another rule. Nothing is debated again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.study import TRUTH
from moot.protocols.duel.prompts import BANDS, LIKELY, WHO_IS_RIGHT
from moot.protocols.rejudging.result import RejudgingOutcome
from moot.studies.rejudge import JudgeAgreement, judge_agreement
from moot.testing import Scripted, ScriptedModel
from tests.kit.arenas import arena, letter_of, plain_reply, reading, revision
from tests.kit.chaired import hold
from tests.kit.duels import KIM, answer_for, assert_sound, full_script, play, small_config, staged
from tests.kit.panels import panel
from tests.kit.persuasions import persuade
from tests.kit.rejudging import JUDGE, again, judge, read

OTHER = "scripted/other"


def outcome(result: moot.Result) -> RejudgingOutcome:
    assert isinstance(result.outcome, RejudgingOutcome), result.reason
    return result.outcome


def flagged(result: moot.Result) -> dict[str, str]:
    """What speaks against relying on a result, by its code; each is in its reports, too."""
    folder = moot.find_run(result.run).path
    page = (folder / "report.html").read_text("utf-8")
    assert all(f'data-flag="{flag.code}"' in page for flag in result.flags)
    return {flag.code: flag.text for flag in result.flags}


def recounted(result: moot.Result) -> dict[str, tuple[str | None, bool]]:
    return {one.rule: (one.winner, one.same) for one in outcome(result).recounts}


# Duels


def test_another_judge_reads_a_duel_in_both_orders(tmp_path: Path) -> None:
    run = staged(tmp_path)
    # Ada opened, so she is A as the debate was held, and B when the letters are swapped.
    result = again(run, judge(read(5, 7), read(8, 4)))
    found = outcome(result)
    assert (result.status, result.spent.calls, result.longest_chain) == ("done", 2, 1)
    assert (found.winner, found.upheld, found.unstable) == ("Bo", False, False)
    assert "not_upheld" in flagged(result) and result.summary.decided
    assert result.summary.headline == "Not upheld: Yes, on the reasons given (0 of 1 judge for it)"
    verdict = found.judges[0]
    assert (verdict.judge, verdict.models, verdict.upholds) == (JUDGE, [JUDGE], False)
    assert verdict.scores == {"Ada": 4.5, "Bo": 7.5}
    assert verdict.changes == {"Ada": -3.5, "Bo": 1.5}
    assert [one.labels for one in verdict.readings] == [{"A": "Ada", "B": "Bo"}, {"A": "Bo", "B": "Ada"}]
    assert verdict.readings[0].reasons == {"Ada": "A has reasons.", "Bo": "B has others."}
    assert found.source is not None
    assert (found.source.run, found.source.winner, found.source.judges) == (run.name, "Ada", ["Kim"])
    receipt = (run.result() or {})["receipt"]
    assert (found.source.log_sha256, found.source.entries) == (receipt["log_sha256"], receipt["entries"])
    assert_sound(moot.find_run(result.run))


def test_a_verdict_that_flips_with_the_order_is_unstable_and_names_nobody(tmp_path: Path) -> None:
    result = again(staged(tmp_path), judge(read(8, 4), read(8, 4)))
    found = outcome(result)
    assert found.unstable
    assert "judges_unstable" in flagged(result)
    assert not result.summary.decided
    assert (found.winner, found.upheld) == (None, None)
    assert (found.judges[0].unstable, found.judges[0].winner, found.judges[0].upholds) == (True, None, None)


def test_a_reading_that_cannot_be_used_stays_missing(tmp_path: Path) -> None:
    spoiled = ScriptedModel({"judge@given/read": ["Ada, I think."] * 3, "judge@swapped/read": read(2, 9)}, JUDGE)
    result = again(staged(tmp_path), spoiled)
    verdict = outcome(result).judges[0]
    assert (verdict.missing, verdict.winner, verdict.unstable) == (1, "Ada", None)
    assert verdict.scores == {"Ada": 9.0, "Bo": 2.0}
    assert [one.winner for one in verdict.readings] == [None, "Ada"]
    assert any("no usable reply" in failure.reason for failure in result.failures)
    assert "readings_missing" in flagged(result)


def test_the_judge_sees_what_was_public_and_no_names(tmp_path: Path) -> None:
    script = full_script(2)
    script |= {
        "A/plan": "PRIVATE-PLAN",
        "A/think/1": "PRIVATE-THOUGHT",
        "judge/evaluate/1": "JUDGE-WORDS",
        "judge/deliberate": "JUDGE-WORDS",
        "judge/announce": answer_for("Ada", "THE-ANSWER: Yes."),
        "A/turn/1": "Bo is wrong, and Ada right. Bobby agrees 2 times.",
        "B/turn/2": "I, Bo, deny it.",
        "B/turn/2/declined": {"argues": True},
    }
    run = moot.find_run(play(small_config(tmp_path), ScriptedModel(script)).run)
    model = judge(read(6, 5), read(5, 6))
    result = again(run, model)
    sent = {request.key: "\n".join(one.content for one in request.messages) for request in model.requests}
    for text in sent.values():
        assert not [word for word in ("PRIVATE", "JUDGE-WORDS", "THE-ANSWER", "Ada", "Bo ", "Bo,") if word in text]
        assert "Kim counts reasons." in text, "the same standards as the judge had"
    assert "B is wrong, and A right. Bobby agrees 2 times." in sent["judge@given/read"]
    assert "A argued FOR and B argued AGAINST the claim: It is so." in sent["judge@given/read"]
    assert "A is wrong, and B right. Bobby agrees 2 times." in sent["judge@swapped/read"]
    assert "A argued AGAINST and B argued FOR" in sent["judge@swapped/read"]
    assert sent["judge@swapped/read"].index("A is wrong, and B right") < sent["judge@swapped/read"].index("I, A, deny")
    seen = moot.seen_by(moot.find_run(result.run), "judge")
    assert seen[-1].role == "assistant"
    config = (moot.find_run(result.run).path / "config.yaml").read_text("utf-8")
    assert "PRIVATE" not in config
    assert "JUDGE-WORDS" not in config
    assert result.summary.brief.answer == "THE-ANSWER: Yes."


def read_of(run: moot.Run) -> dict[str, str]:
    """What a judge who reads this run again is asked in each order."""
    model = judge(read(6, 5), read(5, 6))
    again(run, model)
    return {request.agent: "\n".join(one.content for one in request.messages) for request in model.requests}


def test_a_duel_without_a_claim_has_sides_when_it_is_judged_again(tmp_path: Path) -> None:
    config = small_config(tmp_path, topic="How should we cut the build time?", claim=None, kind="open")
    sent = read_of(moot.find_run(play(config, ScriptedModel(full_script(2))).run))
    assert "There is no claim: A stated a thesis in the opening, and B opposed it." in sent["judge@given"]
    assert "There is no claim: B stated a thesis in the opening, and A opposed it." in sent["judge@swapped"]


def test_a_question_with_a_right_answer_is_judged_again_by_what_is_right(tmp_path: Path) -> None:
    config = small_config(tmp_path, claim=None, options=["84", "82"], factual=True, judge=KIM)
    sent = read_of(moot.find_run(play(config, ScriptedModel(full_script(2))).run))
    assert "A holds this answer: 84. B holds this answer: 82." in sent["judge@given"]
    assert "A holds this answer: 82. B holds this answer: 84." in sent["judge@swapped"]
    for text in sent.values():
        assert WHO_IS_RIGHT in text
        assert LIKELY in text
        assert TRUTH in text
        assert KIM["judging_criteria"] not in text
        assert BANDS not in text
        assert "rather see win" not in text


def test_judges_of_the_same_model_have_names_of_their_own(tmp_path: Path) -> None:
    run = staged(tmp_path)
    replies: dict[str, Scripted | list[Scripted]] = {f"{part}@given/read": read(6, 5) for part in ("judge", "judge-2")}
    model = ScriptedModel(replies, JUDGE)
    result = asyncio.run(
        moot.rejudge([run], judges=[JUDGE, JUDGE], order="given", models={JUDGE: model}, out=str(tmp_path))
    )[0]
    assert [one.judge for one in outcome(result).judges] == [JUDGE, f"{JUDGE} (2)"]
    assert outcome(result).winner == "Ada"


# Arenas


def test_a_panel_of_judges_scores_an_arenas_proposals_in_both_orders(tmp_path: Path) -> None:
    source, _ = arena(tmp_path)
    fair = ScriptedModel(lambda request: reading(request, {"Buy": 9, "Cache": 6, "Delete": 2}), JUDGE)
    lazy = ScriptedModel(lambda request: reading(request, {shown_first(request): 9}), OTHER)
    result = again(moot.find_run(source.run), fair, lazy)
    found = outcome(result)
    assert result.spent.calls == 4
    assert [(one.winner, one.unstable, one.upholds) for one in found.judges] == [
        ("Bo", False, False),
        (None, True, None),
    ]
    assert (found.winner, found.upheld, found.unstable) == ("Bo", False, True)
    assert found.judges[0].scores == {"Ada": 6.0, "Bo": 9.0, "Cy": 2.0}
    assert found.judges[0].changes == {"Ada": -2.0, "Bo": 3.0, "Cy": -3.0}
    one, two = (list(reading.labels.values()) for reading in found.judges[0].readings)
    assert one == two[::-1]
    for request in fair.requests:
        assert not [name for name in ("Ada", "Bo", "Cy", "Kim is fair") if name in request.messages[-1].content]
    assert_sound(moot.find_run(result.run))


def test_a_judges_own_ranking_names_the_winner_of_an_arena(tmp_path: Path) -> None:
    """As in the arena itself: where scores contradict it, a flag says so."""

    def reply(request: moot.Request) -> Scripted:
        found = reading(request, {"Buy": 9, "Cache": 6, "Delete": 2})
        return {**found, "ranking": [letter_of(request, word) for word in ("Cache", "Buy", "Delete")]}

    result = again(moot.find_run(arena(tmp_path)[0].run), ScriptedModel(reply, JUDGE))
    (found,) = outcome(result).judges
    assert (found.winner, found.unstable, found.upholds) == ("Ada", False, True)
    assert "winner_contradicts_scores" in flagged(result)


def test_proposals_that_decide_the_same_are_one_when_judged_and_counted_again(tmp_path: Path) -> None:
    """Ada and Bo decide the same: whichever of the two a judge prefers, the judgement stands; and ballots pool."""
    words = {"ada": "Cache the modules.", "bo": "cache the modules", "cy": "Delete the tests."}

    def reply(request: moot.Request) -> Scripted:
        part = request.agent.partition("@")[0]
        match request.key.split("/")[1:]:
            case ["propose", *_]:
                return {"proposal": f"Plan of the {len(part)}-{part[0]}.", "decision": words[part]}
            case ["revise", *_]:
                return {**revision(f"Plan of the {len(part)}-{part[0]}."), "decision": words[part]}
            case ["vote", *_]:
                own = letter_of(request, f"Plan of the {len(part)}-{part[0]}.")
                return {"reason": "So.", "ranking": [own], "confidence": 50}
            case ["judging"]:
                return reading(request, {"3-a": 8, "2-b": 7, "2-c": 5})
        return plain_reply(request)

    source, _ = arena(tmp_path, plain=reply, vote="borda", self_votes=True)
    assert source.status == "done", source.reason
    judge = ScriptedModel(lambda request: reading(request, {"2-b": 9, "3-a": 6, "2-c": 5}), JUDGE)
    result = again(moot.find_run(source.run), judge, rules=["borda", "majority"])
    (found,) = outcome(result).judges
    assert (found.winner, found.upholds) == ("Ada", True)
    assert "winner_contradicts_scores" not in flagged(result)
    assert recounted(result) == {"borda": ("Ada", True), "majority": ("Ada", True)}
    assert [one.scores for one in outcome(result).recounts if one.rule == "borda"] == [{"Ada": "2", "Cy": "1"}]


def shown_first(request: moot.Request) -> str:
    return next(word for word in ("Cache", "Buy", "Delete") if letter_of(request, word) == "A")


def test_an_arenas_votes_are_counted_by_other_rules_and_nobody_is_asked(tmp_path: Path) -> None:
    def ranked(*words: str) -> Any:
        return lambda request: {
            "reason": "So.",
            "ranking": [letter_of(request, word) for word in words],
            "confidence": 90,
        }

    # Ada has two first places of three, and beats both others; by Borda points she and Bo are tied.
    votes: dict[str, Any] = {
        "ada@7/vote": ranked("Cache", "Buy", "Delete"),
        "bo@7/vote": ranked("Cache", "Buy", "Delete"),
        "cy@7/vote": ranked("Buy", "Delete", "Cache"),
    }
    source, _ = arena(tmp_path, votes, vote="borda", self_votes=True, max_extra_rounds=0)
    assert source.status == "done", source.reason
    result = again(moot.find_run(source.run), judges=[], rules=["majority", "unanimous", "condorcet"])
    assert (result.status, result.spent.calls) == ("done", 0)
    found = outcome(result)
    assert found.source is not None
    assert (found.source.rule, found.source.counted) == ("borda", None), "four points each: a tie is nobody's win"
    assert recounted(result) == {"majority": ("Ada", False), "unanimous": (None, True), "condorcet": ("Ada", False)}
    assert flagged(result)["hangs_on_rule"] == (
        "The outcome depends on the rule: by majority (Ada) and condorcet (Ada) the same votes come to another result."
    )
    assert result.summary.headline == "Another rule comes to another result"
    assert found.judges == []
    assert_sound(moot.find_run(result.run))


# What cannot be done


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"rules": ["borda"], "judges": []}, "nobody votes"),
        ({"judges": [], "rules": []}, "had no judge"),
    ],
)
def test_a_duel_without_votes_or_judge(tmp_path: Path, settings: dict[str, Any], told: str) -> None:
    config = small_config(tmp_path, judge=None)
    script = {key: reply for key, reply in full_script(2).items() if not key.startswith("judge")}
    run = moot.find_run(play(config, ScriptedModel(script)).run)
    with pytest.raises(moot.ConfigError, match=told):
        again(run, **settings)
    result = again(run, judge(read(6, 5), read(5, 6)))
    assert (outcome(result).winner, outcome(result).upheld) == ("Ada", None), "there is no verdict to uphold"


def test_arenas_have_their_own_rules_and_both_orders(tmp_path: Path) -> None:
    run = moot.find_run(arena(tmp_path)[0].run)
    with pytest.raises(moot.ConfigError, match="there are majority, supermajority"):
        again(run, judges=[], rules=["threshold=0.5"])
    with pytest.raises(moot.ConfigError, match="both orders"):
        again(run, judges=[JUDGE], order="given")
    assert len(moot.list_runs(str(tmp_path))) == 1, "nothing is left behind"


def test_what_is_unfinished_damaged_or_a_re_judging_is_refused(tmp_path: Path) -> None:
    half = moot.find_run(play(small_config(tmp_path, max_calls=5), ScriptedModel(full_script(2))).run)
    with pytest.raises(moot.ConfigError, match=f"moot resume {half.name}"):
        again(half, judges=[JUDGE])
    run = staged(tmp_path)
    twice = moot.find_run(again(run, judge(read(6, 5), read(5, 6))).run)
    with pytest.raises(moot.ConfigError, match="re-judging itself"):
        again(twice, judges=[JUDGE])
    text = run.log_path.read_text("utf-8")
    run.log_path.write_text(text.replace("Statement 1", "Statement 9"), "utf-8")
    with pytest.raises(moot.RunDamaged, match="do not hold together"):
        again(run, judges=[JUDGE])


def test_what_has_no_judge_and_no_vote_says_what_there_is_instead(tmp_path: Path) -> None:
    run = moot.find_run(persuade(tmp_path)[0].run)
    with pytest.raises(moot.ConfigError, match="`moot contest` shows what would move it"):
        again(run, judges=[JUDGE])
    with pytest.raises(moot.ConfigError, match="has another model take the chair"):
        again(hold(tmp_path)[0], judges=[JUDGE])
    with pytest.raises(moot.ConfigError, match="decided by votes"):
        again(moot.find_run(panel(tmp_path)[0].run), judges=[], rules=["borda"])


def test_judges_who_disagree_are_flagged_and_the_minority_dissents(tmp_path: Path) -> None:
    run = staged(tmp_path)
    fair = [
        judge(read(7, 5), read(4, 8), name, part) for name, part in ((JUDGE, "judge"), ("scripted/third", "judge-3"))
    ]
    other = judge(read(3, 9), read(9, 3), OTHER, "judge-2")
    result = again(run, fair[0], other, fair[1])
    assert outcome(result).winner == "Ada"
    assert "judges_disagree" in flagged(result)
    assert [(one.who, one.reason) for one in result.summary.brief.dissent] == [(OTHER, "names Bo")]


@pytest.mark.parametrize("other", ["openai/gpt-5", "anthropic/claude-haiku-4-5"])
def test_a_judge_of_one_debaters_kind_is_flagged(other: str, tmp_path: Path) -> None:
    models = [ScriptedModel(full_script(2), name) for name in {"openai/gpt-5", other}]
    config = small_config(tmp_path, model="openai/gpt-5", roles={"B": other})
    played = play(config, *models)
    kin = judge(read(6, 5), read(5, 6), "openai/gpt-5-mini")
    flags = [flag.code for result in (played, again(moot.find_run(played.run), kin)) for flag in result.flags]
    assert flags.count("judge_of_same_family") == (2 if other != "openai/gpt-5" else 0)


# Over many debates


def test_what_was_judged_before_is_not_paid_for_again(tmp_path: Path) -> None:
    run = staged(tmp_path)
    first = again(run, judge(read(5, 7), read(8, 4)))
    nobody = ScriptedModel({}, JUDGE)
    second = again(run, nobody)
    assert (second.run, second.outcome, nobody.requests) == (first.run, first.outcome, [])
    third = again(run, judge(read(9, 2), read(2, 9)), again=True)
    assert third.run != first.run
    other = again(run, judge(read(5, 7), read(8, 4)), sampling={"temperature": 1})
    assert other.run not in (first.run, third.run), "with other settings it is another judging"


def test_a_judge_who_cannot_answer_is_told_before_the_first_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    runs = [staged(tmp_path / str(number)) for number in range(2)]
    with pytest.raises(moot.MootError, match="OPENAI_API_KEY"):
        asyncio.run(moot.rejudge(runs, judges=["openai/gpt-5"], out=str(tmp_path / "again")))
    assert not (tmp_path / "again").exists()


def test_verdicts_that_stand_and_those_that_turn_with_the_order(tmp_path: Path) -> None:
    """One judge names the one who opened, in both orders; the other always names whom it is shown first."""
    runs = [staged(tmp_path), staged(tmp_path, judge=KIM | {"name": "Lee"})]

    def judged_by(model: ScriptedModel, out: str) -> JudgeAgreement:
        again = moot.rejudge(runs, judges=[JUDGE], models={JUDGE: model}, out=str(tmp_path / out))
        return judge_agreement(asyncio.run(again))

    stands = ScriptedModel(lambda request: read(7, 3) if "given" in request.key else read(3, 7), JUDGE)
    (record,) = judged_by(stands, "stands").judges
    assert (record.had_last_word.count, record.had_last_word.n, record.had_last_word.missing) == (0, 2, 0)
    assert (record.for_claim.count, record.for_claim.n, record.for_claim.missing) == (2, 2, 0)
    assert (record.shown_first.count, record.shown_first.n, record.shown_first.clusters) == (2, 4, 2)
    turns = judged_by(ScriptedModel(lambda _: read(7, 3), JUDGE), "turns")
    assert turns.winners.units == 0
    (record,) = turns.judges
    assert (record.debates, record.missing, record.upheld.n) == (2, 0, 0)
    assert (record.flipped.count, record.flipped.n) == (2, 2)
    assert (record.shown_first.count, record.shown_first.n, record.shown_first_expected) == (4, 4, 0.5)
    assert record.shown_first.clusters == 2
    # It names both sides of every debate, whatever they said, so there is nothing to be learnt of either.
    for told in (record.had_last_word, record.for_claim):
        assert (told.n, told.missing, told.rate, told.low) == (0, 2, None, None)
    assert record.mean_change == pytest.approx(-2.0), "5 and 5 where it was 8 and 6"
